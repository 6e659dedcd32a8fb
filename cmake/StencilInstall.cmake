# `cmake --install build --prefix DIR`: headers, libraries, tools, and the package
# files for find_package(StencilDialect). The libraries and tools install
# themselves (AddStencil.cmake).
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/StencilDialect"
                  "${PROJECT_SOURCE_DIR}/include/StencilRuntime"
                  "${PROJECT_BINARY_DIR}/include/StencilDialect"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
        PATTERN CMakeFiles EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/StencilDialect)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/StencilDialect)
install(EXPORT StencilDialectTargets DESTINATION ${package_dir})
get_property(STENCIL_LIBRARIES GLOBAL PROPERTY STENCIL_LIBRARIES)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/StencilDialectConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/StencilDialectConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/StencilDialectConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/StencilDialectConfig.cmake"
              "${PROJECT_BINARY_DIR}/StencilDialectConfigVersion.cmake"
        DESTINATION ${package_dir})
