//===- StepComposition.cpp - k steps of a time loop as one ----------------===//
//
// The plan. Sources: ConvStencil (kernel fusion of time steps) for the sum of
// the interior; what is near a boundary is computed as the program says.
//
//===----------------------------------------------------------------------===//

#include "StepComposition.h"
#include "ComposedForm.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

namespace {
class Planner {
public:
  Planner(const CompositionRequest &request, FieldAliasAnalysis &aliases,
          NoTimeLoop &why)
      : request(request), math(request.math), aliases(aliases), why(why) {
    plan.steps = request.steps;
    plan.isChained = request.isChained;
  }
  bool run(scf::ForOp loop);
  StepComposition take() { return std::move(plan); }

private:
  bool fail(Operation *op, const Twine &reason);
  bool checkLoop();
  bool findState();
  bool findStep();
  void findReach();
  bool checkReach();
  bool checkElements();
  void findKept();
  std::string explainNoWindows();
  bool readsMoreThanState() const;
  std::string explainOtherInputs() const;
  std::string explainNoHaloInSteps() const;
  int64_t countChoices() const;
  bool canHaveHaloInSteps() const;
  bool compose();
  bool composeAndCut();
  bool checkHalos();
  int64_t countSources(int64_t axis, bool upper) const;
  bool findRims();
  bool findEdges();
  bool checkInterior(int64_t axis, int64_t lower, int64_t upper);
  bool findRimAtOnce();
  bool findEnds();
  bool makeMatrices();
  bool setCondition(RimStep &end, bool upper);

  const CompositionRequest &request;
  MathMode math;
  FieldAliasAnalysis &aliases;
  NoTimeLoop &why;
  StepComposition plan;
  /// The only load of the state.
  LoadOp state;
  /// Of a sum over one axis: the step as either end sees it.
  RimStep lowerEnd, upperEnd;
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

/// A sum is of the state alone; other steps may read what does not change, too.
bool Planner::findState() {
  TimeLoop &time = plan.time;
  for (LoadOp load : time.loads) {
    if (plan.isChained &&
        time.getPosition(load.getField(), aliases) != plan.now)
      continue;
    if (state)
      return fail(load, "a step loads several values");
    state = load;
  }
  return true;
}

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
  if (!findState())
    return false;
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
  if (llvm::count(apply.getArgs(), state.getRes()) != 1 ||
      plan.time.stores[0].getTemp() != apply.getRes().front() ||
      cast<GridType>(state.getRes().getType()).getElementType() != type)
    return fail(apply, "the step is not a function of the state");
  plan.input =
      llvm::find(apply.getArgs(), state.getRes()) - apply.getArgs().begin();
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

/// Chained steps read each other around the point, at known offsets.
bool Planner::checkReach() {
  Operation *computed = nullptr;
  Footprint(plan.step).forEachRead(plan.input, [&](const InputRead &read) {
    if (readsComputedPoints(read.op))
      computed = read.op;
  });
  if (computed)
    return fail(computed, "a step reads the state at computed coordinates, or "
                          "all of a row");
  int64_t reach = 0;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above))
    reach = std::max({reach, low, high});
  if (reach == 0)
    return fail(plan.step, "a step reads one point");
  // A stage each, and as many leads.
  constexpr int64_t kFarthest = 256;
  if (reach * plan.steps > kFarthest)
    return fail(plan.step, "the steps would read more than " +
                               Twine(kFarthest) + " points around theirs");
  return true;
}

/// In one body, what is beside a value is a sum of one tap.
bool Planner::checkElements() {
  Type element = plan.getRimType().getElementType();
  bool canBeSum = isa<FloatType>(element) ||
                  (element.isSignlessInteger() && !element.isInteger(1));
  return plan.hasWindows || canBeSum ||
         fail(plan.step, "expected a state of floats, or of integers of more "
                         "than one bit and without a sign");
}

