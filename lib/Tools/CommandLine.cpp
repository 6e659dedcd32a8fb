//===- CommandLine.cpp - Options of a tool --------------------------------===//

#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Support/FatalErrors.h"
#include "StencilDialect/Support/ProgramError.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace stencil;

Expected<opt::InputArgList>
stencil::parseCommandLine(const opt::OptTable &table,
                          ArrayRef<const char *> arguments,
                          opt::OptSpecifier unknown) {
  unsigned missingIndex = 0, missingCount = 0;
  opt::InputArgList args =
      table.ParseArgs(arguments, missingIndex, missingCount);
  for (const opt::Arg *arg : args.filtered(unknown)) {
    StringRef text = arg->getSpelling();
    std::string message = ("unknown option '" + text + "'").str();
    std::string nearest;
    if (table.findNearest(text.str(), nearest) <= 2)
      message += ", did you mean '" + nearest + "'?";
    return createStringError(message);
  }
  if (missingCount)
    return createStringError("option '" +
                             StringRef(args.getArgString(missingIndex)) +
                             "' needs a value");
  return std::move(args);
}

int stencil::reportUsage(StringRef tool, Error error) {
  errs() << "error: " << toString(std::move(error)) << "\n"
         << "note: see '" << tool << " --help'\n";
  return ExitUsage;
}

int stencil::reportFailure(Error error) {
  // Some begin with a place.
  handleAllErrors(
      std::move(error),
      [](const ProgramError &failure) {
        errs() << failure.getPlace() << "error: " << failure.getText() << "\n";
      },
      [](const ErrorInfoBase &info) {
        errs() << "error: " << info.message() << "\n";
      });
  return ExitFailed;
}

/// Allocates nothing: there may be no memory left. Where LLVM asks for
/// diagnostics, the fault is its own or ours.
[[noreturn]] static void exitWithError(void *, const char *reason,
                                       bool isFault) {
  for (StringRef text : {"error: ", reason, "\n"})
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
      break;
  if (isFault)
    writeCrashReport();
  std::_Exit(ExitFailed);
}

[[noreturn]] static void exitWithoutMemory(void *data, const char *reason,
                                           bool) {
  exitWithError(data, reason, /*isFault=*/false);
}

void stencil::installErrorHandlers() {
  setFatalErrorHandler(exitWithError);
  install_bad_alloc_error_handler(exitWithoutMemory);
}

void stencil::printVersion(StringRef tool) {
  outs() << tool << " " STENCIL_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}
