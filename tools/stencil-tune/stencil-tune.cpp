//===- stencil-tune.cpp - Finds the fastest schedule of a program ---------===//

#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/RunErrors.h"
#include "StencilDialect/Tuning/Database.h"
#include "Tuner.h"
#include "Worker.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace stencil;

/// A database for people.
static int list(const TuneOptions &options) {
  auto database = TuningDatabase::load(options.list);
  if (!database)
    return reportFailure(database.takeError());
  for (const TuningEntry &entry : database->entries) {
    const TuningKey &key = entry.key;
    llvm::raw_ostream &os = llvm::outs();
    os << entry.function << " ("
       << llvm::StringRef(key.program.program).take_front(8) << ") on "
       << key.target << ", "
       << (key.device.empty() ? key.chip : key.device + " (" + key.chip + ")");
    if (key.threads)
      os << ", " << key.threads << (key.threads == 1 ? " thread" : " threads");
    os << ", " << describeExtents(key.program.extents) << ", --math "
       << key.math << "\n";
    unsigned failures = 0;
    for (const auto &[reason, count] : entry.countFailures())
      failures += count;
    os << "  " << entry.samples.size() << " candidates, " << failures
       << " failed; " << key.toolchain.str() << "\n";
    if (!entry.best) {
      os << "  not finished\n";
      continue;
    }
    const TuningBest &best = *entry.best;
    os << "  " << best.date << llvm::formatv(": {0:f6} s", best.seconds);
    if (best.rate)
      os << llvm::formatv(", {0:f3} GStencil/s", *best.rate);
    if (best.verifiedUlp)
      os << ", verified within " << *best.verifiedUlp << " ulp";
    else
      os << ", not verified";
    os << "\n";
    for (const std::string &choice : best.schedule)
      if (!choice.empty())
        os << "  " << choice << "\n";
  }
  return ExitDone;
}

int main(int argc, char **argv) {
  auto start = std::chrono::steady_clock::now();
  llvm::InitLLVM init(argc, argv);
  installErrorHandlers();
  installRuntimeErrorHandler();
  auto options = parseOptions(llvm::ArrayRef(argv, argc).drop_front());
  if (!options)
    return reportUsage("stencil-tune", options.takeError());
  if (options->done)
    return ExitDone;
  if (!options->list.empty())
    return list(*options);
  // A worker's crash is a candidate's failure.
  if (options->worker)
    return runWorker(*options);
  enableCrashReports(llvm::ArrayRef(argv, argc));
  int code = tune(*options, start);
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error())
    code = reportFailure(llvm::createStringError("the standard output: " +
                                                 llvm::Twine(error.message())));
  // Threads that wait for workers, or interpret, are still there.
  std::_Exit(code);
}
