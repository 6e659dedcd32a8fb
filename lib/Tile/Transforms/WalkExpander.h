//===- WalkExpander.h - A walk to loops -------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H
#define STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H

#include "FirstPlanes.h"
#include "WalkIterations.h"

namespace stencil::tile {

/// A box in which stages choose nothing by coordinates.
struct InnerPlanes {
  /// Null: there is none.
  BoundsAttr box;
  /// The block is in it, along the axes that are not walked.
  bool isInnerBlock = false;
};

/// Makes loops of a walk, of which those that can have so many iterations at
/// once.
void expandWalk(WalkOp walk, const BlockProgram &program,
                const FirstPlanes &firstPlanes, int64_t unrolled,
                WalkNumbers &numbers, const InnerPlanes &inner);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H
