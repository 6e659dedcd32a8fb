//===- RimPlanner.cpp - What is near a boundary, of composed steps --------===//

#include "StencilDialect/Tile/TilePlane.h"
#include "StepPlanner.h"

using namespace mlir;
using namespace stencil;

bool RimPlanner::checkInterior(int64_t axis, int64_t lower, int64_t upper) {
  int64_t lb = plan.time.interior.getLb()[axis];
  int64_t ub = plan.time.interior.getUb()[axis];
  if (isSymbolic(lb) != isSymbolic(ub) || ub - lb > lower + upper)
    return true;
  return refuse(why, plan.time.loop,
                "the interior has " + Twine(ub - lb) + " points along axis " +
                    Twine(axis) + ", expected more than " +
                    Twine(lower + upper));
}

bool RimPlanner::planSteps() {
  plan.rim = ComposedRim::Steps;
  int64_t rank = plan.below.size();
  int64_t reach = plan.copiesState ? plan.steps : plan.steps - 1;
  plan.rims.resize(plan.steps + 1);
  for (StepComposition::Widths &widths : plan.rims) {
    widths.lower.assign(rank, 0);
    widths.upper.assign(rank, 0);
  }
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (plan.isInWindows(axis))
      continue;
    int64_t below = plan.below[axis], above = plan.above[axis];
    // What the composed sum is not taken at.
    int64_t lower = reach * below, upper = reach * above;
    if (!checkInterior(axis, lower, upper))
      return false;
    // What conditions read at every level.
    int64_t depthLower = plan.countSources(axis, false);
    int64_t depthUpper = plan.countSources(axis, true);
    if (plan.getRule(axis, false).wraps()) {
      depthLower = above;
      depthUpper = below;
    }
    for (unsigned level = plan.steps;; --level) {
      plan.rims[level].lower[axis] = lower;
      plan.rims[level].upper[axis] = upper;
      // Level 0 is there already, unless it is copied.
      if (level == (plan.copiesState ? 0 : 1))
        break;
      lower = std::max(lower > 0 ? lower + above : 0, depthLower);
      upper = std::max(upper > 0 ? upper + below : 0, depthUpper);
    }
  }
  return true;
}

bool RimPlanner::planEdges() {
  // Of which there are no values beyond the boundary.
  if (plan.readsMoreThanState())
    return refuse(why, plan.step, "a step reads more than the state");
  plan.rim = ComposedRim::AtOnce;
  int64_t rank = plan.below.size(), steps = plan.steps;
  plan.rims.assign(steps + 1, {SmallVector<int64_t>(rank, 0),
                               SmallVector<int64_t>(rank, 0)});
  plan.margins.assign(rank, 0);
  int64_t wrapped = 0, others = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t farthest = std::max(plan.below[axis], plan.above[axis]);
    if (farthest == 0)
      continue;
    bool wraps = plan.getRule(axis, false).wraps();
    (wraps ? wrapped : others) += 1;
    int64_t lower = steps * plan.below[axis], upper = steps * plan.above[axis];
    if (!checkInterior(axis, lower, upper))
      return false;
    plan.rims[steps].lower[axis] = lower;
    plan.rims[steps].upper[axis] = upper;
    // What a step reads, and conditions: of the interior, and at most.
    int64_t sourcesLower = plan.countSources(axis, false);
    int64_t sourcesUpper = plan.countSources(axis, true);
    for (int64_t level = steps; level > 0; --level) {
      lower = std::max(lower > 0 ? lower + plan.above[axis] : 0, sourcesLower);
      upper = std::max(upper > 0 ? upper + plan.below[axis] : 0, sourcesUpper);
    }
    int64_t beside = std::max(sourcesLower, sourcesUpper);
    plan.margins[axis] =
        steps * (farthest + (beside > 0 ? beside + farthest : 0));
    int64_t images = wraps ? plan.margins[axis] : 0;
    plan.rims[0].lower[axis] = std::max(lower, images);
    plan.rims[0].upper[axis] = std::max(upper, images);
  }
  if (wrapped == 0)
    return true;
  // Corners would be images of what is not there, and an image is not where its
  // point is.
  if (others > 0)
    return refuse(why, plan.boundary,
                  "it is periodic along some of the axes only");
  return !tile::usesCoordinates(plan.step) ||
         refuse(why, plan.step,
                "the step depends on where a point is, and the field is "
                "periodic");
}

bool RimPlanner::planMatrices(const CompositionRequest &request) {
  if (plan.step.getRank() != 1)
    return refuse(why, plan.step,
                  "a rim at once is one of a single axis, got " +
                      Twine(plan.step.getRank()));
  plan.rim = ComposedRim::AtOnce;
  int64_t lower = plan.reach.outwards, upper = plan.reach.inwards;
  if (!checkInterior(0, lower, upper))
    return false;
  plan.rims.assign(plan.steps + 1, {{0}, {0}});
  plan.rims.back() = {{lower}, {upper}};
  if (plan.isPeriodic())
    return true;
  std::optional<RowStep> row = RowStep::find(plan, request.math, why);
  return row && row->makeMatrices(request.tolerance, plan, why);
}
