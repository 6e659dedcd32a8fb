//===- HaloReads.h - What a stage reads beyond a box ------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_HALOREADS_H
#define STENCILDIALECT_LIB_TRANSFORMS_HALOREADS_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace stencil {

/// The boundary of a window, and what is around the box without it.
struct WindowHalo {
  BoundsAttr box;
  mlir::ArrayAttr conditions;
  /// What has the values of sides that are kept; null: the window itself.
  LoadOp keep;
  /// The box of what the window is filled from, in which all reads of it have
  /// to stay; null: they need not.
  BoundsAttr field;

  HaloRule getRule(int64_t axis, bool upper) const {
    return getHaloRule(conditions[2 * axis + (upper ? 1 : 0)]);
  }
};

/// What stages of one pipeline are given to compute halos.
class HaloInputs {
public:
  HaloInputs(PipelineOp op, const PipelinePlan &plan) : op(op), plan(plan) {}

  /// The points of a load that the pipeline has read so far, around those that
  /// it stores: no others need be there.
  OffsetBox getRead(LoadOp load) const {
    OffsetBox read = plan.get(load.getRes()).needs;
    read.join(OffsetBox::zero(read.lower.size()));
    return read;
  }

  /// N of an axis.
  Value getExtent(int64_t axis);
  /// A shared window of a load, which has zeros around these.
  Value getZeroPadded(LoadOp load);

private:
  PipelineOp op;
  const PipelinePlan &plan;
  DenseMap<int64_t, Value> extents;
  DenseMap<Operation *, Value> windows;
};

/// Makes the body of a stage compute what it reads of a window beyond the box
/// of that.
class HaloReads {
public:
  /// `needs`: where somebody needs what the stage makes, around `domain`.
  HaloReads(ApplyOp stage, const WindowHalo &halo, BoundsAttr domain,
            const OffsetBox &needs, HaloInputs &inputs)
      : stage(stage), halo(halo), domain(domain), needs(needs), inputs(inputs),
        head(stage.getContext()), here(stage.getContext()) {}

  /// For an operand that is the window, or a copy of it; its sums have been
  /// expanded. Fails with an error at what reads it in another way, or if the
  /// body would be very long.
  LogicalResult run(unsigned operand);

private:
  using Offset = std::vector<int64_t>;

  Value read(Value argument, const Offset &offset);
  bool staysIn(BoundsAttr field, const Offset &offset) const;
  Value evaluate(int64_t axis, const Offset &offset);
  Value addSide(int64_t axis, bool upper, const Offset &offset, Value inner);
  Value makeLayer(int64_t axis, bool upper, const Offset &offset,
                  int64_t distance);
  Value readKept(const Offset &offset);
  int64_t countLayers(int64_t axis, bool upper, int64_t offset) const;
  Value getDistance(int64_t axis, bool upper);
  Value compare(mlir::arith::CmpIPredicate predicate, int64_t axis, bool upper,
                int64_t value);
  Value getArgument(Value operand) { return stage.getOrAddInput(operand, loc); }

  ApplyOp stage;
  const WindowHalo &halo;
  BoundsAttr domain;
  const OffsetBox &needs;
  HaloInputs &inputs;
  /// At the beginning of the body, and at what is read.
  OpBuilder head, here;
  Location loc = stage.getLoc();
  mlir::BlockArgument window;
  /// By axis and offset: the value with what is beyond the box along the axes
  /// up to this one. Number -1 is what the window has; of others, what they
  /// have.
  std::map<std::pair<int64_t, Offset>, Value> known;
  std::map<std::pair<const void *, Offset>, Value> accesses;
  std::map<std::tuple<int, int64_t, bool, int64_t>, Value> conditions;
  std::map<std::pair<int64_t, bool>, Value> distances;
  uint64_t numOps = 0;
  bool readsBeyondField = false;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_HALOREADS_H
