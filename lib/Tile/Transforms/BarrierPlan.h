//===- BarrierPlan.h - Where a block's threads have to meet -----*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_BARRIERPLAN_H
#define STENCIL_LIB_TILE_TRANSFORMS_BARRIERPLAN_H

#include "RingEvents.h"

namespace stencil::tile {

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
mlir::LogicalResult verifyBarriers(const BlockProgram &program);

/// As few gaps as meet all needs, in ascending order; of several such sets the
/// one whose barriers come first. A barrier that may be in front of copies is.
std::vector<int64_t> chooseGaps(const BlockProgram &program,
                                llvm::ArrayRef<BarrierNeed> needs);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_BARRIERPLAN_H
