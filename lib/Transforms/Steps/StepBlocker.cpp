//===- StepBlocker.cpp - Several steps of a loop in one sweep -------------===//

#include "StepBlocker.h"
#include "BlockTimeOnGPU.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Schedule.h"

using namespace mlir;
using namespace stencil;

ScheduleAttr StepBlocker::getRest(ScheduleAttr wanted, int64_t rank) const {
  ScheduleKeys keys(wanted);
  keys.time.reset();
  MLIRContext *context = wanted.getContext();
  if (isOnCPU) {
    if (rank > 1 && !keys.stream)
      keys.stream = 0;
    if (!keys.chain)
      keys.chain = Space::Shared;
    return keys.get(context);
  }
  if (keys == ScheduleKeys())
    return {};
  bool canChain = keys.stream || !keys.window.empty();
  if (canChain && !keys.chain)
    keys.chain = Space::Shared;
  return keys.get(context);
}

static std::string describe(int64_t steps) {
  return "cannot take " + std::to_string(steps) + " steps of this loop at once";
}

/// Whether a body is short enough: steps are computed for one point, if none is
/// kept for others, wherever the later ones read it.
static LogicalResult checkRepeated(scf::ForOp loop, int64_t steps,
                                   ArrayRef<int64_t> reach, int64_t applies) {
  constexpr int64_t kMostRepeated = 1024, kMany = int64_t(1) << 30;
  int64_t count = 0;
  for (int64_t level = 1; level < steps; ++level) {
    int64_t points = applies;
    for (int64_t along : reach)
      points = std::min(kMany, points * (along * level + 1));
    count = std::min(kMany, count + points);
  }
  if (count <= kMostRepeated)
    return success();
  return loop.emitError(describe(steps))
         << ": without 'chain', steps would be computed " << count
         << " times for each point, expected at most " << kMostRepeated;
}

std::optional<StepComposition>
StepBlocker::planSteps(scf::ForOp loop, int64_t steps, NoTimeLoop &why,
                       bool hasHaloInSteps) const {
  FieldAliasAnalysis aliases;
  CompositionRequest request;
  request.rim = rim;
  request.wantsHaloInSteps = hasHaloInSteps && rim == ComposedRim::Auto;
  // On a CPU conditions are part of stages, and a rim is a few rows.
  if (isOnCPU && rim == ComposedRim::Auto) {
    request.rim = ComposedRim::Steps;
    request.wantsWindows = true;
  }
  request.canHaveRoom = !isOnCPU && target;
  request.hasOwnFields = wide.contains(loop);
  request.steps = static_cast<unsigned>(steps);
  request.isChained = true;
  return planComposition(loop, request, aliases, why);
}

/// What is asked for is for the apply that takes all steps: it gets `rest`, if
/// that is not null.
static void composeWith(StepComposition &plan, ScheduleAttr rest, MathMode mode,
                        const TargetInfo *target) {
  if (rest && rest.getRelay() && plan.steps % *rest.getRelay() == 0) {
    plan.legs = static_cast<unsigned>(*rest.getRelay());
    plan.areScattered = rest.getAccumulate() == Accumulation::Scatter;
  } else if (!rest && target) {
    StepLoop known(plan, *target, mode);
    plan.legs = static_cast<unsigned>(known.countLegs(plan.steps));
    plan.areScattered = plan.legs > 1 && known.areScattered();
  }
  if (plan.hasHaloInSteps && plan.legs > 1)
    plan.parts = StepLoop(plan, *target, mode).cutColumns(rest);
  remarkRim(plan.step, "Rim", plan.whyNoWindows);
  plan.step->removeAttr(ScheduleAttr::kAttrName);
  if (rest)
    plan.step->setAttr(ScheduleAttr::kAttrName, rest);
  composeSteps(plan, mode);
  plan.step->removeAttr(ScheduleAttr::kAttrName);
}

void stencil::remarkRim(ApplyOp step, StringRef name, StringRef why) {
  if (!why.empty())
    remarkMissed(step.getLoc(), "Steps", name,
                 "what is near a boundary is computed step by step: " + why);
}

void stencil::remarkOneByOne(Operation *op, const Twine &why) {
  remarkMissed(op->getLoc(), "Steps", "Blocked",
               "steps are taken one by one: " + why);
}

scf::ForOp StepBlocker::makeRoom(scf::ForOp loop, int64_t steps) {
  NoTimeLoop ignored;
  std::optional<StepComposition> plan = planSteps(loop, steps, ignored);
  if (!plan || !plan->needsRoom)
    return loop;
  remarkPassed(plan->step.getLoc(), "Steps", "Images",
               "periodic axes have images in fields with room for them, and "
               "no rim");
  scf::ForOp moved = giveRoom(*plan);
  wide.insert(moved);
  return moved;
}

void StepBlocker::take(scf::ForOp loop, int64_t steps,
                       ScheduleAttr rest) const {
  constexpr int64_t kFewest = 3;
  bool areStages = takesStages(loop);
  for (; steps >= kFewest; steps = getFewer(steps)) {
    NoTimeLoop why;
    if (!areStages) {
      std::optional<StepComposition> plan = planSteps(loop, steps, why);
      if (!plan)
        return remarkOneByOne(why.culprit, why.reason);
      composeWith(*plan, rest, math, target);
      continue;
    }
    std::optional<StagedSteps> plan = planStages(loop, steps, rest, why);
    if (!plan)
      return remarkOneByOne(why.culprit, why.reason);
    stageSteps(*plan, rest);
  }
}

