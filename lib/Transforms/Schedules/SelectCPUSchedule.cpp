//===- SelectCPUSchedule.cpp - What schedules mean on a CPU ---------------===//
//
// stencil-select-cpu-schedule: of what a schedule can say, a CPU takes how many
// steps are taken at once, along which axis a thread walks, and which tile it
// keeps in its cache.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSELECTCPUSCHEDULE
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// What is left of a schedule without the keys that a CPU takes; null if
/// nothing is.
static ScheduleAttr getForeignKeys(ScheduleAttr schedule) {
  ScheduleKeys keys(schedule);
  keys.time.reset();
  keys.stream.reset();
  if (keys.chain == Space::Shared)
    keys.chain.reset();
  keys.block.clear();
  keys.points.clear();
  keys.step.reset();
  keys.regions.reset();
  return keys == ScheduleKeys() ? ScheduleAttr()
                                : keys.get(schedule.getContext());
}

namespace {
struct SelectCPUSchedule
    : stencil::impl::StencilSelectCPUScheduleBase<SelectCPUSchedule> {
  using StencilSelectCPUScheduleBase::StencilSelectCPUScheduleBase;

  void runOnOperation() override {
    if (failed(checkRequest()))
      return signalPassFailure();
    getOperation().walk([](ApplyOp apply) {
      auto own = ScheduleAttr::of(apply);
      if (!own || !getForeignKeys(own))
        return;
      // Made for a GPU: of that, a CPU takes the number of steps.
      ScheduleKeys keys;
      keys.time = own.getTime();
      apply->removeAttr(ScheduleAttr::kAttrName);
      if (keys.time)
        keys.give(apply);
    });
  }

private:
  LogicalResult checkRequest() {
    if (schedule.empty() || parseScheduleChoice(schedule))
      return success();
    Location place = getOptionLocation("schedule", getStart(getOperation()));
    auto request = ScheduleRequest::parse(schedule, &getContext(), place);
    if (failed(request))
      return failure();
    ScheduleAttr asked = request->getAttribute();
    if (!asked)
      return emitError(place, "expected one #stencil.schedule for a CPU, or "
                              "auto, model, measured or default; names and "
                              "lists are for GPUs, got ")
             << schedule;
    if (ScheduleAttr foreign = getForeignKeys(asked))
      return emitError(place, "expected the keys time, stream, step, chain = "
                              "shared, block and points for a CPU, got ")
             << foreign;
    return success();
  }
};
} // namespace
