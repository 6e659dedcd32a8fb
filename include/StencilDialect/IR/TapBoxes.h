//===- TapBoxes.h - Sums whose taps lie in boxes ----------------*- C++ -*-===//
//
// A sum of hundreds of taps is not written out tap by tap: its code would fit
// no instruction cache. Its taps lie in boxes of offsets, over which loops go.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_TAPBOXES_H
#define STENCILDIALECT_IR_TAPBOXES_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Taps that follow each other in a sum, and whose offsets fill a box in
/// row-major order.
struct TapBox {
  /// Per axis of the sum's offsets: the first one, and how many.
  llvm::SmallVector<int64_t, 4> lower, shape;
  /// Number of its first tap among those that are no constant zero.
  int64_t first = 0;
};

/// The boxes of all taps of `sum` but constant zeros, in the order of the sum.
std::vector<TapBox> findTapBoxes(WeightedSumOp sum);

/// Whether weights are constant, and of the type of the sum.
bool hasOwnWeights(WeightedSumOp sum);

/// The weights of these taps, of the type of the sum; null if they are not
/// constant.
mlir::DenseElementsAttr getTapWeights(WeightedSumOp sum);

/// Fewer taps are faster one by one on a GPU, where each is an instruction or
/// two.
inline constexpr int64_t kFewestLoopTaps = 64;

/// Whether a sum over an input pays as a loop: constant weights, at least
/// `fewest` taps, and all of them in long rows.
bool isLongSum(WeightedSumOp sum, int64_t fewest = kFewestLoopTaps);

/// Whether conversions are to make loops of a sum (kTapLoopAttr).
bool hasTapLoop(WeightedSumOp sum);

/// The longest row of taps among the sums in an op that are to be loops; 0 if
/// there is none.
int64_t getLongestTapRow(mlir::Operation *op);

/// The longest row of taps among the long sums in a body, which may become
/// loops; 0 if there is none.
int64_t getLongestRowOfLongSums(ApplyOp apply);

} // namespace stencil

#endif // STENCILDIALECT_IR_TAPBOXES_H
