//===- ScheduleTrial.cpp - Whether a schedule can be had ------------------===//

#include "ScheduleTrial.h"
#include "Regions/RegionLaunches.h"
#include "Windows/MakePipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace stencil;

ApplyOp stencil::copyApply(ApplyOp apply, ModuleOp module) {
  llvm::SetVector<Value> operands;
  operands.insert(apply->operand_begin(), apply->operand_end());
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, apply.getLoc(), "trial",
      builder.getFunctionType(
          llvm::map_to_vector(operands, [](Value v) { return v.getType(); }),
          {}));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  mapping.map(operands.getArrayRef(), block->getArguments());
  return cast<ApplyOp>(builder.clone(*apply, mapping));
}

/// Calls `make`; returns its error, or nothing if it succeeds.
static std::string catchError(MLIRContext *context,
                              llvm::function_ref<LogicalResult()> make) {
  std::string why;
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    // What others report is theirs.
    if (llvm::get_threadid() != thread)
      return failure();
    if (why.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      why = diagnostic.str();
    return success();
  });
  if (succeeded(make()))
    return {};
  return why.empty() ? "impossible" : why;
}

static LogicalResult tilePipelines(ModuleOp module, const TargetInfo &target) {
  bool isMade = true;
  module.walk([&](PipelineOp op) {
    isMade &= succeeded(skewStages(op)) &&
              succeeded(tilePipeline(op, target, /*isSilent=*/true));
  });
  return success(isMade);
}

std::string stencil::trySchedule(ApplyOp apply, ScheduleAttr schedule,
                                 const TargetInfo &target, MathMode math) {
  if (!schedule.needsPipeline())
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(apply.getLoc());
  return catchError(apply.getContext(), [&] {
    return failure(failed(makePipeline(copyApply(apply, *module), schedule,
                                       &target, math)) ||
                   failed(tilePipelines(*module, target)));
  });
}

std::string stencil::tryRegions(ModuleOp module, const TargetInfo &target,
                                MathMode math) {
  OwningOpRef<ModuleOp> copy = module.clone();
  SmallVector<std::pair<ApplyOp, ScheduleAttr>> applies;
  copy->walk([&](ApplyOp apply) {
    auto schedule = ScheduleAttr::of(apply);
    if (schedule && schedule.needsPipeline() &&
        !apply->getParentOfType<PipelineOp>())
      applies.emplace_back(apply, schedule);
  });
  return catchError(module.getContext(), [&] {
    for (auto [apply, schedule] : applies)
      if (failed(makePipeline(apply, schedule, &target, math)))
        return failure();
    return failure(failed(tilePipelines(*copy, target)) ||
                   failed(groupRegions(*copy, /*isSilent=*/true)));
  });
}
