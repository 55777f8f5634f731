# The cases of tests/data/cases, or of another folder: contracts run as they are, pipelines are compiled from their
# case.json. Two cases that differ in durations only share a program.

option(ETLANTIC_CASE_PROGRAMS "Build and run the pipelines of the cases" ON)
set(ETLANTIC_CASES "${PROJECT_SOURCE_DIR}/tests/data/cases" CACHE PATH "A folder of cases; see tools/run_cases")
set(etlantic_case_generator ${PROJECT_SOURCE_DIR}/tests/cases/generate_pipelines.py)
file(GLOB etlantic_case_descriptions CONFIGURE_DEPENDS ${ETLANTIC_CASES}/*/case.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${etlantic_case_descriptions} ${etlantic_case_generator} ${PROJECT_SOURCE_DIR}/tests/cases/pipeline_source.py
)
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${etlantic_case_generator} ${ETLANTIC_CASES} ${CMAKE_CURRENT_BINARY_DIR}/cases
  COMMAND_ERROR_IS_FATAL ANY
)
set(etlantic_case_programs "")
if(ETLANTIC_CASE_PROGRAMS)
  file(STRINGS ${CMAKE_CURRENT_BINARY_DIR}/cases/sources.txt etlantic_case_programs)
endif()

etlantic_program(run_contract_cases tests/cases/contracts.cpp)

add_library(etlantic_case_runner STATIC tests/cases/case_run.cpp tests/cases/pipeline_runner.cpp)
target_include_directories(etlantic_case_runner PUBLIC tests)
target_link_libraries(etlantic_case_runner PUBLIC etlantic_implementation etlantic_warnings)
set_target_properties(etlantic_case_runner PROPERTIES ETLANTIC_IMPLEMENTATION_ELSEWHERE ON)

foreach(program IN LISTS etlantic_case_programs)
  etlantic_program(${program} ${CMAKE_CURRENT_BINARY_DIR}/cases/${program}.cpp)
  target_link_libraries(${program} PRIVATE etlantic_case_runner)
  # Each handles a few rows: what counts is how long they take to compile.
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${program} PRIVATE -O1)
  endif()
endforeach()
add_custom_target(cases DEPENDS run_contract_cases ${etlantic_case_programs})

# etlantic_case_test(<name> <instruction set> <options of run.py>...)
function(etlantic_case_test name instructions)
  add_test(NAME cases.${name}.${instructions} COMMAND
    Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/cases/run.py ${ETLANTIC_CASES} ${CMAKE_CURRENT_BINARY_DIR} ${ARGN}
  )
  set_tests_properties(cases.${name}.${instructions} PROPERTIES
    LABELS cases
    ENVIRONMENT ETLANTIC_INSTRUCTION_SET=${instructions}
  )
endfunction()

foreach(instructions best avx2 baseline)
  if(ETLANTIC_CASE_PROGRAMS)
    etlantic_case_test(pipelines ${instructions} --kind pipelines)
  endif()
  etlantic_case_test(contracts ${instructions} --kind contracts)
  etlantic_case_test(contracts_many ${instructions} --kind contracts --many)
endforeach()
etlantic_case_test(contracts_no_fast_path best --kind contracts --no-fast-path)
