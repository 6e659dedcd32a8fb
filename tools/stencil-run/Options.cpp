//===- Options.cpp - The command line of stencil-run ----------------------===//

#include "Options.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/Threads.h"
#include "StencilDialect/Support/Denormals.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Tools/OptionTable.inc"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;
using namespace llvm::opt;
using namespace stencil;

/// Of the targets that are no GPUs, as RunTarget has them.
static constexpr StringRef kHostTargets[] = {"cpu", "interpreter"};

StringRef RunOptions::getTargetName() const {
  return gpu ? gpu->name : kHostTargets[static_cast<unsigned>(target)];
}

static void readTarget(OptionReader &reader, RunOptions &options) {
  SmallVector<StringRef> names{ArrayRef(kHostTargets)};
  for (const GPUTarget &target : getGPUTargets())
    names.push_back(target.name);
  StringRef name = names[reader.getChoice(OPT_target, names)];
  options.gpu = findGPUTarget(name);
  options.target = options.gpu     ? RunTarget::GPU
                   : name == "cpu" ? RunTarget::CPU
                                   : RunTarget::Interpreter;
}

/// Options that are for some targets only.
static void checkTargetOptions(OptionReader &reader,
                               const RunOptions &options) {
  auto needs = [&](StringRef option, bool isGiven, bool isRight,
                   const Twine &targets) {
    if (isGiven && !isRight)
      reader.fail(option + " needs --target " + targets);
  };
  bool isCompiled = options.target != RunTarget::Interpreter;
  std::string gpus = listGPUTargets(), compiled = listGPUTargets({"cpu"});
  needs("--chip", !options.chip.empty(), options.gpu, gpus);
  needs("--schedule", !options.schedule.empty(), isCompiled, compiled);
  needs("--device-arrays", options.deviceArrays, options.gpu, gpus);
  needs("--any-extents", options.anyExtents, isCompiled, compiled);
  needs("--math", options.algebra.math != stencil::MathMode::Contract,
        isCompiled, compiled);
  needs("--no-algebra", !options.algebra.enabled, isCompiled, compiled);
  needs("--flush-denormals", options.flushDenormals,
        options.target == RunTarget::CPU, "cpu");
  if (options.flushDenormals && !DenormalFlush::isSupported())
    reader.fail("--flush-denormals: this processor has no such mode that is "
                "known here, expected x86-64");
  needs("--tuning-db", !options.tuningDatabase.empty(), isCompiled, compiled);
  if (!options.tuningDatabase.empty() &&
      ((!options.schedule.empty() && !isTimedChoice(options.schedule) &&
        !takesMeasured(parseScheduleChoice(options.schedule)
                           .value_or(ScheduleChoice::Default))) ||
       !options.pipelineOptions.empty()))
    reader.fail("expected --tuning-db, or --schedule or --cpu-options, got "
                "both");
  needs("--library", !options.libraries.empty(), isCompiled, compiled);
  needs("--cache-dir", !options.cacheDirectory.empty(), isCompiled, compiled);
  needs("--cpu-options", !options.pipelineOptions.empty(),
        options.target == RunTarget::CPU, "cpu");
  if (options.gpu && options.gpu->isEmulator() && options.chip.empty())
    reader.fail("--target " + options.gpu->name +
                " needs --chip, the GPU to emulate, such as " +
                options.gpu->getExampleChips());
}

/// Every file is written once.
static void checkDistinct(OptionReader &reader, const RunOptions &options) {
  std::set<StringRef> paths;
  auto add = [&](StringRef path) {
    if (!path.empty() && path != "/dev/null" && !paths.insert(path).second)
      reader.fail("'" + path + "' is named as output more than once");
  };
  for (const auto *specs : {&options.outputs, &options.pictures})
    for (const OutputSpec &spec : *specs)
      add(spec.path);
  add(options.jsonFile);
}

