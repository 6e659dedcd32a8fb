//===- ThreadCounters.h - Numbers that threads change -----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_THREADCOUNTERS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_THREADCOUNTERS_H

#include "LoopNest.h"
#include "StencilDialect/IR/CPULoops.h"

namespace stencil {

/// Numbers of 64 bits that threads share, each on a line of the caches of its
/// own. A place is an index.
struct ThreadCounters {
  /// Numbers of 64 bits of a line.
  static int64_t countPerLine(CPULoopsAttr loops) {
    return std::max<int64_t>(1, loops.getLine() / sizeof(int64_t));
  }

  /// Sets the first `count` of them to 0.
  void clear(mlir::Value count) const;
  /// Changes one by a number of 64 bits; it is returned as it was.
  mlir::Value change(mlir::arith::AtomicRMWKind kind, mlir::Value operand,
                     mlir::Value place) const;
  /// A loop over what a thread takes of what is before `end`, by the counter of
  /// what has been taken. Returns the number of what it has; the builder is
  /// in the loop then.
  mlir::Value emitTurns(mlir::Value place, mlir::Value end) const;

  LoopBuilder &b;
  CPULoopsAttr loops;
  mlir::Value memory;

private:
  mlir::Value find(mlir::Value place) const;
  mlir::Value changeAt(mlir::arith::AtomicRMWKind kind, mlir::Value operand,
                       mlir::Value at) const;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_THREADCOUNTERS_H
