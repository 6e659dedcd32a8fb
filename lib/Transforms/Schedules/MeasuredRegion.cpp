//===- MeasuredRegion.cpp - Regions as they were measured best ------------===//
//
// Measured on an H200 with the regions of examples/seismic at 1000 x 1000 x
// 1000 points, whose README has the tables.
//
//===----------------------------------------------------------------------===//

#include "MeasuredRegion.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"

using namespace mlir;
using namespace stencil;

/// Inputs that are read and have all axes. Profiles along one axis cost nothing
/// beside them.
static int64_t countVolumes(const KernelProfile &profile) {
  return llvm::count_if(profile.inputs, [](const ProfiledInput &input) {
    return input.isRead() && input.fitsWindow;
  });
}

/// Stars of 7 to 11 points per axis, in single precision.
static bool isWave(const KernelProfile &profile) {
  constexpr int64_t kLeastRadius = 3, kMostRadius = 5;
  return profile.rank == 3 && profile.isShapeKnown && !profile.readsBox() &&
         profile.getElementBytes() == sizeof(float) &&
         profile.getRadius() >= kLeastRadius &&
         profile.getRadius() <= kMostRadius;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Tiles of 128 threads with eight points each, whose neighbours come from the
/// caches; as wide as four lines where the layer is. Layers of 27 and 28 points
/// take 226 and 217 us, in the walks that the model prefers 709 and 905 us.
/// Along the rows, layers of 32 points in blocks of 16 rows take 314 us, in
/// blocks of 8 rows 321 us.
static ScheduleKeys getLayer(const KernelProfile &profile) {
  constexpr double kLarge = 1 << 23;
  constexpr int64_t kThin = 32, kRow = 512, kFields = 4;
  ScheduleKeys keys;
  ArrayRef<int64_t> shape = profile.shape;
  if (countVolumes(profile) < kFields || profile.countPoints() < kLarge)
    return keys;
  if (shape[0] <= kThin && shape[2] >= kRow) {
    keys.block = {2, 2, 32};
    keys.points = {1, 2, 4};
    keys.order = {0, 2, 1};
  } else if (shape[1] <= kThin && shape[2] >= kRow) {
    keys.block = {1, 4, 32};
    keys.points = {2, 1, 4};
  } else if (shape[2] > kThin / 2 && shape[2] <= kThin) {
    keys.block = {2, 16, 8};
    keys.points = {2, 1, 4};
  }
  return keys;
}

//===----------------------------------------------------------------------===//
// The interior
//===----------------------------------------------------------------------===//

/// All that is read comes to shared memory plane by plane, with TMA, and sums
/// are added plane by plane: 3694 us of 946 x 944 x 936 points in tiles of
/// 16 x 104, ten segments, panels of 15 blocks and four planes; 3764 us with
/// five segments, 3799 us with three planes.
static ScheduleKeys getInterior(ApplyOp apply, const KernelProfile &profile,
                                const TargetInfo &target) {
  constexpr double kLarge = 1 << 26;
  constexpr int64_t kMostFields = 3, kVector = 4, kStages = 4, kPlanes = 96;
  ScheduleKeys keys;
  if (countVolumes(profile) > kMostFields || profile.countPoints() < kLarge ||
      profile.shape[0] < kPlanes || profile.scatterSums == 0 ||
      !target.hasAsyncCopy(AsyncCopyTensor))
    return keys;
  SmallVector<Space> windows;
  for (const ProfiledInput &input : profile.inputs) {
    bool isShared = input.isRead() && input.fitsWindow;
    if (isShared && !input.fitsTensorMap)
      return keys;
    windows.push_back(isShared ? Space::Shared : Space::Cache);
  }
  std::vector<PlaneTile> tiles = listEvenTiles(apply, profile, target);
  if (tiles.empty())
    return keys;
  auto [rows, row] = tiles.front();
  keys.block = {1, rows, row / kVector};
  keys.points = {1, 1, kVector};
  keys.stream = 0;
  keys.segments = (profile.shape[0] + kPlanes / 2) / kPlanes;
  if (llvm::all_equal(windows))
    windows.resize(1);
  llvm::append_range(keys.window, windows);
  keys.accumulate = Accumulation::Scatter;
  keys.prefetch = Prefetch::Tma;
  keys.stages = kStages;
  // As many panels as there are of 256 rows, all of the same width.
  if (arePlanesWide(profile.shape, profile.getElementBytes())) {
    int64_t blocks = profile.shape[1] / rows;
    int64_t panels =
        llvm::divideCeil(blocks, countPanelBlocks(kPanelRows, rows));
    keys.panel = {0, static_cast<int64_t>(llvm::divideCeil(blocks, panels)), 0};
  }
  return keys;
}

ScheduleAttr stencil::getMeasuredRegion(ApplyOp apply,
                                        const KernelProfile &profile,
                                        const TargetInfo &target) {
  if (!target.hasMeasuredForms || !profile.isKnown || !isWave(profile))
    return {};
  ScheduleKeys keys = getLayer(profile);
  bool isRegion =
      apply->hasAttr(kRegionAttr) || apply->hasAttr(ScheduleAttr::kAttrName);
  if (keys.block.empty() && isRegion)
    keys = getInterior(apply, profile, target);
  return keys.block.empty() ? ScheduleAttr() : keys.get(apply.getContext());
}
