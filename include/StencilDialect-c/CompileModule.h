/*===- StencilDialect-c/CompileModule.h - Compile MLIR ----------*- C -*-===*\
|*                                                                          *|
|* Where MLIR's handles and those of executables meet.                      *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_COMPILEMODULE_H
#define STENCILDIALECT_C_COMPILEMODULE_H

#include "StencilDialect-c/Executable.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles a module, which stays as it is. Otherwise as
 * stencilExecutableCompile. */
MLIR_CAPI_EXPORTED int32_t stencilExecutableCompileModule(
    MlirModule module, StencilOptions options, StencilExecutable *executable);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_COMPILEMODULE_H */
