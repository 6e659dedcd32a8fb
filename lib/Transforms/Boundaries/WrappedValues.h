//===- WrappedValues.h - Values of a pipeline in a repeated box -*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H
#define STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H

#include "HaloReads.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "Windows/PlaneLeads.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>
#include <tuple>

namespace stencil {

/// Which values of a pipeline have, along some axes, the same again as many
/// points further as the box of the stores is long: windows with periodic
/// boundaries, and what follows from such values alone.
class RepeatedValues {
public:
  RepeatedValues(const PipelinePlan &plan, llvm::SmallBitVector axes)
      : plan(plan), axes(std::move(axes)) {}

  /// Of the axes, those along which a value repeats.
  llvm::SmallBitVector find(Value value);

  /// Whether readers reach beyond the box of a window's boundary.
  bool isReached(WindowOp window, int64_t axis, bool upper) const;
  bool isReached(WindowOp window, int64_t axis) const {
    return isReached(window, axis, false) || isReached(window, axis, true);
  }
  /// Whether a window has, beyond its box along an axis from this one on,
  /// values that are those of another field: they are there at each point.
  bool keepsOthers(WindowOp window, int64_t firstAxis) const;

private:
  llvm::SmallBitVector findOfWindow(WindowOp window);
  llvm::SmallBitVector findOfStage(ApplyOp stage);
  bool wrapsAround(WindowOp window, int64_t axis) const;

  const PipelinePlan &plan;
  llvm::SmallBitVector axes;
  DenseMap<Value, llvm::SmallBitVector> known;
};

/// Copies of fields that a pipeline reads and that have not all of its axes,
/// with periodic halos along some of them. They are made before the pipeline.
class PeriodicProfiles {
public:
  /// As far as `reach` beyond the box of the stores, along `axes`.
  PeriodicProfiles(PipelineOp op, const PipelinePlan &plan,
                   const llvm::SmallBitVector &axes, const OffsetBox &reach)
      : op(op), plan(plan), axes(axes), reach(reach) {}

  /// A load of what `stage` reads of `load` by an op along the axes `own`, at
  /// offsets `at`: at a point of the copy. Along `axes` it is that of the point
  /// within the box.
  LoadOp get(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
             ArrayRef<int64_t> at);

private:
  using Key = std::tuple<Operation *, Operation *, std::vector<int64_t>,
                         std::vector<int64_t>>;

  Value fill(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
             ArrayRef<int64_t> at);

  PipelineOp op;
  const PipelinePlan &plan;
  const llvm::SmallBitVector &axes;
  const OffsetBox &reach;
  std::map<Key, LoadOp> made;
};

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
  WrappedValues(PipelineOp op, ArrayRef<WindowOp> targets,
                const PipelinePlan &plan, PlaneLeads &leads);

  const llvm::SmallBitVector &getAxes() const { return axes; }

  /// What the targets are to keep: the value itself, if it repeats. Fails with
  /// an error at the first one, and a note at what cannot be read so.
  FailureOr<Value> run();

  /// Whether an op was made here.
  bool isNew(Operation *op) const { return created.contains(op); }
  /// Values, and what stands for each of them at the points of the box.
  ArrayRef<std::pair<Value, Value>> getSame() const { return same; }
  /// Windows of loads that are read besides.
  unsigned countLoads() const { return numLoads; }

private:
  Shift getShift(Value value, ArrayRef<int64_t> at);

  FailureOr<Value> wrap(Value value, const Shift &shift);
  FailureOr<Value> wrapLoad(LoadOp load, WindowOp window, const Shift &shift);
  FailureOr<Value> wrapWindow(WindowOp window, const Shift &shift);
  FailureOr<Value> wrapSum(AccumulateOp sum, const Shift &shift);
  FailureOr<Value> wrapStage(mlir::OpResult result, const Shift &shift);
  LogicalResult wrapBody(ApplyOp copy, ApplyOp stage, const Shift &shift);
  LogicalResult wrapAccess(AccessOp access, ApplyOp copy, ApplyOp stage,
                           const Shift &shift);
  void read(AccessOp access, ApplyOp copy, Value from, ArrayRef<int64_t> at);
  Value makeCoordinate(ApplyOp copy, int64_t axis);
  LogicalResult checkWindow(WindowOp window, int64_t axis);
  LogicalResult fail(Operation *at, const llvm::Twine &reason);
  template <typename Op> Op add(Op made);

  PipelineOp op;
  SmallVector<WindowOp> targets;
  WindowOp target;
  const PipelinePlan &plan;
  PlaneLeads &leads;
  HaloInputs inputs;
  BoundsAttr domain;
  OffsetBox reach;
  llvm::SmallBitVector axes;
  RepeatedValues repeated;
  PeriodicProfiles profiles;
  std::map<std::pair<Operation *, Shift>, Operation *> made;
  llvm::DenseSet<Operation *> created;
  SmallVector<std::pair<Value, Value>> same;
  unsigned numLoads = 0;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_WRAPPEDVALUES_H
