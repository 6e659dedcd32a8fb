//===- PlanComposition.cpp - What becomes of the steps of a loop ----------===//
//
// The sum of the interior is composed; what is near a boundary is computed as
// the program says.
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StepPlanner.h"

using namespace mlir;
using namespace stencil;

/// Chained steps read each other around the point, at known offsets.
static bool checkReach(StepComposition &plan, NoTimeLoop &why) {
  Operation *computed = nullptr;
  Footprint(plan.step).forEachRead(plan.input, [&](const InputRead &read) {
    if (readsComputedPoints(read.op))
      computed = read.op;
  });
  if (computed)
    return refuse(why, computed,
                  "a step reads the state at computed coordinates, or "
                  "all of a row");
  int64_t reach = 0;
  for (auto [low, high] : llvm::zip_equal(plan.below, plan.above))
    reach = std::max({reach, low, high});
  if (reach == 0)
    return refuse(why, plan.step, "a step reads one point");
  // A stage each, and as many leads.
  constexpr int64_t kFarthest = 256;
  if (reach * plan.steps > kFarthest)
    return refuse(why, plan.step,
                  "the steps would read more than " + Twine(kFarthest) +
                      " points around theirs");
  return true;
}

/// In one body, what is beside a value is a sum of one tap.
static bool checkElements(StepComposition &plan, NoTimeLoop &why) {
  Type element = plan.getRimType().getElementType();
  bool canBeSum = isa<FloatType>(element) ||
                  (element.isSignlessInteger() && !element.isInteger(1));
  return plan.hasWindows || canBeSum ||
         refuse(why, plan.step,
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
      return refuse(why, plan.step,
                    "the composed sum would have more than " +
                        Twine(kMaxComposedTaps) + " taps");
  }
  std::string reason;
  if (!composeForm(plan.step, plan.input, plan.steps, math, reason))
    return refuse(why, plan.step, reason);
  plan.reach = {plan.steps * plan.below[0], plan.steps * plan.above[0]};
  return true;
}

/// The same, without what no tolerance lets one see.
static bool composeSum(StepComposition &plan, const CompositionRequest &request,
                       NoTimeLoop &why) {
  if (request.tolerance <= 0)
    return composeSum(plan, request.math, why);
  if (plan.step.getRank() != 1)
    return refuse(why, plan.step,
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
  RimPlanner rims(plan, why);
  if (request.rim == ComposedRim::AtOnce)
    return rims.planEdges();
  bool isRow = plan.step.getRank() == 1;
  return (request.rim == ComposedRim::Auto && isRow && rims.planEdges()) ||
         rims.planSteps();
}

/// Steps that are one sum.
static bool planSum(StepComposition &plan, const CompositionRequest &request,
                    StepFinder &finder, NoTimeLoop &why) {
  if (!composeSum(plan, request, why) || !finder.checkHalos())
    return false;
  // A few steps are a few kernels, as the parts of a rim at once are.
  FormFacts facts;
  facts.kernel = "composed steps";
  KernelNumbers numbers(facts, FormDevice());
  RimPlanner rims(plan, why);
  if (request.rim == ComposedRim::AtOnce || request.tolerance > 0)
    return rims.planMatrices(request);
  bool isWorthTrying = request.rim == ComposedRim::Auto &&
                       plan.steps >= numbers.getCount("rim_at_once");
  return (isWorthTrying && rims.planMatrices(request)) || rims.planSteps();
}

std::optional<StepComposition>
stencil::planComposition(scf::ForOp loop, const CompositionRequest &request,
                         FieldAliasAnalysis &aliases, NoTimeLoop &why) {
  StepComposition plan;
  plan.steps = request.steps;
  plan.isChained = request.isChained;
  StepFinder finder(aliases, why, plan);
  if (!finder.find(loop))
    return std::nullopt;
  bool isPlanned = plan.isChained ? planChained(plan, request, finder, why)
                                  : planSum(plan, request, finder, why);
  if (!isPlanned)
    return std::nullopt;
  return plan;
}
