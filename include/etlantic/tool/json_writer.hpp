#pragma once
#include <etlantic/core/json_writer.hpp>
