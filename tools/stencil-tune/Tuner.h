//===- Tuner.h - The search for the fastest schedule ------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_TUNER_H
#define STENCIL_TOOLS_STENCIL_TUNE_TUNER_H

#include "Options.h"

#include <chrono>

namespace stencil {

/// Tunes a program and prints what was found. `start` is when the budget began.
/// Returns the exit code; the caller ends the process with it at once, as
/// threads are still at work.
int tune(const TuneOptions &options,
         std::chrono::steady_clock::time_point start);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_TUNER_H
