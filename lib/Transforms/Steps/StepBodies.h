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
  llvm::SmallVector<int64_t> lower, upper;

  explicit AxisWidths(int64_t rank = 0) : lower(rank, 0), upper(rank, 0) {}
  /// Those of a box that lie around an interior.
  AxisWidths(BoundsAttr box, BoundsAttr interior);
  bool isEmpty() const { return isZero(lower) && isZero(upper); }
  /// Becomes as wide as others are, too.
  void join(const AxisWidths &other);
  /// The boxes of so many points of a box, disjoint: slabs that nest.
  llvm::SmallVector<BoundsAttr> getSlabs(BoundsAttr box) const;
  /// The rest of the box.
  BoundsAttr getCore(BoundsAttr box) const;
};

/// A box with so many points more at either end of each axis.
BoundsAttr growBox(BoundsAttr box, llvm::ArrayRef<int64_t> lower,
                   llvm::ArrayRef<int64_t> upper);

/// An apply with the body of `original`, of other inputs and other boxes. It
/// has none of its attributes.
ApplyOp copyApply(mlir::OpBuilder &builder, mlir::Location loc,
                  ApplyOp original, mlir::TypeRange types,
                  mlir::ValueRange args);

/// A stage, or a kernel, that copies a box of a value, or all of it. Point p is
/// point p + `shift` of the source.
ApplyOp makeCopy(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value source, BoundsAttr box, int64_t shift = 0);

/// A pipeline for so many steps with the schedule of one, which may be null.
/// What is built next is its stages.
PipelineOp createPipeline(mlir::ImplicitLocOpBuilder &builder,
                          ScheduleAttr schedule, unsigned steps);

/// Gives the window of a step's result what a boundary puts around the
/// interior; if it is null, that is kept.
void setBoundaryOf(WindowOp window, BoundsAttr interior, BoundaryOp boundary);

/// Stores a number to a box of a field.
void fillField(mlir::OpBuilder &builder, mlir::Value field, BoundsAttr box,
               mlir::TypedAttr value);
/// Stores zeros to all of it.
void fillZeros(mlir::OpBuilder &builder, mlir::Value field);

/// The loop's only apply, if it has one result, and nothing was asked of it,
/// which would be for one step; else null.
ApplyOp findOnlyApply(mlir::scf::ForOp loop);

/// Whether an axis of the interior of a loop has more points than these, or it
/// is not known how many. If it has not, says why that is needed.
bool hasMorePoints(const TimeLoop &time, int64_t axis, int64_t points,
                   NoTimeLoop &why);

/// Copies the ops of a block from which `roots` are computed, as far as
/// `isCopied` says so.
void copyNeeded(mlir::OpBuilder &builder, mlir::Block &block,
                mlir::ValueRange roots,
                llvm::function_ref<bool(mlir::Operation *)> isCopied,
                mlir::IRMapping &mapping);

/// Memory outside of all loops, where none is lost.
mlir::Value makeFieldBefore(mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                            mlir::Type type);

/// Numbers of steps of a time loop, computed at run time before it.
class StepCount {
public:
  StepCount(mlir::scf::ForOp loop, mlir::OpBuilder &builder)
      : loop(loop), builder(loop.getLoc(), builder) {}

  /// How often `steps` steps are taken at once, so that `tail` steps are left
  /// at least; an even number if that is wanted. An index.
  mlir::Value countIterations(unsigned steps, unsigned tail, bool isEven);

  /// What the loop's variable is `further` steps after `iterations` times
  /// `steps` of them; in its type. `iterations` is an index.
  mlir::Value getNumber(mlir::Value iterations, unsigned steps,
                        unsigned further);

private:
  mlir::Value makeConstant(int64_t value);
  mlir::Value toI64(mlir::Value value);
  mlir::Value countSteps();
  template <typename OpT> mlir::Value fold(mlir::Value a, mlir::Value b) {
    return builder.createOrFold<OpT>(a, b);
  }

  mlir::scf::ForOp loop;
  mlir::ImplicitLocOpBuilder builder;
};

/// Slabs at both ends of an axis do not meet: the extents for which that holds
/// are those for which the program may run.
void requireExtents(mlir::scf::ForOp loop, BoundsAttr interior,
                    llvm::ArrayRef<AxisWidths> slabs);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_STEPS_STEPBODIES_H
