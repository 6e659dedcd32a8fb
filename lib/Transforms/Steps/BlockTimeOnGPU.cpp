//===- BlockTimeOnGPU.cpp - How many steps pay on a GPU -------------------===//
//
// The model that stencil-block-time chooses by: the longest of a sweep of
// memory, the arithmetic and the launches of the rim.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnGPU.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"

using namespace mlir;
using namespace stencil;

/// Nothing if the extents are not known.
static std::optional<double> countPoints(BoundsAttr interior) {
  double points = 1;
  for (auto [lower, upper] :
       llvm::zip_equal(interior.getLb(), interior.getUb())) {
    if (isSymbolic(lower) != isSymbolic(upper))
      return std::nullopt;
    points *= static_cast<double>(upper - lower);
  }
  return points;
}

template <typename Plan> static int64_t getRadius(const Plan &plan) {
  int64_t radius = 0;
  for (auto [below, above] : llvm::zip_equal(plan.below, plan.above))
    radius = std::max({radius, below, above});
  return radius;
}

StepLoop::StepLoop(const StepComposition &plan, const TargetInfo &target,
                   MathMode math)
    : plan(plan), target(target) {
  std::optional<double> known = countPoints(plan.time.interior);
  isKnown = known.has_value();
  points = known.value_or(1);
  radius = getRadius(plan);
  ApplyOp step = plan.step;
  shape = getStepShape(step, std::max(plan.below.front(), plan.above.front()),
                       std::max(plan.below.back(), plan.above.back()), math);
  shape.canRelay = canRelay(step);
  bytes = static_cast<double>(shape.elementBytes);
}

std::string StepLoop::findObstacle() const {
  ApplyOp step = plan.step;
  if (!isKnown)
    return "the extents are not known";
  if (step.getArgs().size() != 1)
    return "it reads more than the state";
  // Rows of 3 to 17 points, and stars of up to 13 in planes.
  constexpr int64_t kFarthestInRow = 8, kFarthest = 3;
  int64_t farthest = shape.rank == 1 ? kFarthestInRow : kFarthest;
  if (std::max(shape.rows, shape.columns) > farthest)
    return "it reads farther than what was measured";
  // Of volumes, stars of 7 points; with a rim, so large that its launches take
  // little beside the sweeps.
  const double kFewestPoints = plan.hasHaloInSteps ? 1 << 24 : 1 << 26;
  if (shape.rank == 3 && (shape.isBox || radius > 1))
    return "of volumes, it is no star of a radius of one";
  if (shape.rank == 3 && shape.elementBytes != 8 && !plan.hasHaloInSteps)
    return "volumes of such elements were not measured";
  if (shape.rank == 3 && points < kFewestPoints)
    return "volumes of so few points were not measured";
  // The rim takes two fields more, of the memory of a GPU, which has 80 GB.
  constexpr double kLargest = 12.0 * (1 << 30);
  bool hasFields = !plan.hasHaloInSteps || plan.keepsHalo;
  if (hasFields && points * bytes > kLargest)
    return "the fields of the rim would be too large";
  OperationCount work = getApplyCost(step, /*contract=*/true).shared;
  if (work.divisions + work.functions > 0)
    return "it divides, or calls functions";
  return "";
}

int64_t StepLoop::countLegs(int64_t steps) const {
  SmallVector<WarpTile> tiles = listTiles(steps);
  return tiles.empty() ? 1 : tiles.front().legs;
}

SmallVector<WarpTile> StepLoop::listTiles(int64_t steps) const {
  StepShape all = shape;
  all.steps = steps;
  return listWarpTiles(all, target);
}

std::optional<StepWalk> StepLoop::findWalk(int64_t steps) const {
  BoundsAttr interior = plan.time.interior;
  // The copy engine begins at places that are known.
  if (!plan.hasHaloInSteps || !isKnown || isSymbolic(interior.getLb().back()))
    return std::nullopt;
  // Four steps of 7 points take all registers, three leave some for more.
  constexpr uint64_t kMostOfFour = 8, kMost = 16;
  OperationCount work = getApplyCost(plan.step, /*contract=*/true).shared;
  if (work.operations() > (steps > 3 ? kMostOfFour : kMost))
    return std::nullopt;
  StepShape all = shape;
  all.steps = steps;
  return findStepWalk(all, interior.getShape(), target);
}

