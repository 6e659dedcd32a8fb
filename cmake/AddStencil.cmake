# Helpers that keep the CMakeLists of the libraries and tools to one list of
# files each.

# The headers of cmake/Precompiled.h, compiled once for all targets that use MLIR.
# Object code of ours is position-independent everywhere (HandleLLVMOptions), which
# sharing needs.
if(STENCIL_PRECOMPILE_HEADERS)
  add_library(StencilPrecompiled OBJECT
              "${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp")
  set_target_properties(StencilPrecompiled PROPERTIES
                        POSITION_INDEPENDENT_CODE ON
                        # A compiler cache takes headers for the same that differ
                        # in comments only; the compiler then does not.
                        CXX_COMPILER_LAUNCHER "")
  add_dependencies(StencilPrecompiled StencilIRIncGen)
  target_precompile_headers(StencilPrecompiled PRIVATE
                            "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")
endif()

# Gives a target the precompiled headers if it links MLIR, itself or through one of
# our libraries.
function(stencil_precompile_headers name)
  foreach(lib ${ARGN})
    set(uses_mlir OFF)
    if(lib MATCHES "^MLIR")
      set(uses_mlir ON)
    elseif(TARGET ${lib})
      get_property(uses_mlir TARGET ${lib} PROPERTY STENCIL_USES_MLIR)
    endif()
    if(uses_mlir)
      set_property(TARGET ${name} PROPERTY STENCIL_USES_MLIR ON)
      if(STENCIL_PRECOMPILE_HEADERS)
        target_precompile_headers(${name} REUSE_FROM StencilPrecompiled)
      endif()
      return()
    endif()
  endforeach()
endfunction()

# Compiles the sources of a target four by four: half of the time of one of them is
# for headers and for the templates of these. Of a library in folders, only sources of
# the same folder are compiled together. A source that uses the whole namespace llvm
# stays alone, as MLIR has many of its names, too.
function(stencil_unite_sources name)
  if(NOT STENCIL_UNITE_SOURCES)
    return()
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  foreach(source ${ARGN})
    get_filename_component(folder "${source}" DIRECTORY)
    if(folder AND NOT IS_ABSOLUTE "${source}")
      set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
      break()
    endif()
  endforeach()
  foreach(source ${ARGN})
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    if(NOT DEFINED ${folder}_count)
      set(${folder}_count 0)
    endif()
    math(EXPR batch "${${folder}_count} / 4")
    math(EXPR ${folder}_count "${${folder}_count} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder}_${batch})
    get_filename_component(path "${source}" ABSOLUTE)
    if(EXISTS "${path}")
      file(STRINGS "${path}" uses_llvm REGEX "^using namespace llvm;" LIMIT_COUNT 1)
      if(uses_llvm)
        set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
endfunction()

# add_stencil_cxx_library(<name> <sources>... [DEPENDS <targets>...] [LINK_LIBS <libs>...])
# A static library.
function(add_stencil_cxx_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} INTERFACE
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_17)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  stencil_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  stencil_precompile_headers(${name} ${ARG_LINK_LIBS})
  stencil_unite_sources(${name} ${ARG_UNPARSED_ARGUMENTS})
  install(TARGETS ${name} EXPORT StencilDialectTargets)
  set_property(GLOBAL APPEND PROPERTY STENCIL_LIBRARIES ${name})
endfunction()

# add_stencil_tool(<name> <sources>... [LINK_LIBS <libs>...])
function(add_stencil_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS} ${STENCIL_PROGRAM_SOURCES})
  stencil_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  stencil_precompile_headers(${name} ${ARG_LINK_LIBS})
  if(STENCIL_LINK_STATIC)
    target_link_libraries(${name} PRIVATE StencilStaticLLVM)
  endif()
  install(TARGETS ${name} EXPORT StencilDialectTargets)
  set_property(GLOBAL APPEND PROPERTY STENCIL_TOOLS ${name})
endfunction()

# add_stencil_unittest(<name> <sources>... [LINK_LIBS <libs>...])
# A GoogleTest program; `unittests` builds all of them.
function(add_stencil_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS}
                 ${STENCIL_PROGRAM_SOURCES})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests")
  stencil_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  stencil_precompile_headers(${name} ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY STENCIL_UNITTESTS ${name})
endfunction()

# Links `MLIR*` and `LLVM*` names through their shared libraries (unless
# STENCIL_LINK_STATIC), everything else as it is.
function(stencil_link_libraries name scope)
  foreach(lib ${ARGN})
    if(STENCIL_LINK_STATIC OR NOT lib MATCHES "^(MLIR|LLVM)")
      target_link_libraries(${name} ${scope} ${lib})
    elseif(lib MATCHES "^MLIR")
      target_link_libraries(${name} ${scope} MLIR LLVM)
    else()
      target_link_libraries(${name} ${scope} LLVM)
    endif()
  endforeach()
endfunction()
