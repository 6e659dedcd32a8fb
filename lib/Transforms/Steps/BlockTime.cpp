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
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepBlocker.h"
#include "StepDiamonds.h"
#include "mlir/IR/Matchers.h"
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
  void choose(scf::ForOp loop, StepBlocker &blocker);
  void chooseStages(scf::ForOp loop, const StepBlocker &blocker);
  void chooseOnCPU(scf::ForOp loop, const StepBlocker &blocker);
  std::optional<DiamondChoice> takeDiamonds(scf::ForOp loop, DiamondGrid grid,
                                            int64_t mostSteps);
  bool takesDiamonds(scf::ForOp loop);
  std::optional<std::string> explainOnCPU(scf::ForOp loop, int64_t steps,
                                          ScheduleAttr rest,
                                          const StepBlocker &blocker,
                                          NoTimeLoop &why);
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
    if (ScheduleAttr own = ScheduleAttr::of(apply)) {
      wanted = own;
      if (own.getTime())
        break;
    }
  return wanted && wanted.getTime() ? wanted : ScheduleAttr();
}

//===----------------------------------------------------------------------===//
// How many steps pay
//===----------------------------------------------------------------------===//

/// The loop's only apply, if it is over a row, a plane or a volume of floats;
/// else null.
static ApplyOp findMeasured(scf::ForOp loop) {
  ApplyOp apply = findOnlyApply(loop);
  bool isMeasured = apply && apply.getRank() <= 3 &&
                    (apply.getOutputElementType(0).isF64() ||
                     apply.getOutputElementType(0).isF32());
  return isMeasured ? apply : ApplyOp();
}

/// Whether all applies of a loop of several states are of floats, and nothing
/// was asked of them.
static bool areMeasured(scf::ForOp loop) {
  auto applies = loop.getBody()->getOps<ApplyOp>();
  return !applies.empty() && llvm::all_of(applies, [](ApplyOp apply) {
    return !ScheduleAttr::of(apply) &&
           llvm::product_of(apply.getUnrollFactors()) == 1 &&
           llvm::all_of(llvm::seq(apply.getNumResults()), [&](unsigned result) {
             Type type = apply.getOutputElementType(result);
             return type.isF64() || type.isF32();
           });
  });
}

/// Whether a loop takes the steps that one of several steps has left over.
static bool isLeftOver(scf::ForOp loop) {
  return !matchPattern(loop.getLowerBound(), m_Constant()) &&
         llvm::any_of(loop.getInitArgs(), [](Value init) {
           return isa_and_nonnull<scf::ForOp>(init.getDefiningOp());
         });
}

/// Whether so many steps that have their halos are a walk that was measured, or
/// another number of them is.
static bool hasWalk(const StepLoop &loop, int64_t steps) {
  return loop.findWalk(steps) ||
         llvm::any_of(loop.getNumbers().listCounts("more_steps"),
                      [&](int64_t several) {
                        return loop.findWalk(several).has_value();
                      });
}

namespace {
/// So many steps of a plane at once, in legs that have their halos.
struct PlaneLegs {
  int64_t steps;
  ScheduleAttr schedule;
  double seconds;
};
} // namespace

/// The fastest ones, of a plane whose halos the program sets: a rim would take
/// two launches for each step.
static std::optional<PlaneLegs> findLegs(scf::ForOp loop,
                                         ArrayRef<int64_t> counts,
                                         const StepBlocker &blocker) {
  std::optional<PlaneLegs> best;
  for (int64_t steps : counts) {
    NoTimeLoop why;
    std::optional<StepComposition> plan =
        blocker.planSteps(loop, steps, why, /*hasHaloInSteps=*/true);
    if (!plan || !plan->hasHaloInSteps || plan->keepsHalo)
      return std::nullopt;
    StepLoop known(*plan, *blocker.target, blocker.math);
    ScheduleAttr legs = known.getLegs(steps);
    std::optional<double> seconds = known.getBlocked(steps);
    if (legs && seconds && known.isFasterThanRim(legs) &&
        (!best || *seconds < best->seconds))
      best = {steps, legs, *seconds};
  }
  return best;
}

