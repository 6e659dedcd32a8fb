//===- StepFinder.cpp - The step of a loop --------------------------------===//

#include "StencilDialect/IR/Footprint.h"
#include "StepPlanner.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

bool stencil::refuse(NoTimeLoop &why, Operation *culprit, const Twine &reason) {
  why.reason = reason.str();
  why.culprit = culprit;
  return false;
}

/// A sum is of the state alone; other steps may read what does not change, too.
bool StepFinder::findState() {
  TimeLoop &time = plan.time;
  for (LoadOp load : time.loads) {
    if (plan.isChained &&
        time.getPosition(load.getField(), aliases) != plan.now)
      continue;
    if (state)
      return refuse(why, load, "a step loads several values");
    state = load;
  }
  return true;
}

/// A swap of two fields, with one load, one apply and one store.
bool StepFinder::checkLoop() {
  TimeLoop &time = plan.time;
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp())
    return refuse(why, loop, "its bounds are unsigned");
  if (time.levels.size() != 1)
    return refuse(why, loop,
                  "a step is computed from " + Twine(time.levels.size()) +
                      " earlier states, expected one");
  if (time.stages != 1 || time.applies.size() != 1 || time.stores.size() != 1)
    return refuse(why, loop,
                  "a step is " + Twine(time.applies.size()) + " applies and " +
                      Twine(time.stores.size()) +
                      " stores, expected one of either");
  if (time.next.size() != 2 || time.period != 2)
    return refuse(why, loop,
                  "expected two fields that are swapped, got " +
                      Twine(time.next.size()) + " fields with a period of " +
                      Twine(time.period));
  if (time.boundaries.size() > 1)
    return refuse(why, time.boundaries[1], "there are several boundary ops");
  plan.now = time.levels.front();
  plan.then = 1 - plan.now;
  if (!findState())
    return false;
  if (time.getPosition(time.stores[0].getField(), aliases) != plan.then)
    return refuse(why, time.stores[0],
                  "a step is stored over the state that it reads");
  if (time.boundaries.empty())
    return true;
  plan.boundary = time.boundaries.front();
  if (time.getPosition(plan.boundary.getField(), aliases) != plan.now)
    return refuse(why, plan.boundary,
                  "the halo of the next state is set at the end of a step, "
                  "expected it at the beginning of the next one");
  return true;
}

bool StepFinder::findStep() {
  ApplyOp apply = plan.step = plan.time.applies.front();
  auto terminator = cast<ReturnOp>(apply.getBodyBlock()->getTerminator());
  if (apply.getRes().size() != 1 || terminator.getUnroll())
    return refuse(why, apply, "the step is unrolled or has several results");
  Type type = terminator.getArgs().front().getType();
  if (type != apply.getOutputElementType(0))
    return refuse(why, apply, "the step stores nothing at some points");
  if (llvm::count(apply.getArgs(), state.getRes()) != 1 ||
      plan.time.stores[0].getTemp() != apply.getRes().front() ||
      cast<GridType>(state.getRes().getType()).getElementType() != type)
    return refuse(why, apply, "the step is not a function of the state");
  plan.input =
      llvm::find(apply.getArgs(), state.getRes()) - apply.getArgs().begin();
  if (plan.time.isStepDependent)
    return refuse(why, apply,
                  "the step depends on the loop's induction variable");
  return true;
}

/// How far the step reads.
void StepFinder::findReach() {
  plan.below.assign(plan.step.getRank(), 0);
  plan.above.assign(plan.step.getRank(), 0);
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
  plan.tail = plan.boundary ? 2 : 1;
}

bool StepFinder::checkHalos() {
  TimeLoop &time = plan.time;
  for (Value field : aliases.getCarriedFields(time.loop.getOperation()).args) {
    BoundsAttr bounds = cast<GridType>(field.getType()).getBounds();
    if (!bounds || !bounds.contains(plan.getRimType().getBounds()))
      return refuse(why, time.loop,
                    "the halo of a field is smaller than the radius");
  }
  return true;
}

bool StepFinder::find(scf::ForOp loop) {
  std::optional<TimeLoop> time = findTimeLoop(loop, aliases, why);
  if (!time)
    return false;
  plan.time = std::move(*time);
  if (!loop->getParentOfType<FunctionOpInterface>())
    return refuse(why, loop, "it is not in a function");
  if (!checkLoop() || !findStep())
    return false;
  findReach();
  findKept();
  return true;
}
