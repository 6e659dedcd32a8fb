//===- Options.cpp - Command line of stencil-translate --------------------===//

#include "Options.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Tools/OptionTable.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/Process.h"

using namespace llvm::opt;
using namespace stencil;

namespace {

struct KindOption {
  OptionId option;
  OutputKind kind;
  const char *name;
};

} // namespace

static constexpr KindOption kKinds[] = {
    {OPT_to_llvmir, OutputKind::LLVMIR, "--to-llvmir"},
    {OPT_to_object, OutputKind::Object, "--to-object"},
    {OPT_to_c_header, OutputKind::CHeader, "--to-c-header"},
    {OPT_to_ptx, OutputKind::PTX, "--to-ptx"},
    {OPT_to_cubin, OutputKind::Cubin, "--to-cubin"},
    {OPT_to_fatbin, OutputKind::Fatbin, "--to-fatbin"},
    {OPT_to_hsaco, OutputKind::HSACO, "--to-hsaco"},
    {OPT_to_cuda, OutputKind::CUDA, "--to-cuda"},
    {OPT_to_hip, OutputKind::HIP, "--to-hip"}};

/// "--to-llvmir, --to-object or --to-c-header".
static std::string listKinds() {
  std::string text;
  for (const KindOption &kind : kKinds) {
    if (&kind != std::begin(kKinds))
      text += &kind == std::end(kKinds) - 1 ? " or " : ", ";
    text += kind.name;
  }
  return text;
}

static llvm::Error readKind(const InputArgList &args, Options &options) {
  bool found = false;
  for (const KindOption &kind : kKinds) {
    if (!args.hasArg(kind.option))
      continue;
    if (found)
      return llvm::createStringError("expected one of " + listKinds() +
                                     ", got several");
    found = true;
    options.kind = kind.kind;
  }
  if (!found)
    return llvm::createStringError("expected " + listKinds());
  return llvm::Error::success();
}

/// The GPU to compile for, if there is to be one.
static llvm::Error readGPU(const InputArgList &args, Options &options) {
  llvm::StringRef name = args.getLastArgValue(OPT_target, "cpu");
  std::optional<GPUTarget> target = parseGPUTarget(name);
  if (!target && name != "cpu")
    return llvm::createStringError(
        "--target: expected cpu, cuda, hip or emulator, got '" + name + "'");
  GPUCompileOptions gpu;
  if (options.isKernels() || options.isSource()) {
    if (args.hasArg(OPT_target))
      return llvm::createStringError("--target: expected it with --to-llvmir "
                                     "or --to-object only");
    bool hip =
        options.kind == OutputKind::HSACO || options.kind == OutputKind::HIP;
    gpu.target = hip ? GPUTarget::HIP : GPUTarget::CUDA;
    gpu.format = options.kind == OutputKind::PTX      ? "isa"
                 : options.kind == OutputKind::Fatbin ? "fatbin"
                                                      : "bin";
  } else if (target && options.kind != OutputKind::CHeader) {
    gpu.target = *target;
  } else {
    return llvm::Error::success();
  }
  gpu.chip = args.getLastArgValue(OPT_chip).str();
  if (gpu.chip.empty())
    return llvm::createStringError(
        "expected --chip NAME, such as " +
        llvm::StringRef(gpu.target == GPUTarget::HIP ? "gfx942" : "sm_90") +
        "; there is no default");
  if (auto chip = readChip(gpu.chip); !chip)
    return llvm::createStringError("--chip: " +
                                   llvm::toString(chip.takeError()));
  gpu.toolkit = args.getLastArgValue(OPT_toolkit).str();
  if (args.hasArg(OPT_schedule)) {
    auto schedule = readSchedule(args.getLastArgValue(OPT_schedule));
    if (!schedule)
      return llvm::createStringError("--schedule: " +
                                     llvm::toString(schedule.takeError()));
    gpu.schedule = std::move(*schedule);
  }
  gpu.tuningDatabase = args.getLastArgValue(OPT_tuning_db).str();
  if (!gpu.tuningDatabase.empty() && !gpu.schedule.empty() &&
      gpu.schedule != "auto")
    return llvm::createStringError("expected --schedule or --tuning-db, got "
                                   "both");
  gpu.optLevel = options.level;
  gpu.algebra = options.algebra;
  options.gpu = std::move(gpu);
  return llvm::Error::success();
}

static llvm::Expected<Options> read(const InputArgList &args) {
  Options options;
  auto files = args.getAllArgValues(OPT_INPUT);
  if (files.size() != 1)
    return llvm::createStringError(
        "expected one file to translate ('-' for stdin), got " +
        llvm::Twine(files.size()));
  options.file = files.front();
  if (auto error = readKind(args, options))
    return std::move(error);
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
  if (auto error = readGPU(args, options))
    return std::move(error);
  bool binary = options.kind == OutputKind::Object ||
                (options.isKernels() && options.kind != OutputKind::PTX);
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
