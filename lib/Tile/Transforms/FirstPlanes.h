//===- FirstPlanes.h - What the first iterations of a walk read -*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H
#define STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H

#include "RingEvents.h"

namespace stencil::tile {

/// For each ring that is filled in a walk, the first plane, counted from that
/// of the first iteration, that somebody reads of what its copies bring.
using FirstPlanes = llvm::SmallDenseMap<mlir::Value, int64_t>;

FirstPlanes findFirstPlanes(WalkOp walk, const BlockProgram &program);

/// Brings them in front of the walk, whose first iteration is for plane `first`
/// and has these cursors, and waits for them.
void bringFirstPlanes(WalkOp walk, const BlockProgram &program,
                      const FirstPlanes &firstPlanes, mlir::Value first,
                      mlir::ValueRange cursors);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H
