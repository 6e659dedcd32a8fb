//===- CommandLine.h - Options of a tool --------------------------*- C++
//-*-===//
//
// Tools describe their options in TableGen (llvm/Option/OptParser.td). Unlike
// llvm::cl there are no global options then: a tool knows its own and no
// others.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TOOLS_COMMANDLINE_H
#define STENCILDIALECT_TOOLS_COMMANDLINE_H

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"

namespace stencil {

/// Exit codes of all tools.
enum ExitCode { ExitDone = 0, ExitFailed = 1, ExitUsage = 2 };

/// Reads a command line (without the program's name). Fails on an option that
/// the table does not know (`unknown` is its id), naming a similar one if there
/// is one, and on one without its value.
llvm::Expected<llvm::opt::InputArgList>
parseCommandLine(const llvm::opt::OptTable &table,
                 llvm::ArrayRef<const char *> arguments,
                 llvm::opt::OptSpecifier unknown);

/// Prints `error: MESSAGE` for a wrong command line, and how to get help.
int reportUsage(llvm::StringRef tool, llvm::Error error);

/// Prints `error: MESSAGE`.
int reportFailure(llvm::Error error);

/// What LLVM would abort for, such as a lack of memory, is from now on an error
/// that ends the process with ExitFailed. To be called first thing in main.
void installErrorHandlers();

/// The name and version of a tool, as for --version.
void printVersion(llvm::StringRef tool);

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_COMMANDLINE_H
