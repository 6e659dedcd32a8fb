//===- Options.h - The command line of stencil-run --------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_OPTIONS_H
#define STENCIL_TOOLS_STENCIL_RUN_OPTIONS_H

#include "StencilDialect/Execution/ArgumentSpec.h"
#include "StencilDialect/Pipelines/Algebra.h"
#include "StencilDialect/Target/GPUTargets.h"

#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// GPU: one of getGPUTargets().
enum class RunTarget { CPU, Interpreter, GPU };

struct RunOptions {
  std::string file;
  std::string entry;
  RunTarget target = RunTarget::CPU;
  /// The GPU, or the emulator of one; null: none.
  const GPUTarget *gpu = nullptr;
  std::vector<ArgumentSpec> arguments;
  llvm::SmallVector<int64_t> extents;
  /// Kernels do not know them.
  bool anyExtents = false;
  /// Programs for a GPU are given arrays in its memory.
  bool deviceArrays = false;
  std::vector<OutputSpec> outputs;
  std::vector<OutputSpec> pictures;
  /// The tolerance of --verify, in ULP.
  std::optional<uint64_t> verify;
  bool extendedReference = false;
  bool bench = false;
  /// 0: as many as fit a time.
  unsigned repeats = 0;
  std::string jsonFile;
  /// A program that is compiled in place of the one that --verify interprets.
  std::string testCompiledFile;
  std::string dumpDirectory;
  /// Where compiled programs are kept; empty: nowhere.
  std::string cacheDirectory;
  /// Shared libraries with functions that the program calls.
  std::vector<std::string> libraries;
  std::string pipelineOptions;
  /// The GPU to compile for; empty: the one at hand.
  std::string chip;
  std::string schedule;
  /// Schedules, or options for the CPU, that have been measured; may be empty.
  std::string tuningDatabase;
  AlgebraOptions algebra;
  unsigned threads = 0;
  bool flushDenormals = false;
  bool progress = false;
  /// --help or --version was printed: nothing is to be done.
  bool done = false;

  /// "cpu", "cuda", ...
  llvm::StringRef getTargetName() const;
};

/// Reads the command line of the tool (without its name).
llvm::Expected<RunOptions> parseOptions(llvm::ArrayRef<const char *> arguments);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_OPTIONS_H
