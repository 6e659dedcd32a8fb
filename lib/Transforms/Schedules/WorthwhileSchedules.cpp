//===- WorthwhileSchedules.cpp - What is better than the default ----------===//

#include "WorthwhileSchedules.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"

using namespace mlir;
using namespace stencil;

/// The most that may be taken instead of `other`.
static double getWorthwhileTime(double other) {
  const ModelConstants &constants = ModelConstants::getDefault();
  return std::min(constants.worthwhile * other, other - constants.leastSaved);
}

bool stencil::isWorthwhile(double seconds, double other) {
  return seconds <= getWorthwhileTime(other);
}

/// How much longer than predicted a candidate may well take: by nothing where
/// the model was fitted to measurements, which were of walks with up to 64
/// bytes of points per thread. Nothing for tiles that are larger than all that
/// were measured, which are left to a tuner, and for what may spill registers.
static std::optional<double> getDoubt(const KernelProfile &profile,
                                      const RankedSchedule &candidate,
                                      const TargetInfo &target) {
  ScheduleAttr schedule = candidate.schedule;
  const SchedulePrediction &prediction = candidate.prediction;
  const ModelConstants &constants = ModelConstants::getDefault();
  bool isTile = !schedule.needsPipeline();
  // Rows are the fastest as they are by default, unless a sum has hundreds of
  // taps; and of bodies that fit no register file nothing is known but what was
  // measured.
  bool isShort = isTile || profile.alone.total() < constants.manyOps;
  if (static_cast<double>(profile.ops) > constants.heavyOps ||
      (isShort && profile.rank == 1))
    return std::nullopt;
  // Registers that are spilled cost more than is known.
  if (maySpill(prediction, target))
    return std::nullopt;
  // Sums of many terms in the order in which they are written, of open extents:
  // addresses take the registers that are left (brick_cube125p).
  if (!isTile && !profile.isShapeKnown &&
      schedule.getAccumulate() == Accumulation::Gather &&
      profile.alone.total() >= constants.manyOps)
    return std::nullopt;
  // Scalar registers hold the coefficients of small tiles only.
  if (isTile && target.hasScalarCoefficients)
    return std::nullopt;
  int64_t points = llvm::product_of(schedule.getPoints());
  auto tile =
      static_cast<double>(llvm::product_of(schedule.getBlock()) * points);
  if (isTile && tile > (profile.rank >= 3 ? constants.largestTileOfVolume
                                          : constants.largestTile))
    return std::nullopt;
  if (!target.isModelFitted)
    return isTile ? constants.otherTileDoubt : constants.otherDoubt;
  // Of planes, walks measured faster than tiles that the model likes as much:
  // a star of radius 6 by 2 to 5 %.
  if (isTile && profile.rank == 2)
    return constants.otherDoubt;
  bool isFitted =
      isTile || static_cast<double>(points * profile.getElementBytes()) <=
                    constants.largestPoint;
  return isFitted ? constants.fittedDoubt : constants.otherDoubt;
}

/// What a candidate takes as it will be: of a walk, with segments for all
/// multiprocessors; and where its code would be fetched again, with fewer
/// points of a thread, with which the code was measured to be kept
/// (docs/cost-model.md), though it is estimated to be nearly as long.
static double getFilledSeconds(ApplyOp apply, const KernelProfile &profile,
                               const RankedSchedule &candidate,
                               const TargetInfo &target) {
  // Of open extents, the launch finds segments that make whole waves.
  auto expect = [&](const SchedulePrediction &prediction) {
    return profile.isShapeKnown ? prediction.seconds
                                : prediction.seconds / prediction.lastWave;
  };
  double seconds = expect(candidate.prediction);
  if (!candidate.schedule.getStream())
    return seconds;
  ScheduleAttr filled =
      fillMultiprocessors(apply, profile, candidate.schedule, target);
  if (filled == candidate.schedule)
    return seconds;
  SchedulePrediction with =
      ScheduleModel(profile, target)
          .predict(completeSchedule(apply, profile, filled, target));
  if (filled.getPoints() != candidate.schedule.getPoints())
    return std::min(seconds, expect(with) - with.fetchSeconds);
  // In a plane, rows that two segments read are in the second-level cache
  // (docs/notebook.md, "Blocks for all multiprocessors"); of sums that are
  // added plane by plane, last waves are not priced.
  return profile.rank == 2 || addsByPlane(candidate.schedule)
             ? std::min(expect(with),
                        seconds * with.lastWave / candidate.prediction.lastWave)
             : expect(with);
}

/// Instead of a default that spilled: what is not expected to, then the rest.
static SmallVector<const RankedSchedule *>
listOthers(ArrayRef<RankedSchedule> ranked, const RankedSchedule &standard,
           const DeclinedSchedules &declined) {
  SmallVector<const RankedSchedule *> free, others;
  for (const RankedSchedule &candidate : ranked)
    if (&candidate != &standard)
      (declined.isFree(candidate.prediction) ? free : others)
          .push_back(&candidate);
  // Equal ones are in the order of the ranking.
  auto getKey = [&](const RankedSchedule *candidate) {
    return std::pair(declined.getLoad(candidate->prediction), candidate);
  };
  llvm::sort(others, [&](const RankedSchedule *a, const RankedSchedule *b) {
    return getKey(a) < getKey(b);
  });
  llvm::append_range(free, others);
  return free;
}

SmallVector<const RankedSchedule *> stencil::listWorthwhile(
    ApplyOp apply, const KernelProfile &profile,
    ArrayRef<RankedSchedule> ranked, const RankedSchedule &standard,
    const TargetInfo &target, const DeclinedSchedules &declined) {
  double standardTime = standard.prediction.seconds;
  double limit = getWorthwhileTime(standardTime);
  // What spills has no merits of its own.
  if (declined.hasDefault() ||
      (target.hasMeasuredRegisters && maySpill(standard.prediction, target)))
    limit = std::numeric_limits<double>::infinity();
  SmallVector<std::pair<double, const RankedSchedule *>> worthwhile;
  if (standardTime >= ModelConstants::getDefault().smallSweep)
    for (const RankedSchedule &candidate : ranked)
      if (auto doubt = getDoubt(profile, candidate, target)) {
        if (!declined.empty() && !declined.isFree(candidate.prediction))
          continue;
        // What `eviction = last` saves was measured of walks that are faster
        // than all else without it.
        double seconds = getFilledSeconds(apply, profile, candidate, target) +
                         candidate.prediction.evictionSeconds;
        double expected = *doubt * seconds;
        // The default of a plane is a tile, too: what is not known of one is
        // not known of the other. Of seven random programs that nobody had
        // seen, five gained 1 to 19 % by that, and one lost 2 and 8 %.
        bool isAlike = target.isModelFitted && profile.rank == 2 &&
                       !candidate.schedule.needsPipeline();
        if ((isAlike ? seconds : expected) <= limit)
          worthwhile.emplace_back(expected, &candidate);
      }
  // Equal ones are in the order of the ranking.
  llvm::sort(worthwhile);
  auto sorted =
      llvm::map_to_vector(worthwhile, [](auto &entry) { return entry.second; });
  if (declined.hasDefault())
    for (const RankedSchedule *other : listOthers(ranked, standard, declined))
      if (!llvm::is_contained(sorted, other))
        sorted.push_back(other);
  return sorted;
}