void BlockTime::choose(scf::ForOp loop, StepBlocker &blocker) {
  const TargetInfo &target = *blocker.target;
  if (blocker.takesStages(loop)) {
    if (areMeasured(loop))
      chooseStages(loop, blocker);
    return;
  }
  ApplyOp apply = findMeasured(loop);
  // Steps over a row have become one sum, where their order may be changed and
  // that is faster.
  if (!apply || (math == MathMode::Reassociate && isLeftOver(loop)))
    return;
  std::optional<int64_t> mostSteps = getMostSteps(apply.getRank(), target);
  // Nothing was measured on such a GPU.
  if (!mostSteps)
    return;
  constexpr int64_t kFewest = 3;
  NoTimeLoop why;
  bool isVolume = apply.getRank() == 3;
  std::optional<StepComposition> plan =
      blocker.planSteps(loop, kFewest, why, /*hasHaloInSteps=*/isVolume);
  // Others are of steps that have a rim.
  std::string whyRim = plan ? plan->whyNoHaloInSteps : "";
  if (plan && plan->hasHaloInSteps &&
      !hasWalk(StepLoop(*plan, target, math), kFewest))
    plan = blocker.planSteps(loop, kFewest, why);
  if (!plan)
    return remarkOneByOne(why.culprit, why.reason);
  StepLoop known(*plan, target, math);
  if (std::string obstacle = known.findObstacle(); !obstacle.empty())
    return remarkOneByOne(plan->step, obstacle);
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
  std::optional<PlaneLegs> legs;
  if (!isVolume)
    legs = findLegs(loop, known.getNumbers().listCounts("more_steps"), blocker);
  if (legs && (!blocked || legs->seconds <= *blocked)) {
    steps = legs->steps;
    blocked = legs->seconds;
  } else {
    legs.reset();
  }
  if (!blocked)
    return remarkOneByOne(loop, "no tile has registers for several");
  if (*blocked >
      ModelConstants::getDefault().stepsWorthwhile * known.getAlone())
    return remarkOneByOne(loop,
                          "several at once are not predicted to be faster");
  remarkPassed(
      loop.getLoc(), "Steps", "Blocked",
      llvm::formatv("{0} steps at once: predicted {1} us per step, {2} "
                    "without it",
                    steps, llvm::format("%.3g", *blocked * 1e6),
                    llvm::format("%.3g", known.getAlone() * 1e6)));
  loop = blocker.makeRoom(loop, steps);
  if (legs) {
    blocker.composeWalk(loop, steps, legs->schedule);
    return blocker.take(loop, StepBlocker::getFewer(steps), /*rest=*/{});
  }
  if (!plan->hasHaloInSteps) {
    if (plan->hasRim())
      remarkRim(plan->step, "Halo", whyRim);
    return blocker.take(loop, steps, /*rest=*/{});
  }
  bool keepsHalo = plan->keepsHalo;
  blocker.composeWalk(loop, steps, known.getWalk(steps));
  // Of fewer steps, fields that keep different values are left to single ones:
  // with a rim they were slower, and take long to compile.
  if (keepsHalo && steps >= kFewest)
    blocker.take(loop, kFewest, /*rest=*/{});
  else if (steps > kFewest)
    blocker.composeWalk(loop, kFewest, known.getWalk(kFewest));
}

/// Odd numbers leave the fields in their places; of others that take turns,
/// some numbers cannot be taken.
void BlockTime::chooseStages(scf::ForOp loop, const StepBlocker &blocker) {
  const TargetInfo &target = *blocker.target;
  NoTimeLoop why;
  std::string obstacle;
  // None on GPUs on which nothing was measured.
  for (int64_t steps = getMostWaveSteps(/*radius=*/0, target); steps >= 3;
       steps -= 2) {
    std::optional<StagedSteps> plan = blocker.planStages(loop, steps, {}, why);
    obstacle = plan ? explainStagesOnGPU(*plan, target) : "";
    if (!plan || !obstacle.empty())
      continue;
    remarkPassed(loop.getLoc(), "Steps", "Blocked",
                 llvm::formatv("{0} steps at once, of several states", steps));
    return blocker.take(loop, steps, /*rest=*/{});
  }
  if (!obstacle.empty())
    remarkOneByOne(loop, obstacle);
  else if (why.culprit)
    remarkOneByOne(why.culprit, why.reason);
}

/// Why so many steps are not to be taken at once; empty if they are. Nothing if
/// they cannot be.
std::optional<std::string>
BlockTime::explainOnCPU(scf::ForOp loop, int64_t steps, ScheduleAttr rest,
                        const StepBlocker &blocker, NoTimeLoop &why) {
  StepCaches caches{coreCacheBytes, cacheBytes};
  if (blocker.takesStages(loop)) {
    if (std::optional<StagedSteps> plan =
            blocker.planStages(loop, steps, rest, why))
      return explainStages(*plan, extents, caches);
    return std::nullopt;
  }
  if (std::optional<StepComposition> plan = blocker.planSteps(loop, steps, why))
    return explainSteps(*plan, extents, caches);
  return std::nullopt;
}

