//===- FirstPlanes.h - The first planes that somebody reads -----*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H
#define STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H

#include "RingEvents.h"

namespace stencil::tile {

/// For each ring that is filled in a walk, the first plane, counted from that
/// of the first iteration, that somebody reads of what its copies bring.
using FirstPlanes = llvm::SmallDenseMap<mlir::Value, int64_t>;

FirstPlanes findFirstPlanes(WalkOp walk, const BlockProgram &program);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_FIRSTPLANES_H
