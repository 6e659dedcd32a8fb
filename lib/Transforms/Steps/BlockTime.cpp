//===- BlockTime.cpp - Several steps in one sweep of memory ---------------===//
//
// stencil-block-time: T steps of a time loop become one apply, each step a
// value of its body that the next one reads, or one pipeline, each step a stage
// (ComposedPipeline.cpp). What is near a boundary is computed step by step
// beside it (ComposedLoop.cpp), or in the windows of the stages.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnCPU.h"
#include "BlockTimeOnGPU.h"
#include "ChooseDiamonds.h"
#include "StagedSteps.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepComposition.h"
#include "StepDiamonds.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILBLOCKTIME
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct BlockTime : stencil::impl::StencilBlockTimeBase<BlockTime> {
  using StencilBlockTimeBase::StencilBlockTimeBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult block(scf::ForOp loop, ScheduleAttr wanted);
  void choose(scf::ForOp loop, const TargetInfo &target);
  void chooseStages(scf::ForOp loop, const TargetInfo &target);
  void chooseOnCPU(scf::ForOp loop);
  bool takesDiamonds(scf::ForOp loop);
  void compose(scf::ForOp loop, int64_t steps, ScheduleAttr rest);
  void composeWalk(scf::ForOp loop, int64_t steps, ScheduleAttr walk);
  std::optional<StepComposition> planSteps(scf::ForOp loop, int64_t steps,
                                           NoTimeLoop &why,
                                           bool hasHaloInSteps = false);
  bool takesStages(scf::ForOp loop) const;
  std::optional<StagedSteps> planStages(scf::ForOp loop, int64_t steps,
                                        ScheduleAttr rest, NoTimeLoop &why);
  LogicalResult blockStages(scf::ForOp loop, ScheduleAttr wanted);
  void stage(scf::ForOp loop, int64_t steps, ScheduleAttr rest);
  std::optional<std::string> explainOnCPU(scf::ForOp loop, int64_t steps,
                                          ScheduleAttr rest, NoTimeLoop &why);
  bool isOnCPU() const { return coreCacheBytes > 0; }
  /// What such a loop says is for CPUs.
  bool isInDiamonds(scf::ForOp loop) const {
    return isOnCPU() && loop->hasAttr(DiamondsAttr::kAttrName);
  }
  LogicalResult checkDiamonds();

  bool hasDiamonds = false;
};
} // namespace

/// The schedule with which a loop asks for several steps at once: that of an
/// apply of its own which does, else the one for all if no apply has another;
/// null if none does.
static ScheduleAttr findWanted(scf::ForOp loop, ScheduleAttr forAll) {
  ScheduleAttr wanted = forAll;
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    if (auto own =
            apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName)) {
      wanted = own;
      if (own.getTime())
        break;
    }
  return wanted && wanted.getTime() ? wanted : ScheduleAttr();
}

/// What the apply that takes all steps is to have: null if it may choose. On a
/// CPU, steps are always stages, of a walk if there are several axes.
static ScheduleAttr getRest(ScheduleAttr wanted, int64_t rank, bool isOnCPU) {
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
  if (keys.get(context) == ScheduleKeys().get(context))
    return {};
  bool canChain = keys.stream || !keys.window.empty();
  if (canChain && !keys.chain)
    keys.chain = Space::Shared;
  return keys.get(context);
}

static std::string describe(int64_t steps) {
  return "cannot take " + std::to_string(steps) + " steps of this loop at once";
}

/// How often steps are computed for one point if none is kept for others: each
/// wherever the later ones read it.
static int64_t countRepeated(ArrayRef<int64_t> reach, int64_t steps,
                             int64_t applies) {
  constexpr int64_t kMany = int64_t(1) << 30;
  int64_t count = 0;
  for (int64_t level = 1; level < steps; ++level) {
    int64_t points = applies;
    for (int64_t along : reach)
      points = std::min(kMany, points * (along * level + 1));
    count = std::min(kMany, count + points);
  }
  return count;
}

/// Says that a body would be too long.
static LogicalResult checkRepeated(scf::ForOp loop, int64_t steps,
                                   int64_t repeated) {
  constexpr int64_t kMostRepeated = 1024;
  if (repeated <= kMostRepeated)
    return success();
  return loop.emitError(describe(steps))
         << ": without 'chain', steps would be computed " << repeated
         << " times for each point, expected at most " << kMostRepeated;
}

