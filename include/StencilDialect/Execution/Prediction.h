//===- Prediction.h - How fast a program is expected to be ------*- C++ -*-===//

#ifndef STENCILDIALECT_EXECUTION_PREDICTION_H
#define STENCILDIALECT_EXECUTION_PREDICTION_H

#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Execution/GPUCompilation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace stencil {

/// What the cost model (docs/cost-model.md) says of one kernel.
struct KernelPrediction {
  /// As the lowering names it: ENTRY_apply0, ...
  std::string kernel;
  /// With all that was chosen written out.
  std::string schedule;
  /// Of one launch.
  SchedulePrediction prediction;
};

/// Predicts the kernels of the applies that `entry` becomes on the way to a
/// GPU, each with the schedule that it gets there; in their order. Kernels that
/// fill halos or fold are not among them. Empty for a chip whose rates are not
/// known, and for a program that does not get that far, which whoever compiles
/// it reports.
std::vector<KernelPrediction> predictKernels(mlir::func::FuncOp entry,
                                             const GPUCompileOptions &options);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_PREDICTION_H
