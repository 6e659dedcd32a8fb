//===- Options.cpp - Command line of stencil-translate --------------------===//

#include "Options.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/Support/Words.h"
#include "StencilDialect/Target/Identifier.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Tools/OptionTable.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/Process.h"

using namespace llvm::opt;
using namespace stencil;

namespace {

struct KindOption {
  OptionId option;
  OutputKind kind;
  const char *name;
  /// Of kernels and source.
  GPUVendor vendor = {};
  /// Of kernels: as GPUFormat.
  const char *format = "bin";
  GPULanguage language = {};
};

} // namespace

static constexpr KindOption kKinds[] = {
    {OPT_to_llvmir, OutputKind::LLVMIR, "--to-llvmir"},
    {OPT_to_object, OutputKind::Object, "--to-object"},
    {OPT_to_c_header, OutputKind::CHeader, "--to-c-header"},
    {OPT_to_c_library, OutputKind::CLibrary, "--to-c-library"},
    {OPT_to_ptx, OutputKind::Kernels, "--to-ptx", GPUVendor::NVIDIA, "isa"},
    {OPT_to_cubin, OutputKind::Kernels, "--to-cubin", GPUVendor::NVIDIA},
    {OPT_to_fatbin, OutputKind::Kernels, "--to-fatbin", GPUVendor::NVIDIA,
     "fatbin"},
    {OPT_to_hsaco, OutputKind::Kernels, "--to-hsaco", GPUVendor::AMD},
    {OPT_to_cuda, OutputKind::Source, "--to-cuda", GPUVendor::NVIDIA, "bin",
     GPULanguage::CUDA},
    {OPT_to_hip, OutputKind::Source, "--to-hip", GPUVendor::AMD, "bin",
     GPULanguage::HIP}};

/// "--to-llvmir, --to-object or --to-c-header".
static std::string listKinds() {
  return stencil::joinChoices(llvm::map_to_vector(
      kKinds, [](const KindOption &kind) { return kind.name; }));
}

/// The kind of output that is asked for.
static llvm::Expected<const KindOption *> readKind(const InputArgList &args) {
  const KindOption *found = nullptr;
  for (const KindOption &kind : kKinds) {
    if (!args.hasArg(kind.option))
      continue;
    if (found)
      return llvm::createStringError("expected one of " + listKinds() +
                                     ", got several");
    found = &kind;
  }
  if (!found)
    return llvm::createStringError("expected " + listKinds());
  return found;
}

/// Of an output without code for GPUs; headers have none at all.
static llvm::Error refuseGPUOptions(const InputArgList &args, bool hasCode) {
  for (auto [option, name] :
       {std::pair(OPT_chip, "--chip"), std::pair(OPT_schedule, "--schedule"),
        std::pair(OPT_tuning_db, "--tuning-db"),
        std::pair(OPT_toolkit, "--toolkit")})
    if (args.hasArg(option) && !(hasCode && option == OPT_schedule))
      return llvm::createStringError(
          llvm::Twine(name) +
          ": expected code for a GPU, as of --to-ptx, or of "
          "--to-object with --target " +
          listGPUTargets());
  return llvm::Error::success();
}

static llvm::Error readScheduleOption(const InputArgList &args,
                                      std::string &result) {
  if (!args.hasArg(OPT_schedule))
    return llvm::Error::success();
  auto schedule = readSchedule(args.getLastArgValue(OPT_schedule));
  if (!schedule)
    return llvm::createStringError("--schedule: " +
                                   llvm::toString(schedule.takeError()));
  result = std::move(*schedule);
  return llvm::Error::success();
}

