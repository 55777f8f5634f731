# Arrow C++ and Parquet C++: an installed Arrow, else those in the pyarrow wheel of the Python environment that
# tools/setup makes. No Python runs: only the folder of the wheel is looked at. Used by this project's own build and by the
# installed package.

if(DEFINED ENV{XDG_CACHE_HOME})
  set(etlantic_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(etlantic_cache "$ENV{HOME}/.cache")
endif()
set(ETLANTIC_PYTHON_ENVIRONMENT "${etlantic_cache}/etlantic/python" CACHE PATH
  "A Python environment: its pyarrow is used where no Arrow is installed, its deltalake and duckdb read what tests wrote"
)

# Sets etlantic_arrow to empty, or to a sentence, and defines etlantic::arrow_parquet.
macro(etlantic_find_arrow)
  set(etlantic_arrow "")
  find_package(Arrow CONFIG QUIET)
  find_package(Parquet CONFIG QUIET)
  if(NOT TARGET etlantic::arrow_parquet)
    if(TARGET Parquet::parquet_shared)
      # Global, because programs in other folders of a build ask for its include directories.
      set_target_properties(Parquet::parquet_shared PROPERTIES IMPORTED_GLOBAL TRUE)
      if(TARGET Arrow::arrow_shared)
        set_target_properties(Arrow::arrow_shared PROPERTIES IMPORTED_GLOBAL TRUE)
      endif()
      add_library(etlantic::arrow_parquet INTERFACE IMPORTED GLOBAL)
      set_target_properties(etlantic::arrow_parquet PROPERTIES INTERFACE_LINK_LIBRARIES Parquet::parquet_shared)
    else()
      etlantic_find_arrow_wheel()
    endif()
  endif()
  if(NOT TARGET etlantic::arrow_parquet)
    set(etlantic_arrow
      "etlantic needs Arrow C++ with Parquet; run tools/setup, or: pip install pyarrow, and set ETLANTIC_PYTHON_ENVIRONMENT"
    )
  endif()
endmacro()

# The wheel's libparquet gives out the symbols of what was linked into it, an OpenSSL and a simdjson of other versions. A
# program whose libraries come behind it would get those: librdkafka's TLS would run in two OpenSSL at once. So the system's
# come first, whether the program itself needs them or not; what they give is what everybody gets. (The test `bindings`.)
function(etlantic_put_system_first target)
  # Global, because programs in other folders of a build ask for its file.
  get_target_property(is_imported simdjson::simdjson IMPORTED)
  get_target_property(is_global simdjson::simdjson IMPORTED_GLOBAL)
  if(is_imported AND NOT is_global)
    set_target_properties(simdjson::simdjson PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
  set(first $<$<STREQUAL:$<TARGET_PROPERTY:simdjson::simdjson,TYPE>,SHARED_LIBRARY>:$<TARGET_LINKER_FILE:simdjson::simdjson>>)
  foreach(name IN ITEMS ssl crypto)
    find_library(ETLANTIC_SYSTEM_${name} NAMES lib${name}.so.3 lib${name}.so.1.1 ${name})
    mark_as_advanced(ETLANTIC_SYSTEM_${name})
    if(ETLANTIC_SYSTEM_${name})
      list(APPEND first ${ETLANTIC_SYSTEM_${name}})
    endif()
  endforeach()
  list(JOIN first " " first)
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_OPTIONS
    "SHELL:LINKER:--push-state,--no-as-needed ${first} LINKER:--pop-state"
  )
endfunction()

function(etlantic_find_arrow_wheel)
  file(GLOB wheels "${ETLANTIC_PYTHON_ENVIRONMENT}/lib/python3*/site-packages/pyarrow")
  foreach(wheel IN LISTS wheels)
    file(GLOB arrow "${wheel}/libarrow.so.*")
    file(GLOB parquet "${wheel}/libparquet.so.*")
    list(LENGTH arrow arrows)
    list(LENGTH parquet parquets)
    if(NOT arrows EQUAL 1 OR NOT parquets EQUAL 1 OR NOT EXISTS "${wheel}/include/parquet/arrow/writer.h")
      continue()
    endif()
    foreach(name IN ITEMS arrow parquet)
      cmake_path(GET ${name} FILENAME file)
      add_library(etlantic::${name}_of_wheel SHARED IMPORTED GLOBAL)
      set_target_properties(etlantic::${name}_of_wheel PROPERTIES IMPORTED_LOCATION "${${name}}" IMPORTED_SONAME "${file}")
    endforeach()
    add_library(etlantic::arrow_parquet INTERFACE IMPORTED GLOBAL)
    set_target_properties(etlantic::arrow_parquet PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${wheel}/include"
      INTERFACE_LINK_LIBRARIES "etlantic::parquet_of_wheel;etlantic::arrow_of_wheel"
    )
    etlantic_put_system_first(etlantic::arrow_parquet)
    return()
  endforeach()
endfunction()
