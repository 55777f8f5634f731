// A part of etlantic that is compiled once per application: columns and runtime. See cmake/library.cmake.
#include <etlantic/implementation_runtime.hpp>
