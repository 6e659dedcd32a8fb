//===- ScheduleModel.cpp - How long a kernel is going to take -------------===//
//
// The terms are explained, with their sources, in docs/cost-model.md.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/ScheduleModel.h"
#include "SchedulePredictor.h"
#include "StencilDialect/Analysis/TiledSchedule.h"

#include <map>

using namespace mlir;
using namespace stencil;

ScheduleModel::ScheduleModel(const KernelProfile &profile,
                             const TargetInfo &target,
                             const ModelConstants &constants)
    : profile(profile), target(target), constants(constants), reads(profile) {}

bool ScheduleModel::isKnown() const {
  return profile.isKnown && target.multiprocessors > 0 && target.clock > 0;
}

SchedulePrediction ScheduleModel::predict(ScheduleAttr schedule) const {
  if (!isKnown())
    return {};
  return SchedulePredictor(profile, target, reads, schedule, constants).run();
}

SchedulePrediction stencil::predict(ApplyOp apply, ScheduleAttr schedule,
                                    const TargetInfo &target,
                                    ArrayRef<int64_t> extents, MathMode math) {
  KernelProfile profile = profileKernel(apply, extents, math);
  return ScheduleModel(profile, target)
      .predict(completeSchedule(apply, profile, schedule, target));
}

std::vector<RankedSchedule> stencil::rankSchedules(ApplyOp apply,
                                                   const KernelProfile &profile,
                                                   const TargetInfo &target) {
  ScheduleModel model(profile, target);
  std::vector<RankedSchedule> ranked;
  for (ScheduleAttr schedule : enumerateSchedules(apply, profile, target))
    ranked.push_back({schedule, model.predict(schedule)});
  // Equally fast ones stay in their order.
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(ranked.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(ranked[a].prediction.seconds, a) <
           std::pair(ranked[b].prediction.seconds, b);
  });
  std::vector<RankedSchedule> sorted;
  sorted.reserve(ranked.size());
  for (size_t index : order)
    sorted.push_back(ranked[index]);
  return sorted;
}

//===----------------------------------------------------------------------===//
// What a schedule leaves open
//===----------------------------------------------------------------------===//

/// Tiles of 16 rows of 128 points, two rows of a vector per thread.
static void completeWalk(const KernelProfile &profile, ScheduleKeys &keys) {
  int64_t rank = profile.rank, walk = *keys.stream;
  int64_t vector = std::clamp<int64_t>(16 / profile.getElementBytes(), 1, 4);
  SmallVector<int64_t> tile(rank, 1);
  tile.back() = rank == 2 ? 256 : 128;
  if (rank >= 3)
    tile[rank - 2] = 16;
  if (keys.points.empty()) {
    keys.points.assign(rank, 1);
    keys.points.back() = vector;
    if (rank >= 3)
      keys.points[rank - 2] = std::max<int64_t>(1, 4 / vector);
    keys.points[walk] = 1;
  }
  if (keys.block.empty()) {
    keys.block.assign(rank, 1);
    for (int64_t axis = 0; axis < rank; ++axis)
      if (axis != walk)
        keys.block[axis] = std::max<int64_t>(1, tile[axis] / keys.points[axis]);
  }
  constexpr int64_t kPlanes = 64;
  if (!keys.segments && !keys.planes)
    keys.segments = std::max<int64_t>(1, profile.shape[walk] / kPlanes);
}

/// Many points of a row per thread, which share what a tap reads.
static void completeTapLoop(const KernelProfile &profile, ScheduleKeys &keys,
                            const TargetInfo &target) {
  if (keys.points.empty()) {
    keys.points.assign(profile.rank, 1);
    keys.points.back() = chooseTapLoopPoints(profile.tapRow, target);
  }
  if (keys.block.empty()) {
    keys.block.assign(profile.rank, 1);
    keys.block.back() = chooseTapLoopThreads(profile.rank, target);
  }
}

ScheduleAttr stencil::completeSchedule(ApplyOp apply,
                                       const KernelProfile &profile,
                                       ScheduleAttr schedule,
                                       const TargetInfo &target) {
  ScheduleKeys keys;
  if (schedule)
    keys = ScheduleKeys(schedule);
  if (keys.stream)
    completeWalk(profile, keys);
  else if (schedule && loopsOverTaps(profile, schedule))
    completeTapLoop(profile, keys, target);
  else
    completeTiledSchedule(apply, target, profile.shape, keys);
  return keys.get(apply.getContext());
}

//===----------------------------------------------------------------------===//
// In which order schedules are tried
//===----------------------------------------------------------------------===//

std::vector<ScheduleAttr>
stencil::orderByVariety(ArrayRef<RankedSchedule> ranked, double kind) {
  // About the error of a prediction; that of stages is larger.
  constexpr double kVariant = 0.05, kStages = 0.02;
  /// How many there were before, by their stages.
  using Variants = std::map<std::optional<int64_t>, int64_t>;
  using Key = std::tuple<SmallVector<int64_t, 4>, SmallVector<int64_t, 4>,
                         std::optional<int64_t>, std::optional<Accumulation>>;
  std::map<Key, Variants> groups;
  using Kind =
      std::tuple<bool, SmallVector<Space, 4>, std::optional<Accumulation>>;
  std::map<Kind, int64_t> kinds;
  /// Equal ones stay in their order.
  std::vector<std::pair<double, size_t>> ordered;
  double limit = ranked.empty() ? 0 : kHopeless * ranked[0].prediction.seconds;
  for (const RankedSchedule &candidate : ranked) {
    if (candidate.prediction.seconds > limit)
      break;
    ScheduleAttr schedule = candidate.schedule;
    Variants &variants =
        groups[{SmallVector<int64_t, 4>(schedule.getBlock()),
                SmallVector<int64_t, 4>(schedule.getPoints()),
                schedule.getStream(), schedule.getAccumulate()}];
    auto [known, isNew] = variants.try_emplace(schedule.getStages(), 0);
    auto others = static_cast<double>(variants.size() - 1),
         same = static_cast<double>(known->second++);
    auto alike =
        static_cast<double>(kinds[{schedule.getStream().has_value(),
                                   SmallVector<Space, 4>(schedule.getWindow()),
                                   schedule.getAccumulate()}]++);
    ordered.emplace_back((1 + kStages * others + kVariant * same) *
                             (1 + kind * alike) * candidate.prediction.seconds,
                         ordered.size());
  }
  llvm::sort(ordered);
  std::vector<ScheduleAttr> schedules;
  for (auto [seconds, index] : ordered)
    schedules.push_back(ranked[index].schedule);
  return schedules;
}
