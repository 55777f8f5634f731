# Static tests are compiled only; every folder of unit tests, and each of the other kinds, is one Catch2 program.

find_package(Catch2 QUIET)
if(NOT Catch2_FOUND)
  message(FATAL_ERROR "The tests need Catch2; on Debian: apt-get install catch2")
endif()
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

# Holds main() and the precompiled header that all test programs share.
add_library(etlantic_test_main STATIC tests/support/catch_main.cpp tests/support/data.cpp tests/support/precompiled.cpp)
target_include_directories(etlantic_test_main PUBLIC tests)
target_link_libraries(etlantic_test_main PUBLIC etlantic_implementation etlantic_warnings Catch2::Catch2)
set_target_properties(etlantic_test_main PROPERTIES ETLANTIC_IMPLEMENTATION_ELSEWHERE ON)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  target_sources(etlantic_test_main INTERFACE ${PROJECT_SOURCE_DIR}/tests/support/c11_threads.cpp)
endif()
# In angle brackets, since CMake would write the whole path of others into a file that a compiler cache looks at.
set(etlantic_test_headers
  <support/catch.hpp> <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <memory> <optional> <string> <string_view> <vector>
)
target_precompile_headers(etlantic_test_main PRIVATE ${etlantic_test_headers})
# Of tests that declare pipelines nearly a third of the time would go into reading what declares them, and most of the
# rest into instructions for pipelines of a few rows.
set(ETLANTIC_PIPELINE_TEST_OPTIONS "" CACHE STRING "What tests that declare pipelines are compiled with besides")
add_library(etlantic_pipeline_tests STATIC tests/support/precompiled.cpp)
target_link_libraries(etlantic_pipeline_tests PUBLIC etlantic_test_main)
target_compile_options(etlantic_pipeline_tests PUBLIC ${ETLANTIC_PIPELINE_TEST_OPTIONS})
set_target_properties(etlantic_pipeline_tests PROPERTIES ETLANTIC_IMPLEMENTATION_ELSEWHERE ON)
target_precompile_headers(etlantic_pipeline_tests PRIVATE ${etlantic_test_headers} <etlantic/etlantic.hpp>)
# It configures Catch2 by a macro before the include.
set_source_files_properties(tests/support/catch_main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(tests/support/data.cpp PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS ETLANTIC_TESTS_FOLDER="${PROJECT_SOURCE_DIR}/tests"
)

# etlantic_test_program(<name of the test> <library whose precompiled header it takes> <sources>...)
function(etlantic_test_program name precompiled)
  string(REPLACE "." "_" target test_${name})
  etlantic_program(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE ${precompiled})
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
  string(REGEX REPLACE "\\..*" "" label ${name})
  if(NOT name STREQUAL "differential")
    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES LABELS ${label})
    return()
  endif()
  # The longest of all with sanitizers: two processors share it.
  add_test(NAME ${name}.keyed_rows COMMAND ${target} --filenames-as-tags "[#keyed_rows],[#process]")
  add_test(NAME ${name}.others COMMAND ${target} --filenames-as-tags "~[#keyed_rows]~[#process]")
  set_tests_properties(${name}.keyed_rows ${name}.others PROPERTIES LABELS ${label} COST 60)
endfunction()

# etlantic_test_folder(<name of the test> <folder of tests/>): nothing if the folder has no tests
function(etlantic_test_folder name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  # Two of its files have tests that integration.test_kafka runs.
  if(name STREQUAL "unit.kafka" AND NOT ETLANTIC_RUNTIME_TESTS)
    list(FILTER sources INCLUDE REGEX "/(records|sink)[.]cpp$")
  endif()
  if(name MATCHES "^(unit[.]lower|unit[.]testing|differential)$")
    etlantic_test_program(${name} etlantic_pipeline_tests ${sources})
  else()
    etlantic_test_program(${name} etlantic_test_main ${sources})
  endif()
endfunction()

file(GLOB layers RELATIVE ${PROJECT_SOURCE_DIR}/tests/unit CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/*)
if(NOT TARGET etlantic::delta)
  list(REMOVE_ITEM layers delta)
endif()
option(ETLANTIC_RUNTIME_TESTS "Build the tests of what runs pipelines, which take longest to compile" ON)
if(NOT ETLANTIC_RUNTIME_TESTS)
  list(REMOVE_ITEM layers delta lower runtime sqlite testing tool)
endif()
foreach(layer IN LISTS layers)
  etlantic_test_folder(unit.${layer} unit/${layer})
endforeach()
etlantic_test_folder(differential differential)
if(ETLANTIC_RUNTIME_TESTS)
  etlantic_test_folder(recovery recovery)
endif()

file(GLOB_RECURSE static_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/static/*.cpp)
if(static_tests)
  add_library(etlantic_static_tests OBJECT ${static_tests})
  target_include_directories(etlantic_static_tests PRIVATE tests)
  target_link_libraries(etlantic_static_tests PRIVATE etlantic::etlantic etlantic_warnings)
endif()

# etlantic_integration_test(<script in tests/integration> <targets whose programs it gets as arguments>...)
function(etlantic_integration_test script)
  set(programs "")
  foreach(target IN LISTS ARGN)
    list(APPEND programs $<TARGET_FILE:${target}>)
  endforeach()
  add_test(NAME integration.${script} COMMAND
    Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/integration/${script}.py ${programs}
  )
  set_tests_properties(integration.${script} PROPERTIES LABELS integration)
endfunction()

add_test(NAME layers COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
set_tests_properties(layers PROPERTIES LABELS project)

etlantic_integration_test(test_generate_orders generate_orders)
etlantic_integration_test(test_customer_orders example_01_customer_orders generate_orders)
etlantic_integration_test(test_query_life example_01_customer_orders generate_orders)
etlantic_integration_test(test_tools)
etlantic_integration_test(test_readme example_01_customer_orders)
add_test(NAME integration.test_quickstart COMMAND Python3::Interpreter
  ${PROJECT_SOURCE_DIR}/tests/integration/test_quickstart.py $<TARGET_FILE_DIR:example_01_customer_orders>
  $<$<TARGET_EXISTS:etlantic::delta>:delta>
)
set_tests_properties(integration.test_quickstart PROPERTIES LABELS integration)
etlantic_integration_test(test_quarantine example_01_customer_orders)
etlantic_program(rejecting_pipeline tests/integration/rejecting_pipeline.cpp)
etlantic_integration_test(test_rejected_results rejecting_pipeline)
etlantic_integration_test(soak example_01_customer_orders)
# A sanitizer that keeps what was freed makes memory look as if it grew.
set_tests_properties(integration.soak PROPERTIES ENVIRONMENT "ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0")
etlantic_integration_test(test_bench)
etlantic_integration_test(test_embedded_kafka example_01_customer_orders generate_orders)
etlantic_integration_test(test_bindings example_01_customer_orders example_10_kafka_orders)

include(cmake/cases.cmake)
