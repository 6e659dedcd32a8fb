//===- Options.h - Command line of stencil-reduce ---------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILREDUCE_OPTIONS_H
#define STENCILDIALECT_TOOLS_STENCILREDUCE_OPTIONS_H

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

struct Options {
  std::string file;
  std::string output;
  /// Empty: those in the file.
  std::string pipeline;
  /// Empty: the fault is a crash.
  std::string error;
  /// Empty: the fault is that of the passes.
  std::string test;
  std::vector<std::string> testArguments;
  /// The driver of passes.
  std::string opt;
  unsigned timeout = 60;
  /// Looks for the fault in `file`, and reduces nothing.
  bool judge = false;
};

/// Reads the command line; without a value, the tool is to end with `status`.
std::optional<Options> readOptions(int argc, char **argv, int &status);

/// The arguments with which this tool judges a file, which comes last.
llvm::SmallVector<std::string> getJudgeArguments(const Options &options);

#endif // STENCILDIALECT_TOOLS_STENCILREDUCE_OPTIONS_H