/// Of the keys of a schedule, a walk of steps that have their halos takes those
/// of the walk itself, and of its windows.
ScheduleAttr StepLoop::getWalk(ScheduleAttr asked) const {
  if (shape.rank != 3 || !plan.hasHaloInSteps || !isKnown)
    return {};
  if (!asked)
    return getWalk(plan.steps);
  ScheduleKeys keys(asked);
  bool isWalk = keys.chain == Space::Shuffle && keys.stream &&
                *keys.stream == 0 &&
                keys.window == SmallVector<Space>{Space::Shared} &&
                keys.prefetch == Prefetch::Tma && !keys.block.empty() &&
                target.hasAsyncCopy(AsyncCopyTensor) &&
                (!keys.stages || *keys.stages > plan.countPlanes(0)) &&
                !isSymbolic(plan.time.interior.getLb().back());
  keys.chain.reset();
  keys.stream.reset();
  keys.window.clear();
  keys.prefetch.reset();
  keys.stages.reset();
  keys.block.clear();
  keys.points.clear();
  keys.segments.reset();
  keys.order.clear();
  keys.panel.clear();
  keys.launchBounds = 0;
  MLIRContext *context = asked.getContext();
  return isWalk && keys.get(context) == ScheduleKeys().get(context)
             ? asked
             : ScheduleAttr();
}

ScheduleAttr StepLoop::getWalk(int64_t steps) const {
  std::optional<StepWalk> walk = findWalk(steps);
  return walk ? walk->keys.get(plan.time.interior.getContext())
              : ScheduleAttr();
}

/// Measured of 5, 9, 13 and 25 points in planes and 3 and 5 in rows, on an H100
/// and an H200: the share of the arithmetic that the units can do, and the
/// slabs of a step, one after the other, beside it.
std::optional<double> StepLoop::getBlocked(int64_t steps) const {
  constexpr double kShare = 0.6, kLaunch = 6e-6, kBoundary = 3.5e-6;
  // Measured of 7 points of 512^3 on an H200, in GStencil/s: three steps at
  // once 469, one by one 256; an H100 had the same ratio.
  constexpr double kThree = 469, kOne = 256;
  if (plan.hasHaloInSteps) {
    std::optional<StepWalk> walk = findWalk(steps);
    return walk ? std::optional(walk->seconds) : std::nullopt;
  }
  if (shape.rank == 3)
    return steps == 3 ? std::optional(getAlone() * kOne / kThree)
                      : std::nullopt;
  // The more is computed twice, the less it pays.
  SmallVector<WarpTile> tiles = listTiles(steps);
  if (tiles.empty())
    return std::nullopt;
  const double leastStored = shape.rank == 1          ? 0.9
                             : tiles.front().legs > 1 ? 0.7
                                                      : 0.8;
  if (tiles.front().getShare(target) < leastStored)
    return std::nullopt;
  auto work = static_cast<double>(
      getApplyCost(plan.step, /*contract=*/true).shared.operations());
  // An operation, and with it another one.
  double rate = (shape.elementBytes == 8 ? target.fp64 : target.fp32) / 2;
  double computed = points * work / (rate * tiles.front().getShare(target));
  double arithmetic = computed / kShare;
  double sweep = getAlone() / static_cast<double>(steps);
  // Legs compute at the rate of the units while others wait for memory, more
  // slowly the fewer points a lane has to wait with. Fitted to 5, 9 and 13
  // points, of which they take 56 to 165 us a step of 10240^2 points on an
  // H200, within 5 %; of FP32 to 5 and 9.
  constexpr double kOfLegs = 0.82, kOfWaiting = 1.8, kOfSingle = 1.15,
                   kOfSweep = 0.8;
  if (tiles.front().legs > 1) {
    double share =
        shape.elementBytes == 8
            ? kOfLegs + kOfWaiting / static_cast<double>(tiles.front().points)
            : kOfSingle;
    arithmetic = share * computed + kOfSweep * sweep;
  }
  double launches = kLaunch + (plan.boundary ? kBoundary : 0);
  // A copy, its images, and all steps.
  constexpr double kAtOnce = 3 * kLaunch;
  if (plan.rim == ComposedRim::AtOnce)
    launches = kAtOnce / static_cast<double>(steps);
  return std::max({arithmetic, sweep, launches});
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

/// Measured on an H200 (docs/time-blocking.md): nine steps of radius one are
/// 4.3 times as fast as one by one, five of radius two 2.5 times.
int64_t stencil::getMostWaveSteps(int64_t radius) {
  return radius <= 1 ? 9 : radius <= 2 ? 5 : 0;
}

std::string stencil::explainStagesOnGPU(const StagedSteps &plan) {
  if (plan.time.applies.size() != 1 || plan.time.levels.size() != 2 ||
      !plan.time.coefficients.empty())
    return "several states other than those of a wave were not measured";
  ApplyOp apply = plan.time.applies.front();
  if (apply.getRank() != 2)
    return "waves were measured in planes only";
  std::optional<double> points = countPoints(plan.time.interior);
  if (!points)
    return "the extents are not known";
  constexpr double kFewestPoints = 1 << 22;
  if (*points < kFewestPoints)
    return "waves of so few points were not measured";
  if (getMostWaveSteps(getRadius(plan)) < plan.steps)
    return "of waves, so many steps that read so far were not measured";
  OperationCount work = getApplyCost(apply, /*contract=*/true).shared;
  if (work.divisions + work.functions > 0)
    return "it divides, or calls functions";
  constexpr int64_t kMostOperations = 16;
  if (work.operations() > kMostOperations)
    return "its body has more operations than what was measured";
  return "";
}
