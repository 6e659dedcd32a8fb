//===- WorthwhileSchedules.cpp - What is better than the default ----------===//

#include "WorthwhileSchedules.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/ChoiceAttrs.h"

using namespace mlir;
using namespace stencil;

bool stencil::isSettled(ApplyOp apply) {
  return isa_and_nonnull<UnitAttr>(apply->getDiscardableAttr(kDeclinedAttr));
}

static ArrayAttr getDeclined(ApplyOp apply) {
  return dyn_cast_or_null<ArrayAttr>(apply->getDiscardableAttr(kDeclinedAttr));
}

bool stencil::isDeclined(ApplyOp apply, ScheduleAttr schedule) {
  ArrayAttr list = getDeclined(apply);
  return list && llvm::any_of(list, [&](Attribute entry) {
           auto declined = dyn_cast<DictionaryAttr>(entry);
           return declined &&
                  declined.getAs<ScheduleAttr>("schedule") == schedule;
         });
}

static bool isWalk(const SchedulePrediction &prediction) {
  return prediction.iterations > 0;
}

DeclinedSchedules::DeclinedSchedules(ApplyOp apply,
                                     const KernelProfile &profile,
                                     const TargetInfo &target)
    : target(target) {
  ArrayAttr list = getDeclined(apply);
  if (!list)
    return;
  fallback = getDefaultSchedule(apply, profile, target);
  ScheduleModel model(profile, target);
  for (Attribute each : list) {
    auto entry = dyn_cast<DictionaryAttr>(each);
    if (!entry)
      continue;
    auto schedule = entry.getAs<ScheduleAttr>("schedule");
    if (!schedule)
      schedule = fallback;
    schedules.push_back(schedule);
    auto missing = entry.getAs<IntegerAttr>("registers");
    SchedulePrediction prediction =
        model.predict(completeSchedule(apply, profile, schedule, target));
    if (!missing || prediction.wantedRegisters <= 0)
      continue;
    double needed =
        static_cast<double>(prediction.registerLimit + missing.getInt()) /
        static_cast<double>(prediction.wantedRegisters);
    double &factor = factors[isWalk(prediction)];
    factor = std::max(factor, needed);
  }
}

double DeclinedSchedules::getLoad(const SchedulePrediction &prediction) const {
  double factor = factors[isWalk(prediction)];
  return std::max(1.0, factor) *
         static_cast<double>(prediction.wantedRegisters) /
         static_cast<double>(std::max<int64_t>(1, prediction.registerLimit));
}

bool DeclinedSchedules::isFree(const SchedulePrediction &prediction) const {
  return factors[isWalk(prediction)] > 0 ? getLoad(prediction) <= 1
                                         : !maySpill(prediction, target);
}

ScheduleAttr stencil::getLighterDefault(ApplyOp apply,
                                        const KernelProfile &profile,
                                        const TargetInfo &target) {
  // The default is there as no schedule.
  if (!isDeclined(apply, {}))
    return {};
  ScheduleKeys keys(getDefaultSchedule(apply, profile, target));
  keys.launchBounds = 1;
  for (;;) {
    ScheduleAttr schedule = keys.get(apply.getContext());
    if (!isDeclined(apply, schedule))
      return schedule;
    auto *most = llvm::max_element(keys.points);
    if (most == keys.points.end() || *most <= 1)
      return {};
    *most /= 2;
  }
}

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
  SmallVector<const RankedSchedule *> free;
  SmallVector<std::pair<double, const RankedSchedule *>> others;
  for (const RankedSchedule &candidate : ranked)
    if (&candidate != &standard && declined.isFree(candidate.prediction))
      free.push_back(&candidate);
    else if (&candidate != &standard)
      others.emplace_back(declined.getLoad(candidate.prediction), &candidate);
  // Equal ones are in the order of the ranking.
  llvm::sort(others);
  llvm::append_range(free, llvm::make_second_range(others));
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
  SmallVector<const RankedSchedule *> sorted(
      llvm::make_second_range(worthwhile));
  if (declined.hasDefault())
    for (const RankedSchedule *other : listOthers(ranked, standard, declined))
      if (!llvm::is_contained(sorted, other))
        sorted.push_back(other);
  return sorted;
}
