//===- BlockTimeOnGPU.cpp - How many steps pay on a GPU -------------------===//
//
// The model that stencil-block-time chooses by: the longest of a sweep of
// memory, the arithmetic and the launches of the rim.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnGPU.h"
#include "ComposedParts.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Footprint.h"

#include "llvm/ADT/SetVector.h"

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
    : plan(plan), target(target), math(math) {
  std::optional<double> known = countPoints(plan.time.interior);
  isKnown = known.has_value();
  points = known.value_or(1);
  radius = getRadius(plan);
  ApplyOp step = plan.step;
  bool isScaled =
      math == MathMode::Reassociate &&
      scaleSteps(step, plan.input, /*steps=*/1, math, /*areScattered=*/true);
  shape =
      getStepShape(step, std::max(plan.below.front(), plan.above.front()),
                   std::max(plan.below.back(), plan.above.back()), isScaled);
  shape.canRelay = canRelay(step);
  bytes = static_cast<double>(shape.elementBytes);
}

double StepLoop::getAlone() const {
  KernelNumbers numbers = getNumbers();
  bool isLarge = points * bytes >= numbers.find("large_fields").value_or(0);
  double share =
      numbers.find(isLarge ? "share_of_large" : "share_alone").value_or(1);
  auto fields = static_cast<double>(shape.inputs + 1);
  return points * fields * bytes / (share * target.getCopyBandwidth());
}

std::string StepLoop::findObstacle() const {
  ApplyOp step = plan.step;
  if (!isKnown)
    return "the extents are not known";
  KernelNumbers numbers = getNumbers();
  if (shape.inputs > numbers.findCount("most_inputs").value_or(1))
    return "it reads more than the state";
  if (std::max(shape.rows, shape.columns) >
      numbers.findCount("farthest").value_or(0))
    return "it reads farther than what was measured";
  // With a rim, so large that its launches take little beside the sweeps.
  std::optional<double> fewestPoints = numbers.find("fewest_points");
  if (!fewestPoints && (shape.isBox || radius > 1))
    return "of volumes, it is no star of a radius of one";
  if (!fewestPoints)
    return "volumes of such elements were not measured";
  if (points < *fewestPoints)
    return "volumes of so few points were not measured";
  // The rim takes two fields more, of the memory of a GPU, which has 80 GB.
  constexpr double kLargest = 12.0 * (1 << 30);
  bool hasFields = !plan.hasHaloInSteps || plan.keepsHalo || plan.hasImages();
  if (hasFields && points * bytes > kLargest)
    return "the fields of the rim would be too large";
  OperationCount work = getApplyCost(step, /*contract=*/true).shared;
  if (work.divisions + work.functions > 0)
    return "it divides, or calls functions";
  return "";
}

std::optional<int64_t> stencil::getMostSteps(int64_t rank,
                                             const TargetInfo &target) {
  return KernelNumbers(FormFacts("step loop", rank), target)
      .findCount("most_steps");
}

KernelNumbers StepLoop::getNumbers() const {
  FormFacts facts("step loop", shape.rank);
  facts.reads = shape.isBox ? "box" : "star";
  facts.bytes = shape.elementBytes;
  facts.radius = radius;
  facts.inputs = shape.inputs;
  facts.hasHalosInSteps = plan.hasHaloInSteps;
  return {facts, target};
}

int64_t StepLoop::countLegs(int64_t steps) const {
  SmallVector<WarpTile> tiles = listTiles(steps);
  return tiles.empty() ? 1 : tiles.front().legs;
}

SmallVector<WarpTile> StepLoop::listTiles(int64_t steps) const {
  SmallVector<WarpTile> tiles = listWarpTiles(shape.withSteps(steps), target);
  // A relay hands on one field.
  if (shape.inputs > 1)
    llvm::erase_if(tiles, [](const WarpTile &tile) { return tile.legs > 1; });
  return tiles;
}

/// Whether the copy engine can begin where tiles of the fields do; those that
/// get room for images have it so.
static bool fitBulkCopies(const StepComposition &plan) {
  if (isSymbolic(plan.time.interior.getLb().back()))
    return false;
  auto fit = [](LoadOp load) {
    return denseRowsFitCopies(cast<GridType>(load.getField().getType()));
  };
  return plan.needsRoom || !hasDeviceArrays(plan.time.loop) ||
         llvm::all_of(plan.time.loads, fit);
}

/// What a step reads besides the state, it reads at the point.
static bool readsAtPoint(const StepComposition &plan) {
  bool isAtPoint = true;
  Footprint(plan.step).forEachRead([&](const InputRead &read) {
    isAtPoint &= read.input.getArgNumber() == plan.input ||
                 (isZero(read.lower) && isZero(read.upper));
  });
  return isAtPoint;
}

std::optional<StepWalk> StepLoop::findWalk(int64_t steps) const {
  BoundsAttr interior = plan.time.interior;
  if (!plan.hasHaloInSteps || !isKnown || !fitBulkCopies(plan) ||
      !readsAtPoint(plan))
    return std::nullopt;
  OperationCount work = getApplyCost(plan.step, /*contract=*/true).shared;
  return findStepWalk(shape.withSteps(steps), interior.getShape(),
                      work.operations(), target, interior.getContext());
}

