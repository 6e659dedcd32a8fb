//===- StepComposition.cpp - k steps of a time loop as one ----------------===//
//
// The plan. Sources: ConvStencil (kernel fusion of time steps) for the sum of
// the interior; what is near a boundary is computed as the program says.
//
//===----------------------------------------------------------------------===//

#include "StepComposition.h"
#include "StencilDialect/Analysis/LinearForm.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

/// Composed sums with more taps would take long to make, and longer to compute.
static constexpr int64_t kMaxTaps = 1 << 16;

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
  bool findSum();
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

bool Planner::findSum() {
  ApplyOp apply = plan.time.applies.front();
  Block *body = apply.getBodyBlock();
  auto terminator = cast<ReturnOp>(body->getTerminator());
  plan.sum = terminator.getArgs().front().getDefiningOp<WeightedSumOp>();
  bool isSum = plan.sum && terminator.getArgs().size() == 1 &&
               llvm::hasSingleElement(body->without_terminator()) &&
               plan.sum.isOverInput() && plan.sum.getDenseWeights() &&
               !plan.sum.getOffsetMapping() &&
               plan.sum.getTapType() == plan.sum.getRes().getType();
  if (!isSum)
    return fail(apply, "the step is not one stencil.weighted_sum with constant "
                       "weights (stencil-raise-weighted-sums finds it)");
  auto input = cast<BlockArgument>(plan.sum.getInput());
  if (apply.getArgs()[input.getArgNumber()] != plan.time.loads[0].getRes() ||
      plan.time.stores[0].getTemp() != apply.getRes().front())
    return fail(apply, "the step is not a sum over the state");
  if (!mayReassociate(plan.sum, math))
    return fail(plan.sum, "the order of the sum may not be changed; needs "
                          "math=reassociate, or fastmath<reassoc> on the sum");
  return true;
}

/// How far the taps are, of those whose weight is not zero.
void Planner::findReach() {
  int64_t rank = plan.sum.getOffsetRank();
  plan.below.assign(rank, 0);
  plan.above.assign(rank, 0);
  for (auto [tap, weight] :
       llvm::enumerate(plan.sum.getDenseWeights().getValues<Attribute>())) {
    if (Number::get(weight)->isZero())
      continue;
    for (auto [axis, offset] : llvm::enumerate(plan.sum.getOffset(tap))) {
      plan.below[axis] = std::max(plan.below[axis], -offset);
      plan.above[axis] = std::max(plan.above[axis], offset);
    }
  }
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

//===----------------------------------------------------------------------===//
// The composed sum
//===----------------------------------------------------------------------===//

bool Planner::compose() {
  int64_t taps = 1;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above)) {
    taps *= (low + high) * plan.steps + 1;
    if (taps > kMaxTaps)
      return fail(plan.sum, "the composed sum would have more than " +
                                Twine(kMaxTaps) + " taps");
  }
  Type type = plan.sum.getRes().getType();
  Value input = plan.sum.getInput();
  TapSource source{input, {}};
  llvm::append_range(source.axes,
                     llvm::seq<int64_t>(0, plan.sum.getOffsetRank()));
  LinearForm step(type);
  for (auto [tap, weight] :
       llvm::enumerate(plan.sum.getDenseWeights().getValues<Attribute>()))
    if (Number number = *Number::get(weight); !number.isZero())
      step.add(source, plan.sum.getOffset(tap), Coefficient(number));
  LinearForm composed = step;
  for (unsigned i = 1; i < plan.steps; ++i)
    composed.substitute(input, step);
  composed.dropZeros();

  SmallVector<Attribute> weights;
  for (const auto &[from, sum] : composed.getSources())
    for (const auto &[offset, coefficient] : sum) {
      TypedAttr weight = coefficient.getNumber().round(type);
      Number rounded = *Number::get(weight);
      if (!rounded.isFinite())
        return fail(plan.sum, "a composed weight is too large for its type");
      if (rounded.isZero())
        continue;
      llvm::append_range(plan.offsets, offset);
      weights.push_back(weight);
    }
  if (weights.empty()) {
    plan.offsets.assign(plan.sum.getOffsetRank(), 0);
    weights.push_back(Number::get(type, 0).round(type));
  }
  plan.weights = DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(weights.size()), type),
      weights);
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
  Type element = weights.getElementType();
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
  if (!checkLoop() || !findSum())
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
