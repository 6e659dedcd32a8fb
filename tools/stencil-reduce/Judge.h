//===- Judge.h - Whether a program shows a fault ----------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILREDUCE_JUDGE_H
#define STENCILDIALECT_TOOLS_STENCILREDUCE_JUDGE_H

#include "llvm/Support/FileSystem.h"

struct Options;

/// A file among the temporary ones, for the caller to discard; a signal that
/// ends the process removes it. Without one nothing can be done: ends the
/// process.
llvm::sys::fs::TempFile createTemporaryFile(llvm::StringRef ending);

/// True if the program in the file shows the fault: the test says so, or the
/// passes crash or report the error. An error of the judgement itself, such as
/// a program that cannot be started, is printed.
bool showsFault(const Options &options);

#endif // STENCILDIALECT_TOOLS_STENCILREDUCE_JUDGE_H
