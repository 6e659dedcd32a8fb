//===- CrashReport.h - What is left of a crash ------------------*- C++ -*-===//
//
// A tool that crashes, on whatever thread, leaves a file from which the crash
// can be repeated and made smaller, and says so. Errors of programs and of
// command lines leave nothing.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_CRASHREPORT_H
#define STENCILDIALECT_SUPPORT_CRASHREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace stencil {

/// Reports crashes of this process from now on: signals such as SIGSEGV and
/// SIGABRT, wherever LLVM's handlers get them. `command` is the command line.
/// Files go to the directory in the environment variable STENCIL_CRASH_DIR, or
/// to that of temporary files; an empty variable asks for none. To be called
/// after llvm::InitLLVM, so that the report follows the stack trace.
void enableCrashReports(llvm::ArrayRef<const char *> command);

/// What is being worked on: its source, text or bytecode, which must live until
/// the next call. Empty: nothing that could be reported. Other threads than the
/// one that has enabled reports change nothing.
void setCrashProgram(llvm::StringRef source);

/// The passes that are about to run on the program as it was read, as in
/// --pass-pipeline: the file then repeats them (stencil-opt --run-reproducer).
/// Ignored for bytecode, to which nothing can be added.
void setCrashPipeline(llvm::StringRef pipeline);

/// The end of a text with a program that makes MLIR's reproducer of it.
std::string makeReproducerResource(llvm::StringRef pipeline);

/// Writes the report of this process, if there is something to report and none
/// has been written. For failures that are no signals; also within a handler of
/// signals, as it allocates nothing.
void writeCrashReport();

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_CRASHREPORT_H
