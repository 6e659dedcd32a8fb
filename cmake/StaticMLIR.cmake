# Makes MLIR's and LLVM's archives usable for programs that need only glibc.
#
# Debian builds MLIR's archives to be linked with LLVM's shared library, and its
# LLVMSupport with the shared z3, zlib and zstd. Here the first is replaced by the
# archives of the components below, the others by archives or, where our programs
# do not reach them, nothing.

set(static_llvm_libs
    LLVMAMDGPUAsmParser LLVMAMDGPUCodeGen LLVMBitReader LLVMBitWriter
    LLVMCodeGen LLVMCore LLVMDebugInfoDWARF LLVMDTLTO LLVMFrontendOffloading LLVMFrontendOpenMP LLVMIRReader
    LLVMipo LLVMLTO LLVMNVPTXCodeGen LLVMOrcJIT LLVMPasses LLVMSupport LLVMSupportLSP LLVMX86AsmParser
    LLVMX86CodeGen)

# The linker takes from archives only what is used, so that each program can have
# all of MLIR's.
get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
set(static_mlir_libs)
foreach(target IN LISTS mlir_libs)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND static_mlir_libs ${target})
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(REMOVE_ITEM libs LLVM "$<LINK_ONLY:LLVM>")
      set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endif()
endforeach()

# So are LLD's.
set_property(TARGET lldCommon PROPERTY INTERFACE_LINK_LIBRARIES "")
set_property(TARGET lldELF PROPERTY INTERFACE_LINK_LIBRARIES lldCommon)

find_library(STENCIL_STATIC_ZLIB libz.a REQUIRED)
find_library(STENCIL_STATIC_ZSTD libzstd.a REQUIRED)
mark_as_advanced(STENCIL_STATIC_ZLIB STENCIL_STATIC_ZSTD)
set_property(TARGET LLVMSupport PROPERTY INTERFACE_LINK_LIBRARIES
             rt dl m LLVMDemangle ${STENCIL_STATIC_ZLIB} ${STENCIL_STATIC_ZSTD})

# MLIR initialises every target that LLVM was built with. Those that we do not
# link get initialisers that do nothing.
set(stubs)
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  if(NOT target MATCHES "^(AMDGPU|NVPTX|X86)$")
    foreach(part Target TargetInfo TargetMC AsmPrinter AsmParser)
      string(APPEND stubs "void LLVMInitialize${target}${part}(void);\n"
                          "void LLVMInitialize${target}${part}(void) {}\n")
    endforeach()
  endif()
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/UnusedTargets.c" CONTENT "${stubs}")
add_library(StencilUnusedTargets STATIC "${PROJECT_BINARY_DIR}/UnusedTargets.c")

add_library(StencilStaticLLVM INTERFACE)
target_link_libraries(StencilStaticLLVM INTERFACE ${static_mlir_libs}
                      ${static_llvm_libs} StencilUnusedTargets)
target_link_options(StencilStaticLLVM INTERFACE
  -static-libstdc++ -static-libgcc
  "LINKER:--gc-sections,--as-needed,--strip-all")
