# Helpers that keep the CMakeLists of the libraries and tools to one list of
# files each.

# add_stencil_library(<name> <sources>... [DEPENDS <targets>...] [LINK_LIBS <libs>...])
# A static library. MLIR* libraries come from the MLIR dylib.
function(add_stencil_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  stencil_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# add_stencil_tool(<name> <sources>... [LINK_LIBS <libs>...])
function(add_stencil_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  stencil_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
endfunction()

# Links `MLIR*` names through the dylib, everything else as it is.
function(stencil_link_libraries name scope)
  foreach(lib ${ARGN})
    if(lib MATCHES "^MLIR")
      mlir_target_link_libraries(${name} ${scope} ${lib})
    else()
      target_link_libraries(${name} ${scope} ${lib})
    endif()
  endforeach()
endfunction()
