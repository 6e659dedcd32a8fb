//===- RingEvents.h - What a block's program does to rings ------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_RINGEVENTS_H
#define STENCIL_LIB_TILE_TRANSFORMS_RINGEVENTS_H

#include "StencilDialect/Tile/Tile.h"
#include <string>

namespace stencil::tile {

enum class RingAccess {
  /// The place of a plane is written from here on.
  Overwrite,
  /// Threads have written a plane; others see it behind a barrier.
  Publish,
  /// A stage reads planes, or a patch reads and writes them.
  Read
};

/// One of the ops of a kernel's body, or of its walk's, and one ring.
struct RingEvent {
  RingAccess access;
  mlir::Operation *op;
  /// The number of the body's op that `op` is or lies in.
  int64_t place;
  /// The first and the last plane, relative to that of the iteration; 0
  /// without a walk.
  int64_t oldest, newest;
};

struct RingProgram {
  RingOp ring;
  /// Its number in the kernel.
  int64_t number;
  /// In the order of the body.
  std::vector<RingEvent> events;

  RingType getType() const {
    return llvm::cast<RingType>(RingOp(ring).getRes().getType());
  }
};

/// What a block runs, and each ring in it.
struct BlockProgram {
  /// The body of the walk, or of a kernel without one.
  mlir::Block *body = nullptr;
  bool isWalk = false;
  std::vector<RingProgram> rings;
  /// The numbers of the body's ops that are barriers.
  std::vector<int64_t> barriers;
  /// Planes that each op has, in an iteration of the loop (PlaneBatch.h); of
  /// 1, why it is not more.
  int64_t batch = 1;
  std::string whyNoBatch;

  /// Fails with an error where a kernel does something in a place in which its
  /// order is not known: in a region, or beside the walk. Without patches:
  /// those, and barriers for them, are not there.
  static mlir::FailureOr<BlockProgram> create(KernelOp kernel,
                                              bool hasPatches = true);
  /// Of one of several walks.
  static mlir::FailureOr<BlockProgram> create(WalkOp walk);
};

/// Whether an op, but not one in it, reads or fills rings.
bool isRingOp(mlir::Operation *op);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_RINGEVENTS_H