/// Anew for every loop: what is known of values is of the program before.
std::optional<StepComposition> BlockTime::planSteps(scf::ForOp loop,
                                                    int64_t steps,
                                                    NoTimeLoop &why,
                                                    bool hasHaloInSteps) {
  FieldAliasAnalysis aliases;
  CompositionRequest request;
  request.rim = rim;
  request.wantsHaloInSteps = hasHaloInSteps && rim == ComposedRim::Auto;
  // On a CPU conditions are part of stages, and a rim is a few rows.
  if (isOnCPU() && rim == ComposedRim::Auto) {
    request.rim = ComposedRim::Steps;
    request.wantsWindows = true;
  }
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
  if (!plan.whyNoWindows.empty())
    remark::missed(plan.step.getLoc(),
                   remark::RemarkOpts::name("Rim").category("Steps"))
        << "what is near a boundary is computed step by step: " +
               plan.whyNoWindows;
  plan.step->removeAttr(ScheduleAttr::kAttrName);
  if (rest)
    plan.step->setAttr(ScheduleAttr::kAttrName, rest);
  composeSteps(plan, mode);
  plan.step->removeAttr(ScheduleAttr::kAttrName);
}

/// Why there is a rim although steps of volumes may have their halos.
static void remarkRim(ApplyOp step, StringRef why) {
  if (why.empty() || step.getRank() != 3)
    return;
  remark::missed(step.getLoc(),
                 remark::RemarkOpts::name("Halo").category("Steps"))
      << ("what is near a boundary is computed step by step: " + why).str();
}

static void remarkLeft(Operation *op, const Twine &why) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("Blocked").category("Steps"))
      << ("steps are taken one by one: " + why).str();
}

/// Of the steps that so many at once leave over, how many are taken at once.
/// Odd numbers leave the fields in their places.
static int64_t getFewer(int64_t steps) { return (steps / 3) | 1; }

/// So many at once, of what they leave fewer at once, and so on; in the end one
/// by one.
void BlockTime::compose(scf::ForOp loop, int64_t steps, ScheduleAttr rest) {
  constexpr int64_t kFewest = 3;
  for (; steps >= kFewest; steps = getFewer(steps)) {
    NoTimeLoop why;
    std::optional<StepComposition> plan = planSteps(loop, steps, why);
    if (!plan)
      return remarkLeft(why.culprit, why.reason);
    composeWith(*plan, rest, math, findTarget(getOperation()));
  }
}

/// So many steps at once that have their halos, of a volume.
void BlockTime::composeWalk(scf::ForOp loop, int64_t steps, ScheduleAttr walk) {
  NoTimeLoop why;
  std::optional<StepComposition> plan =
      planSteps(loop, steps, why, /*hasHaloInSteps=*/true);
  if (!plan)
    return remarkLeft(why.culprit, why.reason);
  bool keepsHalo = plan->keepsHalo;
  remark::passed(plan->step.getLoc(),
                 remark::RemarkOpts::name("Halo").category("Steps"))
      << (std::string("each step has its halo, and there is no rim") +
          (keepsHalo ? ", where both fields keep the same values" : ""));
  composeWith(*plan, walk, math, findTarget(getOperation()));
}

LogicalResult BlockTime::block(scf::ForOp loop, ScheduleAttr wanted) {
  if (takesStages(loop))
    return blockStages(loop, wanted);
  int64_t steps = *wanted.getTime();
  NoTimeLoop why;
  const TargetInfo *target = findTarget(getOperation());
  if (!isOnCPU() && rim == ComposedRim::Auto && target) {
    std::optional<StepComposition> walk =
        planSteps(loop, steps, why, /*hasHaloInSteps=*/true);
    if (!walk)
      return refuseLoop(loop, describe(steps), why);
    // One with a rim is behind it where halos are kept: it has to be possible.
    bool needsRim = walk->keepsHalo;
    if (needsRim && !planSteps(loop, steps, why))
      return refuseLoop(loop, describe(steps), why);
    ScheduleAttr rest = getRest(wanted, walk->step.getRank(), isOnCPU());
    if (ScheduleAttr keys = StepLoop(*walk, *target, math).getWalk(rest)) {
      composeWalk(loop, steps, keys);
      if (!needsRim)
        return success();
    } else {
      remarkRim(walk->step, walk->whyNoHaloInSteps);
    }
  }
  std::optional<StepComposition> plan = planSteps(loop, steps, why);
  if (!plan)
    return refuseLoop(loop, describe(steps), why);
  ScheduleAttr rest = getRest(wanted, plan->step.getRank(), isOnCPU());
  SmallVector<int64_t> reach;
  for (auto [below, above] : llvm::zip_equal(plan->below, plan->above))
    reach.push_back(below + above);
  bool areStages =
      rest ? rest.getChain().has_value()
           : target && StepLoop(*plan, *target, math).hasRowTile(steps);
  if (!areStages &&
      failed(checkRepeated(loop, steps, countRepeated(reach, steps, 1))))
    return failure();
  composeWith(*plan, rest, math, target);
  // A kernel for the steps that are left has to be asked for.
  if (isOnCPU())
    compose(loop, getFewer(steps), rest);
  return success();
}

