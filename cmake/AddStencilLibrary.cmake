# add_stencil_library(<name>
#   SOURCES <file.mlir>...
#   [TARGETS <target>...]     # cpu (default), sm_90, gfx942, emulator:sm_90, ...
#   [EXTENTS <n>...]          # interior points per axis, 0 for one that stays open
#   [MATH strict|contract|reassociate]
#   [OPTIONS <option>...]     # more options of stencil-translate --to-object
#   [DEVICE_ARRAYS]           # arrays are in the memory of the GPU that calls run on
#   [SHARED|STATIC])          # default: as BUILD_SHARED_LIBS says
#
# Compiles stencil programs, when the project is built, to a library with the header
# <name>.h, which documents each function. Link it with target_link_libraries; the
# project needs C or C++. With several targets each call runs on the one at hand:
# <name>_select_target in the header. A program that does not compile, or a function
# name that two programs have, fails the build with the compiler's message.

# The target that `target` is for stencil-translate: sets `out` to its options, of
# --to-object.
function(_stencil_target_options name target out)
  if(target STREQUAL "cpu")
    set(options --target cpu)
  elseif(target MATCHES "^sm_[0-9]+[af]?$")
    set(options --target cuda --chip ${target})
  elseif(target MATCHES "^gfx[0-9a-f]+$")
    set(options --target hip --chip ${target})
  elseif(target MATCHES "^emulator:(sm_[0-9]+[af]?|gfx[0-9a-f]+)$")
    set(options --target emulator --chip ${CMAKE_MATCH_1})
  else()
    message(FATAL_ERROR "add_stencil_library(${name}): expected targets such as cpu, "
                        "sm_90, gfx942 or emulator:sm_90, got '${target}'")
  endif()
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# Links what the objects need.
function(_stencil_link_needs name targets options)
  target_link_libraries(${name} PUBLIC m)
  if(NOT targets STREQUAL "cpu")
    target_link_libraries(${name} PUBLIC StencilRuntime)
  endif()
  if("cpu" IN_LIST targets AND NOT "--sequential" IN_LIST options)
    find_library(STENCIL_OPENMP_LIBRARY NAMES omp libomp.so.5
                 HINTS ${STENCIL_LLVM_LIBRARY_DIR})
    mark_as_advanced(STENCIL_OPENMP_LIBRARY)
    if(NOT STENCIL_OPENMP_LIBRARY)
      message(FATAL_ERROR "add_stencil_library(${name}): expected LLVM's OpenMP runtime, "
                          "libomp; set STENCIL_OPENMP_LIBRARY to its file, or compile "
                          "for one thread with OPTIONS --sequential")
    endif()
    target_link_libraries(${name} PUBLIC "${STENCIL_OPENMP_LIBRARY}")
  endif()
endfunction()

function(add_stencil_library name)
  if(CMAKE_VERSION VERSION_LESS 3.23)
    message(FATAL_ERROR "add_stencil_library needs CMake 3.23, got ${CMAKE_VERSION}")
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SHARED;STATIC;DEVICE_ARRAYS" "MATH"
                        "SOURCES;TARGETS;EXTENTS;OPTIONS")
  set(here "add_stencil_library(${name})")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${here}: expected SOURCES, TARGETS, EXTENTS, MATH, OPTIONS, "
                        "DEVICE_ARRAYS, SHARED or STATIC, got '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${here}: expected values behind ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${here}: expected SOURCES with at least one file")
  endif()
  if(ARG_SHARED AND ARG_STATIC)
    message(FATAL_ERROR "${here}: expected SHARED or STATIC, got both")
  endif()
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${here}: expected a name that is an identifier of C, which the "
                        "names in its header begin with")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS cpu)
  endif()
  set(unique ${ARG_TARGETS})
  list(REMOVE_DUPLICATES unique)
  if(NOT unique STREQUAL ARG_TARGETS)
    message(FATAL_ERROR "${here}: expected each target once, got '${ARG_TARGETS}'")
  endif()

  # What all of the library's files are made with, and are made again for.
  set(common --library ${name})
  set(depends $<TARGET_FILE:stencil-translate>)
  if(ARG_EXTENTS)
    list(JOIN ARG_EXTENTS "," extents)
    list(APPEND common --extents ${extents})
  endif()
  set(device_arrays)
  if(ARG_DEVICE_ARRAYS)
    set(device_arrays --device-arrays)
  endif()
  set(compile ${ARG_OPTIONS})
  if(ARG_MATH)
    list(APPEND compile --math ${ARG_MATH})
  endif()
  set(sources)
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()
  list(JOIN ARG_TARGETS "," targets)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${name}.stencil")
  file(MAKE_DIRECTORY "${dir}/include")

  set(objects)
  set(number 0)
  foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    foreach(target IN LISTS ARG_TARGETS)
      _stencil_target_options(${name} "${target}" target_options)
      string(MAKE_C_IDENTIFIER "${target}" suffix)
      if(NOT target STREQUAL "cpu")
        list(APPEND target_options ${device_arrays})
      endif()
      set(object "${dir}/${stem}_${number}_${suffix}.o")
      add_custom_command(OUTPUT "${object}"
        COMMAND stencil-translate "${source}" --to-object ${target_options} ${common}
                ${compile} -o "${object}"
        DEPENDS "${source}" ${depends}
        COMMENT "Compiling ${stem} for ${target}" VERBATIM)
      list(APPEND objects "${object}")
    endforeach()
    math(EXPR number "${number} + 1")
  endforeach()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set(library "${dir}/${name}.c")
  elseif("CXX" IN_LIST languages)
    set(library "${dir}/${name}.cpp")
  else()
    message(FATAL_ERROR "${here}: expected a project with the language C or CXX")
  endif()
  set(header "${dir}/include/${name}.h")
  foreach(pair "--to-c-header;${header}" "--to-c-library;${library}")
    list(GET pair 0 kind)
    list(GET pair 1 output)
    add_custom_command(OUTPUT "${output}"
      COMMAND stencil-translate ${sources} ${kind} ${common} ${device_arrays}
              --targets ${targets} -o "${output}"
      DEPENDS ${sources} ${depends}
      COMMENT "Generating ${name}'s functions for C" VERBATIM)
  endforeach()

  set(type)
  if(ARG_SHARED)
    set(type SHARED)
  elseif(ARG_STATIC)
    set(type STATIC)
  endif()
  add_library(${name} ${type} "${library}" ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${dir}/include"
                                FILES "${header}")
  _stencil_link_needs(${name} "${ARG_TARGETS}" "${ARG_OPTIONS}")
endfunction()
