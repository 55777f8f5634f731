# Installs the headers and a package configuration, so that find_package(etlantic) works.

include(CMakePackageConfigHelpers)

foreach(component IN LISTS etlantic_components)
  install(TARGETS ${component} EXPORT etlantic-targets FILE_SET HEADERS FILE_SET bodies)
endforeach()
install(TARGETS etlantic EXPORT etlantic-targets)
install(EXPORT etlantic-targets NAMESPACE etlantic:: DESTINATION ${etlantic_package_directory})

list(TRANSFORM etlantic_components REPLACE "^etlantic_" "" OUTPUT_VARIABLE etlantic_component_names)
configure_package_config_file(cmake/etlantic-config.cmake.in etlantic-config.cmake
  INSTALL_DESTINATION ${etlantic_package_directory}
  NO_SET_AND_CHECK_MACRO
)
write_basic_package_version_file(etlantic-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
  FILES
    ${PROJECT_BINARY_DIR}/etlantic-config.cmake
    ${PROJECT_BINARY_DIR}/etlantic-config-version.cmake
    cmake/dependencies.cmake
    cmake/find_arrow.cmake
  DESTINATION ${etlantic_package_directory}
)
install(DIRECTORY cmake/implementation DESTINATION ${etlantic_package_directory})
