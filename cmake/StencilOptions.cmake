# Compiler options of the whole project.

# HandleLLVMOptions turns -Wunused-parameter off; ours is on.
add_compile_options(-Wall -Wextra -Wunused-parameter)
if(STENCIL_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()

# Linked into every program.
if(LLVM_USE_SANITIZER MATCHES "Address")
  set(STENCIL_PROGRAM_SOURCES "${PROJECT_SOURCE_DIR}/cmake/AsanOptions.cpp")
elseif(LLVM_USE_SANITIZER MATCHES "Thread")
  set(STENCIL_PROGRAM_SOURCES "${PROJECT_SOURCE_DIR}/cmake/TsanOptions.cpp")
endif()

# No source path ends up in a binary, so that builds in different directories
# are the same (and share a compiler cache).
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

# The same header compiled twice is the same file.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")

# A compiler cache, where there is one: a build from nothing after `make clean`
# or in another work tree then takes seconds.
find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher
      ${CMAKE_COMMAND} -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=locale,time_macros,pch_defines,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
