# Compiles an example and the bodies of the library for ARM64, without linking. The third parties' headers are those of
# this machine: they are the same for every architecture.
set(headers ${CMAKE_CURRENT_BINARY_DIR}/arm64_headers)
file(MAKE_DIRECTORY ${headers})
foreach(name IN ITEMS boost CLI simdjson.h sqlite3.h xsimd yaml-cpp)
  if(EXISTS /usr/include/${name})
    file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
  endif()
endforeach()
foreach(file IN ITEMS examples/01_customer_orders.cpp cmake/implementation/connect.cpp)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -DETLANTIC_WITH_SQLITE -DETLANTIC_WITH_TOOL
      -I ${SOURCE}/include -isystem ${headers} ${SOURCE}/${file}
    COMMAND_ERROR_IS_FATAL ANY
  )
endforeach()