//===----------------------------------------------------------------------===//
// Several states
//===----------------------------------------------------------------------===//

bool BlockTime::takesStages(scf::ForOp loop) const {
  FieldAliasAnalysis aliases;
  NoTimeLoop ignored;
  std::optional<TimeLoop> time =
      findTimeLoop(loop, aliases, ignored, StoredFields::CarriedOrFixed);
  return rim != ComposedRim::AtOnce && time && hasSeveralStates(*time);
}

std::optional<StagedSteps> BlockTime::planStages(scf::ForOp loop, int64_t steps,
                                                 ScheduleAttr rest,
                                                 NoTimeLoop &why) {
  FieldAliasAnalysis aliases;
  StagesRequest request;
  request.steps = static_cast<unsigned>(steps);
  request.inPipeline = isOnCPU();
  if (isOnCPU())
    request.axis = rest.getStream();
  request.hasWholeRim = !isOnCPU() || rim == ComposedRim::Steps;
  return stencil::planStages(loop, request, aliases, why);
}

/// As `compose`.
void BlockTime::stage(scf::ForOp loop, int64_t steps, ScheduleAttr rest) {
  constexpr int64_t kFewest = 3;
  for (; steps >= kFewest; steps = getFewer(steps)) {
    NoTimeLoop why;
    std::optional<StagedSteps> plan = planStages(loop, steps, rest, why);
    if (!plan)
      return remarkLeft(why.culprit, why.reason);
    stageSteps(*plan, rest);
  }
}

LogicalResult BlockTime::blockStages(scf::ForOp loop, ScheduleAttr wanted) {
  int64_t steps = *wanted.getTime(), rank = 0;
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    rank = std::max(rank, apply.getRank());
  ScheduleAttr rest = getRest(wanted, rank, isOnCPU());
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
      failed(checkRepeated(
          loop, steps, countRepeated(reach, steps, plan->time.applies.size()))))
    return failure();
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    apply->removeAttr(ScheduleAttr::kAttrName);
  stageSteps(*plan, rest);
  // A kernel for the steps that are left has to be asked for.
  if (isOnCPU())
    stage(loop, getFewer(steps), rest);
  return success();
}

//===----------------------------------------------------------------------===//
// How many steps pay
//===----------------------------------------------------------------------===//

/// The loop's only apply, if it is over a row, a plane or a volume of floats;
/// else null.
static ApplyOp findMeasured(scf::ForOp loop) {
  auto applies = loop.getBody()->getOps<ApplyOp>();
  if (!llvm::hasSingleElement(applies))
    return {};
  ApplyOp apply = *applies.begin();
  bool isMeasured = apply.getRank() <= 3 && apply.getNumOutputs() == 1 &&
                    (apply.getOutputElementType(0).isF64() ||
                     apply.getOutputElementType(0).isF32());
  // What was asked for is for one step.
  return isMeasured && !apply->hasAttr(ScheduleAttr::kAttrName) ? apply
                                                                : ApplyOp();
}

/// Whether a loop takes the steps that one of several steps has left over.
static bool isLeftOver(scf::ForOp loop) {
  return !matchPattern(loop.getLowerBound(), m_Constant()) &&
         llvm::any_of(loop.getInitArgs(), [](Value init) {
           return isa_and_nonnull<scf::ForOp>(init.getDefiningOp());
         });
}

