//===- SelectSchedule.cpp - Which schedule an apply gets ------------------===//

#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Transforms/Passes.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSELECTSCHEDULE
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct SelectSchedule
    : stencil::impl::StencilSelectScheduleBase<SelectSchedule> {
  using StencilSelectScheduleBase::StencilSelectScheduleBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    Location loc = module.getLoc();
    auto request = ScheduleRequest::parse(schedule, &getContext(), loc);
    if (failed(request))
      return failure();
    if (chip.empty())
      return request->assign(module, nullptr);
    auto target = getTargetInfo(chip);
    if (!target)
      return emitError(loc, llvm::toString(target.takeError()));
    return request->assign(module, &*target);
  }
};

} // namespace
