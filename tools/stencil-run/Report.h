//===- Report.h - What stencil-run has to say -------------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_RUN_REPORT_H
#define STENCIL_TOOLS_STENCIL_RUN_REPORT_H

#include "Device.h"
#include "Options.h"
#include "StencilDialect/Execution/Benchmark.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/Prediction.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/Support/Machine.h"

namespace stencil {

/// Seconds of the parts of a run.
struct PhaseTimes {
  /// From the start of the process to the parsed program.
  double parse = 0;
  double compile = 0;
  CompileTimes compileParts;
  /// Allocating and filling the arguments.
  double inputs = 0;
  /// The first run.
  double run = 0;
};

struct Report {
  std::string entry;
  unsigned threads = 1;
  PhaseTimes times;
  llvm::SmallVector<ScalarValue> results;
  std::optional<Verdict> verdict;
  std::optional<Timing> timing;
  std::optional<Work> work;
  /// Bytes per second of the STREAM triad, or of a copy within the device's
  /// memory; 0 if not measured.
  double bandwidth = 0;
  /// On a CPU, of both kinds of stores; `bandwidth` is the better one.
  TriadBandwidth triad;
  /// The fields fit the last-level cache, whose bandwidth is not the memory's.
  bool fitsCache = false;
  /// On a device, `timing` is the time of the device's work, and this the time
  /// of the calls, copies to and from the device included.
  std::optional<Timing> callTiming;
  std::optional<Device> device;
  std::vector<KernelResources> kernels;
  /// What the cost model expects of them.
  std::vector<KernelPrediction> predicted;
  /// Of a program for a device, and where they come from.
  std::vector<ChosenSchedule> schedules;
  /// With --cache-dir: whether the program was there.
  std::optional<bool> cached;
  /// Options for the CPU that a tuning database had.
  std::optional<std::string> tuned;
};

/// Prints the scalar results to stdout: "result 0: 3.25".
void printResults(const Report &report, const Signature &signature);

/// Prints the comparisons with the interpreter to stdout.
void printVerdict(const Report &report);

/// Prints the speed to stdout.
void printTiming(const Report &report, const RunOptions &options);

/// Writes everything to options.jsonFile; `-` is stdout.
llvm::Error writeJson(const Report &report, const RunOptions &options,
                      const Signature &signature, const Extents &extents);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_RUN_REPORT_H
