//===- DiamondPlaces.h - Where steps in diamonds are ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H

#include "LoopNest.h"

#include <array>
#include <optional>

namespace stencil {

/// What is cut into diamonds and tiles: the points of a box, of which those of
/// a periodic axis are folded (`folds` of the two that are tiled).
class DiamondPlaces {
public:
  DiamondPlaces() = default;
  DiamondPlaces(mlir::OpBuilder &builder, mlir::Location loc,
                const LoopBox &domain, std::array<bool, 2> folds);

  /// Calls `body` with the points at some places: of a folded axis one half
  /// after the other.
  mlir::LogicalResult forEachImage(mlir::OpBuilder &builder,
                                   const LoopBox &some, TileBody body) const {
    return forEachImage(builder, some, /*axis=*/0, body);
  }

  /// All places; along folded axes fewer than points.
  LoopBox box;

private:
  mlir::LogicalResult forEachImage(mlir::OpBuilder &builder,
                                   const LoopBox &some, int64_t axis,
                                   TileBody body) const;

  std::optional<mlir::Location> loc;
  LoopBox domain;
  std::array<bool, 2> folds = {false, false};
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDPLACES_H
