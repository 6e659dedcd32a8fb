//===- EdgePatches.h - What is beyond the box of a boundary -----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_EDGEPATCHES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_EDGEPATCHES_H

#include "HaloPatch.h"
#include "TileBlock.h"

namespace stencil {

/// Who applies boundaries to planes of rings, in the branch that is emitted.
class EdgePatches {
public:
  explicit EdgePatches(TileBlock &block) : block(block) {}

  /// Finds out what this thread patches in a region, but for branches in it.
  mlir::LogicalResult prepare(mlir::Region &region);
  /// Forgets that behind the region.
  void clear() { patches.clear(); }
  void load(tile::FringeOp halo);
  mlir::LogicalResult store(tile::PatchOp patch);

  /// What a loop carries for a ring: what has been loaded and is not in it yet.
  void appendState(mlir::Value ring,
                   llvm::SmallVectorImpl<mlir::Value> &state) const;
  void restoreState(mlir::Value ring, mlir::ValueRange &from);

private:
  mlir::LogicalResult prepare(tile::FringeOp halo);

  TileBlock &block;
  /// By ring.
  llvm::DenseMap<mlir::Value, std::unique_ptr<HaloPatch>> patches;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_EDGEPATCHES_H
