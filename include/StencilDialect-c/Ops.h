/*===- StencilDialect-c/Ops.h - Making ops ----------------------*- C -*-===*\
|*                                                                          *|
|* mlirOperationCreate makes every op; these functions do it in one call.   *|
|* What they return belongs to the caller until it is put into a block      *|
|* (mlirBlockAppendOwnedOperation) or destroyed. They check what they need  *|
|* to make the op, and report that at `location`; mlirOperationVerify       *|
|* checks the rest when the op is in its place.                             *|
|*                                                                          *|
|* "May be null" is said where a handle may be.                             *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_OPS_H
#define STENCILDIALECT_C_OPS_H

#include "StencilDialect-c/Attributes.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===--------------------------------------------------------------------===*\
|* Fields                                                                   *|
\*===--------------------------------------------------------------------===*/

MLIR_CAPI_EXPORTED MlirOperation stencilCastCreate(MlirLocation location,
                                                   MlirValue field,
                                                   MlirType resultType);
MLIR_CAPI_EXPORTED MlirOperation stencilAllocCreate(MlirLocation location,
                                                    MlirType fieldType);
MLIR_CAPI_EXPORTED MlirOperation stencilExternalLoadCreate(
    MlirLocation location, MlirValue storage, MlirType fieldType);
MLIR_CAPI_EXPORTED MlirOperation stencilExternalStoreCreate(
    MlirLocation location, MlirValue field, MlirValue storage);

/* The result has the field's rank and element type; its box is to be inferred.
 */
MLIR_CAPI_EXPORTED MlirOperation stencilLoadCreate(MlirLocation location,
                                                   MlirValue field);
/* `bounds` is a #stencil.bounds. */
MLIR_CAPI_EXPORTED MlirOperation stencilStoreCreate(MlirLocation location,
                                                    MlirValue temp,
                                                    MlirValue field,
                                                    MlirAttribute bounds);
/* `bounds` is the interior. Conditions: of the lower and the upper side of axis
 * 0, then of axis 1, ...: 2 * rank of them. */
MLIR_CAPI_EXPORTED MlirOperation stencilBoundaryCreate(
    MlirLocation location, MlirValue field, MlirAttribute bounds,
    intptr_t count, const MlirAttribute *conditions);

/*===--------------------------------------------------------------------===*\
|* Values                                                                   *|
\*===--------------------------------------------------------------------===*/

/* Of values. The op has a body without ops; block arguments are its inputs. */
MLIR_CAPI_EXPORTED MlirOperation stencilApplyCreate(
    MlirLocation location, intptr_t numInputs, const MlirValue *inputs,
    intptr_t numResults, const MlirType *resultTypes);
/* The bufferised form: reads fields, and writes the box of `outputs`. */
MLIR_CAPI_EXPORTED MlirOperation stencilApplyCreateBufferised(
    MlirLocation location, intptr_t numInputs, const MlirValue *inputs,
    intptr_t numOutputs, const MlirValue *outputs, MlirAttribute bounds);
/* The body of an apply; null for another op. */
MLIR_CAPI_EXPORTED MlirBlock stencilApplyGetBody(MlirOperation apply);

/* `unroll` is a #stencil.index; may be null. */
MLIR_CAPI_EXPORTED MlirOperation stencilReturnCreate(MlirLocation location,
                                                     intptr_t count,
                                                     const MlirValue *values,
                                                     MlirAttribute unroll);

/* One offset per axis of the input. `mapping`, a #stencil.index, names the axes
 * of the apply that an input of lower rank has; may be null. */
MLIR_CAPI_EXPORTED MlirOperation stencilAccessCreate(MlirLocation location,
                                                     MlirValue input,
                                                     intptr_t rank,
                                                     const int64_t *offset,
                                                     MlirAttribute mapping);
/* `coordinates`, `lower` and `upper` have `rank` entries each. */
MLIR_CAPI_EXPORTED MlirOperation stencilDynAccessCreate(
    MlirLocation location, MlirValue input, intptr_t rank,
    const MlirValue *coordinates, const int64_t *lower, const int64_t *upper);
MLIR_CAPI_EXPORTED MlirOperation stencilIndexCreate(MlirLocation location,
                                                    int64_t axis, intptr_t rank,
                                                    const int64_t *offset);

/* `matrix` is a dense elements attribute of rank 2: a row for each point, whose
 * number `row` is. */
MLIR_CAPI_EXPORTED MlirOperation stencilMatVecCreate(MlirLocation location,
                                                     MlirValue input,
                                                     MlirValue row,
                                                     int64_t from,
                                                     MlirAttribute matrix);

/* Offsets: all of the first tap, then of the second, ...: numTaps * rank of
 * them. `weights` is a dense elements attribute of one weight per tap; the
 * result has its element type. `mapping` may be null. */
MLIR_CAPI_EXPORTED MlirOperation stencilWeightedSumCreate(
    MlirLocation location, MlirValue input, intptr_t numTaps, intptr_t rank,
    const int64_t *offsets, MlirAttribute weights, MlirAttribute mapping);
