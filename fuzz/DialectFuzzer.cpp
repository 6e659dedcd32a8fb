//===- DialectFuzzer.cpp - Fuzzes the text form of the dialect ------------===//
//
// A program that parses and verifies is printed in its custom form, in the
// generic form and as bytecode; each has to read back as the same program. Then
// it is canonicalised, and has to be valid still.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cstdlib>
#include <memory>

using namespace mlir;

/// A context keeps every attribute and type that it has seen: it is replaced
/// after so many inputs.
static constexpr unsigned kInputsPerContext = 500;

/// Upstream's recursive parsers run out of stack at some thousands of nested
/// brackets.
static constexpr int kMaxNesting = 64;

static void require(bool condition, const char *what, StringRef text) {
  if (condition)
    return;
  llvm::errs() << "fuzzing: expected " << what << ", got\n" << text << '\n';
  std::abort();
}

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registry.insert<stencil::StencilDialect, arith::ArithDialect,
                  func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Diagnostics print operations and types that may be invalid.
  context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    require(diagnostic.getSeverity() != DiagnosticSeverity::Error ||
                !text.empty(),
            "an error with a text", text);
    for (Diagnostic &note : diagnostic.getNotes())
      text += note.str();
  });
  return context;
}

/// How deep brackets are nested at most.
static int getNesting(StringRef text) {
  int depth = 0, deepest = 0;
  for (char c : text) {
    if (StringRef("([{<").contains(c))
      deepest = std::max(deepest, ++depth);
    else if (StringRef(")]}>").contains(c))
      depth = std::max(depth - 1, 0);
  }
  return deepest;
}

/// Inputs at which upstream's parser is known to crash (LLVM 22.1), before any
/// code of ours runs.
static bool crashesUpstream(StringRef text) {
  if (getNesting(text) > kMaxNesting)
    return true;
  // A dense array of a type without a width: `array<index: 0>`.
  for (size_t at = text.find("array<"); at != StringRef::npos;
       at = text.find("array<", at + 1)) {
    StringRef type = text.drop_front(at + 6).ltrim();
    if (type.size() < 2 || !StringRef("if").contains(type[0]) ||
        !llvm::isDigit(type[1]))
      return true;
  }
  return false;
}

static std::string print(ModuleOp module, bool generic = false) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// Reads `form`, a form of the program that prints as `text`.
static void checkReadsBack(StringRef form, StringRef text,
                           MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(form, &context);
  require(bool(module), "a program that can be read back", form);
  std::string again = print(*module);
  require(again == text, "the same program again", again);
}

static void canonicalise(ModuleOp module, StringRef text) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (RegisteredOperationName name :
       context->getRegisteredOperationsByDialect("stencil"))
    name.getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.setMaxIterations(10).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(module, std::move(patterns), config);
  require(succeeded(verify(module)), "a program that stays valid", text);
}

// The name is libFuzzer's. NOLINTNEXTLINE
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % kInputsPerContext == 0)
    context = makeContext();

  std::string input(reinterpret_cast<const char *>(data), size);
  if (crashesUpstream(input))
    return -1;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(input, context.get());
  if (!module)
    return 0;
  // A mapping of all axes has no text form of its own, as it says nothing: so
  // it is the second text that stays the same.
  std::string first = print(*module);
  module = parseSourceString<ModuleOp>(first, context.get());
  require(bool(module), "a program that can be read back", first);
  std::string text = print(*module);
  checkReadsBack(text, text, *context);
  checkReadsBack(print(*module, /*generic=*/true), text, *context);
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  require(succeeded(writeBytecodeToFile(*module, os)), "bytecode", text);
  checkReadsBack(bytecode, text, *context);
  canonicalise(*module, text);
  return 0;
}
