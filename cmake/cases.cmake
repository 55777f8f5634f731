# The cases of tests/data/cases, or of another folder: contracts run as they are, pipelines are compiled from their
# case.json. Two cases that differ in durations only share a program. Random cases have the answers of
# tests/cases/reference_model.py.

option(ETLANTIC_CASE_PROGRAMS "Build and run the pipelines of the cases" ON)
set(ETLANTIC_CASES "${PROJECT_SOURCE_DIR}/tests/data/cases" CACHE PATH "A folder of cases; see tools/run_cases")
set(ETLANTIC_RANDOM_CASES 10500 CACHE STRING "How many random cases there are; 0: none")
set(ETLANTIC_RANDOM_SEED 1 CACHE STRING "What the random cases start from")

set(etlantic_case_scripts ${PROJECT_SOURCE_DIR}/tests/cases)
file(GLOB etlantic_case_descriptions CONFIGURE_DEPENDS ${ETLANTIC_CASES}/*/case.json)
file(GLOB etlantic_case_generators CONFIGURE_DEPENDS ${etlantic_case_scripts}/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${etlantic_case_descriptions} ${etlantic_case_generators})

etlantic_program(run_contract_cases tests/cases/contracts.cpp)

if(ETLANTIC_CASE_PROGRAMS)
  add_library(etlantic_case_runner STATIC tests/cases/case_run.cpp tests/cases/pipeline_runner.cpp)
  target_include_directories(etlantic_case_runner PUBLIC tests)
  target_link_libraries(etlantic_case_runner PUBLIC etlantic_implementation etlantic_warnings)
  set_target_properties(etlantic_case_runner PROPERTIES ETLANTIC_IMPLEMENTATION_ELSEWHERE ON)
  # The programs handle a few rows: what counts is how long they take to compile. The precompiled header of the tests
  # takes longer to make than any of the programs.
  target_compile_options(etlantic_case_runner PUBLIC ${ETLANTIC_PIPELINE_TEST_OPTIONS})
  target_precompile_headers(etlantic_case_runner REUSE_FROM etlantic_pipeline_tests)
endif()

add_custom_target(cases DEPENDS run_contract_cases)

# etlantic_case_pipelines(<folder of cases> <folder for programs> <options of generate_pipelines.py>...)
function(etlantic_case_pipelines cases folder)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${etlantic_case_scripts}/generate_pipelines.py ${ARGN} ${cases} ${folder}
    COMMAND_ERROR_IS_FATAL ANY
  )
  if(NOT ETLANTIC_CASE_PROGRAMS)
    return()
  endif()
  file(STRINGS ${folder}/sources.txt programs)
  foreach(program IN LISTS programs)
    if(TARGET ${program})
      continue()  # the same text is the same program
    endif()
    etlantic_program(${program} ${folder}/${program}.cpp)
    target_link_libraries(${program} PRIVATE etlantic_case_runner)
    target_precompile_headers(${program} REUSE_FROM etlantic_pipeline_tests)
    add_dependencies(cases ${program})
  endforeach()
endfunction()

# etlantic_case_test(<name> <instruction set> <folder of cases> <folder of programs> <options of run.py>...)
function(etlantic_case_test name instructions cases folder)
  add_test(NAME cases.${name}.${instructions} COMMAND
    Python3::Interpreter ${etlantic_case_scripts}/run.py ${cases} ${CMAKE_CURRENT_BINARY_DIR} ${folder} ${ARGN}
  )
  set_tests_properties(cases.${name}.${instructions} PROPERTIES
    LABELS cases
    ENVIRONMENT ETLANTIC_INSTRUCTION_SET=${instructions}
  )
endfunction()

set(etlantic_case_folder ${CMAKE_CURRENT_BINARY_DIR}/cases)
# Our own cases compile; of others one that does not must not take the rest with it.
if(ETLANTIC_CASES STREQUAL "${PROJECT_SOURCE_DIR}/tests/data/cases")
  etlantic_case_pipelines(${ETLANTIC_CASES} ${etlantic_case_folder} --by-family)
else()
  etlantic_case_pipelines(${ETLANTIC_CASES} ${etlantic_case_folder})
endif()
foreach(instructions best avx2 baseline)
  if(ETLANTIC_CASE_PROGRAMS)
    etlantic_case_test(pipelines ${instructions} ${ETLANTIC_CASES} ${etlantic_case_folder} --kind pipelines)
  endif()
  etlantic_case_test(contracts ${instructions} ${ETLANTIC_CASES} ${etlantic_case_folder} --kind contracts)
  etlantic_case_test(contracts_many ${instructions} ${ETLANTIC_CASES} ${etlantic_case_folder} --kind contracts --many)
endforeach()
etlantic_case_test(contracts_no_fast_path best ${ETLANTIC_CASES} ${etlantic_case_folder} --kind contracts --no-fast-path)

# One program for each shape of the random cases, from one case of each; the cases themselves are made by the test.
if(ETLANTIC_CASE_PROGRAMS AND ETLANTIC_RANDOM_CASES GREATER 0)
  set(etlantic_random_folder ${CMAKE_CURRENT_BINARY_DIR}/random)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${etlantic_case_scripts}/random_cases.py ${etlantic_random_folder}/shapes 0 all
    COMMAND_ERROR_IS_FATAL ANY
  )
  etlantic_case_pipelines(${etlantic_random_folder}/shapes ${etlantic_random_folder}/programs)
  add_test(NAME cases.random COMMAND
    Python3::Interpreter ${etlantic_case_scripts}/run_random.py ${CMAKE_CURRENT_BINARY_DIR} ${ETLANTIC_RANDOM_SEED}
      ${ETLANTIC_RANDOM_CASES}
  )
  set_tests_properties(cases.random PROPERTIES LABELS cases PROCESSORS 2 COST 140)
endif()
