//===- stencil-translate.cpp - Programs for others to call ----------------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/CHeader.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Source.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm::opt;
using namespace stencil;

namespace {

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "Opts.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Opts.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Opts.inc"
#undef OPTION
};

class TranslateOptTable : public GenericOptTable {
public:
  TranslateOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {}
};

struct Options {
  std::string file;
  OptionId kind = OPT_INVALID;
  std::string output;
  std::string cpu;
  unsigned level = 3;
  bool sequential = false;
};

} // namespace

static llvm::Expected<Options> readOptions(const InputArgList &args) {
  Options options;
  auto files = args.getAllArgValues(OPT_INPUT);
  if (files.size() != 1)
    return llvm::createStringError(
        "expected one file to translate ('-' for stdin), got " +
        llvm::Twine(files.size()));
  options.file = files.front();
  for (OptionId kind : {OPT_to_llvmir, OPT_to_object, OPT_to_c_header}) {
    if (!args.hasArg(kind))
      continue;
    if (options.kind != OPT_INVALID)
      return llvm::createStringError("expected one of --to-llvmir, --to-object "
                                     "and --to-c-header, got several");
    options.kind = kind;
  }
  if (options.kind == OPT_INVALID)
    return llvm::createStringError(
        "expected --to-llvmir, --to-object or --to-c-header");
  options.output = args.getLastArgValue(OPT_output, "-").str();
  options.cpu = args.getLastArgValue(OPT_cpu, "native").str();
  llvm::StringRef level = args.getLastArgValue(OPT_opt_level, "3");
  if (level.getAsInteger(10, options.level) || options.level > 3)
    return llvm::createStringError(
        "--opt-level: expected a number from 0 to 3, got '" + level + "'");
  options.sequential = args.hasArg(OPT_sequential);
  if (options.kind == OPT_to_object && options.output == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::createStringError(
        "expected -o FILE, as an object file is not for a terminal");
  return options;
}

/// Runs the CPU pipeline on the module.
static mlir::LogicalResult lower(mlir::ModuleOp module, const Options &options,
                                 llvm::TargetMachine &machine) {
  mlir::PassManager manager(module.getContext());
  CPUPipelineOptions pipelineOptions;
  pipelineOptions.vectorBits = getVectorBits(machine);
  if (options.cpu == "native")
    pipelineOptions.cacheBytes = getLastLevelCacheSize();
  pipelineOptions.openmp = !options.sequential;
  buildStencilToCPUPipeline(manager, pipelineOptions);
  return manager.run(module);
}

/// Leaves the C interface of public functions as the only symbols.
static void hideInternals(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        !function.getName().starts_with("_mlir_ciface_"))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// The text or binary of --to-llvmir and --to-object.
static llvm::Error compile(mlir::ModuleOp module, const Options &options,
                           llvm::SmallVectorImpl<char> &result) {
  auto machine = createTargetMachine(options.cpu);
  if (!machine)
    return machine.takeError();
  // After an error that was emitted, the message is empty.
  if (failed(lower(module, options, **machine)))
    return llvm::createStringError("");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateToLLVM(module, context);
  if (!translated)
    return llvm::createStringError("translation to LLVM IR failed");
  setTarget(*translated, **machine);
  hideInternals(*translated);
  optimize(*translated, **machine, options.level);
  llvm::raw_svector_ostream os(result);
  if (options.kind == OPT_to_object)
    return emitCode(*translated, **machine, CodeFile::Object, os);
  translated->print(os, nullptr);
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
  auto isEntry = [](mlir::func::FuncOp function) {
    return function.isPublic() && !function.isExternal();
  };
  if (llvm::none_of(module.getOps<mlir::func::FuncOp>(), isEntry))
    return reportFailure(llvm::createStringError(
        "'" + options.file + "': expected a public function to translate"));

  llvm::SmallVector<char, 0> result;
  if (options.kind == OPT_to_c_header) {
    llvm::raw_svector_ostream os(result);
    if (failed(emitCHeader(module, options.file == "-" ? "stdin" : options.file,
                           &source.getSources(), os)))
      return ExitFailed;
  } else if (auto error = compile(module, options, result)) {
    std::string message = llvm::toString(std::move(error));
    return message.empty() ? static_cast<int>(ExitFailed)
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
  TranslateOptTable table;
  auto args = parseCommandLine(table, llvm::ArrayRef(argv, argc).drop_front(),
                               OPT_UNKNOWN);
  if (!args)
    return reportUsage("stencil-translate", args.takeError());
  if (args->hasArg(OPT_help)) {
    table.printHelp(llvm::outs(),
                    "stencil-translate FILE.mlir --to-... [-o OUT]",
                    "Makes something of a stencil program that other programs "
                    "can use");
    return ExitDone;
  }
  if (args->hasArg(OPT_version)) {
    printVersion("stencil-translate");
    return ExitDone;
  }
  auto options = readOptions(*args);
  if (!options)
    return reportUsage("stencil-translate", options.takeError());
  return translate(*options);
}
