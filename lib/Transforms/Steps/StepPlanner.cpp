//===- StepPlanner.cpp - The step of a loop, and its rim ------------------===//

#include "StepPlanner.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

/// A sum is of the state alone; other steps may read what does not change, too.
bool StepFinder::findState() {
  TimeLoop &time = plan.time;
  for (LoadOp load : time.loads) {
    if (plan.isChained &&
        time.getPosition(load.getField(), aliases) != plan.now)
      continue;
    if (state)
      return why.refuse(load, "a step loads several values");
    state = load;
  }
  return true;
}

/// A swap of two fields, with one load, one apply and one store.
bool StepFinder::checkLoop() {
  TimeLoop &time = plan.time;
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp())
    return why.refuse(loop, "its bounds are unsigned");
  if (time.levels.size() != 1)
    return why.refuse(loop, "a step is computed from " +
                                Twine(time.levels.size()) +
                                " earlier states, expected one");
  if (time.stages != 1 || time.applies.size() != 1 || time.stores.size() != 1)
    return why.refuse(loop, "a step is " + Twine(time.applies.size()) +
                                " applies and " + Twine(time.stores.size()) +
                                " stores, expected one of either");
  if (time.next.size() != 2 || time.period != 2)
    return why.refuse(loop, "expected two fields that are swapped, got " +
                                Twine(time.next.size()) +
                                " fields with a period of " +
                                Twine(time.period));
  if (time.boundaries.size() > 1)
    return why.refuse(time.boundaries[1], "there are several boundary ops");
  plan.now = time.levels.front();
  plan.then = 1 - plan.now;
  if (!findState())
    return false;
  if (time.getPosition(time.stores[0].getField(), aliases) != plan.then)
    return why.refuse(time.stores[0],
                      "a step is stored over the state that it reads");
  if (time.boundaries.empty())
    return true;
  plan.boundary = time.boundaries.front();
  if (time.getPosition(plan.boundary.getField(), aliases) != plan.now)
    return why.refuse(plan.boundary,
                      "the halo of the next state is set at the end of a step, "
                      "expected it at the beginning of the next one");
  return true;
}

bool StepFinder::findStep() {
  ApplyOp apply = plan.step = plan.time.applies.front();
  auto terminator = cast<ReturnOp>(apply.getBodyBlock()->getTerminator());
  if (apply.getRes().size() != 1 || terminator.getUnroll())
    return why.refuse(apply, "the step is unrolled or has several results");
  Type type = terminator.getArgs().front().getType();
  if (type != apply.getOutputElementType(0))
    return why.refuse(apply, "the step stores nothing at some points");
  if (llvm::count(apply.getArgs(), state.getRes()) != 1 ||
      plan.time.stores[0].getTemp() != apply.getRes().front() ||
      getElementType(state.getRes()) != type)
    return why.refuse(apply, "the step is not a function of the state");
  plan.input =
      llvm::find(apply.getArgs(), state.getRes()) - apply.getArgs().begin();
  if (plan.time.isStepDependent)
    return why.refuse(apply,
                      "the step depends on the loop's induction variable");
  return true;
}

/// How far the step reads.
void StepFinder::findReach() {
  plan.below.assign(plan.step.getRank(), 0);
  plan.above.assign(plan.step.getRank(), 0);
  plan.images = AxisWidths(plan.step.getRank());
  Footprint(plan.step).forEachRead(plan.input, [&](const InputRead &read) {
    for (auto [axis, low, high] :
         llvm::zip_equal(read.axes, read.lower, read.upper)) {
      plan.below[axis] = std::max(plan.below[axis], -low);
      plan.above[axis] = std::max(plan.above[axis], high);
    }
  });
}

