//===- ThreadGuards.h - Which points are computed ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADGUARDS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADGUARDS_H

#include "ThreadValues.h"

namespace stencil {

/// The conditions under which something is done at the thread's points, those
/// of the group that is computed.
class ThreadGuards {
public:
  explicit ThreadGuards(const ThreadValues &held)
      : block(held.block), group(held.getGroup()) {}

  /// Whether some of a thread's rows are among those that the block stores, and
  /// others are not.
  bool splitsRows() const;
  /// Whether the thread's points from this one on, all of them or those of its
  /// row, are among those that the block stores; null if all are.
  mlir::Value isInner(const TilePoint &point) const;
  /// Whether as many points from `base` on are ones that the ops of a
  /// tile.where are for; null if they always are.
  mlir::Value isWhere(BoundsAttr needs, llvm::ArrayRef<int64_t> points,
                      const BasePoint &base) const;
  /// Whether the plane of the stages in a tile.where is one that somebody in
  /// this segment needs.
  mlir::Value isPlane(tile::WhereOp where) const;
  /// The condition for the points of the rim that a box has; null if it has
  /// all.
  mlir::Value isInRim(BoundsAttr box, tile::CoreAndRimAttr layout) const;

private:
  TileBlock &block;
  const TilePoints &group;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADGUARDS_H
