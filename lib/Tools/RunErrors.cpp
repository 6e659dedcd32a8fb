//===- RunErrors.cpp - Errors of programs that a tool runs ----------------===//

#include "StencilDialect/Tools/RunErrors.h"
#include "StencilDialect/Support/ProgramError.h"
#include "StencilRuntime/Runtime.h"

#include <csignal>
#include <cstdlib>
#include <iterator>
#include <unistd.h>

using namespace stencil;

/// Ends the process from any thread, also from a signal handler: no
/// destructors, no allocation.
[[noreturn]] static void fail(llvm::StringRef message) {
  // The line may have a progress bar on it.
  constexpr llvm::StringLiteral erase = "\r\033[K";
  auto write = [](llvm::StringRef text) {
    while (!text.empty()) {
      ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
      if (written <= 0)
        break;
      text = text.drop_front(written);
    }
  };
  if (isatty(STDERR_FILENO))
    write(erase);
  auto [place, text] = splitPlace(message);
  write(place);
  write("error: ");
  write(text);
  write("\n");
  std::_Exit(1);
}

static void handleFault(int signal) {
  if (signal == SIGFPE)
    fail("integer division by zero, or overflow of one, in the program");
  fail("access outside of any memory, in the program");
}

static constexpr int kFaults[] = {SIGFPE, SIGSEGV, SIGBUS};
static struct sigaction previousActions[std::size(kFaults)];

FaultGuard::FaultGuard() {
  struct sigaction action = {};
  action.sa_handler = handleFault;
  // The stack may be what is full.
  action.sa_flags = SA_ONSTACK;
  for (size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &action, &previousActions[i]);
}

FaultGuard::~FaultGuard() {
  for (size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &previousActions[i], nullptr);
}

void stencil::installRuntimeErrorHandler() {
  stencilSetErrorHandler([](int32_t, const char *message) { fail(message); });
}
