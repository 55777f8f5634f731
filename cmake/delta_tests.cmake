# Delta tables, read and written by other implementations; see tests/integration/delta/referees.py, whose referees lie in
# the Python environment that tools/setup makes, and java_referees.py, which gets Spark the first time.

if(NOT TARGET etlantic::delta)
  return()
endif()

etlantic_program(delta_writer tests/integration/delta/writer.cpp)
target_include_directories(delta_writer PRIVATE tests)
etlantic_program(delta_scenarios tests/integration/delta/scenarios.cpp)
target_include_directories(delta_scenarios PRIVATE tests)

set(etlantic_referee_python ${ETLANTIC_PYTHON_ENVIRONMENT}/bin/python)
if(NOT EXISTS ${etlantic_referee_python})
  set(etlantic_referee_python ${Python3_EXECUTABLE})
endif()
add_test(NAME delta.referees COMMAND
  ${etlantic_referee_python} ${PROJECT_SOURCE_DIR}/tests/integration/delta/referees.py $<TARGET_FILE:delta_writer>
)
set_tests_properties(delta.referees PROPERTIES LABELS delta SKIP_RETURN_CODE 77)
add_test(NAME delta.java_referees COMMAND
  ${etlantic_referee_python} ${PROJECT_SOURCE_DIR}/tests/integration/delta/java_referees.py $<TARGET_FILE:delta_writer>
)
set_tests_properties(delta.java_referees PROPERTIES LABELS delta SKIP_RETURN_CODE 77 TIMEOUT 900 COST 300)

add_test(NAME delta.scenarios COMMAND
  ${etlantic_referee_python} ${PROJECT_SOURCE_DIR}/tests/integration/delta/scenarios.py $<TARGET_FILE:delta_scenarios>
)
set_tests_properties(delta.scenarios PROPERTIES LABELS delta SKIP_RETURN_CODE 77)
