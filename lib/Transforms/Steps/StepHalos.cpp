//===- StepHalos.cpp - Whether steps can have their halos -----------------===//
//
// What is around the interior between steps without a field of it: constants,
// what was there, or what a condition takes from inside.
//
//===----------------------------------------------------------------------===//

#include "StepPlanner.h"

using namespace mlir;
using namespace stencil;

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

std::string stencil::explainNoHaloInSteps(const StepComposition &plan) {
  std::string other = explainOtherInputs(plan);
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
