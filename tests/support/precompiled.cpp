// CMake builds a precompiled header only for a target that has a source which uses it.