void BlockTime::choose(scf::ForOp loop, const TargetInfo &target) {
  ApplyOp apply = findMeasured(loop);
  // Steps over a row have become one sum, where their order may be changed and
  // that is faster.
  if (!apply || (math == MathMode::Reassociate && isLeftOver(loop)))
    return;
  std::optional<int64_t> mostSteps = getMostSteps(apply.getRank(), target);
  // Nothing was measured on such a GPU.
  if (!mostSteps)
    return;
  if (takesStages(loop))
    return chooseStages(loop, target);
  constexpr int64_t kFewest = 3;
  NoTimeLoop why;
  bool isVolume = apply.getRank() == 3;
  std::optional<StepComposition> plan =
      planSteps(loop, kFewest, why, /*hasHaloInSteps=*/isVolume);
  // Others are of steps that have a rim.
  std::string whyRim = plan ? plan->whyNoHaloInSteps : "";
  if (plan && plan->hasHaloInSteps &&
      !StepLoop(*plan, target, math).findWalk(kFewest))
    plan = planSteps(loop, kFewest, why);
  if (!plan)
    return remarkLeft(why.culprit, why.reason);
  StepLoop known(*plan, target, math);
  if (std::string obstacle = known.findObstacle(); !obstacle.empty())
    return remarkLeft(plan->step, obstacle);
  // As many as registers allow: memory is read and written the less.
  int64_t steps = *mostSteps;
  std::optional<double> blocked = known.getBlocked(steps);
  while (!blocked && steps > kFewest)
    blocked = known.getBlocked(steps -= 2);
  // Legs have the registers of several warps, and steps that have their halos
  // may be any number.
  for (int64_t several : known.getNumbers().listCounts("more_steps"))
    if (plan->hasHaloInSteps || known.countLegs(several) > 1)
      if (std::optional<double> taken = known.getBlocked(several);
          taken && (!blocked || *taken < *blocked)) {
        steps = several;
        blocked = taken;
      }
  if (!blocked)
    return remarkLeft(loop, "no tile has registers for several");
  if (*blocked >
      ModelConstants::getDefault().stepsWorthwhile * known.getAlone())
    return remarkLeft(loop, "several at once are not predicted to be faster");
  remark::passed(loop.getLoc(),
                 remark::RemarkOpts::name("Blocked").category("Steps"))
      << llvm::formatv("{0} steps at once: predicted {1} us per step, {2} "
                       "without it",
                       steps, llvm::format("%.3g", *blocked * 1e6),
                       llvm::format("%.3g", known.getAlone() * 1e6))
             .str();
  if (!plan->hasHaloInSteps) {
    remarkRim(plan->step, whyRim);
    return compose(loop, steps, /*rest=*/{});
  }
  bool keepsHalo = plan->keepsHalo;
  composeWalk(loop, steps, known.getWalk(steps));
  if (keepsHalo)
    compose(loop, kFewest, /*rest=*/{});
  else if (steps > kFewest)
    composeWalk(loop, kFewest, known.getWalk(kFewest));
}

/// Odd numbers leave the fields in their places.
void BlockTime::chooseStages(scf::ForOp loop, const TargetInfo &target) {
  for (int64_t steps = getMostWaveSteps(/*radius=*/0, target); steps >= 3;
       steps -= 2) {
    NoTimeLoop why;
    std::optional<StagedSteps> plan = planStages(loop, steps, {}, why);
    if (!plan)
      return remarkLeft(why.culprit, why.reason);
    std::string obstacle = explainStagesOnGPU(*plan, target);
    if (!obstacle.empty()) {
      if (steps == 3)
        remarkLeft(loop, obstacle);
      continue;
    }
    remark::passed(loop.getLoc(),
                   remark::RemarkOpts::name("Blocked").category("Steps"))
        << llvm::formatv("{0} steps at once, of several states", steps).str();
    return stage(loop, steps, /*rest=*/{});
  }
}

/// Why so many steps are not to be taken at once; empty if they are. Nothing if
/// they cannot be.
std::optional<std::string> BlockTime::explainOnCPU(scf::ForOp loop,
                                                   int64_t steps,
                                                   ScheduleAttr rest,
                                                   NoTimeLoop &why) {
  StepCaches caches{coreCacheBytes, cacheBytes};
  if (takesStages(loop)) {
    if (std::optional<StagedSteps> plan = planStages(loop, steps, rest, why))
      return explainStages(*plan, extents, caches);
    return std::nullopt;
  }
  if (std::optional<StepComposition> plan = planSteps(loop, steps, why))
    return explainSteps(*plan, extents, caches);
  return std::nullopt;
}

