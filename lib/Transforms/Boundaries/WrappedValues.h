//===- WrappedValues.h - Values of a pipeline in a repeated box -*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H
#define STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H

#include "HaloReads.h"
#include "PeriodicProfiles.h"
#include "RepeatedValues.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "Windows/PlaneLeads.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>

namespace stencil {

/// The axes whose conditions wrap around a window of what a stage makes, and
/// beyond which its readers reach; none: it stays as it is.
llvm::SmallBitVector findWrappedAxes(WindowOp window, const PipelinePlan &plan);

/// Makes values of a pipeline that are, beyond the box of the stores along some
/// axes, what others are where the box is repeated: at point c, v(wrap(c) + s).
class WrappedValues {
public:
  using Shift = std::vector<int64_t>;

  /// For what `targets` keep, which is one value, with the same wrapped axes.
  /// `plan` is that of the pipeline as it is.
  WrappedValues(PipelineOp op, mlir::ArrayRef<WindowOp> targets,
                const PipelinePlan &plan, PlaneLeads &leads);

  const llvm::SmallBitVector &getAxes() const { return axes; }

  /// What the targets are to keep: the value itself, if it repeats. Fails with
  /// an error at the first one, and a note at what cannot be read so.
  mlir::FailureOr<mlir::Value> run();

  /// Whether an op was made here.
  bool isNew(mlir::Operation *op) const { return created.contains(op); }
  /// Values, and what stands for each of them at the points of the box.
  mlir::ArrayRef<std::pair<mlir::Value, mlir::Value>> getSame() const {
    return same;
  }
  /// Windows of loads that are read besides.
  unsigned countLoads() const { return numLoads; }

private:
  bool isHere(const Shift &shift) const;
  Shift getShift(mlir::Value value, mlir::ArrayRef<int64_t> at);

  mlir::FailureOr<mlir::Value> wrap(mlir::Value value, const Shift &shift);
  mlir::FailureOr<mlir::Value> wrapLoad(LoadOp load, WindowOp window,
                                        const Shift &shift);
  mlir::FailureOr<mlir::Value> wrapWindow(WindowOp window, const Shift &shift);
  mlir::FailureOr<mlir::Value> wrapSum(AccumulateOp sum, const Shift &shift);
  mlir::FailureOr<mlir::Operation *> wrapStage(ApplyOp stage,
                                               const Shift &shift);
  mlir::LogicalResult wrapBody(ApplyOp copy, ApplyOp stage, const Shift &shift);
  mlir::LogicalResult wrapAccess(AccessOp access, ApplyOp copy, ApplyOp stage,
                                 const Shift &shift);
  void read(AccessOp access, ApplyOp copy, mlir::Value from,
            mlir::ArrayRef<int64_t> at);
  mlir::Value makeCoordinate(ApplyOp copy, int64_t axis);
  mlir::LogicalResult checkWindow(WindowOp window, int64_t axis);
  mlir::LogicalResult fail(mlir::Operation *at, const llvm::Twine &reason);
  template <typename Op> Op add(Op made);

  PipelineOp op;
  mlir::SmallVector<WindowOp> targets;
  WindowOp target;
  const PipelinePlan &plan;
  PlaneLeads &leads;
  HaloInputs inputs;
  BoundsAttr domain;
  OffsetBox reach;
  llvm::SmallBitVector axes;
  RepeatedValues repeated;
  PeriodicProfiles profiles;
  std::map<std::pair<mlir::Operation *, Shift>, mlir::Operation *> made;
  llvm::DenseSet<mlir::Operation *> created;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> same;
  unsigned numLoads = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H
