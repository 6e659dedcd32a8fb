/*===- StencilDialect-c/Passes.h - Passes and pipelines ---------*- C -*-===*\
|*                                                                          *|
|* A pass is made by its function (mlirCreateStencilTransforms...,          *|
|* mlirCreateStencilConversion... and mlirCreateStencilTile..., of the      *|
|* generated headers below), or, as pipelines are, by its name:             *|
|* mlirParsePassPipeline, once it has been registered.                      *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_PASSES_H
#define STENCILDIALECT_C_PASSES_H

#include "mlir-c/Pass.h"

#include "StencilDialect-c/ConversionPasses.h.inc"
#include "StencilDialect-c/TilePasses.h.inc"
#include "StencilDialect-c/TransformsPasses.h.inc"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the passes and pipelines of this project: `stencil-infer-shapes`,
 * `stencil-to-cpu`, ... Safe to call again, and from threads. Fails, and
 * registers nothing, if another copy of this project in the same process has
 * registered its own. (The generated functions end the process then.) */
MLIR_CAPI_EXPORTED MlirLogicalResult stencilRegisterPasses(void);

/* Those, and all passes of MLIR: what stencil-opt knows. */
MLIR_CAPI_EXPORTED MlirLogicalResult stencilRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_PASSES_H */