/// Whether legs of steps that have their halos can be what is asked for in a
/// plane.
bool StepLoop::canBeLegs(const ScheduleKeys &asked) const {
  auto legs = static_cast<unsigned>(asked.relay.value_or(1));
  Accumulation how = asked.accumulate.value_or(Accumulation::Gather);
  // What threads copy brings zeros of what is around a field.
  return shape.rank == 2 && shape.canRelay && legs > 1 &&
         plan.steps % legs == 0 && asked.stream && *asked.stream == 0 &&
         asked.chain == Space::Shuffle &&
         asked.window == SmallVector<Space>{Space::Shared} && !asked.skew &&
         (how != Accumulation::Scatter || canScatterLegs(plan, legs, math)) &&
         how != Accumulation::Semi &&
         (!asked.stages || *asked.stages > plan.countPlanes(0));
}

/// Of the keys of a schedule, a walk of steps that have their halos takes those
/// of the walk itself, and of its windows.
ScheduleAttr StepLoop::getWalk(ScheduleAttr asked) const {
  if (!plan.hasHaloInSteps || !isKnown)
    return {};
  if (asked && canBeLegs(ScheduleKeys(asked))) {
    ScheduleKeys keys(asked);
    // As stencil-stream-windows has it.
    if (keys.prefetch == Prefetch::Async && target.replacesAsyncCopies)
      keys.prefetch = Prefetch::Registers;
    return keys.get(asked.getContext());
  }
  if (shape.rank != 3)
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
                fitBulkCopies(plan);
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
  keys.unroll.reset();
  return isWalk && keys == ScheduleKeys() ? asked : ScheduleAttr();
}

ScheduleAttr StepLoop::getWalk(int64_t steps) const {
  std::optional<StepWalk> walk = findWalk(steps);
  return walk ? walk->keys.get(plan.time.interior.getContext())
              : ScheduleAttr();
}

/// The arithmetic, the sweep, or the slabs of a step, one after the other.
std::optional<double> StepLoop::getBlocked(int64_t steps) const {
  const ModelConstants &constants = ModelConstants::getDefault();
  KernelNumbers numbers = getNumbers();
  if (plan.hasHaloInSteps && shape.rank == 3) {
    std::optional<StepWalk> walk = findWalk(steps);
    return walk ? std::optional(walk->seconds) : std::nullopt;
  }
  if (shape.rank == 3) {
    // Of one step after the other, and of most at once.
    SmallVector<int64_t> rates = numbers.listCounts("rates");
    if (rates.empty() || steps != numbers.getCount("most_steps"))
      return std::nullopt;
    return getAlone() * static_cast<double>(rates.front()) /
           static_cast<double>(rates.back());
  }
  // The more is computed twice, the less it pays.
  SmallVector<WarpTile> tiles = listTiles(steps);
  if (tiles.empty())
    return std::nullopt;
  const double leastStored = numbers.get(
      tiles.front().legs > 1 ? "least_stored_of_legs" : "least_stored");
  if (tiles.front().getShare(target) < leastStored)
    return std::nullopt;
  auto work = static_cast<double>(
      getApplyCost(plan.step, /*contract=*/true).shared.operations());
  // An operation, and with it another one.
  double rate = (shape.elementBytes == 8 ? target.fp64 : target.fp32) / 2;
  double computed = points * work / (rate * tiles.front().getShare(target));
  double arithmetic = computed / constants.stepShare;
  double sweep = getAlone() / static_cast<double>(steps);
  if (tiles.front().legs > 1) {
    double share =
        shape.elementBytes == 8
            ? constants.legRate + constants.legWaiting /
                                      static_cast<double>(tiles.front().points)
            : constants.singleLegRate;
    arithmetic = share * computed + constants.legSweep * sweep;
  }
  double launches =
      constants.stepLaunch + (plan.boundary ? constants.stepBoundary : 0);
  if (plan.hasHaloInSteps || !plan.hasRim())
    launches = constants.stepLaunch / static_cast<double>(steps);
  // A copy, its images, and all steps.
  else if (plan.rim == ComposedRim::AtOnce)
    launches = 3 * constants.stepLaunch / static_cast<double>(steps);
  return std::max({arithmetic, sweep, launches});
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

static KernelNumbers getWaveNumbers(int64_t radius, const TargetInfo &target) {
  FormFacts facts("wave");
  facts.radius = radius;
  return {facts, target};
}

int64_t stencil::getMostWaveSteps(int64_t radius, const TargetInfo &target) {
  return getWaveNumbers(radius, target).findCount("most_steps").value_or(0);
}

std::string stencil::explainStagesOnGPU(const StagedSteps &plan,
                                        const TargetInfo &target) {
  if (plan.getRank() != 2)
    return "several states were measured in planes only";
  std::optional<double> points = countPoints(plan.time.interior);
  if (!points)
    return "the extents are not known";
  KernelNumbers numbers = getWaveNumbers(getRadius(plan), target);
  if (*points < numbers.find("fewest_points").value_or(0))
    return "several states of so few points were not measured";
  if (numbers.findCount("most_steps").value_or(0) < plan.steps)
    return "of several states, so many steps that read so far were not "
           "measured";
  llvm::SetVector<Value> fields(llvm::from_range, plan.time.fields);
  fields.insert_range(plan.time.coefficients);
  if (fields.size() > static_cast<size_t>(numbers.getCount("most_fields")))
    return "so many fields were not measured";
  uint64_t operations = 0;
  for (ApplyOp apply : plan.time.applies) {
    OperationCount work = getApplyCost(apply, /*contract=*/true).shared;
    if (work.divisions + work.functions > 0)
      return "it divides, or calls functions";
    operations += work.operations();
  }
  if (static_cast<double>(operations) > numbers.get("most_operations"))
    return "its body has more operations than what was measured";
  return "";
}
