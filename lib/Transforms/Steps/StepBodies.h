//===- StepBodies.h - Steps in the body of a loop ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H
#define STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stencil {

/// Points next to either end of each axis.
struct AxisWidths {
  SmallVector<int64_t> lower, upper;

  explicit AxisWidths(int64_t rank = 0) : lower(rank, 0), upper(rank, 0) {}
  /// Those of a box that lie around an interior.
  AxisWidths(BoundsAttr box, BoundsAttr interior);
  bool isEmpty() const { return isZero(lower) && isZero(upper); }
  /// Becomes as wide as others are, too.
  void join(const AxisWidths &other);
  /// The boxes of so many points of a box, disjoint: slabs that nest.
  SmallVector<BoundsAttr> getSlabs(BoundsAttr box) const;
  /// The rest of the box.
  BoundsAttr getCore(BoundsAttr box) const;
};

/// A box with so many points more at either end of each axis.
BoundsAttr growBox(BoundsAttr box, ArrayRef<int64_t> lower,
                   ArrayRef<int64_t> upper);

/// An apply with the body of `original`, of other inputs and other boxes. It
/// has none of its attributes.
ApplyOp copyApply(OpBuilder &builder, Location loc, ApplyOp original,
                  mlir::TypeRange types, ValueRange args);

/// Copies the step of a loop to the empty body of another one, on other fields:
/// those that the loops carry, and what `mapping` has for others.
void copyStep(mlir::scf::ForOp loop, mlir::scf::ForOp copy,
              mlir::IRMapping mapping = {});

/// A stage, or a kernel, that copies a box of a value, or all of it. Point p is
/// point p + `shift` of the source.
ApplyOp makeCopy(OpBuilder &builder, Location loc, Value source, BoundsAttr box,
                 int64_t shift = 0);

/// A pipeline for so many steps with the schedule of one, which may be null.
/// What is built next is its stages.
PipelineOp createPipeline(ImplicitLocOpBuilder &builder, ScheduleAttr schedule,
                          unsigned steps);

/// Gives the window of a step's result what a boundary puts around the
/// interior; if it is null, that is kept.
void setBoundaryOf(WindowOp window, BoundsAttr interior, BoundaryOp boundary);

/// Stores a number to a box of a field.
void fillField(OpBuilder &builder, Value field, BoundsAttr box,
               mlir::TypedAttr value);
/// Stores zeros to all of it.
void fillZeros(OpBuilder &builder, Value field);

/// The loop's only apply, if it has one result, and nothing was asked of it,
/// which would be for one step; else null.
ApplyOp findOnlyApply(mlir::scf::ForOp loop);

/// Whether an axis of the interior of a loop has more points than these, or it
/// is not known how many. If it has not, says why that is needed.
bool hasMorePoints(const TimeLoop &time, int64_t axis, int64_t points,
                   NoTimeLoop &why);

/// Copies the ops of a block from which `roots` are computed, as far as
/// `isCopied` says so.
void copyNeeded(OpBuilder &builder, Block &block, ValueRange roots,
                function_ref<bool(Operation *)> isCopied,
                mlir::IRMapping &mapping);

/// Memory outside of all loops, where none is lost.
Value makeFieldBefore(mlir::scf::ForOp loop, OpBuilder &builder, Type type);

/// Numbers of steps of a time loop, computed at run time before it.
class StepCount {
public:
  StepCount(mlir::scf::ForOp loop, OpBuilder &builder)
      : loop(loop), builder(loop.getLoc(), builder) {}

  /// How often `steps` steps are taken at once, so that `tail` steps are left
  /// at least; an even number if that is wanted. An index.
  Value countIterations(unsigned steps, unsigned tail, bool isEven);

  /// What the loop's variable is `further` steps after `iterations` times
  /// `steps` of them; in its type. `iterations` is an index.
  Value getNumber(Value iterations, unsigned steps, unsigned further);

private:
  Value makeConstant(int64_t value);
  Value toI64(Value value);
  Value countSteps();
  template <typename OpT> Value fold(Value a, Value b) {
    return builder.createOrFold<OpT>(a, b);
  }

  mlir::scf::ForOp loop;
  ImplicitLocOpBuilder builder;
};

/// Slabs at both ends of an axis do not meet: the extents for which that holds
/// are those for which the program may run.
void requireExtents(mlir::scf::ForOp loop, BoundsAttr interior,
                    ArrayRef<AxisWidths> slabs);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H
