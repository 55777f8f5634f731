# examples/NN_name.cpp becomes the target example_NN_name. Each line "// ctest: <arguments>" in it is a test that runs
# the program with these arguments in an empty folder of its own; {data} stands for examples/data.

add_executable(generate_orders examples/data/generate_orders.cpp)
target_link_libraries(generate_orders PRIVATE CLI11::CLI11 etlantic_warnings)
set_target_properties(generate_orders PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)

function(etlantic_example source)
  cmake_path(GET source STEM name)
  etlantic_program(example_${name} ${source})
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples
  )

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} runs REGEX "^// ctest:")
  set(number 0)
  foreach(run IN LISTS runs)
    math(EXPR number "${number} + 1")
    string(REGEX REPLACE "^// ctest: *" "" arguments "${run}")
    string(REPLACE "{data}" "${PROJECT_SOURCE_DIR}/examples/data" arguments "${arguments}")
    separate_arguments(arguments UNIX_COMMAND "${arguments}")
    set(folder ${PROJECT_BINARY_DIR}/examples/run/${name}.${number})
    add_test(NAME example.${name}.${number} COMMAND
      ${CMAKE_COMMAND} -D "FOLDER=${folder}" -P ${PROJECT_SOURCE_DIR}/cmake/run_in_empty_folder.cmake --
      $<TARGET_FILE:example_${name}> ${arguments}
    )
    set_tests_properties(example.${name}.${number} PROPERTIES LABELS example)
  endforeach()
endfunction()

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/[0-9][0-9]_*.cpp)
if(NOT TARGET etlantic::delta)
  list(FILTER example_sources EXCLUDE REGEX "_delta_")
endif()
foreach(source IN LISTS example_sources)
  etlantic_example(${source})
endforeach()
