//===- DeclinedSchedules.cpp - Schedules that spilled ---------------------===//

#include "StencilDialect/IR/ChoiceAttrs.h"
#include "WorthwhileSchedules.h"

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
