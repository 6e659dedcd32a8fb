//===- Prediction.cpp - How fast a program is expected to be --------------===//

#include "StencilDialect/Execution/Prediction.h"
#include "Lowering.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace stencil;

std::vector<KernelPrediction>
stencil::predictKernels(func::FuncOp entry, const GPUCompileOptions &options) {
  std::vector<KernelPrediction> predictions;
  auto target = getTargetInfo(options.chip);
  if (!target) {
    llvm::consumeError(target.takeError());
    return predictions;
  }
  if (!target->exact || hasKernels(entry->getParentOfType<ModuleOp>()))
    return predictions;
  OwningOpRef<ModuleOp> module = cloneFor(entry);
  // What is wrong is said by whoever compiles the program.
  ScopedDiagnosticHandler silent(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  PassManager manager(entry.getContext());
  buildStencilToSchedules(manager, getFrontOptions(options));
  if (failed(manager.run(*module)))
    return predictions;
  // Stages are no kernels; what takes several steps is not predicted.
  for (ApplyOp apply : getScheduledApplies(*module)) {
    KernelProfile profile =
        profileKernel(apply, options.extents, options.algebra.math);
    ScheduleAttr schedule =
        completeSchedule(apply, profile, ScheduleAttr::of(apply), *target);
    KernelPrediction entryPrediction;
    entryPrediction.kernel =
        (entry.getName() + "_apply" + llvm::Twine(predictions.size())).str();
    llvm::raw_string_ostream(entryPrediction.schedule) << schedule;
    entryPrediction.prediction =
        ScheduleModel(profile, *target).predict(schedule);
    if (entryPrediction.prediction.seconds > 0)
      predictions.push_back(std::move(entryPrediction));
  }
  return predictions;
}
