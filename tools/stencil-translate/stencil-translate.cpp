//===- stencil-translate.cpp - Programs for others to call ----------------===//

#include "GPUOutputs.h"
#include "Options.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Target/CHeader.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Target/ReturnErrors.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Source.h"
#include "StencilDialect/Transforms/Passes.h"
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
  CPUInfo cpu = describeCPU(machine, /*isHost=*/options.cpu == "native");
  if (cpu.assumesCaches)
    mlir::emitRemark(mlir::UnknownLoc::get(module.getContext()))
        << "the system does not tell of this processor's caches: assuming "
        << cpu.describeCaches();
  setCPU(pipelineOptions, cpu);
  pipelineOptions.vectorLibrary = findVectorLibrary(machine);
  pipelineOptions.openmp = !options.sequential;
  if (options.sequential)
    pipelineOptions.threads = 1;
  pipelineOptions.schedule = options.schedule;
  pipelineOptions.paddedRows = options.paddedRows;
  pipelineOptions.algebra.set(options.algebra);
  buildStencilToCPUPipeline(manager, pipelineOptions);
  return manager.run(module);
}

/// Leaves as symbols the C interface of public functions, and what their host
/// needs for errors. In a library only the library itself sees the first, and
/// objects for other targets have other names.
static void hideInternals(llvm::Module &module, const Options &options) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    if (function.isDeclaration() || name == kSetErrorHandlerName)
      continue;
    if (!name.consume_front("_mlir_ciface_")) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    } else if (!options.library.empty()) {
      function.setName(
          getLibraryPrefix(options.library, options.getTargetName()) + name);
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  }
}

/// LLVM IR for the CPU, with the GPU's binary in it if there is a GPU.
static std::unique_ptr<llvm::Module> lowerToLLVM(mlir::ModuleOp module,
                                                 const Options &options,
                                                 llvm::TargetMachine &machine,
                                                 llvm::LLVMContext &context) {
  InterfaceArrays arrays = describeInterfaces(module, options.paddedRows);
  if (options.gpu)
    return compileForGPU(module, context, *options.gpu, /*configure=*/{},
                         /*resources=*/nullptr, [&](mlir::ModuleOp finished) {
                           returnErrors(finished, /*hasRuntime=*/true, arrays);
                         });
  if (failed(lower(module, options, machine)))
    return nullptr;
  returnErrors(module, /*hasRuntime=*/false, arrays);
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
  hideInternals(*translated, options);
  optimize(*translated, **machine, options.level);
  llvm::raw_svector_ostream os(result);
  if (options.kind == OutputKind::Object)
    return emitCode(*translated, **machine, CodeFile::Object, os);
  translated->print(os, nullptr);
  return llvm::Error::success();
}

/// Makes the other functions private if one is chosen.
static llvm::Error selectEntry(mlir::ModuleOp module, const Options &options,
                               llvm::StringRef file) {
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
        "'" + file + "': expected a public function to translate");
  }
  bool found = false;
  for (mlir::func::FuncOp function : functions)
    if (isEntry(function) && function.getName() == options.entry)
      found = true;
    else
      function.setPrivate();
  if (!found)
    return llvm::createStringError("--entry: expected a public function of '" +
                                   file + "', got '" + options.entry + "'");
  return llvm::Error::success();
}

/// Loads a program: checked, with the chosen entries and extents. The message
/// of the error is empty if it has been emitted.
static llvm::Error load(Source &source, const Options &options,
                        llvm::StringRef file) {
  if (failed(source.load(file)) || failed(checkProgram(source.getModule())))
    return llvm::createStringError("");
  mlir::ModuleOp module = source.getModule();
  if (auto error = selectEntry(module, options, file))
    return error;
  if (options.extents.empty())
    return llvm::Error::success();
  // For all outputs, as a header has to fit its object.
  StencilSpecializeExtentsOptions specialize;
  specialize.extents = options.extents;
  mlir::PassManager manager(module.getContext());
  manager.addPass(createStencilSpecializeExtents(specialize));
  if (failed(manager.run(module)))
    return llvm::createStringError("");
  return llvm::Error::success();
}

/// The text of --to-c-header and --to-c-library.
static llvm::Error writeForC(llvm::ArrayRef<std::unique_ptr<Source>> sources,
                             const Options &options, llvm::raw_ostream &os) {
  std::vector<CProgram> programs;
  for (const auto &[source, file] : llvm::zip_equal(sources, options.files))
    programs.push_back({source->getModule(), file == "-" ? "stdin" : file,
                        &source->getSources()});
  CHeaderOptions header;
  header.library = options.library;
  header.targets = options.targets;
  header.deviceArrays = options.deviceArrays;
  mlir::LogicalResult written =
      options.kind == OutputKind::CLibrary
          ? emitCLibrary(programs, options.library + ".h", header, os)
          : emitCHeader(programs,
                        options.library.empty() ? programs.front().name
                                                : options.library,
                        header, os);
  return succeeded(written) ? llvm::Error::success()
                            : llvm::createStringError("");
}

static int translate(const Options &options) {
  if (options.output != "-")
    if (auto error = checkWritable(options.output))
      return reportFailure(std::move(error));
  std::vector<std::unique_ptr<Source>> sources;
  auto report = [&](llvm::Error error) {
    std::string message = llvm::toString(std::move(error));
    return message.empty() ? sources.back()->getFailureCode()
                           : reportFailure(llvm::createStringError(message));
  };
  for (const std::string &file : options.files) {
    sources.push_back(std::make_unique<Source>());
    if (auto error = load(*sources.back(), options, file))
      return report(std::move(error));
  }

  Source &source = *sources.front();
  mlir::ModuleOp module = source.getModule();
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream os(result);
  if (auto error = options.isForC() ? writeForC(sources, options, os)
                   : options.isKernels()
                       ? compileKernels(module, options, result)
                   : options.isSource() ? writeSource(source, options, result)
                                        : compile(module, options, result))
    return report(std::move(error));
  auto write = [&](llvm::raw_ostream &os) {
    os.write(result.data(), result.size());
    return llvm::Error::success();
  };
  if (auto error = writeOutput(options.output, write))
    return reportFailure(std::move(error));
  return ExitDone;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  installErrorHandlers();
  enableCrashReports(llvm::ArrayRef(argv, argc));
  int status = ExitDone;
  std::optional<Options> options = readOptions(argc, argv, status);
  return options ? translate(*options) : status;
}
