// A part of etlantic that is compiled once per application: Delta tables and Parquet. See cmake/library.cmake.
#include <etlantic/implementation_delta.hpp>
