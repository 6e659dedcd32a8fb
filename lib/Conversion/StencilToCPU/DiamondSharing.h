//===- DiamondSharing.h - How threads share diamonds ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSHARING_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSHARING_H

#include "ThreadCounters.h"

namespace stencil {

/// The rows of diamonds of a time loop, each of `countOfRow`, on threads, at
/// most `sharers` of them. Those at the ends of a row are halves, and cores are
/// not equally fast: whoever is done with a diamond takes the next one.
class DiamondSharing {
public:
  DiamondSharing(LoopBuilder &b, CPULoopsAttr loops, mlir::Value countOfRow,
                 mlir::Value sharers);

  /// The diamonds of a row, by their places in it. All are done behind it.
  mlir::LogicalResult emitOneRow(LoopBody emit) {
    return share(countOfRow, emit);
  }

  /// All rows. A diamond begins when the two of the row before that it is
  /// between are done: all that it reads, and all that read what it
  /// overwrites, are these or before them.
  mlir::LogicalResult
  emitRows(mlir::Value rows,
           llvm::function_ref<mlir::LogicalResult(mlir::Value row,
                                                  mlir::Value place)>
               emit);

  /// In a diamond: who computes it, one of `sharers`.
  mlir::Value getSharer() const { return sharer; }

  /// Behind the last row.
  void end();

private:
  mlir::LogicalResult share(mlir::Value count, LoopBody emit);
  void waitFor(mlir::Value place, mlir::Value row);

  LoopBuilder &b;
  const Arithmetic &math;
  CPULoopsAttr loops;
  mlir::Value countOfRow, sharers, sharer;
  /// How many diamonds threads have taken; up to which row those at each place
  /// of a row are done.
  ThreadCounters taken, done;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSHARING_H
