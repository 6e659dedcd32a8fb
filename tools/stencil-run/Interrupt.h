//===- Interrupt.h - How far a run is, and its end by Ctrl-C ----*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_INTERRUPT_H
#define STENCIL_TOOLS_STENCIL_RUN_INTERRUPT_H

#include "StencilDialect/Support/Progress.h"

#include <csignal>

namespace stencil {

/// The exit code of a run that was interrupted.
inline constexpr int kInterrupted = 130;

/// What a progress bar shows of a compiled program that counts its steps.
ProgressBar::State describeSteps();

/// While it lives, SIGINT ends the process with kInterrupted and a line that
/// says at which step. Nothing has been written then: outputs come after the
/// run.
class InterruptGuard {
public:
  /// `isBarShown`: the cursor may stand behind a progress bar.
  explicit InterruptGuard(bool isBarShown);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

private:
  struct sigaction previous = {};
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_INTERRUPT_H