/// Diamonds, where these are faster than tiles that overlap; for grids of such
/// a size, if it is not known.
std::optional<DiamondChoice>
BlockTime::takeDiamonds(scf::ForOp loop, DiamondGrid grid, int64_t mostSteps) {
  // Where threads share a grid, waiting for all after each step takes longer
  // than steps in diamonds, however near the fields are.
  uint64_t near = nearLastLevel ? cacheBytes : threads > 1 ? 0 : ownCacheBytes;
  DiamondRoom room{ownCacheBytes, cacheBytes, near, threads, extents, grid};
  std::string why;
  std::optional<DiamondChoice> chosen = chooseDiamonds(loop, room, why);
  if (!chosen && grid == DiamondGrid::Large)
    remarkMissed(loop.getLoc(), "Steps", "Diamonds",
                 "steps are not taken in diamonds: " + why);
  if (!chosen || chosen->diamonds.getSteps() >= mostSteps)
    return std::nullopt;
  DiamondsAttr diamonds = chosen->diamonds;
  std::string where;
  if (chosen->where) {
    loop = branchOnExtents(loop, *chosen->where);
    where = llvm::formatv(
        ", where a call has {0} points or more, and {1} along the first axis",
        chosen->where->fewestPoints, chosen->where->fewestPlanes);
  }
  NoTimeLoop ignored;
  prepareDiamonds(*findDiamonds(loop, ignored));
  loop->setAttr(DiamondsAttr::kAttrName, diamonds);
  loop->setDiscardableAttr(kChosenDiamondsAttr, UnitAttr::get(&getContext()));
  remarkPassed(loop.getLoc(), "Steps", "Diamonds",
               llvm::formatv("in diamonds of {0} steps, in tiles of {1} for a "
                             "second-level cache of {2} KiB{3}",
                             diamonds.getSteps(), diamonds.getTile(),
                             ownCacheBytes / 1024, where));
  return chosen;
}

/// True if there is nothing left to do for the loop.
bool BlockTime::takesDiamonds(scf::ForOp loop) {
  std::optional<DiamondChoice> chosen =
      takeDiamonds(loop, DiamondGrid::Large, INT64_MAX);
  if (!chosen)
    return false;
  // Many threads take lower ones of grids that are smaller.
  int64_t steps = chosen->diamonds.getSteps();
  for (DiamondGrid grid : {DiamondGrid::Small, DiamondGrid::Tiny})
    if (chosen && chosen->where) {
      chosen = takeDiamonds(loop, grid, steps);
      if (chosen)
        steps = chosen->diamonds.getSteps();
    }
  return true;
}

void BlockTime::chooseOnCPU(scf::ForOp loop, const StepBlocker &blocker) {
  if (loop.getBody()->getOps<ApplyOp>().empty() || takesDiamonds(loop))
    return;
  ApplyOp apply = findMeasured(loop);
  if (!apply)
    return;
  // Odd numbers leave the fields in their places.
  for (int64_t steps = getMostSteps(apply.getRank()); steps >= 3; steps -= 2) {
    ScheduleKeys keys;
    keys.time = steps;
    ScheduleAttr rest =
        blocker.getRest(keys.get(&getContext()), apply.getRank());
    NoTimeLoop why;
    std::optional<std::string> obstacle =
        explainOnCPU(loop, steps, rest, blocker, why);
    if (!obstacle)
      return remarkOneByOne(why.culprit, why.reason);
    if (!obstacle->empty()) {
      if (steps == 3)
        remarkOneByOne(apply, *obstacle);
      continue;
    }
    remarkPassed(
        loop.getLoc(), "Steps", "Blocked",
        llvm::formatv("{0} steps at once, in tiles for caches of {1} KiB",
                      steps, coreCacheBytes / 1024));
    return blocker.take(loop, steps, rest);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult BlockTime::checkDiamonds() {
  auto loops = listWithin(getOperation(),
                          [&](scf::ForOp loop) { return isInDiamonds(loop); });
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
  StepBlocker blocker{rim, math, findTarget(getOperation()), isOnCPU(), {}};
  if (automatic) {
    auto loops = listWithin(
        getOperation(), [&](scf::ForOp loop) { return !isInDiamonds(loop); });
    if (isOnCPU())
      for (scf::ForOp loop : loops)
        chooseOnCPU(loop, blocker);
    else if (blocker.target)
      for (scf::ForOp loop : loops)
        choose(loop, blocker);
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
    if (failed(blocker.block(loop, wanted)))
      return failure();
  return success();
}
