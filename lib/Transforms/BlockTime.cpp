//===- BlockTime.cpp - Several steps in one sweep of memory ---------------===//
//
// stencil-block-time: T steps of a time loop become one apply, each step a
// value of its body that the next one reads. What is near a boundary is
// computed step by step beside it (ComposedLoop.cpp).
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepComposition.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILBLOCKTIME
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct BlockTime : stencil::impl::StencilBlockTimeBase<BlockTime> {
  using StencilBlockTimeBase::StencilBlockTimeBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult block(scf::ForOp loop, ScheduleAttr wanted);
};
} // namespace

/// The schedule with which a loop asks for several steps at once: that of an
/// apply of its own which does, else the one for all if no apply has another;
/// null if none does.
static ScheduleAttr findWanted(scf::ForOp loop, ScheduleAttr forAll) {
  ScheduleAttr wanted = forAll;
  for (ApplyOp apply : loop.getBody()->getOps<ApplyOp>())
    if (auto own =
            apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName)) {
      wanted = own;
      if (own.getTime())
        break;
    }
  return wanted && wanted.getTime() ? wanted : ScheduleAttr();
}

/// What the apply that takes all steps is to have: null if it may choose.
static ScheduleAttr getRest(ScheduleAttr wanted) {
  ScheduleKeys keys(wanted);
  keys.time.reset();
  MLIRContext *context = wanted.getContext();
  if (keys.get(context) == ScheduleKeys().get(context))
    return {};
  bool canChain = keys.stream || !keys.window.empty();
  if (canChain && !keys.chain)
    keys.chain = Space::Shared;
  return keys.get(context);
}

/// How often steps are computed for one point if none is kept for others: each
/// wherever the later ones read it.
static int64_t countRepeated(const StepComposition &plan) {
  constexpr int64_t kMany = int64_t(1) << 30;
  int64_t count = 0;
  for (int64_t level = 1; level < plan.steps; ++level) {
    int64_t points = 1;
    for (auto [below, above] : llvm::zip_equal(plan.below, plan.above))
      points = std::min(kMany, points * ((below + above) * level + 1));
    count = std::min(kMany, count + points);
  }
  return count;
}

LogicalResult BlockTime::block(scf::ForOp loop, ScheduleAttr wanted) {
  auto steps = static_cast<unsigned>(*wanted.getTime());
  // Anew for every loop: what is known of values is of the program before.
  FieldAliasAnalysis aliases;
  NoTimeLoop why;
  CompositionRequest request;
  request.steps = steps;
  request.isChained = true;
  std::optional<StepComposition> plan =
      planComposition(loop, request, aliases, why);
  std::string what =
      "cannot take " + std::to_string(steps) + " steps of this loop at once";
  if (!plan)
    return refuseLoop(loop, what, why);
  // A body is as long as that.
  constexpr int64_t kMostRepeated = 1024;
  ScheduleAttr rest = getRest(wanted);
  int64_t repeated = countRepeated(*plan);
  if (!(rest && rest.getChain()) && repeated > kMostRepeated)
    return loop.emitError(what)
           << ": without 'chain', steps would be computed " << repeated
           << " times for each point, expected at most " << kMostRepeated;
  // What is asked for is for the apply that takes all steps. Those that are
  // left are taken one by one.
  plan->step->removeAttr(ScheduleAttr::kAttrName);
  if (rest)
    plan->step->setAttr(ScheduleAttr::kAttrName, rest);
  composeSteps(*plan, MathMode::Strict);
  plan->step->removeAttr(ScheduleAttr::kAttrName);
  return success();
}

LogicalResult BlockTime::run() {
  Location start = getStart(getOperation());
  ScheduleAttr forAll;
  // Names are of schedules for a step.
  if (StringRef(schedule).trim().starts_with("#")) {
    auto request = ScheduleRequest::parse(schedule, &getContext(), start);
    if (failed(request))
      return failure();
    forAll = request->getAttribute();
  }
  SmallVector<std::pair<scf::ForOp, ScheduleAttr>> loops;
  getOperation().walk([&](scf::ForOp loop) {
    if (loop.getBody()->getOps<StoreOp>().empty())
      return;
    if (ScheduleAttr wanted = findWanted(loop, forAll))
      loops.emplace_back(loop, wanted);
  });
  if (loops.empty()) {
    if (!forAll || !forAll.getTime())
      return success();
    return emitError(getOptionLocation("schedule", start),
                     "expected a time loop for 'time = ")
           << *forAll.getTime() << "'; there is none";
  }
  if (failed(checkProgram(getOperation())))
    return failure();
  for (auto [loop, wanted] : loops)
    if (failed(block(loop, wanted)))
      return failure();
  return success();
}
