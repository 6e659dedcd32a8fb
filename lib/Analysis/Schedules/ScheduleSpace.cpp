//===- ScheduleSpace.cpp - The schedules that an apply can have -----------===//

#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "SpaceBuilder.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/IR/Bounds.h"

using namespace mlir;
using namespace stencil;

ScheduleAttr stencil::getDefaultSchedule(ApplyOp apply,
                                         const KernelProfile &profile,
                                         const TargetInfo &target) {
  ScheduleKeys keys;
  completeTiledSchedule(apply, target, profile.shape, keys);
  return keys.get(apply.getContext());
}

ScheduleAttr stencil::getWithoutStoredWindows(ScheduleAttr schedule,
                                              const KernelProfile &profile) {
  ScheduleKeys keys(schedule);
  keys.window.clear();
  bool isChanged = false;
  for (const ProfiledInput &input : profile.inputs) {
    Space window = schedule.getWindowOf(keys.window.size());
    isChanged |= input.isStored && window == Space::Shared;
    keys.window.push_back(input.isStored ? Space::Cache : window);
  }
  return isChanged && llvm::is_contained(keys.window, Space::Shared)
             ? keys.get(schedule.getContext())
             : ScheduleAttr();
}

/// Adds a schedule that fits.
bool SpaceBuilder::add(const ScheduleKeys &keys) {
  ScheduleAttr schedule = keys.get(apply.getContext());
  if (!findMisfit(profile, schedule, target).empty())
    return false;
  schedules.insert(schedule);
  return true;
}

//===----------------------------------------------------------------------===//
// One tile per block
//===----------------------------------------------------------------------===//

/// Panels of blocks, where what is read of several planes does not fit the
/// second-level cache.
std::vector<int64_t> SpaceBuilder::listPanels(int64_t rowsPerBlock,
                                              double planes) const {
  std::vector<int64_t> panels = {0};
  if (rank < 3 || target.l2Bytes == 0)
    return panels;
  double plane = static_cast<double>(profile.shape[rank - 1]) *
                 static_cast<double>(profile.shape[rank - 2]) *
                 (profile.bytesRead + profile.bytesWritten);
  if (plane * planes <= static_cast<double>(target.l2Bytes) / 3)
    return panels;
  for (int64_t rows : {64, 256}) {
    int64_t blocks = std::max<int64_t>(1, rows / rowsPerBlock);
    if (blocks * rowsPerBlock < profile.shape[rank - 2])
      panels.push_back(blocks);
  }
  return panels;
}

void SpaceBuilder::addTile(SpaceNumbers block, const SpaceNumbers &points) {
  // Not much more threads than there are points.
  for (int64_t axis = 0; axis < rank; ++axis) {
    bool isShortRow = profile.shape.back() <= int64_t(target.warpSize);
    int64_t least = axis == rank - 1 && !isShortRow ? target.warpSize : 1;
    while (block[axis] > least &&
           (block[axis] / 2) * points[axis] >= profile.shape[axis])
      block[axis] /= 2;
  }
  ScheduleKeys keys;
  keys.block.assign(block.begin(), block.end());
  keys.points.assign(points.begin(), points.end());
  int64_t threads = llvm::product_of(block);
  double planes = rank < 3
                      ? 0
                      : static_cast<double>(2 * profile.getHalo(rank - 3) +
                                            block[rank - 3] * points[rank - 3]);
  int64_t rows = rank < 2 ? 1 : block[rank - 2] * points[rank - 2];
  for (int64_t panel : listPanels(rows, planes)) {
    keys.panel.clear();
    if (panel) {
      keys.panel.assign(rank, 0);
      keys.panel[rank - 2] = panel;
    }
    keys.launchBounds = 0;
    keys.prefetch.reset();
    if (!isHeavy()) {
      add(keys);
      continue;
    }
    // Few warps wait for memory: all shapes that were measured gain from asking
    // ahead for it.
    if (rank >= 3 && target.hasL2Prefetch)
      keys.prefetch = Prefetch::L2;
    // ptxas has to be told how many registers a body without end may take.
    for (int64_t blocks : {1, 2, 4}) {
      constexpr int64_t kLeastRegisters = 96;
      if (blocks * threads * kLeastRegisters >
          static_cast<int64_t>(target.registersPerMultiprocessor))
        continue;
      keys.launchBounds = blocks;
      add(keys);
    }
  }
}

