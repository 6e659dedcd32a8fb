//===- BlockTimeOnCPU.cpp - How many steps pay on a CPU -------------------===//
//
// A sweep of a field that is larger than all caches takes as long as memory
// does. What a thread keeps of T steps is in its core's own cache: 2 r + 1
// planes of a tile for each step but the last. The wider the tile, the less is
// computed twice.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnCPU.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Elements.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

/// What was measured of loops of steps, or of waves, over so many axes.
static KernelNumbers getCPUNumbers(StringRef kernel, int64_t rank) {
  return {FormFacts(kernel, rank), getCPUFormDevice()};
}

int64_t stencil::getMostSteps(int64_t rank) {
  return getCPUNumbers("step loop", rank).getCount("most_steps");
}

namespace {
/// What T steps at once have, whatever their plan.
struct StepsAtOnce {
  ApplyOp apply;
  int64_t steps = 0;
  ArrayRef<int64_t> below, above;
  /// Bytes of the fields of one sweep, for a point; and bytes of a point that
  /// tiles keep, in all planes of a walk together.
  int64_t swept = 0, kept = 0;
};
} // namespace

/// The share of the points that a tile stores, of those that it computes in one
/// step on the average: what it keeps is in half of the cache. Of two axes or
/// more.
static double getStoredShare(const StepsAtOnce &all, uint64_t cache) {
  ApplyOp apply = all.apply;
  int64_t rank = apply.getRank();
  double room = static_cast<double>(cache) / 2 / static_cast<double>(all.kept);
  // A square, or a row.
  int64_t across = rank - 1;
  double side = std::pow(room, 1.0 / static_cast<double>(across));
  double share = 1;
  for (int64_t axis = rank - across; axis < rank; ++axis) {
    auto halo = static_cast<double>((all.below[axis] + all.above[axis]) *
                                    (all.steps - 1));
    if (side <= 2 * halo)
      return 0;
    share *= (side - halo) / (side - halo / 2);
  }
  return share;
}

/// Whether there is an extent for each of so many axes.
static bool areExtentsKnown(ArrayRef<int64_t> extents, int64_t rank) {
  return static_cast<int64_t>(extents.size()) == rank &&
         llvm::all_of(extents, [](int64_t extent) { return extent > 0; });
}

/// Why fewer sweeps of memory gain nothing: `bytes` of a point in all fields,
/// and the bytes of the last-level caches; empty if they may.
static std::string explainSweep(ApplyOp step, int64_t bytes,
                                ArrayRef<int64_t> extents, uint64_t lastCache) {
  auto all = static_cast<double>(bytes);
  for (int64_t extent : extents)
    all *= static_cast<double>(extent);
  if (all <= static_cast<double>(lastCache))
    return "the last-level cache holds the fields";
  OperationCount work = getApplyCost(step, /*contract=*/true).shared;
  return work.divisions + work.functions > 0 ? "it divides, or calls functions"
                                             : "";
}

/// What speaks against steps of whatever plan: extents, caches, arithmetic.
static std::string explainAll(const StepsAtOnce &all, ArrayRef<int64_t> extents,
                              const StepCaches &caches) {
  ApplyOp apply = all.apply;
  int64_t rank = apply.getRank();
  if (!areExtentsKnown(extents, rank))
    return "the extents are not known";
  // Measured: 3 points gain a fifth, 5 points lose.
  if (rank == 1)
    return "rows gain nothing";
  std::string why = explainSweep(apply, all.swept, extents, caches.last);
  if (!why.empty())
    return why;
  OperationCount work = getApplyCost(apply, /*contract=*/true).shared;
  KernelNumbers numbers = getCPUNumbers("step loop", apply.getRank());
  if (static_cast<double>(work.operations()) > numbers.get("most_operations"))
    return "its body has too many operations to wait for memory";
  if (getStoredShare(all, caches.core) < numbers.get("least_stored"))
    return "tiles in a core's cache would compute too much twice";
  return "";
}

std::string stencil::explainSteps(const StepComposition &plan,
                                  ArrayRef<int64_t> extents,
                                  const StepCaches &caches) {
  ApplyOp apply = plan.step;
  int64_t bytes = getElementBytes(apply.getOutputElementType(0));
  StepsAtOnce all{apply, plan.steps, plan.below, plan.above};
  all.swept = 2 * bytes;
  all.kept =
      bytes * (plan.below.front() + plan.above.front() + 1) * (all.steps - 1);
  if (std::string why = explainAll(all, extents, caches); !why.empty())
    return why;
  // The rim, which is computed step by step, is little beside the core.
  KernelNumbers numbers = getCPUNumbers("step loop", apply.getRank());
  const int64_t rims = numbers.getCount("rims");
  std::optional<int64_t> farthest = numbers.findCount("farthest");
  for (int64_t axis = 0; axis < apply.getRank(); ++axis) {
    int64_t reach = plan.below[axis] + plan.above[axis];
    if (!plan.isInWindows(axis) && extents[axis] < rims * reach * all.steps)
      return "the rim would be a large part of it";
    if (farthest && std::max(plan.below[axis], plan.above[axis]) > *farthest)
      return "of volumes, it reads farther than what was measured";
  }
  return "";
}

std::string stencil::explainStages(const StagedSteps &plan,
                                   ArrayRef<int64_t> extents,
                                   const StepCaches &caches) {
  if (plan.time.applies.size() != 1 || plan.time.levels.size() != 2)
    return "several states other than those of a wave were not measured";
  ApplyOp apply = plan.time.applies.front();
  int64_t bytes = getElementBytes(apply.getOutputElementType(0));
  StepsAtOnce all{apply, plan.steps, plan.below, plan.above};
  // Two states are read, one is stored; and the fields that do not change.
  all.swept = bytes * static_cast<int64_t>(3 + plan.time.coefficients.size());
  for (const StagedValue &value : plan.values)
    if (value.needsWindow)
      all.kept += bytes * (value.lead - value.oldest + 1);
  std::optional<int64_t> farthest =
      getCPUNumbers("wave", apply.getRank()).findCount("farthest");
  if (!farthest)
    return "waves in volumes gain nothing";
  for (auto [below, above] : llvm::zip_equal(plan.below, plan.above))
    if (std::max(below, above) > *farthest)
      return "of waves, it reads farther than what was measured";
  return explainAll(all, extents, caches);
}

void stencil::walkBySeveral(PipelineOp pipeline, std::optional<int64_t> asked) {
  std::optional<int64_t> rows;
  if (pipeline.getWalkAxis() == 0)
    rows = getCPUNumbers("step loop", pipeline.getRank()).findCount("rows");
  int64_t step = asked.value_or(rows.value_or(1));
  if (step == 1)
    return;
  pipeline.setStep(step);
  for (WindowOp window : pipeline.getBodyBlock()->getOps<WindowOp>())
    if (auto depth = window.getDepth())
      window.setDepthAttr(
          OpBuilder(pipeline).getIndexAttr(depth->getSExtValue() + step - 1));
}
