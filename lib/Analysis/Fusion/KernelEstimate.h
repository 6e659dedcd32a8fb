//===- KernelEstimate.h - The cost of a fused kernel ------------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_KERNELESTIMATE_H
#define STENCIL_LIB_ANALYSIS_KERNELESTIMATE_H

#include "StencilDialect/Analysis/Fusion.h"

namespace stencil {

/// Points of a box that is moved by offsets from `low` to `high`. Extents that
/// are not known are taken to be those of large grids.
double countPoints(BoundsAttr box, llvm::ArrayRef<int64_t> low = {},
                   llvm::ArrayRef<int64_t> high = {});

/// The cost of one kernel, gathered from the bodies in it.
class KernelEstimate {
public:
  KernelEstimate(const FusionAnalysis &analysis, BoundsAttr domain,
                 double pointsPerEvaluation)
      : analysis(analysis), domain(domain), factor(pointsPerEvaluation) {}

  /// Adds a body. Values in `inside` are computed in this kernel.
  void addBody(ApplyOp apply, const BodyCost &body,
               llvm::function_ref<bool(mlir::Value)> isInside);
  void addResult(mlir::Value result) {
    cost.bytes += analysis.countBytes(result, domain);
  }
  KernelCost finish();

  bool isTooLarge = false;

private:
  struct Input {
    mlir::Value value;
    OffsetSet offsets;
    bool isWhole = false;
  };

  const FusionAnalysis &analysis;
  BoundsAttr domain;
  double factor;
  KernelCost cost;
  llvm::MapVector<mlir::Value, Input> inputs;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_KERNELESTIMATE_H
