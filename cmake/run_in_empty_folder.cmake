# cmake -D FOLDER=<folder> -P run_in_empty_folder.cmake -- <program> <arguments>...
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

set(command "")
set(past_separator FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(past_separator)
    list(APPEND command "${CMAKE_ARGV${index}}")
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(past_separator TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
