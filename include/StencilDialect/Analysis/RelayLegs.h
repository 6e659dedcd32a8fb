//===- RelayLegs.h - Whether stages are equal legs --------------*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_RELAYLEGS_H
#define STENCILDIALECT_ANALYSIS_RELAYLEGS_H

#include "StencilDialect/IR/PipelinePlan.h"

namespace stencil {

/// Whether what lies around a field is zero in a window of a load with a
/// boundary, which is what copies make of it.
bool isZeroAround(WindowOp window, LoadOp load);

/// The ops of a pipeline whose stages are cut into legs (key `relay`).
struct RelayLegs {
  LoadOp load;
  /// The shared window of the load.
  WindowOp shared;
  /// Of all legs.
  llvm::SmallVector<ApplyOp> stages;
  /// By stage: its result, or the accumulation of its results.
  llvm::SmallVector<mlir::Value> made;
  StoreOp store;

  /// Finds them. Fails with an error at the pipeline, or at one of its ops, if
  /// its stages are no chain of equal legs, or a leg could not be computed for
  /// other planes than the pipeline's.
  static mlir::FailureOr<RelayLegs>
  find(PipelineOp op, const PipelinePlan &plan, int64_t legs);
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_RELAYLEGS_H
