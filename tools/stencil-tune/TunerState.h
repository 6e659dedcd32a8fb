//===- TunerState.h - A tuning at work --------------------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_TUNERSTATE_H
#define STENCIL_TOOLS_STENCIL_TUNE_TUNERSTATE_H

#include "Candidates.h"
#include "StencilDialect/Execution/Benchmark.h"
#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/Support/Progress.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "Tuner.h"
#include "Workshop.h"

#include <atomic>
#include <csignal>

namespace stencil {

/// Set by SIGINT and SIGTERM.
extern volatile std::sig_atomic_t interrupted;

/// The exit code then.
inline constexpr int kInterrupted = 130;

/// What is known of a candidate before it is measured.
struct Candidate {
  enum State { Compiling, Ready, Failed };

  State state = Compiling;
  /// The object, as the worker that measures takes it.
  Message object;
  /// Of the object: candidates that are one program are measured once.
  uint64_t hash = 0;
  /// As in TuningSample.
  std::optional<unsigned> registers, spilledBytes;
  std::string failure;
};

/// The interpreter at work in a thread of its own.
struct ReferenceRun {
  std::atomic<bool> isDone{false};
  /// 0 to 1.
  std::atomic<double> fraction{0};
  std::chrono::steady_clock::time_point start;
  std::string failure;
  std::optional<Reference> reference;
};

class Tuner {
public:
  Tuner(const TuneOptions &options, std::chrono::steady_clock::time_point start)
      : options(options), start(start) {}

  int run();

private:
  int prepare();
  int startWorkers();
  int openEntry();
  int searchAll();
  int choose();
  void print(const TuningSample &best, bool isNew) const;

  bool post(const TuningPoint &point);
  void compileAhead();
  void measure(const SearchTask &task);
  void handle(Outcome outcome);
  void record(TuningSample sample);
  const TuningSample *findTwin(const SearchTask &task);
  llvm::Error save();

  void giveUpWild(llvm::StringRef why);
  std::string describeWild() const;
  void beginReference();
  int waitForReference();
  int fetchOutputs(const TuningPoint &point, Message &outputs,
                   std::string &wrong);
  Reference readOutputs(Message &outputs) const;
  int runUntuned();
  int verifyBest(const TuningSample &best, std::string &wrong);
  std::optional<Outcome> ask(Job job);
  int finish(const TuningPoint &point);
  int measureComposed(unsigned runs);
  TuningSample getBest(const TuningSample &found) const;

  double getElapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
  std::optional<double> getRate(double seconds) const;
  int fail(const llvm::Twine &message) {
    return reportFailure(llvm::createStringError(message));
  }

  const TuneOptions &options;
  std::chrono::steady_clock::time_point start;
  Program program;
  std::string source, chip;
  WorkerSetup compiling, measuring;
  std::unique_ptr<Workshop> workshop;
  std::optional<Search> search;
  TuningEntry entry;
  std::map<TuningPoint, Candidate> candidates;
  std::unique_ptr<ReferenceRun> reference;
  /// What the program makes without tuning, if that is the reference.
  Message untuned;
  VerifyOptions verifyOptions;
  /// Verify with Program::getWildSpecs.
  bool isWild = false;
  /// What the verdict says about that; empty if nothing.
  std::string inputsNote;
  std::optional<Work> work;
  /// The candidate with which the search began.
  TuningPoint first;
  /// Whether the program has a form without schedules that computes several
  /// steps at once, and what that takes.
  bool hasComposedForm = false;
  std::optional<TuningSample> composed;
  /// The candidate that the worker has loaded.
  TuningPoint loaded;
  bool isMeasuring = false;
  std::optional<std::string> saveFailure;
  std::vector<std::string> verdict;
  unsigned measuredNow = 0;
};

bool readTiming(const Message &answer, TuningSample &sample);

/// The arguments of a program: scalars as they are, fields without memory.
std::vector<InterpreterArgument> makeValues(const Program &program);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_TUNERSTATE_H