static Expected<RunOptions> readOptions(const OptTable &table,
                                        const InputArgList &args) {
  OptionReader reader(table, args);
  RunOptions options;
  auto files = args.getAllArgValues(OPT_INPUT);
  if (files.empty())
    return createStringError("expected a file to run, '-' for stdin");
  if (files.size() > 1)
    return createStringError("expected one file to run, got '" + files[0] +
                             "' and '" + files[1] + "'");
  options.file = files.front();
  options.entry = reader.getString(OPT_entry);
  readTarget(reader, options);
  options.arguments = reader.getSpecs(OPT_arg, parseArgumentSpec);
  options.extents = reader.getParsed(OPT_extents, parseExtents);
  options.anyExtents = args.hasArg(OPT_any_extents);
  options.deviceArrays = args.hasArg(OPT_device_arrays);
  options.outputs = reader.getSpecs(OPT_out, parseOutputSpec);
  options.pictures = reader.getSpecs(OPT_png, parseOutputSpec);
  if (args.hasArg(OPT_verify))
    options.verify = 5;
  if (args.hasArg(OPT_verify_eq))
    options.verify = reader.getNumber<uint64_t>(
        OPT_verify_eq, "a number of ULP", 0, UINT64_MAX / 2);
  options.extendedReference =
      reader.getChoice(OPT_reference, {"program", "f80"}) == 1;
  if (args.hasArg(OPT_reference) && !options.verify)
    reader.fail("--reference needs --verify");
  options.bench = args.hasArg(OPT_bench) || args.hasArg(OPT_bench_eq);
  options.repeats = reader.getNumber<unsigned>(
      OPT_bench_eq, "a number of repeats", 1, 1000000);
  options.jsonFile = reader.getString(OPT_json);
  options.testCompiledFile = reader.getString(OPT_test_compiled_program);
  options.libraries = args.getAllArgValues(OPT_library);
  options.dumpDirectory = reader.getString(OPT_dump_ir);
  options.cacheDirectory = reader.getString(OPT_cache_dir);
  options.threads = reader.getNumber<unsigned>(
      OPT_threads, "a number of threads", 1, kMaxThreads);
  // What the environment says is for all programs: a remark does.
  if (options.threads > 1 && options.target == RunTarget::CPU &&
      !canRunThreads())
    reader.fail(kNoThreads);
  if (!options.threads)
    options.threads = getThreadsOfEnvironment();
  options.pipelineOptions = reader.getString(OPT_cpu_options);
  options.chip = reader.getParsed(OPT_chip, readChip);
  options.schedule = reader.getString(OPT_schedule);
  if (!isTimedChoice(options.schedule) || !options.gpu)
    options.schedule = reader.getParsed(OPT_schedule, readSchedule);
  options.tuningDatabase = reader.getString(OPT_tuning_db);
  options.algebra.math =
      reader.getParsed(OPT_math, readMathMode, MathMode::Contract);
  options.algebra.enabled = !args.hasArg(OPT_no_algebra);
  options.flushDenormals = args.hasArg(OPT_flush_denormals);
  options.progress = args.hasArg(OPT_progress);
  checkTargetOptions(reader, options);
  checkDistinct(reader, options);
  if (!reader.error.empty())
    return createStringError(reader.error);
  return options;
}

Expected<RunOptions> stencil::parseOptions(ArrayRef<const char *> arguments) {
  ToolOptTable table;
  auto args = parseCommandLine(table, arguments, OPT_UNKNOWN);
  if (!args)
    return args.takeError();
  RunOptions options;
  options.done = true;
  if (args->hasArg(OPT_help)) {
    table.printHelp(outs(), "stencil-run FILE.mlir [options]",
                    "Compiles and runs a stencil program, measures and "
                    "verifies it. FILE may be '-'");
    return options;
  }
  if (args->hasArg(OPT_version)) {
    printVersion("stencil-run");
    return options;
  }
  return readOptions(table, *args);
}
