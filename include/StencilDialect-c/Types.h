/*===- StencilDialect-c/Types.h - Types of the stencil dialect --*- C -*-===*\
|*                                                                          *|
|* Functions that make a type have a location: where its errors are         *|
|* reported. They load the dialect if the context does not have it yet.     *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_TYPES_H
#define STENCILDIALECT_C_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* !stencil.field: the storage of a grid, halo included. */
MLIR_CAPI_EXPORTED bool stencilTypeIsAField(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID stencilFieldTypeGetTypeID(void);

/* `bounds` is a #stencil.bounds, as in !stencil.field<[-1,65]x[-1,65]xf64>. */
MLIR_CAPI_EXPORTED MlirType stencilFieldTypeGetChecked(MlirLocation location,
                                                       MlirAttribute bounds,
                                                       MlirType elementType);
/* Of bounds that are not known here, as in !stencil.field<?x?xf64>. */
MLIR_CAPI_EXPORTED MlirType stencilFieldTypeGetUnboundedChecked(
    MlirLocation location, intptr_t rank, MlirType elementType);

/* !stencil.temp: a value on a box of grid points. */
MLIR_CAPI_EXPORTED bool stencilTypeIsATemp(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID stencilTempTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType stencilTempTypeGetChecked(MlirLocation location,
                                                      MlirAttribute bounds,
                                                      MlirType elementType);
/* Of a box that is to be inferred, as in !stencil.temp<?x?xf64>. */
MLIR_CAPI_EXPORTED MlirType stencilTempTypeGetUnboundedChecked(
    MlirLocation location, intptr_t rank, MlirType elementType);

/* What fields and temps have in common. The bounds are null if they are not
 * known. */
MLIR_CAPI_EXPORTED intptr_t stencilGridTypeGetRank(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute stencilGridTypeGetBounds(MlirType type);
MLIR_CAPI_EXPORTED MlirType stencilGridTypeGetElementType(MlirType type);

/* !stencil.result: what an apply hands to its result at one point, a value or
 * nothing. */
MLIR_CAPI_EXPORTED bool stencilTypeIsAResult(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID stencilResultTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType stencilResultTypeGetChecked(MlirLocation location,
                                                        MlirType elementType);
MLIR_CAPI_EXPORTED MlirType stencilResultTypeGetElementType(MlirType type);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_TYPES_H */
