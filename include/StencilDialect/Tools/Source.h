//===- Source.h - The program that a tool works on --------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_SOURCE_H
#define STENCILDIALECT_TOOLS_SOURCE_H

#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace stencil {

/// Prints diagnostics, to stderr if not told otherwise: of errors the first one
/// only, with its notes and the line of the source. An error without a place in
/// the source is just `error: MESSAGE`, and one of an option `error: --OPTION:
/// MESSAGE`.
class ToolDiagnosticHandler : public mlir::SourceMgrDiagnosticHandler {
public:
  ToolDiagnosticHandler(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                        llvm::raw_ostream &os = llvm::errs());

  /// Whether what was printed is an error of the command line.
  bool isUsageError() const { return usage; }

private:
  bool failed = false, usage = false;
};

/// A program, its source, and a context that knows the dialects of the CPU
/// path. Errors go to `os`.
class Source {
public:
  explicit Source(llvm::raw_ostream &os = llvm::errs());
  ~Source();

  /// Reads and parses `path`, text or bytecode; `-` is stdin.
  mlir::LogicalResult load(llvm::StringRef path);
  /// Parses what has been read.
  mlir::LogicalResult load(std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// The checked entry called `name`, or the only one, with its signature.
  mlir::FailureOr<std::pair<mlir::func::FuncOp, Signature>>
  describeEntry(llvm::StringRef name);

  /// The exit code of a tool after an error that was emitted.
  int getFailureCode() const {
    return handler.isUsageError() ? ExitUsage : ExitFailed;
  }

  mlir::MLIRContext &getContext() { return context; }
  mlir::ModuleOp getModule() { return module.get(); }
  llvm::SourceMgr &getSources() { return sources; }

private:
  llvm::raw_ostream &os;
  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  ToolDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_SOURCE_H
