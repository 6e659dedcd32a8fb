//===- WalkIterations.h - The iterations of a walk --------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_WALKITERATIONS_H
#define STENCIL_LIB_TILE_TRANSFORMS_WALKITERATIONS_H

#include "RingEvents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace stencil::tile {

/// The numbers of a block's iterations, in front of all of its walks.
class WalkNumbers {
public:
  explicit WalkNumbers(WalkOp walk);

  mlir::Value getFirst() { return segment.getFirst(); }
  mlir::Value getCount() { return segment.getCount(); }
  mlir::Value makeConstant(int64_t value);

private:
  SegmentOp segment;
  llvm::SmallDenseMap<int64_t, mlir::Value> constants;
};

/// Emits iterations of a walk, one behind the other.
class WalkIterations {
public:
  WalkIterations(WalkOp walk, const BlockProgram &program, WalkNumbers &numbers,
                 mlir::OpBuilder &builder)
      : walk(walk), program(program), numbers(numbers), builder(builder),
        loc(walk.getLoc()), first(numbers.getFirst()) {}

  /// One; without stores of plane p if it does not store.
  void emit(mlir::Value number, bool stores);
  /// Several planes, `offset` from this one on, that are stored: op by op, of
  /// each op all of them. What copies and waits are for comes plane by plane.
  void emitBatch(mlir::Value begin, int64_t offset);

  /// Cursors and carried values, as the walk has them, of the iteration to
  /// come.
  llvm::SmallVector<mlir::Value> state;

private:
  bool isLastForStores() const;
  void handOn(mlir::Value made, size_t index,
              llvm::MutableArrayRef<mlir::IRMapping> planes);
  void inlineWheres(llvm::ArrayRef<mlir::Operation *> cloned);

  WalkOp walk;
  const BlockProgram &program;
  WalkNumbers &numbers;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value first;
};

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_WALKITERATIONS_H
