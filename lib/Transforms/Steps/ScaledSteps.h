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
  /// s^T, for the last one of T steps.
  mlir::TypedAttr whole;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none;

  /// Has a step return its scaled sum, times s^T where it is the last one.
  void apply(ApplyOp step, unsigned input, bool isLast) const;
};

/// That of `steps` steps, which are linear in their input `input` and read
/// nothing else; nothing where the order of their sums may not be changed, or
/// too much of the range of their type would be lost.
std::optional<ScaledStep> scaleSteps(ApplyOp step, unsigned input,
                                     unsigned steps, MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_SCALEDSTEPS_H
