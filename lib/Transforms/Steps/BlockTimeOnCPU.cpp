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
#include "StencilDialect/IR/Elements.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

int64_t stencil::getMostSteps(int64_t rank) {
  // More make long code, and memory is no limit any more.
  return rank == 2 ? 9 : 5;
}

/// The share of the points that a tile stores, of those that it computes in one
/// step on the average: what it keeps is in half of the cache. Of two axes or
/// more.
static double getStoredShare(const StepComposition &plan, uint64_t cache) {
  ApplyOp apply = plan.step;
  int64_t rank = apply.getRank(), steps = plan.steps;
  int64_t bytes = getElementBytes(apply.getOutputElementType(0));
  int64_t planes = plan.below.front() + plan.above.front() + 1;
  double room = static_cast<double>(cache) / 2 /
                static_cast<double>(bytes * planes * (steps - 1));
  // A square, or a row.
  int64_t across = rank - 1;
  double side = std::pow(room, 1.0 / static_cast<double>(across));
  double share = 1;
  for (int64_t axis = rank - across; axis < rank; ++axis) {
    auto halo = static_cast<double>((plan.below[axis] + plan.above[axis]) *
                                    (steps - 1));
    if (side <= 2 * halo)
      return 0;
    share *= (side - halo) / (side - halo / 2);
  }
  return share;
}

std::string stencil::explainSteps(const StepComposition &plan,
                                  ArrayRef<int64_t> extents,
                                  const StepCaches &caches) {
  ApplyOp apply = plan.step;
  int64_t rank = apply.getRank();
  if (static_cast<int64_t>(extents.size()) != rank ||
      llvm::any_of(extents, [](int64_t extent) { return extent <= 0; }))
    return "the extents are not known";
  // Measured: 3 points gain a fifth, 5 points lose.
  if (rank == 1)
    return "rows gain nothing";
  double bytes = 2 * getElementBytes(apply.getOutputElementType(0));
  for (int64_t extent : extents)
    bytes *= static_cast<double>(extent);
  if (bytes <= static_cast<double>(caches.last))
    return "the last-level cache holds the fields";
  // The rim, which is computed step by step, is little beside the core.
  constexpr int64_t kRims = 16;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!plan.isInWindows(axis) &&
        extents[axis] <
            kRims * (plan.below[axis] + plan.above[axis]) * int64_t(plan.steps))
      return "the rim would be a large part of it";
  OperationCount work = getApplyCost(apply, /*contract=*/true).shared;
  if (work.divisions + work.functions > 0)
    return "it divides, or calls functions";
  // Measured on 16 cores of a Xeon (docs/benchmarks.md): 5 and 9 points of a
  // plane are 1.8 to 2.4 times as fast, 13 points 1.2 times, 7 of a volume 1.4
  // to 2 times; 27 of a volume, which take as long to compute as to fetch, and
  // stars of radius 4, of whose planes a core's cache holds narrow tiles only,
  // are slower.
  constexpr int64_t kMostOperations = 16;
  if (work.operations() > kMostOperations)
    return "its body has too many operations to wait for memory";
  for (int64_t axis = 0; axis < rank; ++axis)
    if (rank > 2 && std::max(plan.below[axis], plan.above[axis]) > 1)
      return "of volumes, it reads farther than what was measured";
  constexpr double kLeastShare = 0.75;
  if (getStoredShare(plan, caches.core) < kLeastShare)
    return "tiles in a core's cache would compute too much twice";
  return "";
}
