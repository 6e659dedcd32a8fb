//===- SelectSchedule.cpp - Which schedule an apply gets ------------------===//
//
// In this order: its own attribute, what the option asks for, what was
// measured (Tuning/Database.h, Tuning/Forms.h), what the model chooses
// (Analysis/ScheduleModel.h), and, if that is none, what the lowering chooses
// for an apply without a schedule.
//
//===----------------------------------------------------------------------===//

#include "MeasuredForm.h"
#include "Regions/RegionLaunches.h"
#include "ScheduleTrial.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StencilDialect/Transforms/TunedSchedules.h"
#include "Steps/StepTiles.h"
#include "WorthwhileSchedules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSELECTSCHEDULE
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct SelectSchedule
    : stencil::impl::StencilSelectScheduleBase<SelectSchedule> {
  using StencilSelectScheduleBase::StencilSelectScheduleBase;

  void runOnOperation() override;

private:
  LogicalResult chooseAll();
  void choose(ApplyOp apply);
  bool chooseMatrices(ApplyOp apply, const KernelProfile &profile,
                      const SchedulePrediction &other, bool isPlaneWalk);
  void chooseRegion(ApplyOp apply);
  bool chooseRow(ApplyOp apply, bool areLoops);
  bool chooseSteps(ApplyOp apply);
  void chooseMeasured(ApplyOp apply);
  bool setMeasured(ApplyOp apply, const KernelProfile &profile,
                   ScheduleAttr schedule, bool isAnyWalk);
  ScheduleAttr fill(ApplyOp apply, const KernelProfile &profile,
                    ScheduleAttr schedule);
  bool canHave(ApplyOp apply, ScheduleAttr schedule);
  void give(ApplyOp apply, ScheduleAttr schedule, Evidence evidence);
  void say(ApplyOp apply, Evidence evidence);
  void sayRest(Evidence evidence);

  const TargetInfo *target = nullptr;
  ScheduleChoice from = ScheduleChoice::Auto;
  FormBook forms;
};

} // namespace

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static std::string describe(const SchedulePrediction &prediction) {
  return llvm::formatv(
      "{0} us, {1} GStencil/s, {2} % of a copy, limited by {3}",
      llvm::format("%.3g", prediction.seconds * 1e6),
      llvm::format("%.3g", prediction.gstencilPerSecond),
      llvm::format("%.0f", prediction.shareOfCopy * 100), prediction.limiter);
}

static void remarkChosen(ApplyOp apply, const std::string &text) {
  remarkPassed(apply.getLoc(), "Schedule", "Chosen", "chosen" + text);
}

/// Says what was chosen, and what came next.
static void remarkChoice(ApplyOp apply, const RankedSchedule &chosen,
                         bool isDefault, ArrayRef<RankedSchedule> runnersUp) {
  std::string text = llvm::formatv(
      "{0}: {1}: predicted {2}", isDefault ? ", as without a schedule" : "",
      chosen.schedule, describe(chosen.prediction));
  for (const RankedSchedule &other : runnersUp)
    text += llvm::formatv("; then {0}: {1}", other.schedule,
                          describe(other.prediction));
  remarkChosen(apply, text);
}

/// `which`: where the form is from.
static void remarkForm(ApplyOp apply, ScheduleAttr form, StringRef which) {
  remarkPassed(apply.getLoc(), "Schedule", "Form",
               llvm::formatv("as it was measured best: {0}: {1}", form, which));
}

