//===- stencil-run.cpp - Compiles, runs, measures and verifies ------------===//

#include "Compilation.h"
#include "Interrupt.h"
#include "Options.h"
#include "Pictures.h"
#include "Report.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Execution/Threads.h"
#include "StencilDialect/Support/CrashReport.h"
#include "StencilDialect/Support/Denormals.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Support/Npy.h"
#include "StencilDialect/Support/Progress.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/RunErrors.h"
#include "StencilDialect/Tools/Source.h"
#include "StencilRuntime/Backend.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Parallel.h"

#include <chrono>

using namespace mlir;
using namespace stencil;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One run of the tool, from the parsed options to the exit code.
class Run {
public:
  Run(const RunOptions &options, Clock::time_point start)
      : options(options), start(start) {}

  int execute();

private:
  int load();
  int sortArguments();
  int checkOutputs();
  LogicalResult prepare();
  FailureOr<std::unique_ptr<CompiledProgram>>
  compile(const CompileOptions &compileOptions);
  LogicalResult runOnce(Arguments &values, ProgressBar &bar);
  LogicalResult measure();
  VerifyOptions getVerifyOptions() const;
  LogicalResult verifyRun();
  int writeOutputs();
  ProgressBar::Options getBarOptions() const;
  ProgressBar makeBar(llvm::StringRef label, uint64_t ticks);
  int usage(const llvm::Twine &message) {
    return reportUsage("stencil-run", llvm::createStringError(message));
  }

  const RunOptions &options;
  Clock::time_point start;
  MessageStream messages;
  Source source{messages};
  func::FuncOp entry;
  Signature signature;
  Extents extents;
  /// One per parameter.
  std::vector<ArgumentSpec> specs;
  std::unique_ptr<CompiledProgram> program;
  Arguments arguments;
  /// The arguments as they were before the run, if somebody needs them again.
  std::optional<Arguments> initial;
  Report report;
};

} // namespace

/// Ticks of a progress bar that shows a fraction.
static constexpr uint64_t kBarTicks = 1000;

ProgressBar::Options Run::getBarOptions() const {
  ProgressBar::Options barOptions;
  barOptions.force = options.progress;
  // Compiled code says itself how far it is.
  if (program)
    barOptions.poll = describeSteps;
  return barOptions;
}

ProgressBar Run::makeBar(llvm::StringRef label, uint64_t ticks) {
  ProgressBar::Options barOptions;
  barOptions.force = options.progress;
  return {label, ticks, barOptions};
}

/// A function that moves `bar` to a fraction.
static std::function<void(double)> follow(ProgressBar &bar) {
  return [&bar, done = uint64_t(0)](double fraction) mutable {
    auto target = static_cast<uint64_t>(fraction * kBarTicks);
    if (target > done)
      bar.tick(target - done);
    done = std::max(done, target);
  };
}

int Run::load() {
  if (failed(source.load(options.file)))
    return ExitFailed;
  auto described = source.describeEntry(options.entry);
  if (failed(described))
    return ExitFailed;
  std::tie(entry, signature) = std::move(*described);
  report.entry = entry.getName().str();
  report.times.parse = secondsSince(start);
  return ExitDone;
}

int Run::sortArguments() {
  auto matched = matchArguments(signature, options.arguments, report.entry);
  if (!matched)
    return reportUsage("stencil-run", matched.takeError());
  specs = std::move(*matched);
  return ExitDone;
}

int Run::checkOutputs() {
  std::vector<std::string> paths;
  auto check = [&](llvm::StringRef option, llvm::ArrayRef<OutputSpec> outputs) {
    for (const OutputSpec &output : outputs) {
      if (output.index >= signature.parameters.size())
        return usage(option + ": no argument " + llvm::Twine(output.index) +
                     ", '" + report.entry + "' has " +
                     countParameters(signature));
      const Parameter &parameter = signature.parameters[output.index];
      if (!parameter.field)
        return usage(option + ": expected a field, " + parameter.str() +
                     " is a number");
      if (option == "--png" && parameter.field->shape.empty())
        return usage(option + ": expected a field with axes, " +
                     parameter.str() + " has none");
      paths.push_back(output.path);
    }
    return static_cast<int>(ExitDone);
  };
  if (int code = check("--out", options.outputs))
    return code;
  if (int code = check("--png", options.pictures))
    return code;
  if (!options.jsonFile.empty() && options.jsonFile != "-")
    paths.push_back(options.jsonFile);
  for (llvm::StringRef path : paths)
    if (auto error = checkWritable(path))
      return reportFailure(std::move(error));
  return ExitDone;
}

