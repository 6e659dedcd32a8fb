//===- StreamWindows.cpp - Applies to pipelines over windows --------------===//
//
// Before:
//   stencil.apply(%x = %u) outs (%v) { ... } to BOX     stream = 0, ...
// After:
//   stencil.pipeline axis 0 {
//     %t = stencil.load %u
//     %w = stencil.window shared %t depth 5 lead 3
//     %r = stencil.apply(%x = %w) -> (TEMP) { ... }
//     stencil.store %r to %v(BOX)
//   }
//
// What is stored and read of one field is at one point (the verifier of
// stencil.apply sees to it), so that no window has an old value of a point that
// is read again.
//
//===----------------------------------------------------------------------===//

#include "MakePipeline.h"
#include "PipelineDraft.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/IR/WindowLimits.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

namespace stencil {
#define GEN_PASS_DEF_STENCILSTREAMWINDOWS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

//===----------------------------------------------------------------------===//
// What is possible
//===----------------------------------------------------------------------===//

/// Whether the inputs can be in the windows that they are to have.
static LogicalResult checkInputs(ApplyOp apply, ScheduleAttr schedule) {
  unsigned number = 0;
  for (BlockArgument argument : apply.getBodyBlock()->getArguments()) {
    if (!isa<GridType>(argument.getType()))
      continue;
    Space window = schedule.getWindowOf(number++);
    if (window == Space::Cache)
      continue;
    if (std::string why = explainNoWindow(apply, argument); !why.empty())
      return apply.emitOpError("expected 'window = cache' for input ")
             << argument.getArgNumber() << ", " << why << ", got '"
             << stringifySpace(window) << "'";
  }
  return success();
}

static LogicalResult checkTarget(ApplyOp apply, ScheduleAttr schedule,
                                 const TargetInfo &target) {
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  if (prefetch == Prefetch::Async && !target.replacesAsyncCopies &&
      !target.hasAsyncCopy(AsyncCopyElements))
    return apply.emitOpError("expected a chip with asynchronous copies, such "
                             "as sm_80, for 'prefetch = async', got ")
           << target.chip;
  if (prefetch == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor))
    return apply.emitOpError("expected a chip with a tensor memory "
                             "accelerator, such as sm_90, for 'prefetch = "
                             "tma', got ")
           << target.chip;
  return success();
}

/// How planes come. Some GPUs copy through registers what others copy past
/// them.
static Prefetch getPrefetch(ScheduleAttr schedule, const TargetInfo *target) {
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  if (prefetch == Prefetch::Async && target && target->replacesAsyncCopies)
    return schedule.getStream() && schedule.getGroups().empty()
               ? Prefetch::Registers
               : Prefetch::None;
  return prefetch;
}

static LogicalResult check(ApplyOp apply, ScheduleAttr schedule,
                           const TargetInfo *target) {
  if (!apply.isBufferised())
    return apply.emitOpError("expected a bufferised apply for a schedule with "
                             "windows; run stencil-bufferize before "
                             "stencil-stream-windows");
  if (llvm::product_of(apply.getUnrollFactors()) != 1)
    return apply.emitOpError(
        "expected no 'unroll' for a schedule with "
        "windows: its 'points' say what a thread computes");
  if (failed(checkInputs(apply, schedule)))
    return failure();
  return target ? checkTarget(apply, schedule, *target) : success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Operands that are one field in windows of one kind become one.
static void mergeInputs(ApplyOp apply, ScheduleAttr schedule) {
  llvm::DenseMap<std::pair<Value, Space>, Value> known;
  unsigned number = 0;
  for (auto [operand, argument] :
       llvm::zip_equal(apply.getArgs(), apply.getBodyBlock()->getArguments())) {
    if (!isa<GridType>(operand.getType()))
      continue;
    auto [it, isNew] =
        known.try_emplace({operand, schedule.getWindowOf(number++)}, argument);
    if (!isNew)
      argument.replaceAllUsesWith(it->second);
  }
}

/// Where the planes along the walk come from.
static LogicalResult accumulate(PipelineDraft &draft, MathMode mode) {
  switch (draft.schedule.getAccumulate().value_or(Accumulation::Gather)) {
  case Accumulation::Gather:
    return success();
  case Accumulation::Shift:
    return success(llvm::all_of(draft.getStages(), [&](ApplyOp stage) {
      return succeeded(draft.readColumns(stage));
    }));
  case Accumulation::Scatter:
  case Accumulation::Semi:
    return scatterStages(draft, mode);
  }
  llvm_unreachable("an accumulation without stages");
}

/// Strategies, one after the other: each puts stages in the place of some.
static LogicalResult addStages(PipelineDraft &draft, MathMode mode) {
  if (draft.schedule.getChain() &&
      failed(chainStage(draft, draft.getStages().back())))
    return failure();
  if (failed(accumulate(draft, mode)))
    return failure();
  return draft.schedule.getGroups().empty() ? success() : groupStages(draft);
}

//===----------------------------------------------------------------------===//
// One apply
//===----------------------------------------------------------------------===//

LogicalResult stencil::makePipeline(ApplyOp apply, ScheduleAttr schedule,
                                    const TargetInfo *target, MathMode math) {
  if (failed(check(apply, schedule, target)))
    return failure();
  mergeInputs(apply, schedule);
  PipelineDraft draft(apply, schedule, getPrefetch(schedule, target));
  if (failed(addStages(draft, math)))
    return failure();
  return draft.finish();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct StreamWindows : stencil::impl::StencilStreamWindowsBase<StreamWindows> {
  using StencilStreamWindowsBase::StencilStreamWindowsBase;

  LogicalResult stream(ApplyOp apply);
  void runOnOperation() override;

  const TargetInfo *target = nullptr;
};
} // namespace

LogicalResult StreamWindows::stream(ApplyOp apply) {
  auto own = ScheduleAttr::of(apply);
  if (own && own.getTime())
    return apply.emitOpError("expected stencil-block-time before, for 'time = ")
           << *own.getTime() << "'";
  if (own && own.getBoundary() == BoundaryPlace::Window &&
      !llvm::is_contained(own.getWindow(), Space::Shared))
    return apply.emitOpError("expected a shared window for 'boundary = "
                             "window', got none");
  if (!own || !own.needsPipeline())
    return success();
  if (own.getPrefetch() && getPrefetch(own, target) != *own.getPrefetch())
    remarkMissed(
        apply.getLoc(), "Schedule", "Prefetch",
        llvm::formatv("planes come with 'prefetch = {0}': {1} has no copies "
                      "for 'prefetch = {2}'",
                      stringifyPrefetch(getPrefetch(own, target)), target->chip,
                      stringifyPrefetch(*own.getPrefetch())));
  return makePipeline(apply, own, target, math);
}

void StreamWindows::runOnOperation() {
  target = findTarget(getOperation());
  Location place = getOptionLocation("schedule", getStart(getOperation()));
  auto request = ScheduleRequest::parse(schedule, &getContext(), place);
  if (failed(request) || failed(request->assign(getOperation(), target)))
    return signalPassFailure();
  auto isNoStage = [](ApplyOp apply) {
    return !apply->getParentOfType<PipelineOp>() &&
           !apply->getParentOfType<tile::KernelOp>();
  };
  for (ApplyOp apply : listWithin(getOperation(), isNoStage))
    if (failed(stream(apply)))
      return signalPassFailure();
}
