//===- VariantConditions.h - Which variant a call takes ---------*- C++ -*-===//
//
// Conditions on the extents of a call, which the host computes before a launch.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_VARIANTCONDITIONS_H
#define STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_VARIANTCONDITIONS_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// What a sweep takes: femtoseconds for each point of its tiles, of which those
/// at the end of a box have some beyond it.
struct SweepTime {
  llvm::SmallVector<int64_t, 3> tile;
  int64_t perPoint = 0;
};

/// Fields that the apply names, each once.
llvm::SmallVector<mlir::Value> listFields(ApplyOp apply);

/// True if 32 bits hold every position in the fields of the apply, as
/// chooseIndexType has it of known extents: if these have less elements than
/// `limit`, or than 7/4 of it with small planes, where what kernels add reaches
/// over less than so many (`planes`, as kNarrowAttr has it).
mlir::Value emitFits(mlir::OpBuilder &builder, ApplyOp apply, int64_t planes,
                     int64_t limit);

/// True if the box of the call is expected to take less as `one` than as
/// `other`. Its fields fit 32 bits.
mlir::Value emitIsFaster(mlir::OpBuilder &builder, ApplyOp apply,
                         const SweepTime &one, const SweepTime &other);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_SCHEDULES_VARIANTCONDITIONS_H
