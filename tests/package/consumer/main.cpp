#include <etlantic/etlantic.hpp>

#include "helper.hpp"

int main() { return total_of_two() == etlantic::decimal<18, 2>::from_scaled(300) ? 0 : 1; }
