//===- MeasuredForm.cpp - Kernels as they were measured best --------------===//

#include "MeasuredForm.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/IR/Schedule.h"

using namespace mlir;
using namespace stencil;

/// The only input that is read; null if there are more.
static const ProfiledInput *getOnlyInput(const KernelProfile &profile) {
  const ProfiledInput *only = nullptr;
  for (const ProfiledInput &input : profile.inputs)
    if (input.isRead()) {
      if (only)
        return nullptr;
      only = &input;
    }
  return only;
}

/// What of the neighbours decides how to walk: a word of FormFacts.
static StringRef classifyReads(const KernelProfile &profile, int64_t halo) {
  const ProfiledInput *only = getOnlyInput(profile);
  if (profile.readsBox()) {
    int64_t span = 2 * halo + 1;
    bool isCube = only && static_cast<int64_t>(only->offsets.size()) ==
                              span * span * span;
    bool isMeasured = profile.getElementBytes() >= int64_t(sizeof(float));
    return isCube && isMeasured && profile.scatterSpan == 0 ? "cube" : "box";
  }
  if (!only || profile.getElementBytes() < int64_t(sizeof(float)))
    return "star";
  constexpr size_t kNearest = 7;
  if (halo == 1 && only->offsets.size() == kNearest)
    return "nearest";
  return halo >= 2 && profile.getElementBytes() == sizeof(float) ? "single star"
                                                                 : "star";
}

static FormFacts getFacts(const KernelProfile &profile) {
  FormFacts facts;
  int64_t halo = profile.getHalo(0), taps = 0, inputs = 0;
  for (const ProfiledInput &input : profile.inputs) {
    taps = std::max<int64_t>(taps, input.offsets.size());
    inputs += input.isRead() && input.fitsWindow;
  }
  facts.kernel = "walk";
  facts.reads = classifyReads(profile, halo);
  facts.bytes = profile.getElementBytes();
  facts.radius = halo;
  facts.taps = taps;
  facts.inputs = inputs;
  facts.outputs = profile.outputBytes.size();
  facts.setPoints(profile.countPoints());
  facts.extents.assign(profile.shape.begin(), profile.shape.end());
  facts.planes = arePlanesWide(profile.shape, profile.getElementBytes())
                     ? "wide"
                     : "narrow";
  facts.areSumsFree = profile.scatterSpan > 0;
  return facts;
}

/// Whether `schedule` is a walk whose planes come as those that were measured.
static bool isWalk(ScheduleAttr schedule, ScheduleAttr form) {
  return schedule.getStream() == 0 &&
         schedule.getPrefetch() == form.getPrefetch() &&
         schedule.getAccumulate();
}

/// Whether planes can come so, whatever the model has chosen.
static bool canWalk(const KernelProfile &profile, ScheduleAttr form,
                    const TargetInfo &target) {
  const ProfiledInput *only = getOnlyInput(profile);
  if (!only || !only->fitsWindow)
    return false;
  return form.getPrefetch() != Prefetch::Tma ||
         (only->fitsTensorMap && target.hasAsyncCopy(AsyncCopyTensor));
}

/// Planes that the window holds because they are read.
static int64_t countReadPlanes(const KernelProfile &profile,
                               Accumulation accumulate) {
  if (accumulate == Accumulation::Shift)
    return profile.getHalo(0);
  return accumulate == Accumulation::Gather ? 2 * profile.getHalo(0) : 0;
}

FormSchedule stencil::getMeasuredForm(ScheduleAttr chosen,
                                      const KernelProfile &profile,
                                      const TargetInfo &target,
                                      const FormBook &forms, bool isAnyWalk) {
  if (profile.rank != 3)
    return {};
  FoundForm found = forms.find(getFacts(profile), target, chosen.getContext());
  if (!found)
    return {};
  const TuningForm &form = *found.form;
  bool isForced = isAnyWalk || form.isForced;
  if (!(isForced ? canWalk(profile, found.schedule, target)
                 : isWalk(chosen, found.schedule)))
    return {};
  ScheduleKeys keys(found.schedule);
  if (!isForced)
    keys.window.assign(chosen.getWindow().begin(), chosen.getWindow().end());
  if (form.ahead)
    keys.stages = *form.ahead + countReadPlanes(profile, *keys.accumulate);
  if (keys.planes)
    keys.segments = std::max<int64_t>(1, profile.shape[0] / *keys.planes);
  keys.planes.reset();
  // tile-registers does so for blocks that it chooses. Of sums that are added
  // plane by plane, those that were measured in wide planes have panels.
  if ((keys.accumulate != Accumulation::Scatter || form.of.planes == "wide") &&
      !keys.block.empty() && keys.panel.empty() &&
      arePlanesWide(profile.shape, profile.getElementBytes()))
    keys.panel = {
        0, countPanelBlocks(kPanelRows, keys.block[1] * keys.points[1]), 0};
  return {makeSchedule(keys, chosen.getContext()), &form};
}
