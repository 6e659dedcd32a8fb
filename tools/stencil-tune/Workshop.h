//===- Workshop.h - Workers side by side ------------------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_WORKSHOP_H
#define STENCIL_TOOLS_STENCIL_TUNE_WORKSHOP_H

#include "StencilDialect/Tuning/Search.h"
#include "WorkerProcess.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace stencil {

/// Something for a worker to do.
struct Job {
  enum Kind { Start, Compile, Measure, Outputs };

  Kind kind = Compile;
  /// Of Compile and Measure.
  TuningPoint point;
  Message request;
  double seconds = 0;
};

/// A job that is over.
struct Outcome {
  Job::Kind kind = Job::Compile;
  TuningPoint point;
  /// The answer, and of Start the greeting.
  Message answer;
  /// Why there is no answer; empty if there is.
  std::string failure;
};

/// Several workers that compile and one that measures, each with a thread that
/// waits for it. They are never told to stop: they end with the process.
class Workshop {
public:
  /// The setups live as long as the workshop.
  Workshop(const WorkerSetup &compiling, const WorkerSetup &measuring);

  /// Starts up to `count` threads for compiling.
  void open(unsigned count);
  /// Gives a job to the one that measures, or to those that compile.
  void post(Job job);
  /// The next outcome; nothing if there is none within `patience`.
  std::optional<Outcome> take(std::chrono::milliseconds patience);

  unsigned countCompiling() const { return compiling; }

private:
  struct Line {
    std::deque<Job> jobs;
    std::condition_variable wake;
  };

  [[noreturn]] void work(Line &line, const WorkerSetup &setup);

  const WorkerSetup &compileSetup, &measureSetup;
  std::mutex mutex;
  Line compileLine, measureLine;
  std::deque<Outcome> outcomes;
  std::condition_variable hasOutcome;
  /// Jobs for compiling that are not taken back; only the owner looks at it.
  unsigned compiling = 0;
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_WORKSHOP_H