static void remarkImpossible(ApplyOp apply, ScheduleAttr schedule,
                             StringRef why) {
  remarkMissed(apply.getLoc(), "Schedule", "Declined",
               llvm::formatv("not {0}: {1}", schedule, why));
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// A row whose sum has many taps wants a shared window: its points share what
/// they read. The longest are loops for any extents; of others the sweep is to
/// be worth it.
bool SelectSchedule::chooseRow(ApplyOp apply, bool areLoops) {
  if (apply.getRank() != 1)
    return false;
  int64_t taps = 0;
  FoundForm form = findRowForm(apply, *target, forms, taps);
  if (!form || (form.form->of.taps.least >= kFewestLoopTaps) != areLoops)
    return false;
  if (areLoops && target->measuredFp64 > 0 && takesModel(from)) {
    KernelProfile profile = profileKernel(apply, {}, math);
    if (profile.isKnown &&
        chooseMatrices(apply, profile, predictTapLoops(profile, taps, *target),
                       /*isPlaneWalk=*/false))
      return true;
  }
  ScheduleAttr schedule = form.schedule;
  if (isDeclined(apply, schedule) || !canHave(apply, schedule))
    return false;
  give(apply, schedule, areLoops ? Evidence::Model : Evidence::Measured);
  remarkChosen(apply,
               llvm::formatv(": {0}: a sum of {1} taps{2}: {3}", schedule, taps,
                             areLoops ? ", as a loop" : "",
                             forms.describe(*form.form)));
  return true;
}

/// Sums as products of matrices, if that takes less than what was chosen else.
/// Where the arithmetic of threads is next to nothing, memory is the limit
/// anyway.
bool SelectSchedule::chooseMatrices(ApplyOp apply, const KernelProfile &profile,
                                    const SchedulePrediction &other,
                                    bool isPlaneWalk) {
  constexpr double kNothing = 0.2;
  const ModelConstants &constants = ModelConstants::getDefault();
  if (!mayReassociate(math) || other.seconds < constants.smallSweep ||
      apply.getNumOutputs() == 0)
    return false;
  Type type = apply.getOutputElementType(0);
  if (type.isF64() && other.fp64Seconds < kNothing * other.memorySeconds)
    return false;
  double without = other.seconds;
  if (isPlaneWalk)
    without = std::max(constants.planeWalkDoubt * other.seconds,
                       other.fp64Seconds / constants.planeWalkRate);
  if (type.isF16() || type.isBF16())
    without *= constants.narrowDoubt;
  std::optional<MatrixSchedule> found =
      findMatrixSchedule(apply, profile, *target, forms, math);
  if (!found || isDeclined(apply, found->schedule))
    return false;
  double seconds = found->seconds + other.launchSeconds;
  std::string text =
      llvm::formatv("{0} multiply-adds of the matrix unit per output for {1} "
                    "taps: predicted {2} us, {3} of the time without it",
                    found->depth, found->taps,
                    llvm::format("%.3g", seconds * 1e6),
                    llvm::format("%.2f", seconds / without))
          .str();
  if (!isWorthwhile(seconds, without)) {
    remarkImpossible(apply, found->schedule, text);
    return false;
  }
  give(apply, found->schedule, Evidence::Model);
  remarkChosen(apply, llvm::formatv(": {0}: {1}", found->schedule, text));
  return true;
}

/// Steps of a time loop are stages, in the first tile that the block's memory
/// holds.
bool SelectSchedule::chooseSteps(ApplyOp apply) {
  KernelProfile profile = profileKernel(apply, {}, math);
  for (const ScheduleKeys &keys :
       listStepTiles(apply, profile, *target, math)) {
    ScheduleAttr schedule = mergeSchedule(apply, keys.get(&getContext()));
    if (isDeclined(apply, schedule) || !canHave(apply, schedule))
      continue;
    give(apply, schedule, Evidence::Model);
    remarkChosen(apply, llvm::formatv(": {0}: steps of a time loop as stages",
                                      schedule));
    return true;
  }
  return false;
}

/// Of open extents, the launch counts segments.
static ScheduleAttr openSegments(const KernelProfile &profile,
                                 ScheduleAttr schedule) {
  ScheduleKeys keys(schedule);
  // One that was chosen is all: in place, or because the body has no register
  // left (brick_cube125p).
  if (profile.isShapeKnown || !keys.stream || keys.segments.value_or(1) == 1)
    return schedule;
  int64_t extent = profile.shape[*keys.stream];
  keys.planes = std::max<int64_t>(1, extent / *keys.segments);
  keys.segments.reset();
  return keys.get(schedule.getContext());
}

/// The schedule with blocks for all multiprocessors. What was tried is no
/// promise for other numbers.
ScheduleAttr SelectSchedule::fill(ApplyOp apply, const KernelProfile &profile,
                                  ScheduleAttr schedule) {
  ScheduleAttr filled = fillMultiprocessors(apply, profile, schedule, *target);
  filled = openSegments(profile, filled);
  filled = cutTail(apply, profile, filled, *target);
  bool isPossible =
      filled == schedule || trySchedule(apply, filled, *target, math).empty();
  return isPossible ? filled : schedule;
}

/// What was measured, if the apply can have it. `isAnyWalk`: whatever
/// `schedule` is, planes may come as those of a walk.
bool SelectSchedule::setMeasured(ApplyOp apply, const KernelProfile &profile,
                                 ScheduleAttr schedule, bool isAnyWalk) {
  if (!takesMeasured(from))
    return false;
  FoundForm found = getMeasuredRegion(apply, profile, *target, forms);
  if (!found)
    found = getMeasuredForm(schedule, profile, *target, forms, isAnyWalk);
  if (!found)
    return false;
  ScheduleAttr form = fill(apply, profile, found.schedule);
  if (isDeclined(apply, form) ||
      !trySchedule(apply, form, *target, math).empty())
    return false;
  remarkForm(apply, form, forms.describe(*found.form));
  give(apply, form, Evidence::Measured);
  return true;
}

/// Whether the apply can have a schedule. A remark says why not.
bool SelectSchedule::canHave(ApplyOp apply, ScheduleAttr schedule) {
  std::string why = trySchedule(apply, schedule, *target, math);
  if (!why.empty())
    remarkImpossible(apply, schedule, why);
  return why.empty();
}

/// Without the model.
void SelectSchedule::chooseMeasured(ApplyOp apply) {
  KernelProfile profile = profileKernel(apply, {}, math);
  if (chooseRow(apply, /*areLoops=*/true) ||
      chooseRow(apply, /*areLoops=*/false) || !profile.isKnown)
    return;
  setMeasured(apply, profile, getDefaultSchedule(apply, profile, *target),
              /*isAnyWalk=*/true);
}

/// Says what the schedule of an apply was chosen by.
void SelectSchedule::say(ApplyOp apply, Evidence evidence) {
  if (sayEvidence)
    apply->setDiscardableAttr(
        kEvidenceAttr,
        StringAttr::get(&getContext(), getEvidenceName(evidence)));
}

/// The same of applies that did not say it.
void SelectSchedule::sayRest(Evidence evidence) {
  for (ApplyOp apply : getScheduledApplies(getOperation()))
    if (!isScheduleOpen(apply) && !apply->hasAttr(kEvidenceAttr))
      say(apply, evidence);
}

void SelectSchedule::give(ApplyOp apply, ScheduleAttr schedule,
                          Evidence evidence) {
  apply->setAttr(ScheduleAttr::kAttrName, schedule);
  say(apply, evidence);
}

void SelectSchedule::choose(ApplyOp apply) {
  if (chooseRow(apply, /*areLoops=*/true))
    return;
  constexpr size_t kTrials = 4, kRunnersUp = 2;
  KernelProfile profile = profileKernel(apply, {}, math);
  std::vector<RankedSchedule> ranked = rankSchedules(apply, profile, *target);
  if (ranked.size() < 2)
    return;
  ScheduleAttr fallback = getDefaultSchedule(apply, profile, *target);
  DeclinedSchedules declined(apply, profile, *target);
  const RankedSchedule &standard =
      *llvm::find_if(ranked, [&](const RankedSchedule &candidate) {
        return candidate.schedule == fallback;
      });
  double standardTime = standard.prediction.seconds;
  if (standardTime >= ModelConstants::getDefault().smallSweep &&
      takesMeasured(from) && chooseRow(apply, /*areLoops=*/false))
    return;
  const RankedSchedule *chosen = &standard;
  size_t trials = 0;
  for (const RankedSchedule *candidate :
       listWorthwhile(apply, profile, ranked, standard, *target, declined)) {
    ScheduleAttr filled = fill(apply, profile, candidate->schedule);
    if (declined.contains(filled))
      continue;
    if (canHave(apply, candidate->schedule)) {
      chosen = candidate;
      if (!setMeasured(apply, profile, candidate->schedule,
                       /*isAnyWalk=*/false))
        give(apply, filled, Evidence::Model);
      break;
    }
    if (++trials == kTrials)
      break;
  }
  if (chosen == &standard)
    setMeasured(apply, profile, standard.schedule, /*isAnyWalk=*/false);
  if (chooseMatrices(apply, profile, chosen->prediction,
                     profile.rank == 2 && chosen->schedule.needsPipeline()))
    return;
  SmallVector<RankedSchedule, kRunnersUp> next;
  for (const RankedSchedule &candidate : ranked)
    if (&candidate != chosen && next.size() < kRunnersUp)
      next.push_back(candidate);
  remarkChoice(apply, *chosen, chosen == &standard, next);
}

/// A region of which only is known how it is launched: what was measured for
/// its like. The model knows nothing of what runs beside it, and prefers walks,
/// which lose there.
void SelectSchedule::chooseRegion(ApplyOp apply) {
  KernelProfile profile = profileKernel(apply, {}, math);
  FoundForm found = getMeasuredRegion(apply, profile, *target, forms);
  ScheduleAttr form = found.schedule;
  if (!form || isDeclined(apply, mergeSchedule(apply, form)) ||
      !canHave(apply, form))
    return;
  remarkForm(apply, form, forms.describe(*found.form));
  give(apply, mergeSchedule(apply, form), Evidence::Measured);
}

LogicalResult SelectSchedule::chooseAll() {
  // Nothing is known of the rates of other chips.
  bool isKnown = model && target && target->exact;
  for (ApplyOp apply : getScheduledApplies(getOperation())) {
    if (!model || !target || !isScheduleOpen(apply))
      apply->removeDiscardableAttr(kChoiceAttr);
    else if (!isKnown && !isSettled(apply))
      if (ScheduleAttr lighter =
              getLighterDefault(apply, profileKernel(apply, {}, math), *target))
        give(apply, lighter, Evidence::Default);
  }
  if (!isKnown)
    return success();
  /// Regions of which nobody said how they are launched, by their blocks.
  llvm::MapVector<Block *, SmallVector<ApplyOp>> regions;
  auto applies = listWithin(getOperation(), [](ApplyOp apply) {
    return isScheduleOpen(apply) && !apply->getParentOfType<PipelineOp>() &&
           !apply->getParentOfType<tile::KernelOp>();
  });
  for (ApplyOp apply : applies) {
    if (failed(checkBoxIsKnown(apply)))
      return failure();
    if (isSettled(apply))
      continue;
    if (apply->hasAttr(kStepsAttr) && chooseSteps(apply))
      continue;
    if (apply->hasAttr(ScheduleAttr::kAttrName)) {
      if (takesMeasured(from))
        chooseRegion(apply);
      continue;
    }
    if (apply->hasAttr(kRegionAttr) && apply.isBufferised())
      regions[apply->getBlock()].push_back(apply);
    takesModel(from) ? choose(apply) : chooseMeasured(apply);
    // Of two blocks with 128 registers and one with 255, a substep of MHD on an
    // H200 has 33 and 25 % of a copy (docs/notebook.md): it may spill a little.
    if (!apply->hasAttr(ScheduleAttr::kAttrName) && !isDeclined(apply, {}) &&
        getDefaultSchedule(apply, profileKernel(apply, {}, math), *target)
                .getLaunchBounds() > 1)
      apply->removeDiscardableAttr(kChoiceAttr);
  }
  for (auto &[block, parts] : regions) {
    bool isMeasured =
        takesMeasured(from) && llvm::any_of(parts, [&](ApplyOp apply) {
          return static_cast<bool>(getMeasuredRegion(
              apply, profileKernel(apply, {}, math), *target, forms));
        });
    // The ends of a row are a few blocks, and what is between has the GPU to
    // itself while they wait for memory.
    bool isRow = parts.front().getRank() == 1;
    if (parts.size() > 1 && (isMeasured || isRow))
      chooseRegionLaunches(getOperation(), parts, *target, math);
  }
  return success();
}

void SelectSchedule::runOnOperation() {
  ModuleOp module = getOperation();
  Location loc = getStart(module);
  target = findTarget(module);
  StringRef asked = StringRef(schedule).trim();
  if (std::optional<ScheduleChoice> choice = parseScheduleChoice(asked)) {
    from = *choice;
    sayRest(Evidence::Asked);
    if (from == ScheduleChoice::Default)
      return;
    if (takesMeasured(from) && !tuningDb.empty()) {
      if (failed(requireTarget(module)) || failed(forms.load(tuningDb, loc)) ||
          failed(
              assignTunedSchedules(module, tuningDb, *target, math, emulate)))
        return signalPassFailure();
      sayRest(Evidence::Measured);
    }
    if (failed(chooseAll()))
      signalPassFailure();
    return;
  }
  auto request = ScheduleRequest::parse(asked, &getContext(),
                                        getOptionLocation("schedule", loc));
  if (failed(request) || failed(request->assign(module, target)))
    return signalPassFailure();
  sayRest(Evidence::Asked);
  // What is beside `time` is for the steps that it takes at once.
  ScheduleAttr forAll = request->getAttribute();
  if (forAll && forAll.getTime() && failed(chooseAll()))
    signalPassFailure();
}
