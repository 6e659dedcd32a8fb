//===- ScaledSteps.h - Steps with a tap of weight one -----------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_SCALEDSTEPS_H
#define STENCIL_LIB_TRANSFORMS_STEPS_SCALEDSTEPS_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

#include <optional>

namespace stencil {

/// A step v' = sum of w(i)/s v(i), of u(t) = s^t v(t): a sum whose first tap
/// has the weight one, and an operation less for each point.
struct ScaledStep {
  llvm::SmallVector<int64_t> offsets;
  mlir::DenseElementsAttr weights;
  /// s^T, for the last one of T steps; or its weights w(i) s^(T-1) if sums are
  /// scattered, whose rows would all be multiplied.
  mlir::TypedAttr whole;
  mlir::DenseElementsAttr lastWeights;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none;

  /// Has a step return its scaled sum, times s^T where it is the last one.
  void apply(ApplyOp step, unsigned input, bool isLast) const;
};

/// That of `steps` steps, which are linear in their input `input` and read
/// nothing else; of the sum, the largest tap has the weight one, or if sums are
/// scattered over rows the largest one of the first row. Nothing where the
/// order of their sums may not be changed, or too much of the range of their
/// type would be lost.
std::optional<ScaledStep> scaleSteps(ApplyOp step, unsigned input,
                                     unsigned steps, MathMode math,
                                     bool areScattered);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_SCALEDSTEPS_H