/// A test may have another program compiled than is interpreted: one with a
/// fault that --verify has to find.
FailureOr<std::unique_ptr<CompiledProgram>>
Run::compile(const CompileOptions &compileOptions) {
  if (options.testCompiledFile.empty())
    return compileProgram(source, entry, signature, compileOptions, options,
                          messages, report);
  Source other(messages);
  if (failed(other.load(options.testCompiledFile)))
    return failure();
  auto described = other.describeEntry(report.entry);
  if (failed(described))
    return failure();
  // The types of the other program's signature end with its context.
  return compileProgram(other, described->first, signature, compileOptions,
                        options, messages, report);
}

/// Compiles the program and makes its arguments, after everything that can be
/// checked before has been.
LogicalResult Run::prepare() {
  auto shapes = checkArguments(signature, specs);
  if (failed(shapes))
    return failure();
  auto resolved = resolveExtents(signature, *shapes, options.extents,
                                 UnknownLoc::get(&source.getContext()));
  if (failed(resolved))
    return failure();
  extents = std::move(*resolved);
  bool keepInitial = options.verify || options.bench;
  if (failed(
          checkMemory(signature, extents, keepInitial ? 2 : 1,
                      options.verify && options.extendedReference, entry,
                      options.verify && mayDiffer(entry, getVerifyOptions()))))
    return failure();

  report.threads = options.threads ? options.threads : getNumUsableCpus();
  bool hasPaddedRows = false;
  if (options.target != RunTarget::Interpreter) {
    auto compileStart = Clock::now();
    // Others may run on some of the CPUs, but not while something is measured.
    if (options.target == RunTarget::CPU &&
        (options.bench || report.threads == getNumUsableCpus()))
      bindThreads(report.threads);
    CompileOptions compileOptions;
    if (options.gpu) {
      auto device = openDevice(options, signature, extents);
      if (!device) {
        reportFailure(device.takeError());
        return failure();
      }
      report.device = std::move(*device);
      compileOptions.device = report.device->target;
    }
    compileOptions.threads = options.threads;
    compileOptions.libraries = options.libraries;
    compileOptions.dumpDirectory = options.dumpDirectory;
    compileOptions.pipelineOptions = options.pipelineOptions;
    compileOptions.algebra = options.algebra;
    // What is measured is what runs when nobody looks.
    compileOptions.countSteps =
        !options.bench && ProgressBar::isShown(getBarOptions());
    compileOptions.fieldBytes = countFieldBytes(signature, extents);
    if (!report.device) {
      compileOptions.paddedRows = mayPadRows(entry);
      compileOptions.schedule = options.schedule;
      compileOptions.extents = getKnownExtents(options, signature, extents);
    }
    if (report.device && isTimedChoice(options.schedule) &&
        failed(timeOnDevice(entry, options, compileOptions, report)))
      return failure();
    if (!options.tuningDatabase.empty() &&
        failed(applyTuning(entry, extents, options, compileOptions, report)))
      return failure();
    // What is not finite spreads as far as the schedules that are chosen say.
    bool maySpread = options.verify && mayReassociate(options.algebra.math);
    if (report.device && (!options.jsonFile.empty() || maySpread))
      report.schedules = describeSchedules(entry, *compileOptions.device,
                                           /*areComposed=*/true);
    if (isTimedChoice(options.schedule))
      for (ChosenSchedule &chosen : report.schedules)
        if (chosen.from == "request")
          chosen.from = "timed";
    auto compiled = compile(compileOptions);
    if (failed(compiled))
      return failure();
    program = std::move(*compiled);
    report.threads = program->getNumThreads();
    report.times.compileParts = program->getTimes();
    report.kernels = program->getKernels();
    report.times.compile = secondsSince(compileStart);
    hasPaddedRows = takesPaddedRows(compileOptions);
    if (report.device && !options.jsonFile.empty())
      report.predicted = predictKernels(entry, report.device->target);
  }

  auto inputStart = Clock::now();
  llvm::parallel::strategy = llvm::hardware_concurrency(report.threads);
  auto created = Arguments::create(signature, extents, specs,
                                   program ? program->getNumThreads() : 1);
  if (failed(created))
    return failure();
  arguments = std::move(*created);
  if (hasPaddedRows)
    arguments.padRows(signature);
  if (keepInitial)
    initial = arguments.clone();
  report.times.inputs = secondsSince(inputStart);
  return success();
}

LogicalResult Run::runOnce(Arguments &values, ProgressBar &bar) {
  report.results.clear();
  if (program) {
    DenormalFlush flush(options.flushDenormals);
    FaultGuard guard;
    if (auto error = program->run(values.values, report.results)) {
      bar.finish();
      reportFailure(std::move(error));
      return failure();
    }
    return success();
  }
  InterpreterOptions interpreterOptions;
  interpreterOptions.threads = options.threads;
  interpreterOptions.progress = follow(bar);
  return interpret(entry, values.values, report.results, interpreterOptions);
}

