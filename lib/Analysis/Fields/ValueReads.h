//===- ValueReads.h - Who reads which value ---------------------*- C++ -*-===//
//
// The uses of values as reads of the memory that they may be in.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_ANALYSIS_VALUEREADS_H
#define STENCIL_LIB_ANALYSIS_VALUEREADS_H

#include "MemoryTimeline.h"
#include "StencilDialect/Analysis/ShapeInference.h"

namespace stencil {

/// A use of a value, as a read of its memory.
struct Read {
  mlir::Operation *op;
  BoundsAttr box;
  bool isPointwise;
};

/// True if a result of an apply may have no value at some points.
bool mayBeEmpty(mlir::OpResult result);

class ValueReads {
public:
  explicit ValueReads(MemoryTimeline &timeline) : timeline(timeline) {}

  /// Notes what `op` reads of values, and, in the timeline, of fields that are
  /// not loaded or stored to. Emits an error and fails if it reads more than
  /// there is.
  mlir::LogicalResult note(mlir::Operation *op);

  llvm::ArrayRef<Read> get(mlir::Value value) const;

  /// True if `memory`, which holds a value defined in `home` from position
  /// `from` on, may be written before or by `read`. The write of `except` does
  /// not count.
  bool isOverwritten(mlir::Value memory, mlir::Block *home, const Read &read,
                     unsigned from, mlir::Operation *except);

  /// True if the op of `read` makes a result that some points do not have,
  /// which it has to store itself, and could not if what it reads were in
  /// `memory`.
  bool storesInPartTo(mlir::Value memory, const Read &read);

private:
  mlir::LogicalResult note(mlir::OpOperand &use, OperandDemands &needs);

  MemoryTimeline &timeline;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Read, 2>> reads;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_VALUEREADS_H
