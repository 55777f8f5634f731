# What starts compilers or brokers, for which one preset is enough.

# Against a real broker, which needs Java and, the first time, Maven; without them it says so and is skipped.
add_executable(kafka_records tests/integration/kafka/records.cpp)
target_link_libraries(kafka_records PRIVATE etlantic::librdkafka etlantic_warnings)
etlantic_integration_test(test_kafka example_01_customer_orders generate_orders kafka_records test_unit_kafka)
set_tests_properties(integration.test_kafka PROPERTIES LABELS "integration;kafka" SKIP_RETURN_CODE 77 TIMEOUT 600 COST 90)
etlantic_integration_test(test_kafka_group example_01_customer_orders generate_orders kafka_records test_unit_kafka)
set_tests_properties(integration.test_kafka_group PROPERTIES LABELS "integration;kafka" SKIP_RETURN_CODE 77 TIMEOUT 600 COST 45)

# Another architecture at least compiles, where there is a compiler for it.
find_program(etlantic_arm64_compiler NAMES aarch64-linux-gnu-g++ aarch64-linux-gnu-g++-12)
if(etlantic_arm64_compiler)
  add_test(NAME arm64 COMMAND
    ${CMAKE_COMMAND} -D COMPILER=${etlantic_arm64_compiler} -D SOURCE=${PROJECT_SOURCE_DIR} -P
    ${PROJECT_SOURCE_DIR}/cmake/compile_arm64.cmake
  )
  set_tests_properties(arm64 PROPERTIES LABELS project)
else()
  message(STATUS "No test arm64: there is no aarch64-linux-gnu-g++")
endif()

# All bodies in one file, as a program without CMake has them.
add_test(NAME one_unit COMMAND
  ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -DETLANTIC_WITH_SQLITE -DETLANTIC_WITH_KAFKA -DETLANTIC_WITH_TOOL
  -DETLANTIC_WITH_TIME_ZONE -I ${PROJECT_SOURCE_DIR}/include -include etlantic/implementation.hpp
  ${PROJECT_SOURCE_DIR}/examples/01_customer_orders.cpp
)
set_tests_properties(one_unit PROPERTIES LABELS project COST 40)
