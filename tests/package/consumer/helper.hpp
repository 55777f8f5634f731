#pragma once
#include <etlantic/core/decimal.hpp>

etlantic::decimal<18, 2> total_of_two();
