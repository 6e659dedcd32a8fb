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
  /// Of an apply that is evaluated on `domain`.
  KernelEstimate(const FusionAnalysis &analysis, BoundsAttr domain,
                 ApplyOp apply)
      : analysis(analysis), domain(domain),
        factor(llvm::product_of(apply.getUnrollFactors())) {}

  /// Adds a body. Results of `inside` are computed in this kernel.
  void addBody(ApplyOp apply, const BodyCost &body,
               mlir::Operation *inside = nullptr);
  void addResult(mlir::Value result) {
    cost.bytes += analysis.countBytes(result, domain);
  }
  /// Those of an apply that somebody uses.
  void addResults(ApplyOp apply) {
    for (mlir::Value result : apply.getRes())
      if (!result.use_empty())
        addResult(result);
  }
  KernelCost finish();

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
