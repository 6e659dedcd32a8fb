//===- Source.cpp - The program that a tool works on ----------------------===//

#include "StencilDialect/Tools/Source.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Tools/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"

using namespace mlir;
using namespace stencil;

static llvm::StringRef getSeverityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

/// What users are told of an op that no conversion takes: MLIR's message is
/// about the conversion.
static std::optional<std::string> rephrase(const Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  llvm::StringRef text = message;
  if (!text.consume_front("failed to legalize "))
    return std::nullopt;
  if (!text.consume_front("operation '"))
    return "this cannot be compiled for the target";
  return ("'" + text.take_until([](char c) { return c == '\''; }) +
          "' cannot be compiled for the target")
      .str();
}

ToolDiagnosticHandler::ToolDiagnosticHandler(llvm::SourceMgr &sources,
                                             MLIRContext *context)
    : SourceMgrDiagnosticHandler(sources, context, llvm::errs()) {
  setHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (failed)
        return;
      failed = true;
    }
    llvm::StringRef option = getOptionName(diagnostic.getLocation());
    std::optional<std::string> plain = rephrase(diagnostic);
    if (option.empty() && !isa<UnknownLoc>(diagnostic.getLocation())) {
      if (plain)
        emitDiagnostic(diagnostic.getLocation(), *plain,
                       diagnostic.getSeverity());
      else
        emitDiagnostic(diagnostic);
      return;
    }
    if (plain) {
      os << getSeverityName(diagnostic.getSeverity()) << ": " << *plain << "\n";
      return;
    }
    usage |= !option.empty();
    os << getSeverityName(diagnostic.getSeverity()) << ": " << option
       << (option.empty() ? "" : ": ") << diagnostic.str() << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      emitDiagnostic(note);
  });
}

static const DialectRegistry &getRegistry() {
  static DialectRegistry registry;
  static bool filled =
      (registerCPUDialects(registry), registerGPUDialects(registry), true);
  (void)filled;
  return registry;
}

// Threads would help neither a program of one function nor its start-up.
Source::Source()
    : context(getRegistry(), MLIRContext::Threading::DISABLED),
      handler(sources, &context) {
  context.printOpOnDiagnostic(false);
}

/// Nothing but comments.
static bool hasNothing(const llvm::MemoryBuffer &buffer) {
  return llvm::all_of(llvm::split(buffer.getBuffer(), '\n'),
                      [](llvm::StringRef line) {
                        line = line.trim();
                        return line.empty() || line.starts_with("//");
                      });
}

LogicalResult Source::load(llvm::StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return emitError(UnknownLoc::get(&context)) << message;
  return load(std::move(buffer));
}

LogicalResult Source::load(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  bool isText = !isBytecode(*buffer), isBlank = hasNothing(*buffer);
  std::string name = buffer->getBufferIdentifier().str();
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (isBlank)
    return emitError(UnknownLoc::get(&context))
           << "'" << name << "': expected a program, got an empty file";
  if (isText && failed(checkNesting(sources)))
    return failure();
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || (!isText && failed(checkNesting(module.get()))))
    return failure();
  // For the errors of MLIR's own passes.
  (*module)->setLoc(getStart(*module));
  return success();
}

FailureOr<std::pair<func::FuncOp, Signature>>
Source::describeEntry(llvm::StringRef name) {
  FailureOr<func::FuncOp> entry = findCheckedEntry(getModule(), name);
  if (failed(entry))
    return failure();
  FailureOr<Signature> signature = getSignature(*entry, &sources);
  if (failed(signature))
    return failure();
  return std::make_pair(*entry, std::move(*signature));
}
