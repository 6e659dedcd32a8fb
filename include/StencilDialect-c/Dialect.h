/*===- StencilDialect-c/Dialect.h - Registration ----------------*- C -*-===*\
|*                                                                          *|
|* The C API follows MLIR's: handles are MLIR's own (MlirContext, MlirType, *|
|* ...), and this library has MLIR's C functions, too. An error is a        *|
|* diagnostic of the context (mlirContextAttachDiagnosticHandler), and the  *|
|* function returns a null handle. Null handles, and handles of another     *|
|* kind, are allowed as arguments: questions about them are answered with   *|
|* false, 0 or null.                                                        *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_DIALECT_H
#define STENCILDIALECT_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__stencil__(), for mlirDialectHandleRegisterDialect and
 * mlirDialectHandleLoadDialect. Loading returns null if the context has the
 * dialect of another copy of this project in the same process. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Stencil, stencil);

/* Likewise the dialect `tile` (docs/tiles.md). Its programs are parsed, or made
 * by MLIR's functions (mlirOperationCreate); types and attributes: Tiles.h. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);

/* All dialects and extensions of MLIR, and the stencil dialect: what
 * stencil-opt knows. */
MLIR_CAPI_EXPORTED void
stencilRegisterAllDialects(MlirDialectRegistry registry);

/* Parses a module of text or bytecode; `name` stands for the file in locations.
 * Unlike mlirModuleCreateParse, it reports a program that nests deeper than 256
 * levels, for which MLIR's parser would run out of stack. */
MLIR_CAPI_EXPORTED MlirModule stencilModuleCreateParse(MlirContext context,
                                                       MlirStringRef program,
                                                       MlirStringRef name);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_DIALECT_H */