/// Diamonds, where these are faster than tiles that overlap.
bool BlockTime::takesDiamonds(scf::ForOp loop) {
  DiamondRoom room{ownCacheBytes, cacheBytes, threads, extents};
  std::string why;
  DiamondsAttr chosen = chooseDiamonds(loop, room, why);
  if (!chosen) {
    remark::missed(loop.getLoc(),
                   remark::RemarkOpts::name("Diamonds").category("Steps"))
        << "steps are not taken in diamonds: " + why;
    return false;
  }
  NoTimeLoop ignored;
  prepareDiamonds(*findDiamonds(loop, ignored));
  loop->setAttr(DiamondsAttr::kAttrName, chosen);
  remark::passed(loop.getLoc(),
                 remark::RemarkOpts::name("Diamonds").category("Steps"))
      << llvm::formatv("in diamonds of {0} steps, in tiles of {1} for a "
                       "second-level cache of {2} KiB",
                       chosen.getSteps(), chosen.getTile(),
                       ownCacheBytes / 1024)
             .str();
  return true;
}

void BlockTime::chooseOnCPU(scf::ForOp loop) {
  ApplyOp apply = findMeasured(loop);
  if (!apply || takesDiamonds(loop))
    return;
  // Odd numbers leave the fields in their places.
  for (int64_t steps = getMostSteps(apply.getRank()); steps >= 3; steps -= 2) {
    ScheduleKeys keys;
    keys.time = steps;
    ScheduleAttr rest =
        getRest(keys.get(&getContext()), apply.getRank(), isOnCPU());
    NoTimeLoop why;
    std::optional<std::string> obstacle = explainOnCPU(loop, steps, rest, why);
    if (!obstacle)
      return remarkLeft(why.culprit, why.reason);
    if (!obstacle->empty()) {
      if (steps == 3)
        remarkLeft(apply, *obstacle);
      continue;
    }
    remark::passed(loop.getLoc(),
                   remark::RemarkOpts::name("Blocked").category("Steps"))
        << llvm::formatv("{0} steps at once, in tiles for caches of {1} KiB",
                         steps, coreCacheBytes / 1024)
               .str();
    if (takesStages(loop))
      return stage(loop, steps, rest);
    return compose(loop, steps, rest);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult BlockTime::checkDiamonds() {
  SmallVector<scf::ForOp> loops;
  getOperation().walk([&](scf::ForOp loop) {
    if (isInDiamonds(loop))
      loops.push_back(loop);
  });
  hasDiamonds = !loops.empty();
  if (hasDiamonds && failed(checkProgram(getOperation())))
    return failure();
  for (scf::ForOp loop : loops)
    if (failed(stencil::checkDiamonds(loop)))
      return failure();
  return success();
}

LogicalResult BlockTime::run() {
  if (failed(checkDiamonds()))
    return failure();
  if (automatic) {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!isInDiamonds(loop))
        loops.push_back(loop);
    });
    const TargetInfo *target = findTarget(getOperation());
    if (isOnCPU())
      for (scf::ForOp loop : loops)
        chooseOnCPU(loop);
    else if (target)
      for (scf::ForOp loop : loops)
        choose(loop, *target);
    return success();
  }
  Location place = getOptionLocation("schedule", getStart(getOperation()));
  ScheduleAttr forAll;
  // Names are of schedules for a step.
  if (StringRef(schedule).trim().starts_with("#")) {
    auto request = ScheduleRequest::parse(schedule, &getContext(), place);
    if (failed(request))
      return failure();
    forAll = request->getAttribute();
  }
  SmallVector<std::pair<scf::ForOp, ScheduleAttr>> loops;
  getOperation().walk([&](scf::ForOp loop) {
    if (loop.getBody()->getOps<StoreOp>().empty() || isInDiamonds(loop))
      return;
    if (ScheduleAttr wanted = findWanted(loop, forAll))
      loops.emplace_back(loop, wanted);
  });
  if (loops.empty()) {
    if (!forAll || !forAll.getTime() || hasDiamonds)
      return success();
    return emitError(place, "expected a time loop for 'time = ")
           << *forAll.getTime() << "'; there is none";
  }
  if (failed(checkProgram(getOperation())))
    return failure();
  for (auto [loop, wanted] : loops)
    if (failed(block(loop, wanted)))
      return failure();
  return success();
}
