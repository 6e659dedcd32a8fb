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

static constexpr StringRef kTargetNames[] = {"cpu", "interpreter", "emulator",
                                             "cuda", "hip"};

StringRef stencil::getTargetName(RunTarget target) {
  return kTargetNames[static_cast<unsigned>(target)];
}

/// Options that are for some targets only.
static void checkTargetOptions(OptionReader &reader,
                               const RunOptions &options) {
  auto needs = [&](StringRef option, bool isGiven, bool isRight,
                   StringRef targets) {
    if (isGiven && !isRight)
      reader.fail(option + " needs --target " + targets);
  };
  bool onDevice = isDevice(options.target);
  needs("--chip", !options.chip.empty(), onDevice, "cuda, hip or emulator");
  needs("--schedule", !options.schedule.empty(),
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--device-arrays", options.deviceArrays, onDevice,
        "cuda, hip or emulator");
  needs("--any-extents", options.anyExtents,
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--math", options.algebra.math != stencil::MathMode::Contract,
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--no-algebra", !options.algebra.enabled,
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--flush-denormals", options.flushDenormals,
        options.target == RunTarget::CPU, "cpu");
  if (options.flushDenormals && !DenormalFlush::isSupported())
    reader.fail("--flush-denormals: this processor has no such mode that is "
                "known here, expected x86-64");
  needs("--tuning-db", !options.tuningDatabase.empty(),
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  if (!options.tuningDatabase.empty() &&
      ((!options.schedule.empty() &&
        !takesMeasured(parseScheduleChoice(options.schedule)
                           .value_or(ScheduleChoice::Default))) ||
       !options.pipelineOptions.empty()))
    reader.fail("expected --tuning-db, or --schedule or --cpu-options, got "
                "both");
  needs("--library", !options.libraries.empty(),
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--cache-dir", !options.cacheDirectory.empty(),
        options.target != RunTarget::Interpreter, "cpu, cuda, hip or emulator");
  needs("--cpu-options", !options.pipelineOptions.empty(),
        options.target == RunTarget::CPU, "cpu");
  if (options.target == RunTarget::Emulator && options.chip.empty())
    reader.fail("--target emulator needs --chip, the GPU to emulate, such as "
                "sm_90 or gfx942");
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
  options.target = RunTarget(reader.getChoice(OPT_target, kTargetNames));
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
