//===- StepComposition.cpp - k steps of a time loop as one ----------------===//
//
// The plan. Sources: ConvStencil (kernel fusion of time steps) for the sum of
// the interior; what is near a boundary is computed as the program says.
//
//===----------------------------------------------------------------------===//

#include "StepComposition.h"
#include "ComposedForm.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

namespace {
class Planner {
public:
  Planner(unsigned steps, MathMode math, FieldAliasAnalysis &aliases,
          NoTimeLoop &why)
      : math(math), aliases(aliases), why(why) {
    plan.steps = steps;
  }
  bool run(scf::ForOp loop);
  StepComposition take() { return std::move(plan); }

private:
  bool fail(Operation *op, const Twine &reason);
  bool checkLoop();
  bool findStep();
  void findReach();
  void findKept();
  bool compose();
  bool findRims();
  int64_t getDepth(Attribute condition, int64_t halo) const;

  MathMode math;
  FieldAliasAnalysis &aliases;
  NoTimeLoop &why;
  StepComposition plan;
};
} // namespace

bool Planner::fail(Operation *op, const Twine &reason) {
  why.reason = reason.str();
  why.culprit = op;
  return false;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// A swap of two fields, with one load, one apply and one store.
bool Planner::checkLoop() {
  TimeLoop &time = plan.time;
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp())
    return fail(loop, "its bounds are unsigned");
  if (time.levels.size() != 1)
    return fail(loop, "a step is computed from " + Twine(time.levels.size()) +
                          " earlier states, expected one");
  if (time.stages != 1 || time.applies.size() != 1 || time.stores.size() != 1)
    return fail(loop, "a step is " + Twine(time.applies.size()) +
                          " applies and " + Twine(time.stores.size()) +
                          " stores, expected one of either");
  if (time.next.size() != 2 || time.period != 2)
    return fail(loop, "expected two fields that are swapped, got " +
                          Twine(time.next.size()) +
                          " fields with a period of " + Twine(time.period));
  if (time.boundaries.size() > 1)
    return fail(time.boundaries[1], "there are several boundary ops");
  plan.now = time.levels.front();
  plan.then = 1 - plan.now;
  if (time.loads.size() != 1)
    return fail(time.loads[1], "a step loads several values");
  if (time.getPosition(time.stores[0].getField(), aliases) != plan.then)
    return fail(time.stores[0],
                "a step is stored over the state that it reads");
  if (time.boundaries.empty())
    return true;
  plan.boundary = time.boundaries.front();
  if (time.getPosition(plan.boundary.getField(), aliases) != plan.now)
    return fail(plan.boundary,
                "the halo of the next state is set at the end of a step, "
                "expected it at the beginning of the next one");
  return true;
}

bool Planner::findStep() {
  ApplyOp apply = plan.step = plan.time.applies.front();
  auto terminator = cast<ReturnOp>(apply.getBodyBlock()->getTerminator());
  if (apply.getRes().size() != 1 || terminator.getUnroll())
    return fail(apply, "the step is unrolled or has several results");
  Type type = terminator.getArgs().front().getType();
  if (type != apply.getOutputElementType(0))
    return fail(apply, "the step stores nothing at some points");
  Value state = plan.time.loads[0].getRes();
  if (llvm::count(apply.getArgs(), state) != 1 ||
      plan.time.stores[0].getTemp() != apply.getRes().front() ||
      cast<GridType>(state.getType()).getElementType() != type)
    return fail(apply, "the step is not a function of the state");
  plan.input = llvm::find(apply.getArgs(), state) - apply.getArgs().begin();
  if (plan.time.isStepDependent)
    return fail(apply, "the step depends on the loop's induction variable");
  return true;
}

/// How far the step reads.
void Planner::findReach() {
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

void Planner::findKept() {
  for (int64_t axis = 0, rank = plan.below.size(); axis < rank; ++axis) {
    auto keeps = [&](bool upper) {
      return !plan.boundary ||
             isa<KeepAttr>(plan.boundary.getCondition(axis, upper));
    };
    plan.keepsHalo |= (plan.below[axis] > 0 && keeps(false)) ||
                      (plan.above[axis] > 0 && keeps(true));
  }
  // After an even number of steps, the fields have not changed places, but the
  // composed loop swaps them.
  plan.copiesState = plan.keepsHalo && plan.steps % 2 == 0;
  // One step gives the older field its values, the one before it its halo.
  plan.tail = plan.boundary ? 2 : 1;
}

bool Planner::compose() {
  size_t taps = 1;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above)) {
    taps *= (low + high) * plan.steps + 1;
    if (taps > kMaxComposedTaps)
      return fail(plan.step, "the composed sum would have more than " +
                                 Twine(kMaxComposedTaps) + " taps");
  }
  std::string reason;
  if (!composeForm(plan.step, plan.input, plan.steps, math, reason))
    return fail(plan.step, reason);
  return true;
}

