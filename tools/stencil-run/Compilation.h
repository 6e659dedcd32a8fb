//===- Compilation.h - Machine code for a run -------------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_COMPILATION_H
#define STENCIL_TOOLS_STENCIL_RUN_COMPILATION_H

#include "Options.h"
#include "Report.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/Extents.h"
#include "StencilDialect/Tools/Source.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace stencil {

/// Stderr, with a copy of what goes there.
class MessageStream : public llvm::raw_ostream {
public:
  MessageStream() : llvm::raw_ostream(/*unbuffered=*/true) {}

  const std::string &getText() const { return text; }

  bool has_colors() const override { return llvm::errs().has_colors(); }
  bool is_displayed() const override { return llvm::errs().is_displayed(); }
  raw_ostream &changeColor(Colors color, bool bold, bool bg) override {
    llvm::errs().changeColor(color, bold, bg);
    return *this;
  }
  raw_ostream &resetColor() override {
    llvm::errs().resetColor();
    return *this;
  }

private:
  void write_impl(const char *data, size_t size) override {
    llvm::errs().write(data, size);
    text.append(data, size);
  }
  uint64_t current_pos() const override { return text.size(); }

  std::string text;
};

/// Has the device at hand choose schedules (Execution/TimedSchedules.h).
mlir::LogicalResult timeOnDevice(mlir::func::FuncOp entry,
                                 const RunOptions &options,
                                 CompileOptions &compileOptions,
                                 const Report &report);

/// Says what the tuning database has for `entry`, and sets what it has for a
/// CPU. What it has for a device is applied in the pipeline.
mlir::LogicalResult applyTuning(mlir::func::FuncOp entry,
                                const Extents &extents,
                                const RunOptions &options,
                                CompileOptions &compileOptions, Report &report);

/// Compiles `entry` of `source`, or takes it from the cache, and loads it. Says
/// in `report` which. `messages`: where the source's errors go.
mlir::FailureOr<std::unique_ptr<CompiledProgram>>
compileProgram(Source &source, mlir::func::FuncOp entry,
               const Signature &signature, const CompileOptions &compileOptions,
               const RunOptions &options, const MessageStream &messages,
               Report &report);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_COMPILATION_H
