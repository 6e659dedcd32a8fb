//===- PlanComposition.cpp - What becomes of the steps of a loop ----------===//
//
// The sum of the interior is composed; what is near a boundary is computed as
// the program says.
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "StepComposition.h"
#include "StepPlanner.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Whether steps can have their halos
//
// What is around the interior between steps without a field of it: constants,
// what was there, or what a condition takes from inside.
//
//===----------------------------------------------------------------------===//

/// Why what a step reads besides the state cannot be fetched as that is; empty
/// if it can be, or is nothing.
static std::string explainOtherInputs(const StepComposition &plan) {
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

/// How often a step chooses between what it reads and what a condition says.
static int64_t countChoices(const StepComposition &plan) {
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

/// Why who reads a halo cannot compute it from what the step reads besides, and
/// no step knows what it is: nothing else, or what was at the same point
/// before. Empty if each side is one or the other.
static std::string explainNoHaloInSteps(const StepComposition &plan) {
  std::string other = explainOtherInputs(plan);
  if (!other.empty())
    return other;
  for (int64_t axis = 0, rank = plan.below.size(); axis < rank; ++axis)
    for (bool isUpper : {false, true}) {
      int64_t reach = plan.getReach(axis, isUpper);
      HaloRule rule = plan.getRule(axis, isUpper);
      std::string where = " along axis " + std::to_string(axis);
      bool isInFields = plan.hasImages() && rank == 3;
      if (reach > 0 && rule.wraps() && !isInFields)
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
  ApplyOp(plan.step)->walk([&](WeightedSumOp sum) {
    sumsValues |= !isa<BlockArgument>(sum.getInput());
  });
  if (sumsValues)
    return "a step has a sum of values that it computes";
  // A select for each, in each step.
  constexpr int64_t kMostChoices = 128;
  return countChoices(plan) > kMostChoices
             ? "a step would choose between values too often"
             : "";
}

//===----------------------------------------------------------------------===//
// Whether fields can have the images of periodic axes
//
//===----------------------------------------------------------------------===//

/// How far all steps together read beyond the ends of periodic axes, if what
/// they compute there is what they compute at the other end: nothing but the
/// state decides it, in an interior that is wide enough. Halos that are kept
/// would have to be those of the program's fields, after each step.
static AxisWidths findImages(const StepComposition &plan) {
  int64_t rank = plan.below.size();
  AxisWidths none(rank), images(rank);
  BoundsAttr interior = plan.time.interior;
  // Rows are made whole sectors of memory, and no image is of an image.
  int64_t sector = plan.countSectorPoints();
  if (sector == 0 || rank == 1 || plan.keepsHalo || plan.readsMoreThanState() ||
      tile::usesCoordinates(plan.step) || mayBodyFail(plan.step))
    return none;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!plan.getRule(axis, /*upper=*/false).wraps())
      continue;
    images.lower[axis] = plan.steps * plan.below[axis];
    images.upper[axis] = plan.steps * plan.above[axis];
    int64_t lb = interior.getLb()[axis], ub = interior.getUb()[axis];
    int64_t beside = std::max(images.lower[axis], images.upper[axis]);
    if (isSymbolic(lb) != isSymbolic(ub) ||
        ub - lb <= images.lower[axis] + images.upper[axis] ||
        (axis == rank - 1 && ub - lb < beside + sector))
      return none;
  }
  return images;
}

/// Has the fields of the loop have images, if they have room for them, or may
/// get it.
static void planImages(StepComposition &plan, bool canHaveRoom,
                       StepFinder &finder) {
  AxisWidths images = findImages(plan);
  bool hasRoom =
      finder.haveRoom(growBox(plan.time.interior, images.lower, images.upper));
  if (!hasRoom && !canHaveRoom)
    return;
  plan.images = images;
  plan.needsRoom = !hasRoom;
}

/// Chained steps read each other around the point, at known offsets.
static bool checkReach(StepComposition &plan, NoTimeLoop &why) {
  Operation *computed = nullptr;
  Footprint(plan.step).forEachRead(plan.input, [&](const InputRead &read) {
    if (readsComputedPoints(read.op))
      computed = read.op;
  });
  if (computed)
    return why.refuse(computed,
                      "a step reads the state at computed coordinates, or "
                      "all of a row");
  int64_t reach = 0;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above))
    reach = std::max({reach, low, high});
  if (reach == 0)
    return why.refuse(plan.step, "a step reads one point");
  // A stage each, and as many leads.
  constexpr int64_t kFarthest = 256;
  if (reach * plan.steps > kFarthest)
    return why.refuse(plan.step, "the steps would read more than " +
                                     Twine(kFarthest) +
                                     " points around theirs");
  return true;
}

