# Every header compiles alone. With clang, whose precompiled headers make it a matter of a minute, whatever compiler this
# build is configured for.

if(NOT ETLANTIC_CLANG)
  message(WARNING "There is no clang++-19: no test tries the headers alone")
  return()
endif()

# What a program that links all components is compiled with. Folders of the system are looked in last, because clang's
# own headers do not work behind those of C.
set(definitions "$<TARGET_PROPERTY:two_units,COMPILE_DEFINITIONS>")
set(folders "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:two_units,INCLUDE_DIRECTORIES>>")
add_test(NAME headers COMMAND
  Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/check_headers.py ${ETLANTIC_CLANG} -std=c++20
  "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" "$<$<BOOL:${folders}>:-idirafter;$<JOIN:${folders},;-idirafter;>>"
  COMMAND_EXPAND_LISTS
)
set_tests_properties(headers PROPERTIES LABELS project PROCESSORS 2 COST 60)
