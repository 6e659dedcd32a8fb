//===- ComposeSteps.cpp - Several steps of a time loop at once ------------===//
//
// stencil-compose-steps: of a time loop whose step is one weighted sum, k steps
// become one sum with more taps.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepComposition.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCOMPOSESTEPS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct ComposeSteps : stencil::impl::StencilComposeStepsBase<ComposeSteps> {
  using StencilComposeStepsBase::StencilComposeStepsBase;

  void runOnOperation() override;

private:
  LogicalResult compose(scf::ForOp loop);
  void choose(scf::ForOp loop, const TargetInfo &target);
};
} // namespace

/// What was measured of steps of a row of doubles that become one sum.
static KernelNumbers getNumbers(const TargetInfo &target) {
  return {FormFacts("composed steps"), target};
}

/// Seconds of one step of a row, alone.
static double getAlone(double points, const TargetInfo &target) {
  constexpr double kBytes = 16;
  return std::max(points * kBytes / target.getCopyBandwidth(),
                  ModelConstants::getDefault().composedLaunch);
}

/// Seconds of one of several steps that together read so far, both sides
/// together: the sum at every point, by the matrix unit, which has rows of
/// eight outputs; the rim runs beside it.
static double getComposed(double points, int64_t steps, int64_t reach,
                          const TargetInfo &target) {
  const ModelConstants &constants = ModelConstants::getDefault();
  constexpr double kOutputs = 8;
  double depth = kOutputs + static_cast<double>(reach);
  double products =
      2 * depth * points / (constants.composedShare * target.fp64Matrix);
  double sweep = std::max(products, getAlone(points, target));
  return (sweep + constants.composedRim) / static_cast<double>(steps);
}

static void remarkLeft(Operation *op, const Twine &why) {
  remarkMissed(op->getLoc(), "Compose", "Steps",
               "steps are not composed: " + why);
}

void ComposeSteps::choose(scf::ForOp loop, const TargetInfo &target) {
  ApplyOp apply = findOnlyApply(loop);
  if (!apply || apply.getRank() != 1 || !apply.getOutputElementType(0).isF64())
    return;
  constexpr int64_t kFewest = 2;
  // Columns of what the rim takes, at most.
  KernelNumbers numbers = getNumbers(target);
  const int64_t mostTaps = numbers.getCount("most_taps");
  const int64_t fewer = numbers.getCount("fewer");
  // To know how far a step reads.
  FieldAliasAnalysis aliases;
  NoTimeLoop why;
  std::optional<StepComposition> plan = planComposition(
      loop, {kFewest, ComposedRim::AtOnce, 0, math}, aliases, why);
  if (!plan)
    return remarkLeft(why.culprit, why.reason);
  int64_t lb = plan->time.interior.getLb()[0];
  int64_t ub = plan->time.interior.getUb()[0];
  auto points = static_cast<double>(ub - lb);
  int64_t reach = plan->below[0] + plan->above[0];
  if (isSymbolic(lb) != isSymbolic(ub))
    return remarkLeft(loop, "the extent is not known");
  if (reach == 0)
    return remarkLeft(plan->step, "a step reads one point");
  int64_t most = std::min<int64_t>(mostTaps, (ub - lb) / 4) / reach;
  double alone = getAlone(points, target);
  bool isFirst = true;
  for (int64_t steps = llvm::bit_floor(static_cast<uint64_t>(most));
       steps >= kFewest; steps /= fewer) {
    double composed = getComposed(points, steps, steps * reach, target);
    if (composed > ModelConstants::getDefault().stepsWorthwhile * alone)
      break;
    // Step by step, a rim is many kernels.
    FieldAliasAnalysis known;
    plan = planComposition(
        loop, {static_cast<unsigned>(steps), ComposedRim::AtOnce, 0, math},
        known, why);
    if (!plan && isFirst)
      return remarkLeft(why.culprit, why.reason);
    if (!plan)
      return;
    composeSteps(*plan, math);
    if (isFirst)
      remarkPassed(
          loop.getLoc(), "Compose", "Steps",
          llvm::formatv(
              "{0} steps become one: predicted {1} us per step, {2} without "
              "it",
              steps, llvm::format("%.3g", composed * 1e6),
              llvm::format("%.3g", alone * 1e6)));
    isFirst = false;
  }
  if (isFirst)
    remarkLeft(loop, "that is not predicted to be faster");
}

LogicalResult ComposeSteps::compose(scf::ForOp loop) {
  // Anew for every loop: what is known of values is of the program before.
  FieldAliasAnalysis aliases;
  NoTimeLoop why;
  std::optional<StepComposition> plan =
      planComposition(loop, {steps, rim, tolerance, math}, aliases, why);
  if (!plan)
    return refuseLoop(loop,
                      "cannot compose " + Twine(steps.getValue()) +
                          " steps of this loop",
                      why);
  composeSteps(*plan, math);
  return success();
}

void ComposeSteps::runOnOperation() {
  auto loops = listWithin(getOperation(), [](scf::ForOp loop) {
    return !loop.getBody()->getOps<StoreOp>().empty();
  });
  if (automatic) {
    const TargetInfo *target = findTarget(getOperation());
    if (target && getNumbers(*target).find("most_taps") &&
        target->fp64Matrix > 0 && !target->matrixInstructions.empty())
      for (scf::ForOp loop : loops)
        choose(loop, *target);
    return;
  }
  Location start = getStart(getOperation());
  if (!(tolerance >= 0 && tolerance < 1)) {
    emitError(start, "expected a tolerance from 0 to below 1, got ")
        << std::to_string(tolerance);
    return signalPassFailure();
  }
  unsigned most = tolerance > 0 ? 4096 : 1024;
  if (steps < 2 || steps > most) {
    emitError(start, "expected steps from 2 to ")
        << most << ", got " << steps.getValue();
    return signalPassFailure();
  }
  if (failed(checkProgram(getOperation())))
    return signalPassFailure();
  if (loops.empty()) {
    emitError(start, "expected a time loop, to compose ")
        << steps.getValue() << " of its steps; there is none";
    return signalPassFailure();
  }
  for (scf::ForOp loop : loops)
    if (failed(compose(loop)))
      return signalPassFailure();
}
