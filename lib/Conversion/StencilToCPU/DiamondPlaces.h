//===- DiamondPlaces.h - Where steps in diamonds are ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H

#include "LoopNest.h"

#include <array>

namespace stencil {

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

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H