/// The GPU to compile for, if there is to be one.
static llvm::Error readGPU(const InputArgList &args, const KindOption &kind,
                           Options &options) {
  llvm::StringRef name = args.getLastArgValue(OPT_target, "cpu");
  const GPUTarget *target = findGPUTarget(name);
  if (!target && name != "cpu")
    return llvm::createStringError("--target: expected " +
                                   listGPUTargets({"cpu"}) + ", got '" + name +
                                   "'");
  GPUCompileOptions gpu;
  if (options.isKernels() || options.isSource()) {
    if (args.hasArg(OPT_target))
      return llvm::createStringError("--target: expected it with --to-llvmir "
                                     "or --to-object only");
    gpu.target = &getGPUTarget(kind.vendor);
    gpu.format = kind.format;
    options.language = kind.language;
  } else if (target && !options.isForC()) {
    gpu.target = target;
    gpu.deviceArrays = options.deviceArrays;
  } else {
    if (auto error = refuseGPUOptions(args, /*hasCode=*/!options.isForC()))
      return error;
    return readScheduleOption(args, options.schedule);
  }
  gpu.chip = args.getLastArgValue(OPT_chip).str();
  if (gpu.chip.empty())
    return llvm::createStringError("expected --chip NAME, such as " +
                                   gpu.target->getExampleChips() +
                                   "; there is no default");
  auto chip = readChip(gpu.chip);
  if (!chip)
    return llvm::createStringError("--chip: " +
                                   llvm::toString(chip.takeError()));
  gpu.chip = std::move(*chip);
  gpu.toolkit = args.getLastArgValue(OPT_toolkit).str();
  if (auto error = readScheduleOption(args, gpu.schedule))
    return error;
  gpu.tuningDatabase = args.getLastArgValue(OPT_tuning_db).str();
  if (!gpu.tuningDatabase.empty() && !gpu.schedule.empty() &&
      !takesMeasured(
          parseScheduleChoice(gpu.schedule).value_or(ScheduleChoice::Default)))
    return llvm::createStringError("expected --schedule or --tuning-db, got "
                                   "both");
  gpu.optLevel = options.level;
  gpu.algebra = options.algebra;
  options.gpu = std::move(gpu);
  return llvm::Error::success();
}

/// "cpu", a chip, or "emulator:CHIP".
static llvm::Error checkTarget(llvm::StringRef target) {
  llvm::StringRef chip = target;
  if (target == "cpu")
    return llvm::Error::success();
  chip.consume_front("emulator:");
  if (auto known = readChip(chip); !known)
    return llvm::createStringError("--targets: expected cpu, a chip such as " +
                                   getEmulator().getExampleChips() +
                                   ", or emulator:CHIP, got '" + target +
                                   "': " + llvm::toString(known.takeError()));
  return llvm::Error::success();
}

/// The library that the output is for, if it is for one.
static llvm::Error readLibrary(const InputArgList &args, Options &options) {
  options.library = args.getLastArgValue(OPT_library).str();
  bool isGiven = args.hasArg(OPT_library);
  if (isGiven && !isCIdentifier(options.library))
    return llvm::createStringError("--library: expected an identifier of C, "
                                   "got '" +
                                   options.library + "'");
  if (isGiven && (options.isKernels() || options.isSource()))
    return llvm::createStringError("--library: expected it with --to-object, "
                                   "--to-llvmir, --to-c-header or "
                                   "--to-c-library");
  if (options.kind == OutputKind::CLibrary && !isGiven)
    return llvm::createStringError("--to-c-library: expected --library NAME");
  bool isJoined = isGiven && options.isForC();
  if (isJoined != args.hasArg(OPT_targets))
    return llvm::createStringError(
        isJoined ? "--library: expected --targets LIST"
                 : "--targets: expected it with --library and --to-c-header or "
                   "--to-c-library");
  llvm::SmallVector<llvm::StringRef> targets;
  args.getLastArgValue(OPT_targets).split(targets, ',');
  if (!isJoined)
    return llvm::Error::success();
  for (llvm::StringRef target : targets) {
    if (auto error = checkTarget(target))
      return error;
    if (llvm::is_contained(options.targets, target))
      return llvm::createStringError("--targets: expected each target once, "
                                     "got '" +
                                     target + "' twice");
    options.targets.push_back(target.str());
  }
  return llvm::Error::success();
}

