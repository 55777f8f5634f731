# Finds what each component needs. Used by this project's own build and by the installed package, so that both say the
# same sentence when something is missing.

include("${CMAKE_CURRENT_LIST_DIR}/find_arrow.cmake")

# etlantic_dependency(<result> <what to call it> <Debian package> <find_package arguments...>)
# Sets <result> to empty, or to a sentence that names the package to install.
macro(etlantic_dependency result name debian_package)
  find_package(${ARGN} QUIET)
  set(${result} "")
  if(NOT ${ARGV3}_FOUND)
    set(${result} "etlantic needs ${name}; on Debian: apt-get install ${debian_package}")
  endif()
endmacro()

# Headers only: Debian's package configuration of xsimd also links a library, xtl, that it neither needs nor brings.
macro(etlantic_find_xsimd)
  find_path(ETLANTIC_XSIMD_INCLUDE_DIRECTORY xsimd/xsimd.hpp)
  mark_as_advanced(ETLANTIC_XSIMD_INCLUDE_DIRECTORY)
  set(etlantic_xsimd "")
  if(NOT ETLANTIC_XSIMD_INCLUDE_DIRECTORY)
    set(etlantic_xsimd "etlantic needs xsimd; on Debian: apt-get install libxsimd-dev")
  elseif(NOT TARGET etlantic::xsimd)
    add_library(etlantic::xsimd INTERFACE IMPORTED)
    target_include_directories(etlantic::xsimd INTERFACE ${ETLANTIC_XSIMD_INCLUDE_DIRECTORY})
  endif()
endmacro()

# Debian's RE2 has no package configuration.
macro(etlantic_find_re2)
  find_path(ETLANTIC_RE2_INCLUDE_DIRECTORY re2/re2.h)
  find_library(ETLANTIC_RE2_LIBRARY re2)
  mark_as_advanced(ETLANTIC_RE2_INCLUDE_DIRECTORY ETLANTIC_RE2_LIBRARY)
  set(etlantic_re2_MISSING "")
  if(NOT ETLANTIC_RE2_INCLUDE_DIRECTORY OR NOT ETLANTIC_RE2_LIBRARY)
    set(etlantic_re2_MISSING "etlantic needs RE2; on Debian: apt-get install libre2-dev")
  elseif(NOT TARGET etlantic::re2_library)
    add_library(etlantic::re2_library INTERFACE IMPORTED)
    target_include_directories(etlantic::re2_library INTERFACE ${ETLANTIC_RE2_INCLUDE_DIRECTORY})
    target_link_libraries(etlantic::re2_library INTERFACE ${ETLANTIC_RE2_LIBRARY})
  endif()
endmacro()