void StepBlocker::composeWalk(scf::ForOp loop, int64_t steps,
                              ScheduleAttr walk) const {
  NoTimeLoop why;
  std::optional<StepComposition> plan =
      planSteps(loop, steps, why, /*hasHaloInSteps=*/true);
  if (!plan)
    return remarkOneByOne(why.culprit, why.reason);
  bool keepsHalo = plan->keepsHalo;
  remarkPassed(
      plan->step.getLoc(), "Steps", "Halo",
      std::string("each step has its halo, and there is no rim") +
          (keepsHalo ? ", where both fields keep the same values" : ""));
  composeWith(*plan, walk, math, target);
}

LogicalResult StepBlocker::block(scf::ForOp loop, ScheduleAttr wanted) {
  if (takesStages(loop))
    return blockStages(loop, wanted);
  int64_t steps = *wanted.getTime();
  loop = makeRoom(loop, steps);
  NoTimeLoop why;
  if (!isOnCPU && rim == ComposedRim::Auto && target) {
    std::optional<StepComposition> walk =
        planSteps(loop, steps, why, /*hasHaloInSteps=*/true);
    if (!walk)
      return refuseLoop(loop, describe(steps), why);
    // One with a rim is behind it where halos are kept: it has to be possible.
    bool needsRim = walk->keepsHalo;
    if (needsRim && !planSteps(loop, steps, why))
      return refuseLoop(loop, describe(steps), why);
    ScheduleAttr rest = getRest(wanted, walk->step.getRank());
    if (ScheduleAttr keys = StepLoop(*walk, *target, math).getWalk(rest)) {
      composeWalk(loop, steps, keys);
      if (!needsRim)
        return success();
    } else if (walk->hasRim() &&
               (walk->step.getRank() == 3 || (rest && rest.getRelay()))) {
      remarkRim(walk->step, "Halo", walk->whyNoHaloInSteps);
    }
  }
  std::optional<StepComposition> plan = planSteps(loop, steps, why);
  if (!plan)
    return refuseLoop(loop, describe(steps), why);
  ScheduleAttr rest = getRest(wanted, plan->step.getRank());
  SmallVector<int64_t> reach;
  for (auto [below, above] : llvm::zip_equal(plan->below, plan->above))
    reach.push_back(below + above);
  bool areStages =
      rest ? rest.getChain().has_value()
           : target && StepLoop(*plan, *target, math).hasRowTile(steps);
  if (!areStages && failed(checkRepeated(loop, steps, reach, /*applies=*/1)))
    return failure();
  composeWith(*plan, rest, math, target);
  // A kernel for the steps that are left has to be asked for.
  if (isOnCPU)
    take(loop, getFewer(steps), rest);
  return success();
}

//===----------------------------------------------------------------------===//
// Several states
//===----------------------------------------------------------------------===//

bool StepBlocker::takesStages(scf::ForOp loop) const {
  FieldAliasAnalysis aliases;
  NoTimeLoop ignored;
  std::optional<TimeLoop> time =
      findTimeLoop(loop, aliases, ignored, StoredFields::CarriedOrFixed);
  return rim != ComposedRim::AtOnce && time && hasSeveralStates(*time);
}

std::optional<StagedSteps> StepBlocker::planStages(scf::ForOp loop,
                                                   int64_t steps,
                                                   ScheduleAttr rest,
                                                   NoTimeLoop &why) const {
  FieldAliasAnalysis aliases;
  StagesRequest request;
  request.steps = static_cast<unsigned>(steps);
  request.inPipeline = isOnCPU;
  if (isOnCPU)
    request.axis = rest.getStream();
  request.hasWholeRim = !isOnCPU || rim == ComposedRim::Steps;
  return stencil::planStages(loop, request, aliases, why);
}

LogicalResult StepBlocker::blockStages(scf::ForOp loop,
                                       ScheduleAttr wanted) const {
  int64_t steps = *wanted.getTime(), rank = 0;
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    rank = std::max(rank, apply.getRank());
  ScheduleAttr rest = getRest(wanted, rank);
  NoTimeLoop why;
  std::optional<StagedSteps> plan = planStages(loop, steps, rest, why);
  if (!plan)
    return refuseLoop(loop, describe(steps), why);
  SmallVector<int64_t> reach;
  for (auto [lower, upper] :
       llvm::zip_equal(plan->time.lower, plan->time.upper))
    reach.push_back(upper - lower);
  bool areStages = rest && rest.getChain();
  if (!areStages &&
      failed(checkRepeated(loop, steps, reach, plan->time.applies.size())))
    return failure();
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    apply->removeAttr(ScheduleAttr::kAttrName);
  stageSteps(*plan, rest);
  // A kernel for the steps that are left has to be asked for.
  if (isOnCPU)
    take(loop, getFewer(steps), rest);
  return success();
}