/* The weights are scalars of one type, which is that of the result. */
MLIR_CAPI_EXPORTED MlirOperation stencilWeightedSumCreateUniform(
    MlirLocation location, MlirValue input, intptr_t numTaps, intptr_t rank,
    const int64_t *offsets, const MlirValue *weights, MlirAttribute mapping);

/* `value` may be null: nothing is stored at this point. The type is that of the
 * result, a !stencil.result. */
MLIR_CAPI_EXPORTED MlirOperation stencilStoreResultCreate(MlirLocation location,
                                                          MlirValue value,
                                                          MlirType resultType);
/* Pairs of `lower` and `upper`, values that are defined on one side only, and a
 * result for each, in this order. */
MLIR_CAPI_EXPORTED MlirOperation stencilCombineCreate(
    MlirLocation location, int64_t axis, int64_t index, intptr_t numPairs,
    const MlirValue *lower, const MlirValue *upper, intptr_t numLowerExtra,
    const MlirValue *lowerExtra, intptr_t numUpperExtra,
    const MlirValue *upperExtra, const MlirType *resultTypes);
MLIR_CAPI_EXPORTED MlirOperation stencilBufferCreate(MlirLocation location,
                                                     MlirValue temp);

/*===--------------------------------------------------------------------===*\
|* Reductions                                                               *|
\*===--------------------------------------------------------------------===*/

typedef enum StencilFoldKind {
  STENCIL_FOLD_MAX = 0,
  STENCIL_FOLD_MIN = 1,
  STENCIL_FOLD_SUM = 2,
  STENCIL_FOLD_RMS = 3
} StencilFoldKind;

/* At least one value. The result has their element type. */
MLIR_CAPI_EXPORTED MlirOperation stencilFoldCreate(MlirLocation location,
                                                   intptr_t count,
                                                   const MlirValue *values,
                                                   MlirAttribute bounds,
                                                   StencilFoldKind kind);
/* The body has two arguments of the operands' type, and no ops. */
MLIR_CAPI_EXPORTED MlirOperation stencilReduceCreate(MlirLocation location,
                                                     MlirValue accumulator,
                                                     MlirValue initial);
MLIR_CAPI_EXPORTED MlirOperation stencilYieldCreate(MlirLocation location,
                                                    MlirValue value);

/*===--------------------------------------------------------------------===*\
|* Pipelines                                                                *|
\*===--------------------------------------------------------------------===*/

/* A walk along `axis`; -1: one tile per block. The body has no ops. */
MLIR_CAPI_EXPORTED MlirOperation stencilPipelineCreate(MlirLocation location,
                                                       int64_t axis);

/* What a window may have. */
typedef struct StencilWindowParts {
  int64_t depth; /* 0: neither depth nor lead */
  int64_t lead;
  int64_t group;          /* -1: none */
  int32_t prefetch;       /* StencilPrefetch; -1: none */
  MlirAttribute bounds;   /* of a boundary; may be null */
  intptr_t numConditions; /* as in stencilBoundaryCreate */
  const MlirAttribute *conditions;
  intptr_t numExchanged;   /* axes whose rows threads have from each other */
  const int64_t *exchange; /* `numExchanged` axes */
  MlirValue keep;          /* what is kept beside the box; may be null */
} StencilWindowParts;

/* In any StencilSpace but the cache. */
MLIR_CAPI_EXPORTED MlirOperation
stencilWindowCreate(MlirLocation location, StencilSpace space, MlirValue temp,
                    const StencilWindowParts *parts);
/* One plane per term. */
MLIR_CAPI_EXPORTED MlirOperation stencilAccumulateCreate(MlirLocation location,
                                                         intptr_t count,
                                                         const MlirValue *terms,
                                                         const int64_t *planes);

/* Kernels as the host sees them (stencil-distribute-tiles). */

/* The `kernel` is a symbol; threads along x, y, z; `shared` and `alignment` are
 * bytes; an entry of `access` per argument: 0 none, 1 read, 2 write, 3 both. */
MLIR_CAPI_EXPORTED MlirOperation stencilLaunchCreate(
    MlirLocation location, MlirAttribute kernel, MlirValue blocks,
    const int64_t threads[3], int64_t shared, int64_t alignment, intptr_t count,
    const MlirValue *args, const int32_t *access);
MLIR_CAPI_EXPORTED MlirOperation stencilExtentCreate(MlirLocation location,
                                                     int64_t axis);
MLIR_CAPI_EXPORTED MlirOperation stencilBufferSizeCreate(MlirLocation location,
                                                         MlirValue field);
MLIR_CAPI_EXPORTED MlirOperation stencilTensorMapCreate(MlirLocation location,
                                                        MlirValue field,
                                                        MlirType mapType);
MLIR_CAPI_EXPORTED MlirOperation stencilScratchCreate(MlirLocation location,
                                                      MlirType memoryType);
/* The messages are strings. */
MLIR_CAPI_EXPORTED MlirOperation
stencilErrorWordCreate(MlirLocation location, intptr_t count,
                       const MlirAttribute *messages, MlirType wordType);
MLIR_CAPI_EXPORTED MlirOperation stencilFetchCreate(MlirLocation location,
                                                    MlirValue memory);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_OPS_H */
