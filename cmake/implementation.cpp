// The part of etlantic that is compiled once per application. CMake adds this file to every target that links etlantic;
// see cmake/library.cmake for how a program of several targets compiles it only once.
#include <etlantic/implementation.hpp>
