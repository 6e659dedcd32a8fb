//===- Lowering.cpp - Programs to the LLVM dialect ------------------------===//

#include "Lowering.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/Codegen.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace stencil;

llvm::Error Dump::write(
    llvm::StringRef name,
    llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print) const {
  if (directory.empty())
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(code,
                                   "'" + directory + "': " + code.message());
  std::string path = (directory + "/" + name).str();
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError(code, "'" + path + "': " + code.message());
  return print(os);
}

llvm::Error Dump::write(llvm::StringRef name,
                        const llvm::Module &module) const {
  return write(name, [&](llvm::raw_pwrite_stream &os) {
    module.print(os, nullptr);
    return llvm::Error::success();
  });
}

bool stencil::exceedsCaches(const CompileOptions &options) {
  return options.fieldBytes.value_or(UINT64_MAX) >
         uint64_t(getLastLevelCacheSize());
}

/// No server's or desktop's core of this decade has a smaller second-level
/// cache: of fields that fit here, what is assumed of caches decides nothing.
static bool exceedsAnyCoreCache(const CompileOptions &options) {
  constexpr uint64_t smallestCoreCache = 256 << 10;
  return options.fieldBytes.value_or(UINT64_MAX) > smallestCoreCache;
}

bool stencil::mayPadRows(func::FuncOp entry) {
  auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  auto module = entry->getParentOfType<ModuleOp>();
  return !anyWithin(module, [&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isMemory) ||
           llvm::any_of(op->getResultTypes(), isMemory);
  });
}

bool stencil::takesPaddedRows(const CompileOptions &given) {
  CPUPipelineOptions options;
  options.paddedRows = given.paddedRows;
  // An error is found where these are used.
  return !given.device &&
         succeeded(
             options.parseFromString(given.pipelineOptions, llvm::nulls())) &&
         options.paddedRows;
}

static LogicalResult buildCPUPipeline(OpPassManager &manager,
                                      llvm::TargetMachine &machine,
                                      unsigned threads,
                                      const CompileOptions &given,
                                      MLIRContext *context) {
  CPUPipelineOptions options;
  CPUInfo cpu = describeCPU(machine, /*isHost=*/true);
  if (cpu.assumesCaches && exceedsAnyCoreCache(given))
    emitRemark(UnknownLoc::get(context))
        << "the system does not tell of this processor's caches: assuming "
        << cpu.describeCaches();
  setCPU(options, cpu);
  options.vectorLibrary = findVectorLibrary(machine);
  options.streamRows = cpu.streamsRows && exceedsCaches(given);
  // The code is for any extents, the run for those that are given.
  if (cpu.memoryVectorBits > 0 && exceedsCaches(given))
    options.vectorBits =
        std::min(options.vectorBits.getValue(), cpu.memoryVectorBits);
  options.threads = threads;
  options.openmp = threads > 1;
  options.algebra.set(given.algebra);
  options.countSteps = given.countSteps;
  options.schedule = given.schedule;
  options.paddedRows = given.paddedRows;
  // Of fields that the caches hold, steps are taken one by one.
  if (exceedsCaches(given))
    for (int64_t extent : given.extents)
      options.extents.push_back(extent);
  std::string problem;
  llvm::raw_string_ostream problemStream(problem);
  if (failed(options.parseFromString(given.pipelineOptions, problemStream))) {
    emitError(UnknownLoc::get(context))
        << "options of stencil-to-cpu: " << llvm::StringRef(problem).trim();
    return failure();
  }
  buildStencilToCPUPipeline(manager, options);
  return success();
}

OwningOpRef<ModuleOp> stencil::cloneFor(func::FuncOp entry) {
  OwningOpRef<ModuleOp> copy = entry->getParentOfType<ModuleOp>().clone();
  for (auto function : copy->getOps<func::FuncOp>())
    function.setVisibility(function.getName() == entry.getName()
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  return copy;
}

OwningOpRef<ModuleOp> stencil::lowerToFields(func::FuncOp entry,
                                             const AlgebraOptions &algebra,
                                             ArrayRef<int64_t> extents,
                                             const GPUCompileOptions *device) {
  OwningOpRef<ModuleOp> copy = cloneFor(entry);
  PassManager manager(entry.getContext());
  manager.addPass(createSymbolDCEPass());
  GPUFrontOptions options;
  options.algebra = algebra;
  options.extents.assign(extents.begin(), extents.end());
  if (device) {
    addTarget(manager, device->chip);
    options.tuningDatabase = device->tuningDatabase;
    options.emulate = device->target->isEmulator();
  }
  buildStencilToFields(manager, options);
  if (failed(manager.run(*copy)))
    return nullptr;
  return copy;
}

/// Runs the pipeline on a copy of the module in which only `entry` is public.
OwningOpRef<ModuleOp> stencil::lowerToLLVMDialect(func::FuncOp entry,
                                                  llvm::TargetMachine &machine,
                                                  unsigned threads,
                                                  const Dump &dump,
                                                  const CompileOptions &given) {
  OwningOpRef<ModuleOp> copy = cloneFor(entry);
  if (auto error = dump.write("source.mlir", [&](llvm::raw_ostream &os) {
        copy->print(os);
        return llvm::Error::success();
      })) {
    emitError(UnknownLoc::get(entry.getContext()))
        << llvm::toString(std::move(error));
    return nullptr;
  }

  PassManager manager(entry.getContext());
  if (dump)
    manager.enableIRPrintingToFileTree(
        [](Pass *, Operation *) { return false; },
        [](Pass *, Operation *) { return true; }, /*printModuleScope=*/true,
        /*printAfterOnlyOnChange=*/true, /*printAfterOnlyOnFailure=*/false,
        given.dumpDirectory);
  manager.addPass(createSymbolDCEPass());
  if (given.device) {
    GPUCompileOptions device = *given.device;
    device.countSteps = given.countSteps;
    buildGPUCompilation(manager, device, /*kernels=*/false);
  } else if (failed(buildCPUPipeline(manager, machine, threads, given,
                                     entry.getContext()))) {
    return nullptr;
  }
  if (failed(manager.run(*copy)))
    return nullptr;
  return copy;
}
