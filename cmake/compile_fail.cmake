# tests/compile_fail/<layer>/<rule>.cpp shows what users read when they break a rule. Every file is tried with every
# compiler that is found, whatever compiler this build is configured for.

set(etlantic_compile_fail_flags -std=c++20 -fsyntax-only -I ${PROJECT_SOURCE_DIR}/include)

# Parsing the library once per compiler instead of twice per file takes the tests from minutes to seconds.
function(etlantic_precompile compiler_name compiler precompiled)
  add_test(NAME compile_fail.precompile.${compiler_name} COMMAND
    ${CMAKE_COMMAND}
    -D "COMPILER=${compiler}"
    -D "HEADER=${PROJECT_SOURCE_DIR}/include/etlantic/etlantic.hpp"
    -D "INCLUDE=${PROJECT_SOURCE_DIR}/include"
    -D "OUTPUT=${precompiled}"
    -P ${PROJECT_SOURCE_DIR}/tests/compile_fail/precompile.cmake
  )
  set_tests_properties(compile_fail.precompile.${compiler_name} PROPERTIES
    LABELS compile_fail
    FIXTURES_SETUP precompiled_${compiler_name}
  )
endfunction()

# etlantic_compile_fail(<name of the test> <compiler> <source> <flags>...)
function(etlantic_compile_fail name compiler source)
  add_test(NAME ${name} COMMAND
    ${CMAKE_COMMAND} -D "COMPILER=${compiler}" -D "SOURCE=${source}" -D "FLAGS=${etlantic_compile_fail_flags};${ARGN}"
    -P ${PROJECT_SOURCE_DIR}/tests/compile_fail/check.cmake
  )
  set_tests_properties(${name} PROPERTIES LABELS compile_fail)
endfunction()

function(etlantic_compile_fail_with compiler_name compiler)
  # gcc looks for <etlantic/etlantic.hpp.gch> in the include path, clang wants to be told.
  set(folder ${PROJECT_BINARY_DIR}/precompiled/${compiler_name})
  if(compiler_name STREQUAL "gcc")
    set(precompiled ${folder}/etlantic/etlantic.hpp.gch)
    set(use_precompiled -Werror=invalid-pch -I ${folder})
  else()
    set(precompiled ${folder}/etlantic.pch)
    set(use_precompiled -include-pch ${precompiled})
  endif()
  etlantic_precompile(${compiler_name} ${compiler} ${precompiled})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/compile_fail/*.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM LAST_ONLY rule)
    if(source MATCHES "/compile_fail/harness/")
      set(name compile_fail.harness.${rule}.${compiler_name})
      etlantic_compile_fail(${name} ${compiler} ${source})
      file(STRINGS ${source} refused REGEX "^// refused: ")
      string(REGEX REPLACE "^// refused: " "" refused "${refused}")
      set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${refused}")
    else()
      set(name compile_fail.${rule}.${compiler_name})
      etlantic_compile_fail(${name} ${compiler} ${source} ${use_precompiled})
      set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED precompiled_${compiler_name})
    endif()
  endforeach()
endfunction()

find_program(ETLANTIC_GCC NAMES g++-12 g++)
find_program(ETLANTIC_CLANG NAMES clang++-19)
mark_as_advanced(ETLANTIC_GCC ETLANTIC_CLANG)
foreach(compiler IN ITEMS gcc clang)
  string(TOUPPER ${compiler} upper)
  if(ETLANTIC_${upper})
    etlantic_compile_fail_with(${compiler} ${ETLANTIC_${upper}})
  else()
    message(WARNING "There is no ${compiler}: the compile_fail tests do not try it")
  endif()
endforeach()

add_test(NAME rules COMMAND
  Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_rules.py
)
set_tests_properties(rules PROPERTIES LABELS project)
add_test(NAME error_page COMMAND
  Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/error_page --check
)
set_tests_properties(error_page PROPERTIES LABELS project)
