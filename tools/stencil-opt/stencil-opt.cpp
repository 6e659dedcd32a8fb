//===- stencil-opt.cpp - Pass driver --------------------------------------===//
//
// Exits with 0 if all went well, else with 1, also after wrong usage: that is
// how mlir-opt's driver does it. A failing run leaves no output file.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <cstdio>

using namespace mlir;

/// Reports of crashes have the passes with the program, if it is in one piece
/// and does not bring its own.
static void rememberPipeline(MlirOptMainConfig &config) {
  if (!config.inputSplitMarker().empty() || config.shouldRunReproducer())
    return;
  config.setPassPipelineSetupFn([given = config](PassManager &manager) {
    if (failed(given.setupPassPipeline(manager)))
      return failure();
    std::string text;
    llvm::raw_string_ostream os(text);
    manager.printAsTextualPipeline(os);
    stencil::setCrashPipeline(text);
    return success();
  });
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
  rememberPipeline(config);
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
  if (!isBytecode(*buffer)) {
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
