//===- GPUOutputs.cpp - Binaries for GPUs ---------------------------------===//

#include "GPUOutputs.h"
#include "Options.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Target/GPUSource.h"
#include "StencilDialect/Tools/Source.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace stencil;

llvm::Error compileKernels(mlir::ModuleOp module, const Options &options,
                           llvm::SmallVectorImpl<char> &result) {
  mlir::PassManager manager(module.getContext());
  buildKernelCompilation(manager, *options.gpu, hasKernels(module));
  if (failed(manager.run(module)))
    return llvm::createStringError("");
  auto binaries = llvm::to_vector(module.getOps<mlir::gpu::BinaryOp>());
  if (binaries.size() != 1)
    return llvm::createStringError(
        "'" + options.file +
        "': expected kernels of one function, got those "
        "of " +
        llvm::Twine(binaries.size()) +
        (binaries.empty() ? "" : "; --entry NAME chooses one"));
  auto object = llvm::cast<mlir::gpu::ObjectAttr>(binaries[0].getObjects()[0]);
  llvm::append_range(result, object.getObject().getValue());
  return llvm::Error::success();
}

/// True if a schedule of the program, or the one of the command line, says
/// which lines are kept in the second-level cache.
static bool asksForEviction(mlir::ModuleOp module, llvm::StringRef schedule) {
  bool asks = schedule.contains("eviction");
  module.walk([&](ApplyOp apply) {
    auto given = ScheduleAttr::of(apply);
    asks |= given && given.getEviction();
  });
  return asks;
}

llvm::Error writeSource(Source &source, const Options &options,
                        llvm::SmallVectorImpl<char> &result) {
  mlir::ModuleOp module = source.getModule();
  mlir::PassManager manager(module.getContext());
  StencilAttachTargetOptions attach;
  attach.chip = options.gpu->chip;
  attach.vendor = options.gpu->target->vendor->key.str();
  manager.addPass(createStencilAttachTarget(attach));
  bool isKeepingGiven = true;
  // A module with kernels is written as it is.
  if (!hasKernels(module)) {
    GPUFrontOptions front;
    front.schedule = options.gpu->schedule;
    front.tuningDatabase = options.gpu->tuningDatabase;
    // Tensor maps and barriers in memory have no form in C++: what is chosen
    // has neither.
    if (front.schedule.empty() && front.tuningDatabase.empty())
      front.schedule = "default";
    front.algebra = options.gpu->algebra;
    buildStencilToGPU(manager, front);
    isKeepingGiven = asksForEviction(module, front.schedule);
    // Readers want constants where the last pass left expressions.
    manager.addPass(mlir::createCanonicalizerPass());
    manager.addPass(mlir::createCSEPass());
  }
  if (failed(manager.run(module)))
    return llvm::createStringError("");
  // Nor have policies for caches.
  if (!isKeepingGiven)
    module.walk([](mlir::gpu::GPUFuncOp kernel) {
      kernel->removeDiscardableAttr(kEvictionAttrName);
    });
  llvm::raw_svector_ostream os(result);
  if (failed(emitGPUSource(module, options.language,
                           options.file == "-" ? "stdin" : options.file,
                           &source.getSources(), os)))
    return llvm::createStringError("");
  return llvm::Error::success();
}
