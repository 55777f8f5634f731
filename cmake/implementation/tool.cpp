// A part of etlantic that is compiled once per application: command line. See cmake/library.cmake.
#include <etlantic/implementation_tool.hpp>
