# A pipeline that is struck at system calls; see tests/crash/crash_test.py and tools/crash_test. Sanitizers keep system
# calls to themselves, so that only optimised builds have it.

if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()

set(ETLANTIC_CRASH_POINTS 400 CACHE STRING "How many runs of the crash test are struck")

etlantic_program(crash_pipeline tests/crash/pipeline.cpp)
add_library(fault_points MODULE tests/crash/fault_points.cpp)
target_link_libraries(fault_points PRIVATE ${CMAKE_DL_LIBS} etlantic_warnings)

# The one that has delta-rs, if there is one; see cmake/delta_tests.cmake.
if(NOT etlantic_referee_python)
  set(etlantic_referee_python ${Python3_EXECUTABLE})
endif()
add_test(NAME crash COMMAND
  ${etlantic_referee_python} ${PROJECT_SOURCE_DIR}/tests/crash/crash_test.py $<TARGET_FILE:crash_pipeline>
    $<TARGET_FILE:fault_points> --points ${ETLANTIC_CRASH_POINTS} --read-every 4
)
set_tests_properties(crash PROPERTIES LABELS crash PROCESSORS 2 COST 45)

if(NOT TARGET kafka_records)
  return()
endif()

# A real broker, for which there has to be Java; each run takes some seconds, so that few are struck here.
set(ETLANTIC_KAFKA_CRASH_POINTS 8 CACHE STRING "How many runs of the crash test with Kafka are struck")
add_test(NAME crash.kafka COMMAND
  Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/crash/crash_test.py $<TARGET_FILE:crash_pipeline>
    $<TARGET_FILE:fault_points> --sink kafka --records $<TARGET_FILE:kafka_records>
    --points ${ETLANTIC_KAFKA_CRASH_POINTS}
)
set_tests_properties(crash.kafka PROPERTIES LABELS "crash;kafka" SKIP_RETURN_CODE 77 TIMEOUT 900 PROCESSORS 2 COST 150)
