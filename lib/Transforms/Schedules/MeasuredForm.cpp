//===- MeasuredForm.cpp - Kernels as they were measured best --------------===//

#include "MeasuredForm.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/TapBoxes.h"

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

/// What kernels of several kinds are told apart by.
FormFacts stencil::getFacts(const KernelProfile &profile, StringRef kernel) {
  FormFacts facts(kernel);
  facts.reads = profile.readsBox() ? "box" : "star";
  facts.bytes = profile.getElementBytes();
  facts.radius = profile.getRadius();
  // Profiles along one axis cost nothing beside inputs that have all.
  facts.inputs = llvm::count_if(profile.inputs, [](const auto &input) {
    return input.isRead() && input.fitsWindow;
  });
  facts.outputs = profile.outputBytes.size();
  facts.setPoints(profile.countPoints());
  facts.extents.assign(profile.shape.begin(), profile.shape.end());
  facts.areSumsFree = profile.scatterSpan > 0;
  return facts;
}

static FormFacts getWalkFacts(const KernelProfile &profile) {
  FormFacts facts = getFacts(profile, "walk");
  facts.radius = profile.getHalo(0);
  facts.reads = classifyReads(profile, *facts.radius);
  size_t taps = 0;
  for (const ProfiledInput &input : profile.inputs)
    taps = std::max(taps, input.offsets.size());
  facts.taps = taps;
  facts.planes = arePlanesWide(profile.shape, profile.getElementBytes())
                     ? "wide"
                     : "narrow";
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

FoundForm stencil::getMeasuredForm(ScheduleAttr chosen,
                                   const KernelProfile &profile,
                                   const TargetInfo &target,
                                   const FormBook &forms, bool isAnyWalk) {
  if (profile.rank != 3)
    return {};
  FoundForm found =
      forms.find(getWalkFacts(profile), target, chosen.getContext());
  if (!found)
    return {};
  const TuningForm &form = *found.form;
  // A tile was faster than walks.
  if (!found.schedule.getStream())
    return form.isForced ? found : FoundForm();
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
  return {&form, makeSchedule(keys, chosen.getContext())};
}

//===----------------------------------------------------------------------===//
// Tiles of rows as they were measured best
//===----------------------------------------------------------------------===//

FoundForm stencil::findRowForm(ApplyOp apply, const TargetInfo &target,
                               const FormBook &forms, int64_t &longest) {
  FoundForm found;
  for (WeightedSumOp sum : apply.getBodyBlock()->getOps<WeightedSumOp>()) {
    FormFacts facts("row");
    llvm::raw_string_ostream(facts.type) << sum.getRes().getType();
    std::optional<int64_t> fewest = forms.getFewestTaps(facts, target);
    int64_t taps = sum.getNumTaps();
    if (taps <= longest || !fewest || !isLongSum(sum, *fewest))
      continue;
    facts.taps = taps;
    if (FoundForm form = forms.find(facts, target, apply.getContext())) {
      longest = taps;
      found = form;
    }
  }
  return found;
}

/// The arithmetic of threads is the limit.
SchedulePrediction stencil::predictTapLoops(const KernelProfile &profile,
                                            int64_t taps,
                                            const TargetInfo &target) {
  constexpr double kLaunch = 3e-6;
  double points = profile.countPoints();
  double copy = points * (profile.bytesRead + profile.bytesWritten) /
                target.getCopyBandwidth();
  double arithmetic =
      2 * static_cast<double>(taps) * points / target.measuredFp64;
  SchedulePrediction prediction;
  prediction.launchSeconds = kLaunch;
  prediction.seconds = std::max(copy, arithmetic) + kLaunch;
  prediction.fp64Seconds = arithmetic;
  return prediction;
}

//===----------------------------------------------------------------------===//
// Regions as they were measured best
//===----------------------------------------------------------------------===//

/// All that is read comes to shared memory plane by plane, in tiles that leave
/// no rest.
static FoundForm getInterior(ApplyOp apply, const KernelProfile &profile,
                             const TargetInfo &target, const FormBook &forms) {
  FoundForm found =
      forms.find(getFacts(profile, "interior"), target, apply.getContext());
  if (!found)
    return {};
  ScheduleKeys keys(found.schedule);
  bool isTensor = keys.prefetch == Prefetch::Tma;
  if (isTensor && !target.hasAsyncCopy(AsyncCopyTensor))
    return {};
  SmallVector<Space> windows;
  for (const ProfiledInput &input : profile.inputs) {
    bool isShared = input.isRead() && input.fitsWindow;
    if (isShared && isTensor && !input.fitsTensorMap)
      return {};
    windows.push_back(isShared ? Space::Shared : Space::Cache);
  }
  std::vector<PlaneTile> tiles = listEvenTiles(apply, profile, target);
  if (tiles.empty())
    return {};
  auto [rows, row] = tiles.front();
  if (rows % keys.points[1] != 0 || row % keys.points[2] != 0)
    return {};
  keys.block = {1, rows / keys.points[1], row / keys.points[2]};
  keys.segments = std::max<int64_t>(1, (profile.shape[0] + *keys.planes / 2) /
                                           *keys.planes);
  keys.planes.reset();
  if (llvm::all_equal(windows))
    windows.resize(1);
  keys.window.assign(windows.begin(), windows.end());
  // As many panels as there are of 256 rows, all of the same width.
  if (arePlanesWide(profile.shape, profile.getElementBytes())) {
    int64_t blocks = profile.shape[1] / rows;
    int64_t panels =
        llvm::divideCeil(blocks, countPanelBlocks(kPanelRows, rows));
    keys.panel = {0, static_cast<int64_t>(llvm::divideCeil(blocks, panels)), 0};
  }
  return {found.form, makeSchedule(keys, apply.getContext())};
}

FoundForm stencil::getMeasuredRegion(ApplyOp apply,
                                     const KernelProfile &profile,
                                     const TargetInfo &target,
                                     const FormBook &forms) {
  if (!profile.isKnown || profile.rank != 3 || !profile.isShapeKnown)
    return {};
  if (FoundForm layer =
          forms.find(getFacts(profile, "layer"), target, apply.getContext()))
    return layer;
  bool isRegion =
      apply->hasAttr(kRegionAttr) || apply->hasAttr(ScheduleAttr::kAttrName);
  return isRegion ? getInterior(apply, profile, target, forms) : FoundForm();
}
