//===- SumLoops.h - Loops over the taps of a sum ----------------*- C++ -*-===//
//
// A long sum (IR/TapBoxes.h) for several points at once: each turn of the loop
// takes some taps of a row, and their weights, which all points share.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_CONVERSION_SUMLOOPS_H
#define STENCILDIALECT_CONVERSION_SUMLOOPS_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil {

/// The offset of a tap along the axes of its sum: a number, and what a loop
/// adds to it, an index; null if that is nothing.
struct TapOffset {
  SmallVector<int64_t, 4> constant;
  SmallVector<Value, 4> variable;
};

/// A memref with these values, a global of the module or gpu.module `symbols`.
Value getConstantArray(OpBuilder &builder, Location loc, Operation *symbols,
                       DenseElementsAttr values,
                       mlir::Attribute memorySpace = {});

struct SumLoopOptions {
  /// Points, or vectors of points, to compute.
  unsigned points = 1;
  /// They are neighbours along the last axis: what one reads for a tap, the one
  /// before it reads for the next tap, and it is read once for both.
  bool areNeighbours = false;
  /// They are vectors of this many columns, `lanes` apart along the last axis:
  /// those of all rows in the first column, then those in the next. What a
  /// column reads for a tap, the one before it reads for a tap `lanes` further,
  /// and it is read once for all. Rows are read as points of the first column.
  unsigned columns = 1;
  /// 1: no vectors.
  int64_t lanes = 1;
  /// What may be done to the arithmetic, beyond what the sum says itself.
  MathMode math = MathMode::Strict;
};

/// Reads for point number `point` the value that a tap multiplies: an element
/// of the sum's input, or a vector of it. Neighbours are all read as point 0.
using ReadTap = function_ref<Value(OpBuilder &builder, unsigned point,
                                   const TapOffset &offset)>;

/// Emits a sum that has constant weights (getTapWeights), which are in
/// `weights`. Adds the taps in their order, as an unrolled sum does. Returns a
/// value per point.
SmallVector<Value> emitSumLoops(OpBuilder &builder, WeightedSumOp sum,
                                Value weights, const SumLoopOptions &options,
                                ReadTap read);

/// Tells LLVM to leave a loop as it is: neither vectorised nor unrolled.
void keepAsLoop(mlir::scf::ForOp loop);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_SUMLOOPS_H
