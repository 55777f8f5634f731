// A part of etlantic that is compiled once per application: connectors. See cmake/library.cmake.
#include <etlantic/implementation_connect.hpp>
