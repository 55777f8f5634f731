#include "helper.hpp"

etlantic::decimal<18, 2> total_of_two() { return etlantic::decimal<18, 2>::from_scaled(300); }
