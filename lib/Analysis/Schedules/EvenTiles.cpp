//===- EvenTiles.cpp - Tiles of a plane that divide it --------------------===//

#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Bounds.h"

using namespace mlir;
using namespace stencil;

std::vector<PlaneTile> stencil::listEvenTiles(ApplyOp apply,
                                              const KernelProfile &profile,
                                              const TargetInfo &target) {
  constexpr int64_t kSectorBytes = 32, kVectorBytes = 16, kMostPoints = 4;
  constexpr int64_t kLeastRow = 64, kMostRow = 128;
  constexpr int64_t kLeastRows = 8, kMostRows = 16;
  std::vector<PlaneTile> tiles;
  int64_t bytes = profile.getElementBytes();
  int64_t sector = std::max<int64_t>(1, kSectorBytes / bytes);
  int64_t vector = std::clamp<int64_t>(kVectorBytes / bytes, 1, kMostPoints);
  if (profile.rank != 3 || !profile.isShapeKnown || !apply.getDomain())
    return tiles;
  int64_t begin = apply.getDomain().getLb().back();
  if (isSymbolic(begin) || begin % sector != 0)
    return tiles;
  auto warp = static_cast<int64_t>(std::max(1U, target.warpSize));
  for (int64_t rows = kLeastRows; rows <= kMostRows; ++rows)
    for (int64_t row = kLeastRow; row <= kMostRow; row += sector)
      if (profile.shape[1] % rows == 0 && profile.shape[2] % row == 0 &&
          rows * row / vector % warp == 0)
        tiles.push_back({rows, row});
  // What is read of a tile's neighbours, by its own points.
  auto getShare = [&](const PlaneTile &tile) {
    return static_cast<double>((tile.rows + 2 * profile.getHalo(1)) *
                               (tile.row + 2 * profile.getHalo(2))) /
           static_cast<double>(tile.rows * tile.row);
  };
  llvm::sort(tiles, [&](const PlaneTile &a, const PlaneTile &b) {
    return std::tuple(getShare(a), a.rows, a.row) <
           std::tuple(getShare(b), b.rows, b.row);
  });
  return tiles;
}
