//===- RegionCandidates.cpp - In which order regions are tuned ------------===//

#include "RegionCandidates.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"

using namespace mlir;
using namespace stencil;

/// A kind's schedules that the cost model takes for so many times slower than
/// its best are not tried.
static constexpr double kHopeless = 3;

bool stencil::isRegion(ApplyOp apply) {
  return apply->hasAttr(kRegionAttr) || apply->hasAttr(ScheduleAttr::kAttrName);
}

/// Whether a window holds what is stored to in place.
static bool hasStoredWindow(const KernelProfile &profile,
                            ScheduleAttr schedule) {
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (input.isRead() && input.isStored &&
        schedule.getWindowOf(number) == Window::Shared)
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

/// Schedules that differ from one in one number.
static std::vector<ScheduleAttr> listNeighbours(ScheduleAttr schedule,
                                                const KernelProfile &profile) {
  std::vector<ScheduleAttr> list;
  if (schedule.getBlock().empty() || schedule.getPoints().empty())
    return list;
  auto change = [&](llvm::function_ref<bool(ScheduleKeys &)> edit) {
    ScheduleKeys keys(schedule);
    if (edit(keys))
      list.push_back(keys.get(schedule.getContext()));
  };
  if (schedule.getStream()) {
    constexpr int64_t kMostStages = 8;
    for (int64_t more : {-1, 1})
      change([&](ScheduleKeys &keys) {
        if (!keys.stages || *keys.stages + more < 2 ||
            *keys.stages + more > kMostStages)
          return false;
        *keys.stages += more;
        return true;
      });
    change([&](ScheduleKeys &keys) {
      keys.segments = 2 * keys.segments.value_or(1);
      return true;
    });
    change([&](ScheduleKeys &keys) {
      keys.segments = keys.segments.value_or(1) / 2;
      return *keys.segments > 0;
    });
    change([&](ScheduleKeys &keys) {
      keys.panel.clear();
      return !schedule.getPanel().empty();
    });
    return list;
  }
  for (int64_t axis = profile.rank - 2; axis >= 0; --axis) {
    change([&](ScheduleKeys &keys) {
      keys.block[axis] *= 2;
      return true;
    });
    change([&](ScheduleKeys &keys) {
      bool isEven = keys.block[axis] % 2 == 0;
      keys.block[axis] /= 2;
      return isEven;
    });
    // As many points, of another shape.
    for (int64_t other = profile.rank - 2; other >= 0; --other)
      change([&](ScheduleKeys &keys) {
        std::swap(keys.points[axis], keys.points[other]);
        return axis < other && keys.points[axis] != keys.points[other];
      });
  }
  if (profile.rank == 3)
    change([&](ScheduleKeys &keys) {
      bool isPlain = keys.order.empty();
      keys.order.clear();
      if (isPlain)
        keys.order = {0, 2, 1};
      return true;
    });
  return list;
}

std::vector<ScheduleAttr> stencil::orderRegionCandidates(
    ApplyOp apply, ScheduleAttr untuned, const KernelProfile &profile,
    const TargetInfo &target, ArrayRef<RankedSchedule> ranked) {
  std::vector<ScheduleAttr> ordered;
  auto add = [&](ScheduleAttr schedule) {
    if (reachesBeyond(apply, profile, schedule))
      schedule = getWithoutStoredWindows(schedule, profile);
    if (schedule && findMisfit(profile, schedule, target).empty() &&
        !llvm::is_contained(ordered, schedule))
      ordered.push_back(schedule);
  };
  if (untuned)
    for (ScheduleAttr schedule : listNeighbours(untuned, profile))
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