# Its own package configuration is not in Debian's package.
macro(etlantic_find_cctz)
  find_path(ETLANTIC_CCTZ_INCLUDE_DIRECTORY cctz/time_zone.h)
  find_library(ETLANTIC_CCTZ_LIBRARY cctz)
  mark_as_advanced(ETLANTIC_CCTZ_INCLUDE_DIRECTORY ETLANTIC_CCTZ_LIBRARY)
  set(etlantic_cctz "")
  if(NOT ETLANTIC_CCTZ_INCLUDE_DIRECTORY OR NOT ETLANTIC_CCTZ_LIBRARY)
    set(etlantic_cctz "etlantic needs cctz; on Debian: apt-get install libcctz-dev")
  elseif(NOT TARGET etlantic::cctz)
    add_library(etlantic::cctz UNKNOWN IMPORTED)
    set_target_properties(etlantic::cctz PROPERTIES
      IMPORTED_LOCATION ${ETLANTIC_CCTZ_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${ETLANTIC_CCTZ_INCLUDE_DIRECTORY}
    )
  endif()
endmacro()

# Debian has its pkg-config file only; headers and library are found without pkg-config too.
macro(etlantic_find_librdkafka)
  find_path(ETLANTIC_RDKAFKA_INCLUDE_DIRECTORY librdkafka/rdkafka.h)
  find_library(ETLANTIC_RDKAFKA_LIBRARY rdkafka)
  mark_as_advanced(ETLANTIC_RDKAFKA_INCLUDE_DIRECTORY ETLANTIC_RDKAFKA_LIBRARY)
  set(etlantic_kafka_MISSING "")
  if(NOT ETLANTIC_RDKAFKA_INCLUDE_DIRECTORY OR NOT ETLANTIC_RDKAFKA_LIBRARY)
    set(etlantic_kafka_MISSING "etlantic needs librdkafka; on Debian: apt-get install librdkafka-dev")
  elseif(NOT TARGET etlantic::librdkafka)
    add_library(etlantic::librdkafka INTERFACE IMPORTED)
    target_include_directories(etlantic::librdkafka INTERFACE ${ETLANTIC_RDKAFKA_INCLUDE_DIRECTORY})
    target_link_libraries(etlantic::librdkafka INTERFACE ${ETLANTIC_RDKAFKA_LIBRARY})
  endif()
endmacro()

# etlantic_find_dependencies(<component>): sets etlantic_<component>_MISSING to empty or to a sentence, and
# etlantic_<component>_LIBRARIES to the targets to link. A macro, because imported targets and variables of the packages
# must appear in the caller's scope.
macro(etlantic_find_dependencies component)
  set(etlantic_${component}_LIBRARIES "")
  set(etlantic_${component}_MISSING "")
  if("${component}" STREQUAL "core")
    etlantic_dependency(etlantic_boost "the Boost headers, 1.81 or newer" libboost1.81-dev Boost 1.81)
    etlantic_find_xsimd()
    etlantic_dependency(etlantic_simdjson "simdjson" libsimdjson-dev simdjson)
    set(etlantic_core_MISSING ${etlantic_boost} ${etlantic_xsimd} ${etlantic_simdjson})
    set(etlantic_core_LIBRARIES Boost::headers etlantic::xsimd simdjson::simdjson)
  elseif("${component}" STREQUAL "kafka")
    etlantic_find_librdkafka()
    set(etlantic_kafka_LIBRARIES etlantic::librdkafka)
  elseif("${component}" STREQUAL "re2")
    etlantic_find_re2()
    set(etlantic_re2_LIBRARIES etlantic::re2_library)
  elseif("${component}" STREQUAL "sqlite")
    etlantic_dependency(etlantic_sqlite_MISSING "SQLite 3" libsqlite3-dev SQLite3)
    set(etlantic_sqlite_LIBRARIES SQLite::SQLite3)
  elseif("${component}" STREQUAL "delta")
    etlantic_find_arrow()
    set(etlantic_delta_MISSING ${etlantic_arrow})
    # Who only declares pipelines compiles without Arrow's headers; see etlantic_add_component.
    set(etlantic_delta_LIBRARIES $<LINK_ONLY:etlantic::arrow_parquet>)
  elseif("${component}" STREQUAL "tool")
    etlantic_dependency(etlantic_yaml "yaml-cpp" libyaml-cpp-dev yaml-cpp)
    etlantic_dependency(etlantic_cli11 "CLI11" libcli11-dev CLI11)
    set(etlantic_tool_MISSING ${etlantic_yaml} ${etlantic_cli11})
    set(etlantic_tool_LIBRARIES yaml-cpp CLI11::CLI11)
  elseif("${component}" STREQUAL "time_zone")
    etlantic_find_cctz()
    set(etlantic_time_zone_MISSING ${etlantic_cctz})
    set(etlantic_time_zone_LIBRARIES etlantic::cctz)
  else()
    set(etlantic_${component}_MISSING
      "etlantic has no component ${component}; there are: core, delta, kafka, re2, sqlite, time_zone, tool"
    )
  endif()
  list(JOIN etlantic_${component}_MISSING "\n" etlantic_${component}_MISSING)
endmacro()
