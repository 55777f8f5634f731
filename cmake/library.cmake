# One target per component of the library.
#
# The bodies that need heavy third parties (simdjson, SQLite, yaml-cpp ...) are compiled once per application: whoever
# links a component gets the files of cmake/implementation as more sources. A program of several targets can compile it in one
# of them and set the property ETLANTIC_IMPLEMENTATION_ELSEWHERE on the others. Object libraries never get it: they end
# in an executable or library that has it.

set(etlantic_include_directory "${PROJECT_SOURCE_DIR}/include")
set(etlantic_package_directory "${CMAKE_INSTALL_DATADIR}/cmake/etlantic")
set(etlantic_components "")

# Bodies are a file set of their own, because they are not meant to be included alone and in every file.
set(etlantic_bodies "\\.inl\\.hpp$|/implementation[a-z_]*\\.hpp$")

set(etlantic_brings_implementation
  "$<NOT:$<OR:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,OBJECT_LIBRARY>,$<BOOL:$<TARGET_PROPERTY:ETLANTIC_IMPLEMENTATION_ELSEWHERE>>>>"
)

# etlantic_component(<name> FOLDERS <folders of include/etlantic>...)
# etlantic_component(<name> EVERYWHERE_BUT <folders>...)
#
# Makes the target etlantic::<name> if its dependencies are there. In our own builds they have to be, but for Arrow, which
# is no Debian package.
macro(etlantic_component name)
  etlantic_find_dependencies(${name})
  if(NOT etlantic_${name}_MISSING)
    etlantic_add_component(${name} ${ARGN})
    list(APPEND etlantic_components etlantic_${name})
  elseif((PROJECT_IS_TOP_LEVEL AND NOT "${name}" STREQUAL "delta") OR "${name}" STREQUAL "core")
    message(FATAL_ERROR "${etlantic_${name}_MISSING}")
  else()
    message(STATUS "There is no etlantic::${name}: ${etlantic_${name}_MISSING}")
  endif()
endmacro()

function(etlantic_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 component "" "" "FOLDERS;EVERYWHERE_BUT")
  etlantic_headers_of(headers FOLDERS ${component_FOLDERS} EVERYWHERE_BUT ${component_EVERYWHERE_BUT})

  set(bodies ${headers})
  list(FILTER bodies INCLUDE REGEX "${etlantic_bodies}")
  list(FILTER headers EXCLUDE REGEX "${etlantic_bodies}")

  add_library(etlantic_${name} INTERFACE)
  add_library(etlantic::${name} ALIAS etlantic_${name})
  target_compile_features(etlantic_${name} INTERFACE cxx_std_20)
  target_sources(etlantic_${name} INTERFACE
    FILE_SET HEADERS BASE_DIRS ${etlantic_include_directory} FILES ${headers}
    FILE_SET bodies TYPE HEADERS BASE_DIRS ${etlantic_include_directory} FILES ${bodies}
  )
  target_link_libraries(etlantic_${name} INTERFACE ${etlantic_${name}_LIBRARIES})
  set_target_properties(etlantic_${name} PROPERTIES EXPORT_NAME ${name})

  if(name STREQUAL "core")
    etlantic_implementation_of(core runtime connect tool)
  elseif(name STREQUAL "delta")
    # Only the bodies know of Arrow, so that everything else compiles the same with and without it.
    etlantic_implementation_of(delta delta)
    target_link_libraries(etlantic_delta INTERFACE etlantic_core)
    target_compile_definitions(etlantic_delta INTERFACE $<${etlantic_brings_implementation}:ETLANTIC_WITH_DELTA>)
    target_include_directories(etlantic_delta SYSTEM INTERFACE
      "$<${etlantic_brings_implementation}:$<TARGET_PROPERTY:etlantic::arrow_parquet,INTERFACE_INCLUDE_DIRECTORIES>>"
    )
  else()
    target_link_libraries(etlantic_${name} INTERFACE etlantic_core)
    string(TOUPPER "ETLANTIC_WITH_${name}" with)
    target_compile_definitions(etlantic_${name} INTERFACE ${with})
  endif()
endfunction()

# etlantic_implementation_of(<component> <files of cmake/implementation>...)
function(etlantic_implementation_of name)
  foreach(part IN LISTS ARGN)
    target_sources(etlantic_${name} INTERFACE
      "$<BUILD_INTERFACE:$<${etlantic_brings_implementation}:${PROJECT_SOURCE_DIR}/cmake/implementation/${part}.cpp>>"
      "$<INSTALL_INTERFACE:$<${etlantic_brings_implementation}:$<INSTALL_PREFIX>/${etlantic_package_directory}/implementation/${part}.cpp>>"
    )
  endforeach()
endfunction()

function(etlantic_headers_of result)
  cmake_parse_arguments(PARSE_ARGV 1 wanted "" "" "FOLDERS;EVERYWHERE_BUT")
  set(patterns "")
  foreach(folder IN LISTS wanted_FOLDERS)
    list(APPEND patterns "${etlantic_include_directory}/etlantic/${folder}/*.hpp")
  endforeach()
  if(NOT patterns)
    set(patterns "${etlantic_include_directory}/etlantic/*.hpp")
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})
  foreach(folder IN LISTS wanted_EVERYWHERE_BUT)
    list(FILTER headers EXCLUDE REGEX "^${etlantic_include_directory}/etlantic/${folder}/")
  endforeach()
  set(${result} ${headers} PARENT_SCOPE)
endfunction()
