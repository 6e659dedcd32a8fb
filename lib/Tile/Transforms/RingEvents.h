//===- RingEvents.h - What touches rings, and barriers ----------*- C++ -*-===//

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
  Operation *op;
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
  Block *body = nullptr;
  bool isWalk = false;
  std::vector<RingProgram> rings;
  /// The numbers of the body's ops that are barriers.
  std::vector<int64_t> barriers;
  /// Planes that each op has, in an iteration of the loop (findBatch); of
  /// 1, why it is not more.
  int64_t batch = 1;
  std::string whyNoBatch;

  /// Fails with an error where a kernel does something in a place in which its
  /// order is not known: in a region, or beside the walk. Without patches:
  /// those, and barriers for them, are not there. `scope` is a kernel, or one
  /// of several walks.
  static FailureOr<BlockProgram> create(Operation *scope,
                                        bool hasPatches = true);
};

/// Whether an op, but not one in it, reads or fills rings.
bool isRingOp(Operation *op);

/// Two ops that need a barrier between them, in a program that is a line, or,
/// of a walk, a circle. A barrier in front of op number g is in gap g.
struct BarrierNeed {
  const RingProgram *firstRing, *secondRing;
  const RingEvent *first, *second;
  /// Iterations from the first op to the second one.
  int64_t iterations;

  /// The last gap that is between them.
  int64_t getDeadline() const { return second->place; }
  bool isMetBy(int64_t gap) const {
    bool isBehind = gap > first->place, isBefore = gap <= second->place;
    switch (iterations) {
    case 0:
      return isBehind && isBefore;
    case 1:
      // All gaps, if the second op comes later in its iteration.
      return isBehind || isBefore;
    default:
      return true;
    }
  }
  /// Why, as seen from the second op.
  std::string describe() const;
};

/// What needs a barrier and has none yet. The program must outlive it.
std::vector<BarrierNeed> findNeeds(const BlockProgram &program);

/// Fails with an error where one is missing: threads that do not meet would go
/// wrong quietly.
LogicalResult verifyBarriers(const BlockProgram &program);

/// As few gaps as meet all needs, in ascending order; of several such sets the
/// one whose barriers come first. A barrier that may be in front of copies is.
std::vector<int64_t> chooseGaps(const BlockProgram &program,
                                ArrayRef<BarrierNeed> needs);

/// How many planes the loop of a walk takes between one meeting of the threads
/// and the same one of the next iteration: those of `unroll`, if each op can
/// have all of them before the next op has any; else 1, for the reason that is
/// set.
int64_t findBatch(const BlockProgram &program, std::string &why);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_RINGEVENTS_H
