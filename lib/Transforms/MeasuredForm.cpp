//===- MeasuredForm.cpp - Walks as they were measured best ----------------===//

#include "MeasuredForm.h"
#include "StencilDialect/IR/Schedule.h"

using namespace mlir;
using namespace stencil;

/// Boxes, whose sums are added plane by plane. Those of many taps want all
/// registers, and few planes that are read twice.
static void tileBox(ScheduleKeys &keys, ArrayRef<int64_t> shape, int64_t halo,
                    bool isDouble) {
  if (halo > 1) {
    keys.stages = isDouble ? 4 : 3;
    keys.launchBounds = isDouble ? 1 : 2;
    if (!isDouble) {
      keys.block = {1, 8, 32};
      keys.points = {1, 2, 4};
    }
    keys.segments = std::max<int64_t>(1, shape[0] / 128);
    return;
  }
  keys.stages = 6;
  if (!isDouble) {
    keys.block = {1, 16, 32};
    keys.points = {1, 2, 4};
    keys.segments = std::max<int64_t>(1, shape[0] / 8);
  }
}

/// Columns in registers: two blocks of 64 x 16 points, in single precision
/// 128 x 16, at a time.
static void tileColumns(ScheduleKeys &keys, ArrayRef<int64_t> shape,
                        int64_t halo, int64_t bytes) {
  bool isDouble = bytes == sizeof(double);
  keys.block = {1, 8, 32};
  keys.points = {1, 2, isDouble ? 2 : 4};
  keys.launchBounds = 2;
  int64_t planes = halo >= 4 && isDouble ? 256 : 128;
  if (halo == 2 && !isDouble) {
    keys.block = {1, 16, 32};
    keys.points = {1, 1, 4};
    keys.launchBounds = 0;
    planes = 64;
  }
  keys.segments = std::max<int64_t>(1, shape[0] / planes);
  // As tile-registers does where planes are wide.
  constexpr int64_t kWideBytes = 5 << 19;
  if (shape[1] * shape[2] * bytes > kWideBytes)
    keys.panel = {0, 16, 0};
}

/// One field, in single precision: columns rather than sums plane by plane.
static bool prefersColumns(const KernelProfile &profile, int64_t halo) {
  return profile.getElementBytes() == sizeof(float) && !profile.readsBox() &&
         halo >= 2 && llvm::count_if(profile.inputs, [](const auto &input) {
                        return input.isRead();
                      }) == 1;
}

ScheduleAttr stencil::getMeasuredForm(ScheduleAttr chosen,
                                      const KernelProfile &profile,
                                      const TargetInfo &target) {
  constexpr double kLarge = 1 << 26;
  constexpr int64_t kMostPlanes = 8;
  if (profile.rank != 3 || !profile.isShapeKnown ||
      profile.countPoints() < kLarge || target.measuredBandwidth == 0 ||
      chosen.getStream() != 0 || chosen.getPrefetch() != Prefetch::Tma ||
      !chosen.getAccumulate())
    return {};
  ScheduleKeys keys;
  keys.stream = 0;
  llvm::append_range(keys.window, chosen.getWindow());
  keys.prefetch = Prefetch::Tma;
  int64_t halo = profile.getHalo(0);
  bool isDouble = profile.getElementBytes() == sizeof(double);
  if (profile.scatterSpan > 0 && !prefersColumns(profile, halo) &&
      (profile.readsBox() || halo < 4 || !isDouble)) {
    keys.accumulate = Accumulation::Scatter;
    keys.stages = halo == 3 && isDouble ? 3 : 4;
    if (profile.readsBox())
      tileBox(keys, profile.shape, halo, isDouble);
    else if (!isDouble)
      keys.block = {1, 16, 32}, keys.points = {1, 1, 4};
  } else if (!profile.readsBox() && halo >= 2 && halo + 3 <= kMostPlanes) {
    keys.accumulate = Accumulation::Shift;
    keys.stages = halo + 3;
    if (isDouble || prefersColumns(profile, halo))
      tileColumns(keys, profile.shape, halo, profile.getElementBytes());
  } else {
    return {};
  }
  return keys.get(chosen.getContext());
}
