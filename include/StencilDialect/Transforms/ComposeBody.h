//===- ComposeBody.h - Sums of sums in a body -------------------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_COMPOSEBODY_H
#define STENCILDIALECT_TRANSFORMS_COMPOSEBODY_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

struct BodyComposition {
  /// How many sums have been composed, the taps of all of them, and those of
  /// the sums that they have been made of, each counted once.
  unsigned sums = 0;
  size_t taps = 0, partTaps = 0;
  /// Why some sum over a value of the body is still there; empty if none is.
  std::string obstacle;
  mlir::Operation *obstacleOp = nullptr;
};

/// Composes weighted sums over values of the body that are linear themselves:
/// the taps of the outer sum, convolved with those of the inner one. Numbers
/// are multiplied and added in quad precision and rounded once; scalars become
/// arithmetic on scalars. No sum gets more than `maxTaps` taps. Linear in the
/// number of products of two taps.
BodyComposition composeBody(ApplyOp apply, MathMode mode, size_t maxTaps);

/// Makes of a body that returns one linear function of one input, with numbers
/// as weights, the weighted sum that it is; true if it is one now. What
/// `stencil-factor-sums` made of a sum is taken back by that.
bool composeWholeBody(ApplyOp apply, MathMode mode, size_t maxTaps);

/// True if the body has sums over values of the body.
bool hasSumsOverValues(ApplyOp apply);

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_COMPOSEBODY_H