void SpaceBuilder::addTiled() {
  int64_t warp = target.warpSize;
  std::vector<SpaceNumbers> blocks, points;
  if (rank == 1) {
    for (int64_t threads : {128, 256, 512, 1024})
      blocks.push_back({threads});
    for (int64_t count : {1, 2, 4})
      points.push_back({count * vector});
    points.push_back({1});
  } else {
    SpaceNumbers ones(rank - 2, 1);
    auto prepend = [&](int64_t outer, int64_t rows, int64_t row) {
      SpaceNumbers list(ones);
      if (rank >= 3)
        list.back() = outer;
      list.push_back(rows);
      list.push_back(row);
      return list;
    };
    for (auto [rows, row] : {std::pair<int64_t, int64_t>(8, warp),
                             {4, warp},
                             {16, warp},
                             {4, 2 * warp},
                             {8, 2 * warp},
                             {2, 4 * warp},
                             {4, 4 * warp},
                             {1, 8 * warp}})
      blocks.push_back(prepend(1, rows, row));
    if (rank >= 3)
      for (auto [outer, rows] : {std::pair<int64_t, int64_t>(2, 4),
                                 {4, 2},
                                 {4, 4},
                                 {2, 8},
                                 {8, 2},
                                 {2, 2}})
        blocks.push_back(prepend(outer, rows, warp));
    // Rows of a layer that is thin along them: a vector for each thread.
    if (rank >= 3 && profile.shape.back() <= warp &&
        profile.shape.back() > warp / 2)
      for (auto [outer, rows] : {std::pair<int64_t, int64_t>(2, 16),
                                 {2, 8},
                                 {4, 8},
                                 {1, 16},
                                 {1, 32},
                                 {4, 16}})
        blocks.push_back(prepend(outer, rows, warp / vector));
    points.push_back(prepend(1, 1, 1));
    if (!isHeavy()) {
      points.push_back(prepend(1, 1, vector));
      for (int64_t count : {2, 4}) {
        points.push_back(prepend(1, count, vector));
        if (rank >= 3)
          points.push_back(prepend(count, 1, vector));
      }
      points.push_back(rank >= 3 ? prepend(4, 2, vector)
                                 : prepend(1, 8, vector));
      if (rank >= 3)
        points.push_back(prepend(2, 2, vector));
    }
  }
  for (const SpaceNumbers &tile : points)
    for (const SpaceNumbers &block : blocks)
      addTile(block, tile);
}

/// A row of neighbours in shared memory, where many points share them.
void SpaceBuilder::addRowWindows() {
  constexpr int64_t kLeastRadius = 8;
  if (rank != 1 || profile.getRadius() < kLeastRadius)
    return;
  // An odd number of points per thread: lanes read different banks.
  for (int64_t threads : {128, 256})
    for (int64_t count : {3, 5, 7, 9, 11, 13, 15, 21}) {
      ScheduleKeys keys;
      keys.block = {threads};
      keys.points = {count};
      keys.window = {Space::Shared};
      add(keys);
    }
}

std::vector<ScheduleAttr> SpaceBuilder::run() {
  schedules.insert(getDefaultSchedule(apply, profile, target));
  bool isUnrolled = llvm::product_of(apply.getUnrollFactors()) != 1;
  if (target.multiprocessors == 0 || !profile.isKnown || isUnrolled)
    return schedules.takeVector();
  addTiled();
  if (apply.isBufferised()) {
    addRowWindows();
    addWalks();
  }
  return schedules.takeVector();
}

std::vector<ScheduleAttr>
stencil::enumerateSchedules(ApplyOp apply, const KernelProfile &profile,
                            const TargetInfo &target) {
  return SpaceBuilder(apply, profile, target).run();
}

std::vector<ScheduleAttr> stencil::enumerateSchedules(ApplyOp apply,
                                                      const TargetInfo &target,
                                                      ArrayRef<int64_t> extents,
                                                      MathMode math) {
  return enumerateSchedules(apply, profileKernel(apply, extents, math), target);
}

//===----------------------------------------------------------------------===//
// Tiles of a plane that divide it
//===----------------------------------------------------------------------===//

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