void Planner::findKept() {
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

/// Why the steps cannot be stages of a pipeline; empty if they can be.
std::string Planner::explainNoWindows() {
  for (auto [number, argument] : llvm::enumerate(plan.step.getArgs())) {
    if (number == plan.input || !isa<GridType>(argument.getType()))
      continue;
    auto load = argument.getDefiningOp<LoadOp>();
    if (!load || load->getBlock() != plan.time.loop.getBody())
      return "input " + std::to_string(number) +
             " of the step is a value of outside of the loop";
  }
  if (isa<IndexType>(plan.getRimType().getElementType()))
    return "no boundary condition is one of indices";
  return "";
}

bool Planner::readsMoreThanState() const {
  ApplyOp step = plan.step;
  return llvm::any_of(llvm::enumerate(step.getArgs()), [&](auto argument) {
    return argument.index() != plan.input &&
           isa<GridType>(argument.value().getType());
  });
}

/// Why what a step reads besides the state cannot be fetched as that is; empty
/// if it can be, or is nothing.
std::string Planner::explainOtherInputs() const {
  ApplyOp step = plan.step;
  scf::ForOp loop = plan.time.loop;
  std::string reason;
  for (auto [number, argument] : llvm::enumerate(step.getArgs())) {
    auto type = dyn_cast<GridType>(argument.getType());
    if (number == plan.input || !type)
      continue;
    std::string name = "input " + std::to_string(number) + " of the step ";
    auto load = argument.getDefiningOp<LoadOp>();
    if (!load || load->getBlock() != loop.getBody())
      return name + "is a value of outside of the loop";
    auto field = cast<GridType>(load.getField().getType());
    if (type.getRank() != step.getRank() || !field.getBounds() ||
        type.getElementType() != plan.getRimType().getElementType())
      return name + "is no field of the rank and type of the state";
    Footprint(step).forEachRead(number, [&](const InputRead &read) {
      if (readsComputedPoints(read.op))
        reason = name + "is read at computed coordinates";
    });
  }
  return reason;
}

/// Why who reads a halo cannot compute it from what the step reads besides, and
/// no step knows what it is: nothing else, or what was at the same point
/// before. Empty if each side is one or the other.
std::string Planner::explainNoHaloInSteps() const {
  std::string other = explainOtherInputs();
  if (!other.empty())
    return other;
  for (int64_t axis = 0, rank = plan.below.size(); axis < rank; ++axis)
    for (bool isUpper : {false, true}) {
      int64_t reach = plan.getReach(axis, isUpper);
      HaloRule rule = plan.getRule(axis, isUpper);
      std::string where = " along axis " + std::to_string(axis);
      if (reach > 0 && rule.wraps())
        return "the field is periodic" + where;
      if (!plan.followsFromInside(axis, isUpper))
        continue;
      if (rule.countSources(reach) - 1 > plan.getReach(axis, !isUpper))
        return "a boundary condition takes values from farther inside than a "
               "step reads" +
               where;
      int64_t lb = plan.time.interior.getLb()[axis];
      int64_t ub = plan.time.interior.getUb()[axis];
      if (isSymbolic(lb) != isSymbolic(ub) ||
          ub - lb < rule.countInterior(reach))
        return "the extent is not known, or too small for the condition" +
               where;
    }
  if (!plan.followsFromInside())
    return "";
  bool sumsValues = false;
  plan.step->walk([&](WeightedSumOp sum) {
    sumsValues |= !isa<BlockArgument>(sum.getInput());
  });
  if (sumsValues)
    return "a step has a sum of values that it computes";
  // A select for each, in each step.
  constexpr int64_t kMostChoices = 128;
  return countChoices() > kMostChoices
             ? "a step would choose between values too often"
             : "";
}

/// How often a step chooses between what it reads and what a condition says.
int64_t Planner::countChoices() const {
  int64_t choices = 0;
  auto add = [&](ArrayRef<int64_t> offset) {
    for (auto [axis, along] : llvm::enumerate(offset))
      if (along != 0 && plan.followsFromInside(axis, /*upper=*/along > 0))
        choices += std::abs(along);
  };
  ApplyOp step = plan.step;
  BlockArgument state = step.getBodyBlock()->getArgument(plan.input);
  for (Operation *user : state.getUsers()) {
    if (auto access = dyn_cast<AccessOp>(user))
      add(access.getOffset().getValues());
    if (auto sum = dyn_cast<WeightedSumOp>(user))
      forEachTap(sum, [&](int64_t tap, bool) { add(sum.getOffset(tap)); });
  }
  return choices;
}

/// Whether steps may have their halos.
bool Planner::canHaveHaloInSteps() const {
  return isa<FloatType>(plan.getRimType().getElementType()) &&
         !mayBodyFail(plan.step);
}

bool StepComposition::followsFromInside() const {
  for (int64_t axis = 0, rank = below.size(); axis < rank; ++axis)
    if (followsFromInside(axis, false) || followsFromInside(axis, true))
      return true;
  return false;
}

bool StepComposition::followsFromInside(int64_t axis, bool upper) const {
  HaloRule rule = getRule(axis, upper);
  return getReach(axis, upper) > 0 &&
         (rule.kind == HaloRule::Kind::Point || rule.isPolynomial());
}

bool StepComposition::isInWindows(int64_t axis) const {
  return hasHaloInSteps ||
         (hasWindows && !getRule(axis, /*upper=*/false).wraps());
}

BoundsAttr StepComposition::getHalo(int64_t axis, bool upper) const {
  GridBox box(getRimType().getBounds()), inner(time.interior);
  for (size_t later = axis + 1; later < below.size(); ++later) {
    box.lb[later] = inner.lb[later];
    box.ub[later] = inner.ub[later];
  }
  if (upper)
    box.lb[axis] = inner.ub[axis];
  else
    box.ub[axis] = inner.lb[axis];
  return BoundsAttr::get(time.interior.getContext(), box.lb, box.ub);
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
  plan.reach = {plan.steps * plan.below[0], plan.steps * plan.above[0]};
  return true;
}

//===----------------------------------------------------------------------===//
// The rim
//===----------------------------------------------------------------------===//

bool Planner::checkInterior(int64_t axis, int64_t lower, int64_t upper) {
  int64_t lb = plan.time.interior.getLb()[axis];
  int64_t ub = plan.time.interior.getUb()[axis];
  if (isSymbolic(lb) != isSymbolic(ub) || ub - lb > lower + upper)
    return true;
  return fail(plan.time.loop,
              "the interior has " + Twine(ub - lb) + " points along axis " +
                  Twine(axis) + ", expected more than " + Twine(lower + upper));
}

/// The halos of both fields hold what the step reads, and so what rims need.
bool Planner::checkHalos() {
  TimeLoop &time = plan.time;
  for (Value field : aliases.getCarriedFields(time.loop.getOperation()).args) {
    BoundsAttr bounds = cast<GridType>(field.getType()).getBounds();
    if (!bounds || !bounds.contains(plan.getRimType().getBounds()))
      return fail(time.loop, "the halo of a field is smaller than the radius");
  }
  return true;
}

/// Of the interior, for what a step reads of the halo on one side.
int64_t Planner::countSources(int64_t axis, bool upper) const {
  int64_t halo = plan.getReach(axis, upper);
  return halo > 0 ? plan.getRule(axis, upper).countSources(halo) : 0;
}

bool Planner::findRims() {
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
    int64_t depthLower = countSources(axis, false);
    int64_t depthUpper = countSources(axis, true);
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

//===----------------------------------------------------------------------===//
// Chained steps of the rim at once
//===----------------------------------------------------------------------===//

HaloRule StepComposition::getRule(int64_t axis, bool upper) const {
  BoundaryOp op = boundary;
  return op ? getHaloRule(op.getCondition(axis, upper)) : HaloRule::keep();
}

/// What conditions say of a halo is part of every step, if it follows from
/// points nearby. Of a periodic axis, more of the other end is copied instead.
bool Planner::findEdges() {
  // Of which there are no values beyond the boundary.
  if (readsMoreThanState())
    return fail(plan.step, "a step reads more than the state");
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
    int64_t sourcesLower = countSources(axis, false);
    int64_t sourcesUpper = countSources(axis, true);
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
    return fail(plan.boundary, "it is periodic along some of the axes only");
  return !tile::usesCoordinates(plan.step) ||
         fail(plan.step,
              "the step depends on where a point is, and the field is "
              "periodic");
}

FieldType StepComposition::getEdgeType() const {
  GridBox box(time.interior);
  for (auto [axis, margin] : llvm::enumerate(margins)) {
    box.lb[axis] -= margin;
    box.ub[axis] += margin;
  }
  FieldType rim = getRimType();
  return FieldType::get(BoundsAttr::get(rim.getContext(), box.lb, box.ub),
                        rim.getElementType());
}

//===----------------------------------------------------------------------===//
// A sum of the rim at once
//===----------------------------------------------------------------------===//

/// More precise than any type of a program, where the host has such a type.
static long double toLongDouble(MLIRContext *context, const Number &number) {
  auto wide = cast<FloatAttr>(number.round(Float128Type::get(context)));
  APFloat rest = wide.getValue();
  long double sum = 0;
  // Twice as many digits as a double has.
  for (int part = 0; part < 2; ++part) {
    APFloat high = rest;
    bool isInexact;
    high.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &isInexact);
    sum += high.convertToDouble();
    high.convert(rest.getSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
    rest.subtract(high, APFloat::rmNearestTiesToEven);
  }
  return sum;
}

bool Planner::setCondition(RimStep &end, bool upper) {
  if (!plan.boundary || end.outwards == 0)
    return true;
  end.rule = plan.getRule(/*axis=*/0, upper);
  if (end.rule.isConstant())
    end.value =
        cast<FloatAttr>(
            convertNumber(end.rule.value, plan.getRimType().getElementType()))
            .getValueAsDouble();
  return true;
}

/// The step as both ends see it.
bool Planner::findEnds() {
  Type element = plan.getRimType().getElementType();
  if (!isa<FloatType>(element))
    return fail(plan.step,
                "a rim at once is one of floats, got " +
                    Twine(isa<IndexType>(element) ? "indices" : "integers"));
  std::string reason;
  std::optional<ComposedForm> form =
      findStepForm(plan.step, plan.input, math, reason);
  if (!form)
    return fail(plan.step, reason);
  MLIRContext *context = element.getContext();
  RimStep &lower = lowerEnd, &upper = upperEnd;
  lower.outwards = upper.inwards = plan.below[0];
  lower.inwards = upper.outwards = plan.above[0];
  bool isConstant = form->form.getConstant().isConstant();
  for (const auto &[source, taps] : form->form.getSources())
    for (const auto &[offset, coefficient] : taps) {
      isConstant &= coefficient.isConstant();
      long double weight = toLongDouble(context, coefficient.getNumber());
      lower.taps[offset[0]] = weight;
      upper.taps[-offset[0]] = weight;
    }
  if (!isConstant)
    return fail(plan.step, "the weights of the step are not constants, which "
                           "those of a rim at once are");
  lower.constant = upper.constant =
      toLongDouble(context, form->form.getConstant().getNumber());
  return setCondition(lower, false) && setCondition(upper, true);
}

/// The matrices of both ends.
bool Planner::makeMatrices() {
  for (bool isUpper : {false, true}) {
    int64_t own = isUpper ? plan.reach.inwards : plan.reach.outwards;
    if (countSources(/*axis=*/0, isUpper) > own)
      return fail(plan.boundary, "the boundary condition reads beyond the rim");
  }
  // Seconds, of which a tolerance is worth some.
  const uint64_t most = uint64_t(1) << (request.tolerance > 0 ? 32 : 29);
  RimReach reversed{plan.reach.inwards, plan.reach.outwards};
  if (countRimProducts(lowerEnd, plan.steps, plan.reach) > most ||
      countRimProducts(upperEnd, plan.steps, reversed) > most)
    return fail(plan.step, "the matrix of its rim would take more than " +
                               Twine(most) + " products");
  if (countRimElements(lowerEnd, plan.reach) > MatVecOp::kMostElements ||
      countRimElements(upperEnd, reversed) > MatVecOp::kMostElements)
    return fail(plan.step, "the matrix of its rim would have more than " +
                               Twine(MatVecOp::kMostElements) + " elements");
  Type element = plan.getRimType().getElementType();
  auto make = [&](const RimStep &end, const RimReach &reach,
                  RimMatrix &matrix) {
    matrix = makeRimMatrix(end, plan.steps, reach);
    bool isFinite = llvm::all_of(matrix.elements, [&](long double number) {
      return roundNumber(number, element).isFinite();
    });
    return isFinite || fail(plan.step, "a number in the matrix of its rim is "
                                       "not finite, or too large for its type");
  };
  return make(lowerEnd, plan.reach, plan.lowerRim) &&
         make(upperEnd, reversed, plan.upperRim);
}

bool Planner::composeAndCut() {
  if (plan.step.getRank() != 1)
    return fail(plan.step, "a tolerance is for sums over a single axis, got " +
                               Twine(plan.step.getRank()));
  if (!findEnds())
    return false;
  const RimStep &step = lowerEnd;
  int64_t below = step.outwards, width = below + step.inwards;
  // A second has 2^29 products.
  constexpr uint64_t kMostPoints = uint64_t(1) << 20;
  constexpr uint64_t kMostProducts = uint64_t(1) << 30;
  uint64_t length = static_cast<uint64_t>(width) * plan.steps;
  if (length > kMostPoints)
    return fail(plan.step, "the composed sum would reach over more than " +
                               Twine(kMostPoints) + " points");
  if (length * plan.steps / 2 * step.taps.size() > kMostProducts)
    return fail(plan.step, "multiplying out its sums would take more than " +
                               Twine(kMostProducts) + " products");
  std::vector<long double> sum = {1};
  long double constant = 0, total = 0;
  for (auto [offset, weight] : step.taps)
    total += weight;
  for (unsigned i = 0; i < plan.steps; ++i) {
    std::vector<long double> next(sum.size() + width, 0);
    for (auto [offset, weight] : step.taps)
      for (auto [place, value] : llvm::enumerate(sum))
        next[place + below + offset] += weight * value;
    sum = std::move(next);
    constant = total * constant + step.constant;
  }
  long double left = 0;
  for (long double value : sum)
    left += std::fabs(value);
  left *= request.tolerance;
  // The end that is smaller goes first.
  int64_t first = 0, last = static_cast<int64_t>(sum.size()) - 1;
  while (first < last) {
    bool isLower = std::fabs(sum[first]) <= std::fabs(sum[last]);
    left -= std::fabs(sum[isLower ? first : last]);
    if (left < 0)
      break;
    (isLower ? first : last) += isLower ? 1 : -1;
  }
  int64_t center = static_cast<int64_t>(plan.steps) * below;
  for (int64_t place = first; place <= last; ++place)
    plan.cutTaps[place - center] = sum[place];
  plan.cutConstant = constant;
  plan.reach = {std::max<int64_t>(center - first, 0),
                std::max<int64_t>(last - center, 0)};
  Type element = plan.getRimType().getElementType();
  for (long double value : sum)
    if (!roundNumber(value, element).isFinite())
      return fail(plan.step, "a composed weight is too large for its type");
  if (plan.cutTaps.size() > kMaxComposedTaps)
    return fail(plan.step, "the composed sum would have more than " +
                               Twine(kMaxComposedTaps) + " taps");
  return true;
}

bool Planner::findRimAtOnce() {
  if (plan.step.getRank() != 1)
    return fail(plan.step, "a rim at once is one of a single axis, got " +
                               Twine(plan.step.getRank()));
  plan.rim = ComposedRim::AtOnce;
  int64_t lower = plan.reach.outwards, upper = plan.reach.inwards;
  if (!checkInterior(0, lower, upper))
    return false;
  plan.rims.assign(plan.steps + 1, {{0}, {0}});
  plan.rims.back() = {{lower}, {upper}};
  return plan.isPeriodic() || (findEnds() && makeMatrices());
}

bool StepComposition::isPeriodic() const {
  return getRule(/*axis=*/0, /*upper=*/false).wraps();
}

FieldType StepComposition::getWideType(int64_t outsideLower,
                                       int64_t outsideUpper) const {
  int64_t lower = getLowerWidth(), upper = getUpperWidth();
  // Whatever its row, a point may read as far as the matrix has columns.
  if (!isPeriodic())
    lower = upper = std::max(lower, upper);
  GridBox box(time.interior);
  box.lb[0] -= lower + outsideLower;
  box.ub[0] += upper + outsideUpper;
  FieldType rim = getRimType();
  return FieldType::get(BoundsAttr::get(rim.getContext(), box.lb, box.ub),
                        rim.getElementType());
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
  if (plan.isChained && request.wantsWindows) {
    plan.whyNoWindows = explainNoWindows();
    plan.hasWindows = plan.whyNoWindows.empty();
  }
  if (plan.isChained && request.wantsHaloInSteps && canHaveHaloInSteps()) {
    plan.whyNoHaloInSteps = explainNoHaloInSteps();
    plan.hasHaloInSteps = plan.whyNoHaloInSteps.empty();
    plan.copiesState &= !plan.hasHaloInSteps;
  }
  if (plan.isChained) {
    if (!checkReach() || !checkHalos() || !checkElements())
      return false;
    // In planes and volumes slabs are longer than stages one after the other
    // are fast: step by step was faster on an H200 (docs/notebook.md).
    if (request.rim == ComposedRim::AtOnce)
      return findEdges();
    bool isRow = plan.step.getRank() == 1;
    return (request.rim == ComposedRim::Auto && isRow && findEdges()) ||
           findRims();
  }
  bool isComposed = request.tolerance > 0 ? composeAndCut() : compose();
  if (!isComposed || !checkHalos())
    return false;
  // A few steps are a few kernels, as the parts of a rim at once are.
  constexpr unsigned kManySteps = 8;
  if (request.rim == ComposedRim::AtOnce || request.tolerance > 0)
    return findRimAtOnce();
  bool isWorthTrying =
      request.rim == ComposedRim::Auto && plan.steps >= kManySteps;
  return (isWorthTrying && findRimAtOnce()) || findRims();
}

std::optional<StepComposition>
stencil::planComposition(scf::ForOp loop, const CompositionRequest &request,
                         FieldAliasAnalysis &aliases, NoTimeLoop &why) {
  Planner planner(request, aliases, why);
  if (!planner.run(loop))
    return std::nullopt;
  return planner.take();
}

LogicalResult stencil::refuseLoop(scf::ForOp loop, const Twine &what,
                                  const NoTimeLoop &why) {
  InFlightDiagnostic diag = loop.emitError() << what << ": " << why.reason;
  if (why.culprit && why.culprit != loop)
    diag.attachNote(why.culprit->getLoc()) << "because of this";
  return diag;
}
