//===- ThreadCopies.h - Planes into rings, by threads -----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADCOPIES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADCOPIES_H

#include "TileChunks.h"

namespace stencil {

/// The copies that threads do, at once, by way of registers, or by cp.async.
class ThreadCopies {
public:
  explicit ThreadCopies(TileBlock &block) : block(block) {}

  /// Finds out what each thread copies for an op.
  void prepare(tile::CopyOp copy) { getChunks(copy); }
  /// Copies a plane at once; null: to the slot that is its own.
  void copy(tile::CopyOp copy, mlir::Value slot = {});
  /// Loads a plane, which a wait stores.
  void load(tile::CopyOp copy);
  mlir::LogicalResult store(tile::WaitOp wait);
  mlir::LogicalResult copyAsync(tile::CopyOp copy);
  void waitAsync(tile::WaitOp wait);

  /// The coordinate of the plane that a copy brings; null without a walk.
  mlir::Value getCopied(tile::CopyOp copy);
  /// Whether somebody in this segment reads a plane, and the field has it; null
  /// without a walk.
  mlir::Value isNeeded(tile::CopyOp copy, mlir::Value plane);
  /// The plane of the field that a copy brings for plane `plane`.
  mlir::Value getSourcePlane(tile::CopyOp copy, mlir::Value plane);

  /// What is on its way at some place of the kernel.
  struct State {
    /// Rings that the group of asynchronous copies that is open has a plane
    /// for.
    llvm::SmallPtrSet<mlir::Operation *, 4> openCopies;
    /// By ring: planes that have been loaded and not yet been stored, the
    /// oldest first, and what threads copy of each.
    llvm::DenseMap<mlir::Value, std::vector<llvm::SmallVector<mlir::Value>>>
        loaded;
  };
  State state;
  /// What a loop carries of a ring.
  void appendLoaded(mlir::Value ring,
                    llvm::SmallVectorImpl<mlir::Value> &carried) const;
  void restoreLoaded(mlir::Value ring, mlir::ValueRange &from);

private:
  TileChunks &getChunks(tile::CopyOp copy);
  void storeChunks(mlir::Value ring, TileChunks &chunks, mlir::Value slot);
  mlir::Value closeAsyncGroup();
  int64_t countPending();

  TileBlock &block;
  /// By ring and number of the field.
  std::map<std::pair<mlir::Operation *, unsigned>, std::unique_ptr<TileChunks>>
      chunks;
  /// By ring: what a wait stores.
  llvm::DenseMap<mlir::Value, TileChunks *> delayed;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADCOPIES_H
