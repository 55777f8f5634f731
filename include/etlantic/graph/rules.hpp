#pragma once
#include <etlantic/graph/delivery_rules.hpp>
#include <etlantic/graph/join_rules.hpp>
#include <etlantic/graph/keyed_rules.hpp>
#include <etlantic/graph/result_rules.hpp>
#include <etlantic/graph/time_rules.hpp>
#include <etlantic/graph/wiring_rules.hpp>
