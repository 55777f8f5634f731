# cmake -D COMPILER= -D HEADER= -D INCLUDE= -D OUTPUT= -P precompile.cmake
cmake_path(GET OUTPUT PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder})
# -w: `#pragma once` is a warning in a header that is compiled by itself.
execute_process(
  COMMAND ${COMPILER} -std=c++20 -w -I ${INCLUDE} -x c++-header ${HEADER} -o ${OUTPUT}
  COMMAND_ERROR_IS_FATAL ANY
)
