//===- Options.cpp - The command line of stencil-tune ---------------------===//

#include "Options.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/Threads.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Tools/OptionTable.inc"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;
using namespace stencil;

/// As TuneOptions::ReferenceKind.
static constexpr StringRef kReferenceNames[] = {"interpreter", "untuned"};

StringRef TuneOptions::getTargetName() const { return gpu ? gpu->name : "cpu"; }

static double readSeconds(OptionReader &reader, OptionId id, double fallback) {
  std::string text = reader.getString(id);
  double seconds = fallback;
  if (!text.empty() &&
      (!llvm::to_float(text, seconds) || !(seconds > 0) || !(seconds <= 1e9)))
    reader.fail(reader.name(id) +
                ": expected a positive number of seconds, "
                "got '" +
                text + "'");
  return seconds;
}

static void readTarget(OptionReader &reader, TuneOptions &options) {
  SmallVector<StringRef> names = {"cpu"};
  for (const GPUTarget &target : getGPUTargets())
    names.push_back(target.name);
  options.gpu = findGPUTarget(names[reader.getChoice(OPT_target, names)]);
  std::string gpus = listGPUTargets();
  options.chip = reader.getParsed(OPT_chip, readChip);
  if (!options.chip.empty() && !options.gpu)
    reader.fail("--chip needs --target " + gpus);
  options.schedule = reader.getString(OPT_schedule);
  if (!parseScheduleChoice(options.schedule))
    reader.fail("--schedule: expected auto, model, measured or default, got '" +
                options.schedule + "'");
  if (!options.schedule.empty() && !options.gpu)
    reader.fail("--schedule needs --target " + gpus);
  if (options.gpu && options.gpu->isEmulator() && options.chip.empty())
    reader.fail("--target " + options.gpu->name +
                " needs --chip, the GPU to emulate, such as " +
                options.gpu->getExampleChips());
  options.schedules = reader.getString(OPT_schedules);
  options.turns = reader.getString(OPT_turns);
  for (auto [value, name] : {std::pair(&options.schedules, "--schedules"),
                             std::pair(&options.turns, "--turns")})
    if (!value->empty() && !options.gpu)
      reader.fail(Twine(name) + " needs --target " + gpus);
  options.algebra.math =
      reader.getParsed(OPT_math, readMathMode, MathMode::Contract);
  options.algebra.enabled = !reader.has(OPT_no_algebra);
}

static Expected<TuneOptions> readOptions(const OptTable &table,
                                         const InputArgList &args) {
  OptionReader reader(table, args);
  TuneOptions options;
  auto files = args.getAllArgValues(OPT_INPUT);
  options.list = reader.getString(OPT_list_database);
  if (!options.list.empty()) {
    if (args.size() > 1)
      return createStringError("--list: expected no other options");
    return options;
  }
  if (files.size() != 1)
    return createStringError("expected one file to tune ('-' for stdin), got " +
                             Twine(files.size()));
  options.file = files.front();
  options.database = reader.getString(OPT_db);
  options.candidates = args.hasArg(OPT_candidates);
  options.neighbours = args.hasArg(OPT_neighbours);
  if (options.neighbours && !options.candidates)
    reader.fail("--neighbours needs --candidates, below which they are");
  if (options.database.empty() && !options.candidates)
    reader.fail("expected --db FILE.json, the tuning database");
  options.entry = reader.getString(OPT_entry);
  readTarget(reader, options);
  options.arguments = reader.getSpecs(OPT_arg, parseArgumentSpec);
  options.extents = reader.getParsed(OPT_extents, parseExtents);
  options.budget = readSeconds(reader, OPT_budget, options.budget);
  options.timeout = readSeconds(reader, OPT_timeout, options.timeout);
  options.mostCandidates = reader.getNumber<unsigned>(
      OPT_max_candidates, "a number of candidates", 1, 1000000);
  options.jobs =
      reader.getNumber<unsigned>(OPT_jobs, "a number of jobs", 1, kMaxThreads);
  if (!options.jobs)
    options.jobs = getNumUsableCpus();
  options.threads = reader.getNumber<unsigned>(
      OPT_threads, "a number of threads", 1, kMaxThreads);
  if (options.threads > 1 && !options.gpu && !canRunThreads())
    reader.fail(kNoThreads);
  if (!options.threads)
    options.threads = getThreadsOfEnvironment();
  if (!options.threads)
    options.threads = getNumUsableCpus();
  // The database names the threads that were there.
  if (!options.gpu && !canRunThreads())
    options.threads = 1;
  if (args.hasArg(OPT_verify))
    options.verify = reader.getNumber<uint64_t>(OPT_verify, "a number of ULP",
                                                0, UINT64_MAX / 2);
  if (args.hasArg(OPT_no_verify)) {
    if (args.hasArg(OPT_verify))
      reader.fail("expected --verify or --no-verify, got both");
    options.verify.reset();
  }
  options.reference = static_cast<TuneOptions::ReferenceKind>(
      reader.getChoice(OPT_reference, kReferenceNames));
  options.wildInputs =
      reader.getChoice(OPT_verify_inputs, {"wild", "given"}) == 0;
  for (auto [option, name] : {std::pair(OPT_reference, "--reference"),
                              std::pair(OPT_verify_inputs, "--verify-inputs")})
    if (args.hasArg(OPT_no_verify) && args.hasArg(option))
      reader.fail(llvm::Twine("expected ") + name +
                  " or --no-verify, got both");
  options.again = args.hasArg(OPT_again);
  options.progress = args.hasArg(OPT_progress);
  options.worker = args.hasArg(OPT_worker);
  if (!reader.error.empty())
    return createStringError(reader.error);
  return options;
}

Expected<TuneOptions> stencil::parseOptions(ArrayRef<const char *> arguments) {
  ToolOptTable table;
  auto args = parseCommandLine(table, arguments, OPT_UNKNOWN);
  if (!args)
    return args.takeError();
  TuneOptions options;
  options.done = true;
  if (args->hasArg(OPT_help)) {
    table.printHelp(outs(), "stencil-tune FILE.mlir --db FILE.json [options]",
                    "Finds the fastest schedule of a stencil program on this "
                    "machine. FILE may be '-'");
    return options;
  }
  if (args->hasArg(OPT_version)) {
    printVersion("stencil-tune");
    return options;
  }
  return readOptions(table, *args);
}
