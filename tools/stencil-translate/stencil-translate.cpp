//===- stencil-translate.cpp - Programs for others to call ----------------===//

#include "GPUOutputs.h"
#include "Options.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/CHeader.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Target/ReturnErrors.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Source.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Target/TargetMachine.h"

using namespace stencil;

/// Runs the CPU pipeline on the module.
static mlir::LogicalResult lower(mlir::ModuleOp module, const Options &options,
                                 llvm::TargetMachine &machine) {
  mlir::PassManager manager(module.getContext());
  CPUPipelineOptions pipelineOptions;
  pipelineOptions.vectorBits = getVectorBits(machine);
  pipelineOptions.wideVectorBits = getWideVectorBits(machine);
  if (options.cpu == "native") {
    pipelineOptions.cacheBytes = getLastLevelCacheSize();
    pipelineOptions.coreCacheBytes =
        getCacheShare(getWindowCacheLevel(machine));
  }
  pipelineOptions.streamRows = prefersStreamedRows(machine);
  pipelineOptions.prefetchBytes = kPrefetchBytes;
  pipelineOptions.vectorLibrary = findVectorLibrary(machine);
  pipelineOptions.openmp = !options.sequential;
  pipelineOptions.algebra.set(options.algebra);
  buildStencilToCPUPipeline(manager, pipelineOptions);
  return manager.run(module);
}

/// Leaves as symbols the C interface of public functions, and what their host
/// needs for errors.
static void hideInternals(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        !function.getName().starts_with("_mlir_ciface_") &&
        function.getName() != kSetErrorHandlerName)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// LLVM IR for the CPU, with the GPU's binary in it if there is a GPU.
static std::unique_ptr<llvm::Module> lowerToLLVM(mlir::ModuleOp module,
                                                 const Options &options,
                                                 llvm::TargetMachine &machine,
                                                 llvm::LLVMContext &context) {
  if (options.gpu)
    return compileForGPU(module, context, *options.gpu, /*configure=*/{},
                         /*resources=*/nullptr, [](mlir::ModuleOp finished) {
                           returnErrors(finished, /*hasRuntime=*/true);
                         });
  if (failed(lower(module, options, machine)))
    return nullptr;
  returnErrors(module, /*hasRuntime=*/false);
  std::unique_ptr<llvm::Module> translated = translateToLLVM(module, context);
  if (!translated)
    mlir::emitError(module.getLoc()) << "translation to LLVM IR failed";
  return translated;
}

/// The text or binary of --to-llvmir and --to-object.
static llvm::Error compile(mlir::ModuleOp module, const Options &options,
                           llvm::SmallVectorImpl<char> &result) {
  auto machine = createTargetMachine(options.cpu);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      lowerToLLVM(module, options, **machine, context);
  // After an error that was emitted, the message is empty.
  if (!translated)
    return llvm::createStringError("");
  setTarget(*translated, **machine);
  hideInternals(*translated);
  optimize(*translated, **machine, options.level);
  llvm::raw_svector_ostream os(result);
  if (options.kind == OutputKind::Object)
    return emitCode(*translated, **machine, CodeFile::Object, os);
  translated->print(os, nullptr);
  return llvm::Error::success();
}

/// Makes the other functions private if one is chosen.
static llvm::Error selectEntry(mlir::ModuleOp module, const Options &options) {
  auto isEntry = [](mlir::func::FuncOp function) {
    return function.isPublic() && !function.isExternal();
  };
  auto functions = module.getOps<mlir::func::FuncOp>();
  if (options.entry.empty()) {
    // Kernels need no function that launches them.
    if (llvm::any_of(functions, isEntry) ||
        (options.isKernels() && hasKernels(module)))
      return llvm::Error::success();
    return llvm::createStringError(
        "'" + options.file + "': expected a public function to translate");
  }
  bool found = false;
  for (mlir::func::FuncOp function : functions)
    if (isEntry(function) && function.getName() == options.entry)
      found = true;
    else
      function.setPrivate();
  if (!found)
    return llvm::createStringError("--entry: expected a public function of '" +
                                   options.file + "', got '" + options.entry +
                                   "'");
  return llvm::Error::success();
}

static int translate(const Options &options) {
  if (options.output != "-")
    if (auto error = checkWritable(options.output))
      return reportFailure(std::move(error));
  Source source;
  if (failed(source.load(options.file)) ||
      failed(checkProgram(source.getModule())))
    return ExitFailed;
  mlir::ModuleOp module = source.getModule();
  if (auto error = selectEntry(module, options))
    return reportFailure(std::move(error));

  llvm::SmallVector<char, 0> result;
  if (options.kind == OutputKind::CHeader) {
    llvm::raw_svector_ostream os(result);
    if (failed(emitCHeader(module, options.file == "-" ? "stdin" : options.file,
                           &source.getSources(), os)))
      return ExitFailed;
  } else if (auto error =
                 options.isKernels()  ? compileKernels(module, options, result)
                 : options.isSource() ? writeSource(source, options, result)
                                      : compile(module, options, result)) {
    std::string message = llvm::toString(std::move(error));
    return message.empty() ? source.getFailureCode()
                           : reportFailure(llvm::createStringError(message));
  }
  auto write = [&](llvm::raw_ostream &os) {
    os.write(result.data(), result.size());
    return llvm::Error::success();
  };
  if (options.output == "-")
    llvm::cantFail(write(llvm::outs()));
  else if (auto error = writeFileAtomically(options.output, write))
    return reportFailure(std::move(error));
  return ExitDone;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  installErrorHandlers();
  int status = ExitDone;
  std::optional<Options> options = readOptions(argc, argv, status);
  return options ? translate(*options) : status;
}