//===----------------------------------------------------------------------===//
// The rim
//===----------------------------------------------------------------------===//

/// Interior points next to its side that a condition reads to fill a halo.
int64_t Planner::getDepth(Attribute condition, int64_t halo) const {
  if (halo == 0)
    return 0;
  if (isa<SymmetricAttr, AntisymmetricAttr>(condition))
    return halo + 1;
  if (auto extrapolate = dyn_cast<ExtrapolateAttr>(condition))
    return extrapolate.getOrder() + 1;
  return isa<NeumannAttr>(condition) ? 1 : 0;
}

bool Planner::findRims() {
  TimeLoop &time = plan.time;
  int64_t rank = plan.below.size();
  int64_t reach = plan.copiesState ? plan.steps : plan.steps - 1;
  plan.rims.resize(plan.steps + 1);
  for (StepComposition::Widths &widths : plan.rims) {
    widths.lower.assign(rank, 0);
    widths.upper.assign(rank, 0);
  }
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t below = plan.below[axis], above = plan.above[axis];
    // What the composed sum is not taken at.
    int64_t lower = reach * below, upper = reach * above;
    int64_t lb = time.interior.getLb()[axis], ub = time.interior.getUb()[axis];
    if (isSymbolic(lb) == isSymbolic(ub) && ub - lb <= lower + upper)
      return fail(time.loop, "the interior has " + Twine(ub - lb) +
                                 " points along axis " + Twine(axis) +
                                 ", expected more than " +
                                 Twine(lower + upper));
    // What conditions read at every level.
    int64_t depthLower = 0, depthUpper = 0;
    if (plan.boundary) {
      BoundaryOp boundary = plan.boundary;
      depthLower = getDepth(boundary.getCondition(axis, false), below);
      depthUpper = getDepth(boundary.getCondition(axis, true), above);
      if (isa<PeriodicAttr>(boundary.getCondition(axis, false))) {
        depthLower = above;
        depthUpper = below;
      }
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
  // The halos of both fields hold what the step reads, and so what rims need.
  for (Value field : aliases.getCarriedFields(time.loop.getOperation()).args) {
    BoundsAttr bounds = cast<GridType>(field.getType()).getBounds();
    if (!bounds || !bounds.contains(plan.getRimType().getBounds()))
      return fail(time.loop, "the halo of a field is smaller than the radius");
  }
  return true;
}

FieldType StepComposition::getRimType() const {
  GridBox box(time.interior);
  for (size_t axis = 0; axis < below.size(); ++axis) {
    box.lb[axis] -= below[axis];
    box.ub[axis] += above[axis];
  }
  StoreOp store = time.stores.front();
  Type element = cast<GridType>(store.getField().getType()).getElementType();
  return FieldType::get(BoundsAttr::get(element.getContext(), box.lb, box.ub),
                        element);
}

SmallVector<BoundsAttr> StepComposition::getRim(unsigned level) const {
  const Widths &widths = rims[level];
  MLIRContext *context = time.interior.getContext();
  GridBox rest(time.interior);
  SmallVector<BoundsAttr> boxes;
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    int64_t lb = rest.lb[axis], ub = rest.ub[axis];
    int64_t lower = widths.lower[axis], upper = widths.upper[axis];
    if (lower + upper == 0)
      continue;
    if (isSymbolic(lb) == isSymbolic(ub) && ub - lb <= lower + upper) {
      boxes.push_back(BoundsAttr::get(context, rest.lb, rest.ub));
      return boxes;
    }
    GridBox slab = rest;
    slab.ub[axis] = rest.lb[axis] = lb + lower;
    if (lower > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
    slab.lb[axis] = rest.ub[axis] = ub - upper;
    slab.ub[axis] = ub;
    if (upper > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
  }
  return boxes;
}

BoundsAttr StepComposition::getCore() const {
  GridBox box(time.interior);
  for (size_t axis = 0; axis < box.lb.size(); ++axis) {
    box.lb[axis] += rims[steps].lower[axis];
    box.ub[axis] -= rims[steps].upper[axis];
  }
  return BoundsAttr::get(time.interior.getContext(), box.lb, box.ub);
}

bool Planner::run(scf::ForOp loop) {
  std::optional<TimeLoop> time = findTimeLoop(loop, aliases, why);
  if (!time)
    return false;
  plan.time = std::move(*time);
  if (!loop->getParentOfType<FunctionOpInterface>())
    return fail(loop, "it is not in a function");
  if (!checkLoop() || !findStep())
    return false;
  findReach();
  findKept();
  return compose() && findRims();
}

std::optional<StepComposition>
stencil::planComposition(scf::ForOp loop, unsigned steps, MathMode math,
                         FieldAliasAnalysis &aliases, NoTimeLoop &why) {
  Planner planner(steps, math, aliases, why);
  if (!planner.run(loop))
    return std::nullopt;
  return planner.take();
}
