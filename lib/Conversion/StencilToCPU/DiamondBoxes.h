//===- DiamondBoxes.h - Which points steps in diamonds have -----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDBOXES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDBOXES_H

#include "Diamonds.h"
#include "LoopNest.h"

namespace stencil {

/// Where a tile is.
struct DiamondTile {
  /// The plane that the diamond is around, and where the tile begins in its
  /// first step.
  mlir::Value center, start;
  /// The step at which the diamond would begin, its first step, and the one
  /// after its last.
  mlir::Value base, first, end;
};

/// What is cut into diamonds and tiles: the points of a box, of which those of
/// a periodic axis are folded (`folds` of the two that are tiled).
class DiamondPlaces {
public:
  DiamondPlaces(LoopBuilder &b, const LoopBox &domain,
                std::array<bool, 2> folds);

  /// Calls `body` with the points at some places: of a folded axis one half
  /// after the other.
  mlir::LogicalResult forEachImage(const LoopBox &some, TileBody body) const {
    return forEachImage(some, /*axis=*/0, body);
  }

  /// All places; along folded axes fewer than points.
  LoopBox box;

private:
  mlir::LogicalResult forEachImage(const LoopBox &some, int64_t axis,
                                   TileBody body) const;

  LoopBuilder &b;
  LoopBox domain;
  std::array<bool, 2> folds;
};

/// The tiles of diamonds: how large they are, and where in each phase.
class DiamondBoxes {
public:
  DiamondBoxes(LoopBuilder &b, const DiamondLoop &found, CPULoopsAttr loops,
               const LoopBox &domain);

  /// The places that a tile has in a phase of the loop. `phase` is counted from
  /// the base of the diamond, `moved` from its first step.
  LoopBox getBox(const DiamondTile &tile, mlir::Value phase,
                 mlir::Value moved) const;
  /// The most points that there are along each axis of a tile.
  llvm::SmallVector<mlir::Value> getMostPoints() const;

  LoopBox domain;
  DiamondPlaces places;
  /// Points of a tile along the second axis.
  mlir::Value size;

private:
  mlir::Value getTileSize() const;

  const Arithmetic &math;
  const DiamondLoop &found;
  CPULoopsAttr loops;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDBOXES_H
