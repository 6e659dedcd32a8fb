//===- Options.h - The command line of stencil-tune -------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_OPTIONS_H
#define STENCIL_TOOLS_STENCIL_TUNE_OPTIONS_H

#include "StencilDialect/Execution/ArgumentSpec.h"
#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Pipelines/Algebra.h"

#include <optional>
#include <string>
#include <vector>

namespace stencil {

struct TuneOptions {
  std::string file;
  std::string entry;
  std::string database;
  /// Print this one instead.
  std::string list;
  /// Null: the CPU.
  const GPUTarget *gpu = nullptr;
  std::string chip;
  /// What the program has untuned: as for stencil-run, but no schedule.
  std::string schedule;
  AlgebraOptions algebra;
  std::vector<ArgumentSpec> arguments;
  llvm::SmallVector<int64_t> extents;
  /// Seconds.
  double budget = 60, timeout = 30;
  unsigned jobs = 1;
  /// 0: as many as there is time for.
  size_t mostCandidates = 0;
  /// A file with what to try in place of the model's candidates.
  std::string schedules;
  /// The lock of who may measure; empty: nobody else does.
  std::string turns;
  /// Of the program on a CPU, and of the interpreter.
  unsigned threads = 1;
  /// The tolerance in ULP; nothing: no check.
  std::optional<uint64_t> verify = 5;
  /// What the best is compared with.
  enum ReferenceKind { Interpreter, Untuned };
  ReferenceKind reference = Interpreter;
  /// Whether both are given other numbers than those of the timing.
  bool wildInputs = true;
  bool again = false;
  /// Only print what would be tried.
  bool candidates = false;
  /// And what is close to each.
  bool neighbours = false;
  bool progress = false;
  bool worker = false;
  /// --help or --version was printed: nothing is to be done.
  bool done = false;

  /// A GPU that is none of the emulator's.
  bool hasDevice() const { return gpu && !gpu->isEmulator(); }

  /// "cpu", "cuda", ...
  llvm::StringRef getTargetName() const;
};

/// Reads the command line, without the program's name.
llvm::Expected<TuneOptions>
parseOptions(llvm::ArrayRef<const char *> arguments);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_OPTIONS_H
