//===- ScheduleTrial.cpp - Whether a schedule can be had ------------------===//

#include "ScheduleTrial.h"
#include "MakePipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace stencil;

/// A copy of the apply in a function whose arguments are its operands.
static ApplyOp copyApply(ApplyOp apply, ModuleOp module) {
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

std::string stencil::trySchedule(ApplyOp apply, ScheduleAttr schedule,
                                 const TargetInfo &target, MathMode math) {
  if (!schedule.needsPipeline())
    return {};
  std::string why;
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(
      apply.getContext(), [&](Diagnostic &diagnostic) {
        // What others report is theirs.
        if (llvm::get_threadid() != thread)
          return failure();
        if (why.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          why = diagnostic.str();
        return success();
      });
  OwningOpRef<ModuleOp> module = ModuleOp::create(apply.getLoc());
  bool isMade = succeeded(
      makePipeline(copyApply(apply, *module), schedule, &target, math));
  if (isMade)
    module->walk([&](PipelineOp op) {
      isMade &= succeeded(tilePipeline(op, target, /*isSilent=*/true));
    });
  if (isMade)
    return {};
  return why.empty() ? "impossible" : why;
}