void StepFinder::findKept() {
  for (int64_t axis = 0, rank = plan.below.size(); axis < rank; ++axis) {
    for (bool isUpper : {false, true})
      plan.keepsHalo |= plan.getReach(axis, isUpper) > 0 &&
                        plan.getRule(axis, isUpper).isKept();
  }
  // After an even number of steps, the fields have not changed places, but the
  // composed loop swaps them.
  plan.copiesState = plan.keepsHalo && plan.steps % 2 == 0;
  // One step gives the older field its values, the one before it its halo.
  plan.tail = !plan.keepsPlaces ? 0 : plan.boundary ? 2 : 1;
}

bool StepFinder::haveRoom(BoundsAttr box) {
  Operation *loop = plan.time.loop;
  return llvm::all_of(aliases.getCarriedFields(loop).args, [&](Value field) {
    BoundsAttr bounds = getBounds(field);
    return bounds && bounds.contains(box);
  });
}

bool StepFinder::checkHalos() {
  return haveRoom(plan.getRimType().getBounds()) ||
         why.refuse(plan.time.loop,
                    "the halo of a field is smaller than the radius");
}

bool StepFinder::find(scf::ForOp loop) {
  std::optional<TimeLoop> time = findTimeLoop(loop, aliases, why);
  if (!time)
    return false;
  plan.time = std::move(*time);
  if (!loop->getParentOfType<FunctionOpInterface>())
    return why.refuse(loop, "it is not in a function");
  if (!checkLoop() || !findStep())
    return false;
  findReach();
  findKept();
  return true;
}

//===----------------------------------------------------------------------===//
// What is near a boundary
//===----------------------------------------------------------------------===//

bool stencil::planRimSteps(StepComposition &plan, NoTimeLoop &why) {
  plan.rim = ComposedRim::Steps;
  int64_t rank = plan.below.size();
  int64_t reach = plan.copiesState ? plan.steps : plan.steps - 1;
  plan.rims.assign(plan.steps + 1, AxisWidths(rank));
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (plan.isInWindows(axis))
      continue;
    int64_t below = plan.below[axis], above = plan.above[axis];
    // What the composed sum is not taken at.
    int64_t lower = reach * below, upper = reach * above;
    if (!hasMorePoints(plan.time, axis, lower + upper, why))
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

bool stencil::planRimEdges(StepComposition &plan, NoTimeLoop &why) {
  // Of which there are no values beyond the boundary.
  if (plan.readsMoreThanState())
    return why.refuse(plan.step, "a step reads more than the state");
  plan.rim = ComposedRim::AtOnce;
  int64_t rank = plan.below.size(), steps = plan.steps;
  plan.rims.assign(steps + 1, AxisWidths(rank));
  plan.margins.assign(rank, 0);
  int64_t wrapped = 0, others = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t farthest = std::max(plan.below[axis], plan.above[axis]);
    if (farthest == 0)
      continue;
    bool wraps = plan.getRule(axis, false).wraps();
    (wraps ? wrapped : others) += 1;
    int64_t lower = steps * plan.below[axis], upper = steps * plan.above[axis];
    if (!hasMorePoints(plan.time, axis, lower + upper, why))
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
    return why.refuse(plan.boundary,
                      "it is periodic along some of the axes only");
  return !tile::usesCoordinates(plan.step) ||
         why.refuse(plan.step,
                    "the step depends on where a point is, and the field is "
                    "periodic");
}

bool stencil::planRimMatrices(const CompositionRequest &request,
                              StepComposition &plan, NoTimeLoop &why) {
  if (plan.step.getRank() != 1)
    return why.refuse(plan.step, "a rim at once is one of a single axis, got " +
                                     Twine(plan.step.getRank()));
  plan.rim = ComposedRim::AtOnce;
  int64_t lower = plan.reach.outwards, upper = plan.reach.inwards;
  if (!hasMorePoints(plan.time, /*axis=*/0, lower + upper, why))
    return false;
  plan.rims.assign(plan.steps + 1, AxisWidths(/*rank=*/1));
  plan.rims.back().lower = {lower};
  plan.rims.back().upper = {upper};
  if (plan.isPeriodic())
    return true;
  std::optional<RowStep> row = RowStep::find(plan, request.math, why);
  return row && row->makeMatrices(request.tolerance, plan, why);
}
