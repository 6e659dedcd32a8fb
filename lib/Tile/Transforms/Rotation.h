//===- Rotation.h - Carried values that change places -----------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_ROTATION_H
#define STENCIL_LIB_TILE_TRANSFORMS_ROTATION_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// No walk is unrolled more often.
constexpr int64_t kMaxUnrolled = 32;

/// After how many iterations, at the earliest, each chain of values that a walk
/// carries is in the same registers again, without moves.
llvm::SmallVector<int64_t> findRotations(WalkOp walk);

/// The least common multiple of such numbers; the largest one of them if that
/// is more than `kMaxUnrolled`; 1 if that is, too.
int64_t countUnrolled(llvm::ArrayRef<int64_t> rotations);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_ROTATION_H