/// In one body, what is beside a value is a sum of one tap.
static bool checkElements(StepComposition &plan, NoTimeLoop &why) {
  Type element = plan.getRimType().getElementType();
  bool canBeSum = isa<FloatType>(element) ||
                  (element.isSignlessInteger() && !element.isInteger(1));
  return plan.hasWindows || canBeSum ||
         why.refuse(plan.step,
                    "expected a state of floats, or of integers of more "
                    "than one bit and without a sign");
}

/// Why the steps cannot be stages of a pipeline; empty if they can be.
static std::string explainNoWindows(StepComposition &plan) {
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

/// Whether steps may have their halos.
static bool canHaveHaloInSteps(const StepComposition &plan) {
  return isa<FloatType>(plan.getRimType().getElementType()) &&
         !mayBodyFail(plan.step);
}

/// The sum of all steps.
static bool composeSum(StepComposition &plan, MathMode math, NoTimeLoop &why) {
  size_t taps = 1;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above)) {
    taps *= (low + high) * plan.steps + 1;
    if (taps > kMaxComposedTaps)
      return why.refuse(plan.step, "the composed sum would have more than " +
                                       Twine(kMaxComposedTaps) + " taps");
  }
  std::string reason;
  if (!composeForm(plan.step, plan.input, plan.steps, math, reason))
    return why.refuse(plan.step, reason);
  plan.reach = {plan.steps * plan.below[0], plan.steps * plan.above[0]};
  return true;
}

/// The same, without what no tolerance lets one see.
static bool composeSum(StepComposition &plan, const CompositionRequest &request,
                       NoTimeLoop &why) {
  if (request.tolerance <= 0)
    return composeSum(plan, request.math, why);
  if (plan.step.getRank() != 1)
    return why.refuse(plan.step,
                      "a tolerance is for sums over a single axis, got " +
                          Twine(plan.step.getRank()));
  std::optional<RowStep> row = RowStep::find(plan, request.math, why);
  return row && row->composeAndCut(request.tolerance, plan, why);
}

/// Steps each of which is a value of the body.
static bool planChained(StepComposition &plan,
                        const CompositionRequest &request, StepFinder &finder,
                        NoTimeLoop &why) {
  if (request.wantsWindows) {
    plan.whyNoWindows = explainNoWindows(plan);
    plan.hasWindows = plan.whyNoWindows.empty();
  }
  if (request.rim == ComposedRim::Auto && !request.wantsWindows)
    planImages(plan, request.canHaveRoom, finder);
  if (request.wantsHaloInSteps && canHaveHaloInSteps(plan)) {
    plan.whyNoHaloInSteps = explainNoHaloInSteps(plan);
    plan.hasHaloInSteps = plan.whyNoHaloInSteps.empty();
    plan.copiesState &= !plan.hasHaloInSteps;
  }
  if (!checkReach(plan, why) || !finder.checkHalos() ||
      !checkElements(plan, why))
    return false;
  // In planes and volumes slabs are longer than stages one after the other
  // are fast: step by step was faster on an H200 (docs/notebook.md).
  if (request.rim == ComposedRim::AtOnce)
    return planRimEdges(plan, why);
  bool isRow = plan.step.getRank() == 1;
  return (request.rim == ComposedRim::Auto && isRow &&
          planRimEdges(plan, why)) ||
         planRimSteps(plan, why);
}

