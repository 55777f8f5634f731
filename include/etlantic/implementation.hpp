#pragma once

/// The bodies that are compiled once per application, with the third-party headers they need. The CMake targets add
/// some source files that include a part each, so that they are compiled at the same time in less memory; without
/// CMake, include this in exactly one file of the application (or in every file: all of it is inline).
/// ETLANTIC_WITH_SQLITE, ETLANTIC_WITH_KAFKA, ETLANTIC_WITH_DELTA, ETLANTIC_WITH_TOOL, ETLANTIC_WITH_TIME_ZONE and
/// ETLANTIC_WITH_ZSTD say which parts are wanted.

#include <etlantic/implementation_connect.hpp>
#include <etlantic/implementation_delta.hpp>
#include <etlantic/implementation_runtime.hpp>
#include <etlantic/implementation_tool.hpp>
