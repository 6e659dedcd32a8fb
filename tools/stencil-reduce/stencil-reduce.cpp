//===- stencil-reduce.cpp - Small programs for reports of faults ----------===//

#include "Judge.h"
#include "Options.h"
#include "Reducer.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace stencil;

/// The program, and the passes that it names if none are given.
static OwningOpRef<ModuleOp> load(Options &options, MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(options.file, &message);
  if (!buffer) {
    llvm::errs() << "error: " << message << "\n";
    return {};
  }
  llvm::SourceMgr sources;
  bool isText = !isBytecode(*buffer);
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (isText && failed(checkNesting(sources)))
    return {};
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  ParserConfig config(&context);
  std::string pipeline;
  config.attachResourceParser(
      "mlir_reproducer", [&](AsmParsedResourceEntry &entry) -> LogicalResult {
        if (entry.getKey() != "pipeline")
          return success();
        FailureOr<std::string> text = entry.parseAsString();
        if (succeeded(text))
          pipeline = *text;
        return text;
      });
  auto module = parseSourceFile<ModuleOp>(sources, config);
  if (module && !isText && failed(checkNesting(module.get())))
    return {};
  if (options.pipeline.empty() && options.test.empty())
    options.pipeline = pipeline;
  return module;
}

static size_t countLines(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return llvm::StringRef(text).count('\n');
}

static int reduce(Options options, const char *program) {
  if (options.output != "-")
    if (auto error = checkWritable(options.output))
      return reportFailure(std::move(error));
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  registerReductionPatterns(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = load(options, context);
  if (!module)
    return ExitFailed;
  // Programs on the way may be wrong, and the passes of MLIR say so.
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  static int here;
  std::string tool = llvm::sys::fs::getMainExecutable(program, &here);
  size_t before = countLines(module.get());
  auto isFaulty = [options](const std::string &file) {
    Options ofFile = options;
    ofFile.file = file;
    return showsFault(ofFile);
  };
  Reducer reducer(std::move(module), isFaulty, tool,
                  getJudgeArguments(options));
  if (!reducer.showsFault())
    return reportFailure(llvm::createStringError(
        "'" + options.file + "' does not show the fault: " +
        (options.test.empty()
             ? options.error.empty()
                   ? std::string("the passes do not crash")
                   : "the passes report no error with '" + options.error + "'"
             : "'" + options.test + "' exits with 0")));
  reducer.reduce();
  auto write = [&](llvm::raw_ostream &os) {
    reducer.getModule().print(os);
    if (!options.pipeline.empty())
      os << makeReproducerResource(options.pipeline);
    return llvm::Error::success();
  };
  if (auto error = writeOutput(options.output, write))
    return reportFailure(std::move(error));
  llvm::errs() << "note: " << before << " lines became "
               << countLines(reducer.getModule()) << ", in "
               << reducer.countTests() << " tests\n";
  return ExitDone;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  installErrorHandlers();
  int status = ExitDone;
  std::optional<Options> options = readOptions(argc, argv, status);
  if (!options)
    return status;
  // MLIR's reduction asks for another code than 0 where the fault is.
  if (options->judge)
    return showsFault(*options) ? 1 : 0;
  return reduce(*options, *argv);
}
