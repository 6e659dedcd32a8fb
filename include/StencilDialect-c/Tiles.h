/*===- StencilDialect-c/Tiles.h - Types and attributes of tile --*- C -*-===*\
|*                                                                          *|
|* Kernels of tiles: docs/tiles.md. Functions that make a type or an        *|
|* attribute that has rules have a location: where its errors are reported. *|
|* They load the dialect if the context does not have it yet. Ops are made  *|
|* by mlirOperationCreate; text works, too: mlirTypeParseGet.               *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_TILES_H
#define STENCILDIALECT_C_TILES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How planes get into a ring. */
typedef enum StencilTileFill {
  STENCIL_TILE_FILL_THREADS = 0,
  STENCIL_TILE_FILL_DELAYED = 1,
  STENCIL_TILE_FILL_ASYNC = 2,
  STENCIL_TILE_FILL_TMA = 3,
  STENCIL_TILE_FILL_STAGE = 4
} StencilTileFill;

/* !tile.ring: slots for the box of a plane, a #stencil.bounds. A pitch of 0 is
 * the one that the text has if it says none. */
MLIR_CAPI_EXPORTED bool stencilTypeIsATileRing(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID stencilTileRingTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType stencilTileRingTypeGetChecked(
    MlirLocation location, int64_t slots, MlirAttribute box,
    MlirType elementType, int64_t pitch, StencilTileFill fill);
MLIR_CAPI_EXPORTED int64_t stencilTileRingTypeGetSlots(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute stencilTileRingTypeGetBox(MlirType type);
MLIR_CAPI_EXPORTED MlirType stencilTileRingTypeGetElementType(MlirType type);
MLIR_CAPI_EXPORTED int64_t stencilTileRingTypeGetPitch(MlirType type);
/* Points of a segment of a row, 1 if rows have no gaps, and the elements of the
 * gap behind it. */
MLIR_CAPI_EXPORTED int64_t stencilTileRingTypeGetSegment(MlirType type);
MLIR_CAPI_EXPORTED int64_t stencilTileRingTypeGetGap(MlirType type);
MLIR_CAPI_EXPORTED StencilTileFill stencilTileRingTypeGetFill(MlirType type);
/* Of all slots, in shared memory. */
MLIR_CAPI_EXPORTED int64_t stencilTileRingTypeGetBytes(MlirType type);

/* !tile.cursor: where an iteration is in rings of so many slots. */
MLIR_CAPI_EXPORTED bool stencilTypeIsATileCursor(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID stencilTileCursorTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType
stencilTileCursorTypeGetChecked(MlirLocation location, int64_t slots);
MLIR_CAPI_EXPORTED int64_t stencilTileCursorTypeGetSlots(MlirType type);

/* A digit of a #tile.layout: of the number of a register or of a thread. */
typedef struct StencilTileDigit {
  int64_t axis;
  int64_t count;
  int64_t stride;
} StencilTileDigit;

/* #tile.layout: which thread holds which point, in which register. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsATileLayout(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilTileLayoutAttrGetChecked(
    MlirLocation location, int64_t rank, intptr_t numRegisters,
    const StencilTileDigit *registers, intptr_t numThreads,
    const StencilTileDigit *threads);
MLIR_CAPI_EXPORTED int64_t
stencilTileLayoutAttrCountRegisters(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int64_t
stencilTileLayoutAttrCountThreads(MlirAttribute attribute);
/* Points that are held along an axis; 0 along one that it does not have. */
MLIR_CAPI_EXPORTED int64_t
stencilTileLayoutAttrGetExtent(MlirAttribute attribute, int64_t axis);

/* Engines: how threads compute a stage. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsATileFma(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilTileFmaAttrGet(MlirContext context);
MLIR_CAPI_EXPORTED bool stencilAttributeIsATileTaps(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilTileTapsAttrGet(MlirContext context);
MLIR_CAPI_EXPORTED bool stencilAttributeIsATileLanes(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilTileLanesAttrGet(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_TILES_H */
