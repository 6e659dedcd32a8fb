//===- Interrupt.cpp - How far a run is, and its end by Ctrl-C ------------===//

#include "Interrupt.h"
#include "StencilRuntime/Backend.h"
#include "llvm/Support/FormatVariadic.h"

#include <charconv>
#include <cstring>
#include <unistd.h>

using namespace stencil;

ProgressBar::State stencil::describeSteps() {
  runtime::StepProgress steps = runtime::getStepProgress();
  if (steps.total == 0)
    return {};
  return {steps.part,
          llvm::formatv("step {0} of {1}", steps.done, steps.total)};
}

namespace {

/// A line in memory of its own: a signal handler may not allocate.
class Line {
public:
  Line &operator<<(const char *text) {
    size_t count = std::min(std::strlen(text), sizeof(buffer) - size);
    std::memcpy(buffer + size, text, count);
    size += count;
    return *this;
  }
  Line &operator<<(int64_t number) {
    auto result = std::to_chars(buffer + size, buffer + sizeof(buffer), number);
    size = result.ptr - buffer;
    return *this;
  }
  void print() const {
    // There is nobody to tell that it failed.
    (void)!::write(STDERR_FILENO, buffer, size);
  }

private:
  char buffer[256];
  size_t size = 0;
};

} // namespace

static volatile std::sig_atomic_t isLineUsed = 0;

static void handleInterrupt(int) {
  runtime::StepProgress steps = runtime::getStepProgress();
  Line line;
  if (isLineUsed)
    line << (::isatty(STDERR_FILENO) ? "\r\033[K" : "\n");
  line << "error: interrupted";
  if (steps.total > 0)
    line << " at step " << steps.done << " of " << steps.total;
  line << "; no output was written\n";
  line.print();
  ::_exit(kInterrupted);
}

InterruptGuard::InterruptGuard(bool isBarShown) {
  isLineUsed = isBarShown;
  runtime::resetStepProgress();
  struct sigaction action = {};
  action.sa_handler = handleInterrupt;
  sigaction(SIGINT, &action, &previous);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &previous, nullptr); }