LogicalResult Run::measure() {
  bool failedRun = false;
  ProgressBar bar = makeBar("measuring", 0);
  std::vector<double> deviceSeconds;
  if (report.device)
    runtime::takeDeviceSeconds();
  Timing calls =
      benchmark([&] { arguments.assignFields(*initial); },
                [&] {
                  failedRun |= failed(runOnce(arguments, bar));
                  if (report.device)
                    deviceSeconds.push_back(runtime::takeDeviceSeconds());
                },
                report.times.run, options.repeats);
  if (failedRun)
    return failure();
  report.work = countWork(entry, extents, arguments.values);
  if (report.device) {
    report.timing = Timing{deviceSeconds};
    report.callTiming = std::move(calls);
    if (report.work)
      report.bandwidth = measureCopyBandwidth(*options.gpu);
    return success();
  }
  report.timing = std::move(calls);
  if (report.work) {
    TriadOptions triad;
    triad.threads = report.threads;
    report.triad = measureTriadBandwidth(triad);
    report.bandwidth = report.triad.getBest();
    report.fitsCache =
        countFieldBytes(signature, extents) <= getLastLevelCacheSize();
  }
  return success();
}

VerifyOptions Run::getVerifyOptions() const {
  VerifyOptions verifyOptions;
  verifyOptions.ulp = *options.verify;
  verifyOptions.math = options.algebra.math;
  verifyOptions.flushesDenormals = options.flushDenormals;
  verifyOptions.schedules.push_back(options.schedule);
  for (const ChosenSchedule &chosen : report.schedules)
    verifyOptions.schedules.push_back(chosen.schedule);
  verifyOptions.extended = options.extendedReference;
  verifyOptions.threads = options.threads;
  return verifyOptions;
}

LogicalResult Run::verifyRun() {
  initial->packRows(signature);
  ProgressBar bar = makeBar("verifying", kBarTicks);
  VerifyOptions verifyOptions = getVerifyOptions();
  verifyOptions.progress = follow(bar);
  auto verdict = verify(entry, signature, extents, std::move(*initial),
                        arguments, report.results, verifyOptions);
  initial.reset();
  if (failed(verdict))
    return failure();
  report.verdict = std::move(*verdict);
  return success();
}

int Run::writeOutputs() {
  auto getField = [&](unsigned index) -> const FieldArgument & {
    return std::get<FieldArgument>(arguments.values[index]);
  };
  for (const OutputSpec &output : options.outputs) {
    const FieldArgument &field = getField(output.index);
    ElementKind kind = signature.parameters[output.index].field->element;
    if (auto error =
            writeNpy(output.path, arguments.getFileType(output.index, kind),
                     field.shape, field.data))
      return reportFailure(std::move(error));
  }
  for (const OutputSpec &output : options.pictures) {
    PlaneView plane = getPicturePlane(entry, signature.parameters[output.index],
                                      extents, getField(output.index));
    if (auto error = writePng(output.path, plane))
      return reportFailure(std::move(error));
  }
  return ExitDone;
}

int Run::execute() {
  if (int code = load())
    return code;
  if (int code = sortArguments())
    return code;
  if (int code = checkOutputs())
    return code;
  if (failed(prepare()))
    return source.getFailureCode();
  {
    ProgressBar bar("running", program ? 0 : kBarTicks, getBarOptions());
    InterruptGuard guard(ProgressBar::isShown(getBarOptions()));
    auto runStart = Clock::now();
    if (failed(runOnce(arguments, bar)))
      return ExitFailed;
    report.times.run = secondsSince(runStart);
  }
  if (options.bench && failed(measure()))
    return ExitFailed;
  arguments.packRows(signature);
  printResults(report, signature);
  if (options.bench)
    printTiming(report, options);
  if (options.verify) {
    if (failed(verifyRun()))
      return ExitFailed;
    printVerdict(report);
  }
  // Whoever finds a file finds it checked, if only by the exit code.
  if (int code = writeOutputs())
    return code;
  if (!options.jsonFile.empty())
    if (auto error = writeJson(report, options, signature, extents))
      return reportFailure(std::move(error));
  if (!report.verdict || report.verdict->isRight())
    return ExitDone;
  llvm::outs().flush();
  return reportFailure(
      llvm::createStringError("verify: " + report.verdict->describeFailure()));
}

int main(int argc, char **argv) {
  auto start = Clock::now();
  llvm::InitLLVM init(argc, argv);
  installErrorHandlers();
  installRuntimeErrorHandler();
  enableCrashReports(llvm::ArrayRef(argv, argc));
  auto options = parseOptions(llvm::ArrayRef(argv, argc).drop_front());
  if (!options)
    return reportUsage("stencil-run", options.takeError());
  if (options->done)
    return ExitDone;
  return Run(*options, start).execute();
}
