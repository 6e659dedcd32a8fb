//===- stencil-opt.cpp - Pass driver --------------------------------------===//
//
// Exits with 0 if all went well, else with 1, also after wrong usage: that is
// how mlir-opt's driver does it. A failing run leaves no output file.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cstdio>

using namespace mlir;

/// Of an error about the value of an option that is about no place in the
/// program: it has the program's start.
static StringRef getPlainOption(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  auto place = named ? dyn_cast<FileLineColLoc>(named.getChildLoc()) : nullptr;
  bool isStart = place && place.getLine() == 1 && place.getColumn() == 1;
  return isStart ? stencil::getOptionName(location) : StringRef();
}

/// Such errors are of the command line. To be called when the handler of all
/// others is there: the last one is asked first.
static void reportOptions(MLIRContext &context) {
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    StringRef option = getPlainOption(diagnostic.getLocation());
    if (!option.consume_front("--") ||
        diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    llvm::errs() << "error: option '" << option << "': " << diagnostic.str()
                 << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::errs() << note.getLocation() << ": note: " << note.str() << "\n";
    return success();
  });
}

/// Adds to what happens before passes run. Reports of crashes have the passes
/// with the program, if it is in one piece and does not bring its own. Remarks
/// have no lock, so that functions come one after the other where they are
/// asked for.
static void setUpPasses(MlirOptMainConfig &config) {
  bool inOnePiece =
      config.inputSplitMarker().empty() && !config.shouldRunReproducer();
  bool reports = !config.shouldVerifyDiagnostics();
  config.setPassPipelineSetupFn([=, given = config](PassManager &manager) {
    if (failed(given.setupPassPipeline(manager)))
      return failure();
    if (given.shouldEmitRemarks())
      manager.getContext()->disableMultithreading();
    if (reports)
      reportOptions(*manager.getContext());
    if (!inOnePiece)
      return success();
    std::string text;
    llvm::raw_string_ostream os(text);
    manager.printAsTextualPipeline(os);
    stencil::setCrashPipeline(text);
    return success();
  });
}

/// Before passes, which call themselves for each level, see it. What cannot be
/// read is left to MlirOptMain's errors.
static LogicalResult checkBytecode(const llvm::MemoryBuffer &buffer,
                                   const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(buffer.getBuffer(), config);
  return success(!module || succeeded(stencil::checkNesting(*module)));
}

/// What MlirOptMain does with names of files, but for a look at the text before
/// it is parsed.
static LogicalResult run(int argc, char **argv) {
  DialectRegistry registry;
  stencil::registerAllDialects(registry);
  stencil::registerAllPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "StencilDialect optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, input, output, registry);

  llvm::InitLLVM setUp(argc, argv);
  stencil::enableCrashReports(llvm::ArrayRef(argv, argc));
  setUpPasses(config);
  if (input == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &message);
  if (!buffer) {
    llvm::errs() << "error: " << message << "\n";
    return failure();
  }
  if (isBytecode(*buffer)) {
    if (failed(checkBytecode(*buffer, registry)))
      return failure();
  } else {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(*buffer,
                                         /*RequiresNullTerminator=*/false),
        SMLoc());
    if (failed(stencil::checkNesting(sources, config.inputSplitMarker())))
      return failure();
  }
  stencil::setCrashProgram(buffer->getBuffer());
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "error: " << message << "\n";
    return failure();
  }
  LogicalResult result =
      MlirOptMain(file->os(), std::move(buffer), registry, config);
  stencil::setCrashProgram("");
  if (failed(result))
    return failure();
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  // A disk that is full, too, is one line.
  stencil::installErrorHandlers();
  return asMainReturnCode(run(argc, argv));
}