static llvm::Error readExtents(const InputArgList &args, Options &options) {
  if (!args.hasArg(OPT_extents))
    return llvm::Error::success();
  llvm::StringRef text = args.getLastArgValue(OPT_extents);
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0 || extent > kMaxBound)
      return llvm::createStringError("--extents: expected numbers from 0 to "
                                     "2^40 such as 512,256, got '" +
                                     text + "'");
    options.extents.push_back(extent);
  }
  return llvm::Error::success();
}

static llvm::Expected<Options> read(const InputArgList &args) {
  Options options;
  auto kind = readKind(args);
  if (!kind)
    return kind.takeError();
  options.kind = (*kind)->kind;
  if (auto error = readLibrary(args, options))
    return std::move(error);
  if (auto error = readExtents(args, options))
    return std::move(error);
  options.files = args.getAllArgValues(OPT_INPUT);
  bool takesSeveral = options.isForC() && !options.library.empty();
  if (options.files.empty() || (options.files.size() > 1 && !takesSeveral))
    return llvm::createStringError(
        "expected one file to translate ('-' for stdin), got " +
        llvm::Twine(options.files.size()));
  options.file = options.files.front();
  options.output = args.getLastArgValue(OPT_output, "-").str();
  options.cpu = args.getLastArgValue(OPT_cpu, "native").str();
  options.entry = args.getLastArgValue(OPT_entry).str();
  llvm::StringRef level = args.getLastArgValue(OPT_opt_level, "3");
  if (level.getAsInteger(10, options.level) || options.level > 3)
    return llvm::createStringError(
        "--opt-level: expected a number from 0 to 3, got '" + level + "'");
  options.sequential = args.hasArg(OPT_sequential);
  auto mode = readMathMode(args.getLastArgValue(OPT_math, "contract"));
  if (!mode)
    return llvm::createStringError("--math: " +
                                   llvm::toString(mode.takeError()));
  options.algebra = {*mode, !args.hasArg(OPT_no_algebra)};
  options.deviceArrays = args.hasArg(OPT_device_arrays);
  bool isHost =
      args.getLastArgValue(OPT_target, "cpu") == "cpu" && !options.isForC();
  if (options.deviceArrays &&
      (options.isKernels() || options.isSource() || isHost))
    return llvm::createStringError(
        "--device-arrays: expected --to-c-header, or "
        "--to-llvmir or --to-object with --target " +
        listGPUTargets());
  options.paddedRows = args.hasArg(OPT_padded_rows);
  bool isForHost = isHost && !options.isKernels() && !options.isSource();
  if (options.paddedRows && !isForHost)
    return llvm::createStringError("--padded-rows: expected --to-llvmir or "
                                   "--to-object for a CPU");
  if (auto error = readGPU(args, **kind, options))
    return std::move(error);
  bool binary = options.kind == OutputKind::Object ||
                (options.isKernels() && options.gpu->format != "isa");
  if (binary && options.output == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::createStringError("expected -o FILE, as "
                                   "a binary is not for a terminal");
  return options;
}

std::optional<Options> readOptions(int argc, char **argv, int &status) {
  ToolOptTable table;
  status = ExitDone;
  auto args = parseCommandLine(table, llvm::ArrayRef(argv, argc).drop_front(),
                               OPT_UNKNOWN);
  if (!args) {
    status = reportUsage("stencil-translate", args.takeError());
    return std::nullopt;
  }
  if (args->hasArg(OPT_help)) {
    table.printHelp(llvm::outs(),
                    "stencil-translate FILE.mlir --to-... [-o OUT]",
                    "Makes something of a stencil program that other programs "
                    "can use");
    return std::nullopt;
  }
  if (args->hasArg(OPT_version)) {
    printVersion("stencil-translate");
    return std::nullopt;
  }
  auto options = read(*args);
  if (!options) {
    status = reportUsage("stencil-translate", options.takeError());
    return std::nullopt;
  }
  return *options;
}
