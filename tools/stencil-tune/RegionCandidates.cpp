//===- RegionCandidates.cpp - In which order regions are tuned ------------===//

#include "RegionCandidates.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"

using namespace mlir;
using namespace stencil;

bool stencil::isRegion(ApplyOp apply) {
  return apply->hasAttr(kRegionAttr) || apply->hasAttr(ScheduleAttr::kAttrName);
}

/// Whether a window holds what is stored to in place.
static bool hasStoredWindow(const KernelProfile &profile,
                            ScheduleAttr schedule) {
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (input.isRead() && input.isStored &&
        schedule.getWindowOf(number) == Space::Shared)
      return true;
  return false;
}

/// Whether such a window's tiles do not end where the region does, and where 32
/// bytes do.
static bool reachesBeyond(ApplyOp apply, const KernelProfile &profile,
                          ScheduleAttr schedule) {
  constexpr int64_t kSectorBytes = 32;
  if (!hasStoredWindow(profile, schedule))
    return false;
  if (!profile.isShapeKnown || schedule.getBlock().empty())
    return true;
  for (int64_t axis = 0; axis < profile.rank; ++axis)
    if (schedule.getStream() != axis &&
        profile.shape[axis] %
                (schedule.getBlock()[axis] * schedule.getPoints()[axis]) !=
            0)
      return true;
  int64_t sector =
      std::max<int64_t>(1, kSectorBytes / profile.getElementBytes());
  int64_t begin = apply.getDomain().getLb().back();
  return isSymbolic(begin) || begin % sector != 0 ||
         schedule.getBlock().back() * schedule.getPoints().back() % sector != 0;
}

ScheduleAttr stencil::keepInside(ApplyOp apply, const KernelProfile &profile,
                                 ScheduleAttr schedule) {
  return reachesBeyond(apply, profile, schedule)
             ? getWithoutStoredWindows(schedule, profile)
             : schedule;
}

std::vector<ScheduleAttr> stencil::orderRegionCandidates(
    ApplyOp apply, ScheduleAttr untuned, ArrayRef<ScheduleAttr> close,
    const KernelProfile &profile, const TargetInfo &target,
    ArrayRef<RankedSchedule> ranked) {
  std::vector<ScheduleAttr> ordered;
  auto add = [&](ScheduleAttr schedule) {
    schedule = keepInside(apply, profile, schedule);
    if (schedule && findMisfit(profile, schedule, target).empty() &&
        !llvm::is_contained(ordered, schedule))
      ordered.push_back(schedule);
  };
  for (ScheduleAttr schedule : close)
    add(schedule);
  // Tiles, and walks.
  std::array<std::vector<ScheduleAttr>, 2> kinds;
  std::array<double, 2> best = {0, 0};
  for (const RankedSchedule &candidate : ranked) {
    size_t kind = candidate.schedule.needsPipeline();
    if (kinds[kind].empty())
      best[kind] = candidate.prediction.seconds;
    if (candidate.prediction.seconds <= kHopeless * best[kind])
      kinds[kind].push_back(candidate.schedule);
  }
  // What is updated in place comes with the rest where it can: who reads it
  // from the caches waits for it in each iteration, which the model knows of
  // one kernel only.
  std::vector<ScheduleAttr> whole, rest;
  for (ScheduleAttr schedule : kinds[1])
    (hasStoredWindow(profile, schedule) &&
             !reachesBeyond(apply, profile, schedule)
         ? whole
         : rest)
        .push_back(schedule);
  kinds[1] = std::move(whole);
  llvm::append_range(kinds[1], rest);
  size_t first = untuned && untuned.needsPipeline();
  const std::vector<ScheduleAttr> &own = kinds[first];
  const std::vector<ScheduleAttr> &other = kinds[1 - first];
  constexpr size_t kOwn = 2;
  for (size_t i = 0; kOwn * i < own.size() || i < other.size(); ++i) {
    for (size_t j = kOwn * i; j < kOwn * (i + 1); ++j)
      if (j < own.size())
        add(own[j]);
    if (i < other.size())
      add(other[i]);
  }
  return ordered;
}
