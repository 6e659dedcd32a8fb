//===- PlaneLeads.h - Leads for stages that read other planes ---*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_PLANELEADS_H
#define STENCILDIALECT_LIB_TRANSFORMS_PLANELEADS_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {

/// Leads of the stages and windows of a walk, and depths of its windows, when
/// stages have come to read planes that windows do not have: they grow, and
/// nothing else does. Planes that a window has beyond those that are read, on
/// either side, it has afterwards, too.
class PlaneLeads {
public:
  /// Remembers the walk as it is now; `plan` is its plan.
  PlaneLeads(PipelineOp op, const PipelinePlan &plan);

  /// Has a window that was made since come as far ahead of what is read of it
  /// as another one did.
  void keepAhead(WindowOp made, WindowOp other) {
    spares[made].ahead = spares.lookup(other).ahead;
  }

  /// For what is read by now. Fails with an error at a window, or the pipeline,
  /// if there are no such leads.
  mlir::LogicalResult raise();

private:
  /// Planes that a window is ahead of the newest one that is read, and that it
  /// has beyond the oldest one.
  struct Spare {
    int64_t ahead = 0, behind = 0;
  };
  using Planes = std::pair<int64_t, int64_t>;

  bool isMade(mlir::Value value) const;
  int64_t getLead(mlir::Value value) const;
  void raiseTo(mlir::Value value, int64_t lead);
  void raiseMaker(mlir::OpOperand &use);
  void findReads();
  mlir::LogicalResult setDepth(WindowOp window);

  PipelineOp op;
  std::optional<int64_t> axis;
  int64_t step;
  llvm::MapVector<mlir::Operation *, int64_t> leads;
  llvm::DenseMap<mlir::Operation *, Spare> spares;
  /// Of stores: the plane that each stores.
  llvm::DenseMap<mlir::Operation *, int64_t> stored;
  /// The planes that a stage reads of an operand, from its own one.
  llvm::DenseMap<mlir::OpOperand *, Planes> reads;
  bool isRaised = false;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_PLANELEADS_H
