//===- Steps.cpp - How far the loops of a program are ---------------------===//

#include "State.h"
#include "StencilRuntime/Backend.h"
#include "StencilRuntime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <chrono>

using namespace stencil::runtime;

/// Nanoseconds since some time that stays the same.
static int64_t readClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

/// A loop that is running. One thread writes; others, and signal handlers,
/// read.
struct Level {
  std::atomic<int64_t> done{0}, total{0};
  /// Steps that were given to a device, which may not have done them yet.
  int64_t issued = 0;
};

} // namespace

/// Loops that are nested deeper are not looked at.
static constexpr int kMaxLevels = 4;
static Level levels[kMaxLevels];
/// How many loops are running.
static std::atomic<int> depth{0};
/// Of the outermost loops, those before this one, and all.
static std::atomic<int64_t> loopsBefore{0}, loopsInAll{0};

//===----------------------------------------------------------------------===//
// Waiting for a device
//===----------------------------------------------------------------------===//

// Launches return at once: only who waits for the device knows how far it is.
// That is done a few times per second, whatever a step takes; at the beginning,
// when that is not known, after 1, 2, 4, ... calls.
static constexpr int64_t kOften = 100'000'000, kSeldom = 400'000'000;
static int64_t callsPerWait = 1, calls = 0, lastWait = 0;

static void waitNowAndThen(void *stream) {
  if (++calls < callsPerWait)
    return;
  // The caller's is not waited for; what it was given counts as done.
  if (!isCallerStream(stream))
    getBackend().synchronizeStream(stream);
  int64_t now = readClock();
  int64_t elapsed = now - lastWait;
  if (elapsed < kOften)
    callsPerWait *= 2;
  else if (elapsed > kSeldom)
    callsPerWait = std::max<int64_t>(callsPerWait / 2, 1);
  calls = 0;
  lastWait = now;
  for (Level &level : levels)
    level.done = level.issued;
}

//===----------------------------------------------------------------------===//
// What programs call
//===----------------------------------------------------------------------===//

void stencilBeginSteps(int64_t total, int64_t before, int64_t loops) {
  int level = depth;
  if (level == 0) {
    loopsBefore = before;
    loopsInAll = loops;
    callsPerWait = 1;
    calls = 0;
    lastWait = readClock();
  }
  if (level < kMaxLevels) {
    levels[level].done = levels[level].issued = 0;
    levels[level].total = std::max<int64_t>(total, 0);
  }
  depth = level + 1;
}

static int countLevels() { return std::min<int>(depth, kMaxLevels); }

void stencilCountSteps(int64_t steps) {
  int level = depth - 1;
  if (level >= 0 && level < kMaxLevels)
    levels[level].done = levels[level].issued += steps;
}

void stencilCountLaunchedSteps(int64_t steps, void *stream) {
  int level = depth - 1;
  if (level >= 0 && level < kMaxLevels)
    levels[level].issued += steps;
  waitNowAndThen(stream);
}

void stencilEndSteps() {
  int level = depth - 1;
  if (level == 0)
    ++loopsBefore;
  depth = std::max(level, 0);
}

//===----------------------------------------------------------------------===//
// Who asks
//===----------------------------------------------------------------------===//

StepProgress stencil::runtime::getStepProgress() {
  StepProgress progress;
  int active = countLevels();
  progress.total = levels[0].total;
  progress.done = active ? levels[0].done.load() : progress.total;
  double part = 0, share = 1;
  for (int i = 0; i < active && levels[i].total > 0; ++i) {
    share /= double(levels[i].total);
    part += share * double(levels[i].done);
  }
  if (loopsInAll > 0)
    progress.part =
        std::min(1.0, (double(loopsBefore) + part) / double(loopsInAll));
  return progress;
}

void stencil::runtime::resetStepProgress() {
  depth = 0;
  levels[0].total = 0;
  loopsBefore = loopsInAll = 0;
}
