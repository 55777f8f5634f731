# tests/fuzz/NAME.cpp is a fuzz target. By default it runs its corpus and some thousand mutations of it, as a test;
# with ETLANTIC_LIBFUZZER (clang) it is a libFuzzer program: see tools/fuzz.
option(ETLANTIC_LIBFUZZER "Build the fuzz targets for libFuzzer, which searches by itself" OFF)

file(GLOB fuzz_targets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp)
list(REMOVE_ITEM fuzz_targets ${PROJECT_SOURCE_DIR}/tests/fuzz/run_corpus.cpp)
foreach(source IN LISTS fuzz_targets)
  cmake_path(GET source STEM name)
  if(ETLANTIC_LIBFUZZER)
    etlantic_program(fuzz_${name} ${source})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    etlantic_program(fuzz_${name} ${source} tests/fuzz/run_corpus.cpp)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name} 3000)
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
  endif()
  target_include_directories(fuzz_${name} PRIVATE tests)
endforeach()
