# How users get the library: installed, as a subdirectory, and included by several files of one program.

function(etlantic_package_test mode)
  add_test(NAME package.${mode} COMMAND
    ${CMAKE_COMMAND}
    -D MODE=${mode}
    -D SOURCE=${PROJECT_SOURCE_DIR}
    -D BUILD=${PROJECT_BINARY_DIR}
    -D FOLDER=${PROJECT_BINARY_DIR}/package/${mode}
    -D GENERATOR=${CMAKE_GENERATOR}
    -D COMPILER=${CMAKE_CXX_COMPILER}
    -P ${PROJECT_SOURCE_DIR}/tests/package/check.cmake
  )
  set_tests_properties(package.${mode} PROPERTIES LABELS package COST 60)
endfunction()

etlantic_package_test(find_package)
etlantic_package_test(add_subdirectory)

# Every header in two units of one program: a function that lacks `inline` is defined twice. One of them has no
# run-time type information, which some users switch off.
etlantic_headers_of(headers)
list(FILTER headers EXCLUDE REGEX "${etlantic_bodies}")
list(TRANSFORM headers REPLACE "^${etlantic_include_directory}/(.*)$" "#include <\\1>")
list(JOIN headers "\n" everything)
file(CONFIGURE OUTPUT generated/everything.hpp CONTENT "#pragma once\n${everything}\n" @ONLY)
etlantic_program(two_units tests/package/two_units/one.cpp tests/package/two_units/two.cpp)
set_source_files_properties(tests/package/two_units/two.cpp PROPERTIES COMPILE_OPTIONS -fno-rtti)
target_include_directories(two_units PRIVATE ${PROJECT_BINARY_DIR}/generated)
add_test(NAME package.two_units COMMAND two_units)
set_tests_properties(package.two_units PROPERTIES LABELS package)
