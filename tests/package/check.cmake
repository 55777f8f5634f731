# cmake -D MODE=<find_package or add_subdirectory> -D SOURCE= -D BUILD= -D FOLDER= -D GENERATOR= -D COMPILER= -P check.cmake
#
# Configures, builds and runs tests/package/consumer as a project of its own in an empty FOLDER.

file(REMOVE_RECURSE ${FOLDER})
find_program(ccache ccache)
if(ccache)
  set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} ${ccache})
  set(ENV{CCACHE_BASEDIR} ${SOURCE})
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(MODE STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
  set(where -D CMAKE_PREFIX_PATH=${FOLDER}/prefix)
else()
  set(where -D ETLANTIC_SOURCE_DIR=${SOURCE})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/package/consumer -B ${FOLDER}/build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} ${where}
)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/consumer)
