#pragma once
#include <etlantic/column/state_io.hpp>
