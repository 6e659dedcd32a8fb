# `cmake --install build --prefix DIR`: headers, libraries, tools, their man pages
# and completions, documents, examples, and the package files for
# find_package(StencilDialect). The libraries and tools install themselves
# (AddStencil.cmake).
include(CMakePackageConfigHelpers)

option(STENCIL_INSTALL_STRIP
       "Install programs and libraries without line numbers and local symbols" ON)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/StencilDialect"
                  "${PROJECT_SOURCE_DIR}/include/StencilRuntime"
                  "${PROJECT_BINARY_DIR}/include/StencilDialect"
                  "${PROJECT_SOURCE_DIR}/include/StencilDialect-c"
                  "${PROJECT_BINARY_DIR}/include/StencilDialect-c"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
        PATTERN CMakeFiles EXCLUDE)

# Documents, with what they link to, and the programs that they use.
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/StencilDialect)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
              "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
        DESTINATION ${doc_dir})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION ${doc_dir}
        PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION ${doc_dir}
        USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

# Man pages and completions, of the option tables.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(pages_dir "${PROJECT_BINARY_DIR}/pages")
  set(generator "${PROJECT_SOURCE_DIR}/utils/tool-pages")
  set(all_pages)
  foreach(tool stencil-opt stencil-reduce stencil-run stencil-translate stencil-tune)
    set(page "${pages_dir}/man/man1/${tool}.1")
    set(definitions "${PROJECT_SOURCE_DIR}/tools/${tool}/Opts.td")
    set(table)
    set(options)
    # stencil-opt has LLVM's own command line.
    if(EXISTS "${definitions}")
      set(options "${pages_dir}/${tool}.json")
      set(table COMMAND "${LLVM_TABLEGEN_EXE}" --dump-json "-I${LLVM_MAIN_INCLUDE_DIR}"
                "-I${PROJECT_SOURCE_DIR}/include"
                "${definitions}" -o "${options}")
      set(options --options "${options}")
    endif()
    add_custom_command(OUTPUT "${page}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${pages_dir}"
      ${table}
      COMMAND "${Python3_EXECUTABLE}" "${generator}" "$<TARGET_FILE:${tool}>"
              ${options} --version ${PROJECT_VERSION} --out "${pages_dir}"
      DEPENDS ${tool} "${generator}" VERBATIM)
    list(APPEND all_pages "${page}")
  endforeach()
  add_custom_target(stencil-pages ALL DEPENDS ${all_pages})
  install(DIRECTORY "${pages_dir}/man" "${pages_dir}/bash-completion" "${pages_dir}/zsh"
          DESTINATION ${CMAKE_INSTALL_DATADIR})
else()
  message(STATUS "No Python: man pages and completions are not made")
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/StencilDialect)
install(EXPORT StencilDialectTargets DESTINATION ${package_dir})
get_property(STENCIL_LIBRARIES GLOBAL PROPERTY STENCIL_LIBRARIES)
set(add_library_file "${PROJECT_SOURCE_DIR}/cmake/AddStencilLibrary.cmake")
set(package_files "${PROJECT_BINARY_DIR}/package")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/StencilDialectConfig.cmake.in"
  "${package_files}/StencilDialectConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  "${package_files}/StencilDialectConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${package_files}/StencilDialectConfig.cmake"
              "${package_files}/StencilDialectConfigVersion.cmake"
              "${add_library_file}"
        DESTINATION ${package_dir})

# The same of the build tree: -DCMAKE_PREFIX_PATH=build.
set(package_files "${PROJECT_BINARY_DIR}")
set(STENCIL_BUILD_INCLUDE_DIRS
    "\"${PROJECT_SOURCE_DIR}/include\" \"${PROJECT_BINARY_DIR}/include\"")
export(EXPORT StencilDialectTargets
       FILE "${package_files}/StencilDialectTargets.cmake")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/StencilDialectConfig.cmake.in"
  "${package_files}/StencilDialectConfig.cmake"
  INSTALL_PREFIX "${PROJECT_BINARY_DIR}"
  INSTALL_DESTINATION .)
write_basic_package_version_file(
  "${package_files}/StencilDialectConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
configure_file("${add_library_file}" "${package_files}/AddStencilLibrary.cmake" COPYONLY)

# Line numbers are two thirds of it all. What links the archives needs their global
# symbols only.
if(STENCIL_INSTALL_STRIP)
  get_property(tools GLOBAL PROPERTY STENCIL_TOOLS)
  set(shared libStencilRuntime.so.${STENCIL_ABI_VERSION})
  if(TARGET StencilDialectPlugin)
    list(APPEND shared StencilDialectPlugin.so)
  endif()
  # There is none over static libraries of MLIR.
  if(TARGET StencilDialect-c)
    list(APPEND shared libStencilDialect-c.so.${PROJECT_VERSION})
  endif()
  find_program(STENCIL_STRIP llvm-strip HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
  mark_as_advanced(STENCIL_STRIP)
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    foreach(tool ${tools})
      execute_process(COMMAND \"${STENCIL_STRIP}\" --strip-all
        \"\${prefix}/${CMAKE_INSTALL_BINDIR}/\${tool}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    foreach(library ${STENCIL_LIBRARIES})
      execute_process(COMMAND \"${STENCIL_STRIP}\" --strip-debug --enable-deterministic-archives
        \"\${prefix}/${CMAKE_INSTALL_LIBDIR}/lib\${library}.a\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    foreach(shared ${shared})
      execute_process(COMMAND \"${STENCIL_STRIP}\" --strip-unneeded
        \"\${prefix}/${CMAKE_INSTALL_LIBDIR}/\${shared}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
  ")
endif()