/// Steps that are one sum.
static bool planSum(StepComposition &plan, const CompositionRequest &request,
                    StepFinder &finder, NoTimeLoop &why) {
  if (!composeSum(plan, request, why) || !finder.checkHalos())
    return false;
  // A few steps are a few kernels, as the parts of a rim at once are.
  KernelNumbers numbers(FormFacts("composed steps"), FormDevice());
  if (request.rim == ComposedRim::AtOnce || request.tolerance > 0)
    return planRimMatrices(request, plan, why);
  bool isWorthTrying = request.rim == ComposedRim::Auto &&
                       plan.steps >= numbers.getCount("rim_at_once");
  return (isWorthTrying && planRimMatrices(request, plan, why)) ||
         planRimSteps(plan, why);
}

std::optional<StepComposition>
stencil::planComposition(scf::ForOp loop, const CompositionRequest &request,
                         FieldAliasAnalysis &aliases, NoTimeLoop &why) {
  StepComposition plan;
  plan.steps = request.steps;
  plan.isChained = request.isChained;
  plan.keepsPlaces = !request.hasOwnFields;
  StepFinder finder(aliases, why, plan);
  if (!finder.find(loop))
    return std::nullopt;
  bool isPlanned = plan.isChained ? planChained(plan, request, finder, why)
                                  : planSum(plan, request, finder, why);
  if (!isPlanned)
    return std::nullopt;
  return plan;
}

//===----------------------------------------------------------------------===//
// What follows from a plan
//===----------------------------------------------------------------------===//

HaloRule StepComposition::getRule(int64_t axis, bool upper) const {
  BoundaryOp op = boundary;
  return op ? getHaloRule(op.getCondition(axis, upper)) : HaloRule::keep();
}

int64_t StepComposition::countSources(int64_t axis, bool upper) const {
  int64_t halo = getReach(axis, upper);
  return halo > 0 ? getRule(axis, upper).countSources(halo) : 0;
}

bool StepComposition::readsMoreThanState() const {
  ApplyOp reader = step;
  return llvm::any_of(llvm::enumerate(reader.getArgs()), [&](auto argument) {
    return argument.index() != input &&
           isa<GridType>(argument.value().getType());
  });
}

bool StepComposition::followsFromInside() const {
  return llvm::any_of(llvm::seq<int64_t>(0, below.size()), [&](int64_t axis) {
    return followsFromInside(axis, false) || followsFromInside(axis, true);
  });
}

bool StepComposition::followsFromInside(int64_t axis, bool upper) const {
  HaloRule rule = getRule(axis, upper);
  return getReach(axis, upper) > 0 &&
         (rule.kind == HaloRule::Kind::Point || rule.isPolynomial());
}

bool StepComposition::isNear(BoundsAttr box, int64_t axis, bool upper) const {
  int64_t own = (upper ? box.getUb() : box.getLb())[axis];
  int64_t last = (upper ? time.interior.getUb() : time.interior.getLb())[axis];
  // Other ends are far away: extents are required for that.
  return isSymbolic(own) == isSymbolic(last) &&
         std::abs(last - own) < steps * getReach(axis, upper);
}

bool StepComposition::isInWindows(int64_t axis) const {
  if (getRule(axis, /*upper=*/false).wraps())
    return hasImages();
  return hasHaloInSteps || hasWindows;
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
  return box.get(time.interior.getContext());
}

int64_t StepComposition::countSectorPoints() const {
  constexpr int64_t kSectorBytes = 32;
  Type element = getRimType().getElementType();
  return element.isIntOrFloat() ? kSectorBytes / getElementBytes(element) : 0;
}

FieldType StepComposition::getEdgeType() const {
  return FieldType::get(growBox(time.interior, margins, margins),
                        getRimType().getElementType());
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
  return FieldType::get(
      growBox(time.interior, lower + outsideLower, upper + outsideUpper),
      getRimType().getElementType());
}

FieldType StepComposition::getRimType() const {
  StoreOp store = time.stores.front();
  return FieldType::get(growBox(time.interior, below, above),
                        getElementType(store.getField()));
}

LogicalResult stencil::refuseLoop(scf::ForOp loop, const Twine &what,
                                  const NoTimeLoop &why) {
  InFlightDiagnostic diag = loop.emitError() << what << ": " << why.reason;
  if (why.culprit && why.culprit != loop)
    diag.attachNote(why.culprit->getLoc()) << "because of this";
  return diag;
}
