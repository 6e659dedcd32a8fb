//===- SumBodies.h - Bodies with sums ---------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_SUMS_SUMBODIES_H
#define STENCIL_LIB_TRANSFORMS_SUMS_SUMBODIES_H

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Associates sums of the body whose terms come from several inputs anew, so
/// that each term is added when it is there, in the order in which the body is
/// written. Adds are left where the sums are. True if any sum has changed.
bool associateSums(ApplyOp apply, MathMode mode);

/// Weights of a sum of this type, in a row.
inline DenseElementsAttr makeWeights(Type type, ArrayRef<Attribute> weights) {
  auto size = static_cast<int64_t>(weights.size());
  return DenseElementsAttr::get(mlir::RankedTensorType::get(size, type),
                                weights);
}

/// The axes of a source with fewer than an apply of this rank; else null.
inline IndexAttr getOffsetMapping(MLIRContext *context, ArrayRef<int64_t> axes,
                                  int64_t rank) {
  return static_cast<int64_t>(axes.size()) == rank
             ? IndexAttr()
             : IndexAttr::get(context, axes);
}

/// A value of the body as it is `offset` away, where that is another point: a
/// sum of one tap.
inline Value shiftValue(
    OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> offset,
    mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none) {
  Type type = value.getType();
  Attribute one = Number::get(type, 1).round(type);
  return WeightedSumOp::create(builder, loc, value, offset,
                               makeWeights(type, one), IndexAttr(), flags);
}

/// A value of the body that is the source at the offset, in the type of the
/// form; or null.
using KnownTap =
    function_ref<Value(const TapSource &source, ArrayRef<int64_t> offset)>;

/// Emits the ops that compute a form, in a body of the rank: a weighted sum per
/// source with several taps, multiplied with the scalars that all of its
/// weights have in common; sources with one tap times their coefficient; the
/// constant. `flags` go onto all ops. Emits nothing and returns null if a
/// weight is not finite in the form's element type.
Value emitForm(OpBuilder &builder, Location loc, int64_t rank,
               const LinearForm &form, mlir::arith::FastMathFlags flags,
               KnownTap known = {});

/// Writes the body of an apply anew, without weighted sums, if it has any: see
/// `stencil-expand-weighted-sums`. Fails with an error at a sum.
LogicalResult expandWeightedSums(ApplyOp apply);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_SUMS_SUMBODIES_H
