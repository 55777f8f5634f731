# What only this project's own builds have: warnings, the compiled implementation, examples and tests.

find_program(ETLANTIC_CCACHE ccache)
mark_as_advanced(ETLANTIC_CCACHE)
if(ETLANTIC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Relative paths, so that another clone hits; the sloppiness is what ccache asks for to cache precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${ETLANTIC_CCACHE}
  )
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(etlantic_warnings INTERFACE)
target_compile_options(etlantic_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
)
# Our own programs share one compiled implementation instead of compiling it each.
add_library(etlantic_implementation STATIC)
target_link_libraries(etlantic_implementation PUBLIC etlantic::etlantic PRIVATE etlantic_warnings)

# etlantic_program(<target> <sources>...)
function(etlantic_program target)
  add_executable(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES ETLANTIC_IMPLEMENTATION_ELSEWHERE ON)
  target_link_libraries(${target} PRIVATE etlantic_implementation etlantic_warnings)
endfunction()

# A test that takes long says about how many seconds (COST): where nothing is known of earlier runs, ctest begins with it.
enable_testing()
option(ETLANTIC_OUTSIDE_TESTS "Test with what is not ours: compilers, brokers, engines that read our tables" ON)
include(cmake/examples.cmake)
include(cmake/tests.cmake)
if(ETLANTIC_OUTSIDE_TESTS)
  include(cmake/outside_tests.cmake)
  include(cmake/delta_tests.cmake)
  include(cmake/compile_fail.cmake)
  include(cmake/package_tests.cmake)
  include(cmake/header_tests.cmake)
endif()
include(cmake/crash_test.cmake)
option(ETLANTIC_FUZZ "Run the fuzz targets on their corpus as tests" OFF)
if(ETLANTIC_FUZZ OR ETLANTIC_LIBFUZZER)
  include(cmake/fuzz.cmake)
endif()

option(ETLANTIC_BENCHMARKS "Build the programs of tools/bench and test that they agree" OFF)
if(ETLANTIC_BENCHMARKS)
  add_subdirectory(bench)
endif()
