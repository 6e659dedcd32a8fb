//===- RingFills.h - What brings planes into rings --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H

#include "HaloPatch.h"
#include "TmaCopies.h"

namespace stencil {

/// Copies of planes into rings, as the rings say; and patches of what is beyond
/// the box of a boundary, of which blocks at the edge have a branch.
class RingFills {
public:
  explicit RingFills(TileBlock &block) : block(block) {}

  /// Makes what the copy engine needs. Fails with an error at what it cannot
  /// copy.
  mlir::LogicalResult prepareEngine() { return tma.prepare(); }
  /// Finds out, once before all loops, what threads copy and patch.
  mlir::LogicalResult prepare();
  mlir::LogicalResult copy(tile::CopyOp copy);
  mlir::LogicalResult wait(tile::WaitOp wait);
  void load(tile::FringeOp halo);
  mlir::LogicalResult store(tile::PatchOp patch);

  /// What a loop carries for a ring.
  void appendState(mlir::Value ring,
                   llvm::SmallVectorImpl<mlir::Value> &state) const;
  void restoreState(mlir::Value ring, mlir::ValueRange &from);
  /// Emits a branch: what is on its way in front of it is so in both, and
  /// behind it. What is loaded and not yet written is that of a branch.
  mlir::LogicalResult inBranch(mlir::Region &region,
                               llvm::function_ref<mlir::LogicalResult()> emit);

private:
  /// Finds out what this thread patches in a region, but for branches in it.
  mlir::LogicalResult preparePatches(mlir::Region &region);
  mlir::LogicalResult preparePatch(tile::FringeOp halo);

  TileBlock &block;
  ThreadCopies threads{block};
  TmaCopies tma{block, threads};
  /// By ring, in the branch that is emitted.
  llvm::DenseMap<mlir::Value, std::unique_ptr<HaloPatch>> patches;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H
