# cmake -D COMPILER= -D SOURCE= -D FLAGS= -P check.cmake
#
# The source holds a good half and, under ETLANTIC_MUST_FAIL, a bad one. The good half must compile. The bad half must
# give exactly one error, whose line has the sentence of "// expect: <sentence>"; each text of "// names: <text>" must
# be in the output, and all of it must fit on a screen.

set(most_lines 20)

function(refuse reason)
  message("check.cmake: ${reason}\n--- ${COMPILER} ${SOURCE}\n${output}")
  message(FATAL_ERROR " refused")
endfunction()

# plain(<variable> <text>): without what CMake's lists would take apart, and without the spaces that only one of the
# compilers puts into the names of types (`a<b<c> >`, `c *`).
function(plain result text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REPLACE "[" "<" text "${text}")
  string(REPLACE "]" ">" text "${text}")
  string(REGEX REPLACE " +([*&>])" "\\1" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(compile result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} ${FLAGS} ${ARGN} ${SOURCE}
    RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_QUIET
  )
  plain(plain_output "${output}")
  set(${result} ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(plain_output "${plain_output}" PARENT_SCOPE)
endfunction()

# require_text(<where> <text> <reason if it is not there>)
function(require_text where text reason)
  plain(plain_text "${text}")
  string(FIND "${where}" "${plain_text}" place)
  if(place EQUAL -1)
    refuse("${reason}: ${text}")
  endif()
endfunction()

file(READ ${SOURCE} source)
string(REGEX MATCH "// expect: ([^\n]+)" unused "${source}")
set(sentence "${CMAKE_MATCH_1}")
if(NOT sentence)
  refuse("there is no line // expect: <sentence>")
endif()

compile(status)
if(NOT status EQUAL 0)
  refuse("the good half does not compile")
endif()

compile(status -DETLANTIC_MUST_FAIL)
if(status EQUAL 0)
  refuse("the bad half compiles")
endif()

string(REGEX MATCHALL "[^\n]*error: [^\n]*" errors "${plain_output}")
list(LENGTH errors count)
if(NOT count EQUAL 1)
  refuse("${count} errors instead of one")
endif()
require_text("${errors}" "etlantic: ${sentence}" "the error does not say")

file(STRINGS ${SOURCE} names REGEX "^// names: ")
foreach(name IN LISTS names)
  string(REPLACE "// names: " "" name "${name}")
  require_text("${plain_output}" "${name}" "the output does not name")
endforeach()

# The chain of includes depends on where the project lies, not on the mistake.
string(REGEX REPLACE "(In file included from|                 from) [^\n]*\n" "" shown "${plain_output}")
string(REGEX MATCHALL "\n" lines "${shown}")
list(LENGTH lines count)
if(count GREATER most_lines)
  refuse("${count} lines are more than ${most_lines}")
endif()
