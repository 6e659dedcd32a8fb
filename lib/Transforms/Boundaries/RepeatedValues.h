//===- RepeatedValues.h - Values that repeat with the box -------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_REPEATEDVALUES_H
#define STENCILDIALECT_LIB_TRANSFORMS_REPEATEDVALUES_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "llvm/ADT/SmallBitVector.h"

namespace stencil {

/// Which values of a pipeline have, along some axes, the same again as many
/// points further as the box of the stores is long: windows with periodic
/// boundaries, and what follows from such values alone.
class RepeatedValues {
public:
  RepeatedValues(const PipelinePlan &plan, llvm::SmallBitVector axes)
      : plan(plan), axes(std::move(axes)) {}

  /// Of the axes, those along which a value repeats.
  llvm::SmallBitVector find(mlir::Value value);

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
  llvm::DenseMap<mlir::Value, llvm::SmallBitVector> known;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_REPEATEDVALUES_H
