//===- GuardedStages.h - What is computed where somebody needs it -*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_GUARDEDSTAGES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_GUARDEDSTAGES_H

#include "ThreadGuards.h"
#include "TileReads.h"

namespace stencil {

/// Emits ops under a condition for a thread's points. Where it does not hold,
/// results are zeros.
class GuardedStages {
public:
  using Points = llvm::ArrayRef<TilePoint>;
  /// Emits the ops at some points, whose values are `yielded` then.
  using Compute = llvm::function_ref<mlir::LogicalResult(Points, TileReads)>;

  GuardedStages(ThreadValues &held, mlir::Location loc,
                llvm::ArrayRef<mlir::Operation *> ops, Compute compute,
                mlir::ValueRange yielded, mlir::ValueRange results,
                TileReads &reads, Points points)
      : held(held), block(held.block), builder(block.kernel.body()), loc(loc),
        ops(ops), compute(compute), yielded(yielded), results(results),
        reads(reads), points(points) {}

  /// Once if all points are needed, else point by point.
  mlir::LogicalResult emit(BoundsAttr needs);
  /// Under one condition for all points.
  mlir::LogicalResult emitIf(mlir::Value condition) {
    return emitIf(condition, points, /*keeps=*/true);
  }

private:
  mlir::LogicalResult emitWhere(BoundsAttr needs);
  mlir::Value isAtOnce(BasePoint base, BoundsAttr needs);
  bool isWholeOrOutside(const BasePoint &base, BoundsAttr needs);
  /// All points, in a branch whose condition holds for them.
  mlir::LogicalResult emitAll(const TileReads &known);

  llvm::SmallVector<mlir::Value> collect(mlir::ValueRange from, Points at);
  void set(Points at, mlir::ValueRange computed);
  llvm::SmallVector<mlir::Type> getTypes(Points at);
  void yield(mlir::ValueRange computed);
  /// `keeps`: what is read is known to the ops within.
  mlir::LogicalResult emitIf(mlir::Value condition, Points at, bool keeps);
  mlir::LogicalResult emitOneByOne(BoundsAttr needs, const BasePoint &base);
  bool readsHeld() const;
  mlir::LogicalResult emitLoop(BoundsAttr needs, llvm::ArrayRef<int64_t> steps);
  llvm::SmallVector<int64_t> getSteps() const;
  bool isOneStep() const {
    return static_cast<int64_t>(points.size()) == llvm::product_of(getSteps());
  }

  ThreadValues &held;
  TileBlock &block;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<mlir::Operation *> ops;
  Compute compute;
  mlir::ValueRange yielded, results;
  TileReads &reads;
  Points points;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_GUARDEDSTAGES_H
