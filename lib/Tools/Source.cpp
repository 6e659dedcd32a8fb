//===- Source.cpp - The program that a tool works on ----------------------===//

#include "StencilDialect/Tools/Source.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"

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

/// The name of the op, type or attribute behind which, or at which, the parser
/// was.
static std::string readName(Location location, llvm::SourceMgr &sources) {
  auto position = dyn_cast<FileLineColLoc>(location);
  if (!position || sources.getNumBuffers() == 0)
    return "";
  SMLoc place = sources.FindLocForLineAndColumn(1, position.getLine(),
                                                position.getColumn());
  if (!place.isValid())
    return "";
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(1);
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  const char *begin = place.getPointer(), *end = begin;
  while (begin > buffer->getBufferStart() &&
         (isPart(begin[-1]) || (begin == end && begin[-1] == '"')))
    --begin;
  while (end < buffer->getBufferEnd() && isPart(*end))
    ++end;
  llvm::StringRef name(begin, end - begin);
  return name.take_while([&](char c) { return isPart(c); }).str();
}

/// What MLIR says of dialects that are not there is for those who write tools.
static std::optional<std::string>
describeUnknownDialect(const Diagnostic &diagnostic, llvm::SourceMgr &sources) {
  std::string text = diagnostic.str();
  if (!llvm::StringRef(text).contains("unregistered dialect") &&
      !llvm::StringRef(text).starts_with("Dialect `"))
    return std::nullopt;
  std::string name = readName(diagnostic.getLocation(), sources);
  llvm::StringRef dialect = llvm::StringRef(name).split('.').first;
  std::string message = name.empty()
                            ? "a dialect that is not known is used here"
                            : "expected ops, types and attributes of known "
                              "dialects, got '" +
                                  name + "'";
  if (dialect == "dmp")
    message += "; programs here are for one process: 'dmp' exchanges halos "
               "between several, each of which xDSL gives its part of the grid";
  return message;
}

/// What users are told instead of what MLIR says: of an op that no conversion
/// takes its message is about the conversion.
static std::optional<std::string> rephrase(const Diagnostic &diagnostic,
                                           llvm::SourceMgr &sources) {
  std::string message = diagnostic.str();
  llvm::StringRef text = message;
  if (!text.consume_front("failed to legalize "))
    return describeUnknownDialect(diagnostic, sources);
  if (!text.consume_front("operation '"))
    return "this cannot be compiled for the target";
  return ("'" + text.take_until([](char c) { return c == '\''; }) +
          "' cannot be compiled for the target")
      .str();
}

ToolDiagnosticHandler::ToolDiagnosticHandler(llvm::SourceMgr &sources,
                                             MLIRContext *context,
                                             llvm::raw_ostream &stream)
    : SourceMgrDiagnosticHandler(sources, context, stream) {
  setHandler([this, &sources](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (failed)
        return;
      failed = true;
    }
    llvm::StringRef option = getOptionName(diagnostic.getLocation());
    std::optional<std::string> plain = rephrase(diagnostic, sources);
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
Source::Source(llvm::raw_ostream &os)
    : os(os), context(getRegistry(), MLIRContext::Threading::DISABLED),
      handler(sources, &context, os) {
  context.printOpOnDiagnostic(false);
}

// Its text is gone afterwards.
Source::~Source() { setCrashProgram(""); }

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
  setCrashProgram(buffer->getBuffer());
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (isBlank)
    return emitError(UnknownLoc::get(&context))
           << "'" << name << "': expected a program, got an empty file";
  if (isText && failed(checkNesting(sources, {}, os)))
    return failure();
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || (!isText && failed(checkNesting(module.get(), os))))
    return failure();
  // For the errors of MLIR's own passes.
  (*module)->setLoc(getStart(*module));
  PassManager manager(&context);
  manager.addPass(createStencilAdoptPointers());
  return manager.run(*module);
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
