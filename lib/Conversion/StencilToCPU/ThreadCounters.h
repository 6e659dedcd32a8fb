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
  void clear(Value count) const;
  /// Changes one by a number of 64 bits; it is returned as it was.
  Value change(mlir::arith::AtomicRMWKind kind, Value operand,
               Value place) const;
  /// A loop over what a thread takes of what is before `end`, by the counter of
  /// what has been taken. Returns the number of what it has; the builder is
  /// in the loop then.
  Value emitTurns(Value place, Value end) const;

  LoopBuilder &b;
  CPULoopsAttr loops;
  Value memory;

private:
  Value find(Value place) const;
  Value changeAt(mlir::arith::AtomicRMWKind kind, Value operand,
                 Value at) const;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_THREADCOUNTERS_H
