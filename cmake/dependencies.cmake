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

# etlantic_find_plain_library(<component> <target> <what to call it> <Debian package> <header> <library>)
# One without a package configuration, in Debian at least. Sets etlantic_<component>_MISSING as etlantic_dependency does.
macro(etlantic_find_plain_library component target name debian_package header library)
  string(TOUPPER "ETLANTIC_${library}" etlantic_prefix)
  find_path(${etlantic_prefix}_INCLUDE_DIRECTORY ${header})
  find_library(${etlantic_prefix}_LIBRARY ${library})
  mark_as_advanced(${etlantic_prefix}_INCLUDE_DIRECTORY ${etlantic_prefix}_LIBRARY)
  set(etlantic_${component}_MISSING "")
  if(NOT ${etlantic_prefix}_INCLUDE_DIRECTORY OR NOT ${etlantic_prefix}_LIBRARY)
    set(etlantic_${component}_MISSING "etlantic needs ${name}; on Debian: apt-get install ${debian_package}")
  elseif(NOT TARGET etlantic::${target})
    add_library(etlantic::${target} INTERFACE IMPORTED)
    target_include_directories(etlantic::${target} INTERFACE ${${etlantic_prefix}_INCLUDE_DIRECTORY})
    target_link_libraries(etlantic::${target} INTERFACE ${${etlantic_prefix}_LIBRARY})
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
    etlantic_find_plain_library(kafka librdkafka librdkafka librdkafka-dev librdkafka/rdkafka.h rdkafka)
    set(etlantic_kafka_LIBRARIES etlantic::librdkafka)
  elseif("${component}" STREQUAL "re2")
    etlantic_find_plain_library(re2 re2_library RE2 libre2-dev re2/re2.h re2)
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
  elseif("${component}" STREQUAL "zstd")
    etlantic_find_plain_library(zstd zstd_library zstd libzstd-dev zstd.h zstd)
    set(etlantic_zstd_LIBRARIES etlantic::zstd_library)
  else()
    set(etlantic_${component}_MISSING
      "etlantic has no component ${component}; there are: core, delta, kafka, re2, sqlite, time_zone, tool, zstd"
    )
  endif()
  list(JOIN etlantic_${component}_MISSING "\n" etlantic_${component}_MISSING)
endmacro()
