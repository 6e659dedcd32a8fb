//===- ExecutableOptions.cpp - How a program is compiled ------------------===//

#include "ExecutableOptions.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Execution/TimedSchedules.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilRuntime/Device.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace stencil;

static llvm::Error fail(const llvm::Twine &option, llvm::Error error) {
  return llvm::createStringError(option + ": " +
                                 llvm::toString(std::move(error)));
}

static llvm::Error fail(const llvm::Twine &option, const llvm::Twine &message) {
  return llvm::createStringError(option + ": " + message);
}

/// What only programs for a GPU have.
static llvm::Error checkCPU(const ExecutableOptions &options) {
  std::pair<llvm::StringRef, bool> given[] = {
      {"chip", !options.chip.empty()},
      {"toolkit", !options.toolkit.empty()},
      {"deviceArrays", options.deviceArrays}};
  for (auto [name, isGiven] : given)
    if (isGiven)
      return fail(name,
                  "expected the target " + listGPUTargets() + ", got cpu");
  return llvm::Error::success();
}

static llvm::Error checkSchedule(const ExecutableOptions &options) {
  bool isTimed = isTimedChoice(options.schedule) && options.target != "cpu";
  if (!options.schedule.empty() && !isTimed)
    if (auto schedule = readSchedule(options.schedule); !schedule)
      return fail("schedule", schedule.takeError());
  return llvm::Error::success();
}

/// The device of the target; of the emulator the one that is emulated.
static llvm::Error findDevice(const ExecutableOptions &options,
                              const GPUTarget &target, ReadOptions &read) {
  GPUCompileOptions device;
  device.target = &target;
  device.chip = options.chip;
  device.toolkit = options.toolkit;
  device.deviceArrays = options.deviceArrays;
  device.schedule = options.schedule;
  device.tuningDatabase = options.tuningDatabase;
  device.algebra = read.compile.algebra;
  if (!options.chip.empty()) {
    auto chip = readChip(options.chip);
    if (!chip)
      return fail("chip", chip.takeError());
    device.chip = std::move(*chip);
  }
  if (auto error = checkSchedule(options))
    return error;
  if (device.chip.empty())
    device.chip = target.defaultChip.str();
  if (!target.isEmulator()) {
    runtime::DeviceInfo info;
    std::string problem = runtime::queryDevice(getBackendKind(target), info);
    if (!problem.empty())
      return fail("target " + options.target, problem);
    if (device.chip.empty()) {
      DeviceTarget found = findDeviceTarget(target, info, options.toolkit);
      device.chip = std::move(found.name);
      read.warnings = std::move(found.warnings);
    }
    read.tuning.device = info.name;
  }
  read.tuning.chip = llvm::cantFail(getTargetInfo(device.chip)).chip;
  read.compile.device = std::move(device);
  return llvm::Error::success();
}

llvm::Expected<ReadOptions>
stencil::readOptions(const ExecutableOptions &options) {
  ReadOptions read;
  auto math = readMathMode(options.math);
  if (!math)
    return fail("math", math.takeError());
  read.compile.algebra.math = *math;
  if (options.threads > kMaxThreads)
    return fail("threads", "expected at most " + llvm::Twine(kMaxThreads) +
                               ", got " + llvm::Twine(options.threads));
  for (int64_t extent : options.extents)
    if (extent < 0 || extent > kMaxBound)
      return fail("extents", "expected extents from 0, for any, to " +
                                 llvm::Twine(kMaxBound) + ", got " +
                                 llvm::Twine(extent));
  bool isTuned = !options.tuningDatabase.empty();
  if (isTuned && !options.schedule.empty() &&
      !isTimedChoice(options.schedule) &&
      !takesMeasured(parseScheduleChoice(options.schedule)
                         .value_or(ScheduleChoice::Default)))
    return fail("tuningDatabase", "expected none beside a schedule");
  read.tuning.target = options.target;
  if (options.target == "cpu") {
    if (auto error = checkCPU(options))
      return std::move(error);
    if (auto error = checkSchedule(options))
      return std::move(error);
    read.compile.schedule = options.schedule;
    read.compile.threads =
        options.threads ? options.threads : getThreadsOfEnvironment();
    if (!read.compile.threads)
      read.compile.threads = getNumUsableCpus();
    read.tuning.chip = llvm::sys::getHostCPUName().str();
    read.tuning.threads = read.compile.threads;
    return std::move(read);
  }
  const GPUTarget *target = findGPUTarget(options.target);
  if (!target)
    return fail("target", "unknown '" + options.target + "', expected " +
                              listGPUTargets({"cpu"}));
  if (auto error = findDevice(options, *target, read))
    return std::move(error);
  return std::move(read);
}

/// Checks the extents that were asked for.
static LogicalResult applyExtents(const Signature &signature,
                                  const ExecutableOptions &options,
                                  Location nowhere, ReadOptions &read) {
  if (options.extents.empty())
    return success();
  if (options.extents.size() != signature.getRank())
    return emitError(nowhere)
           << "extents: expected one for each of " << signature.getRank()
           << " axes, got " << options.extents.size();
  // Without a field that has bounds there is no interior.
  bool hasInterior =
      llvm::any_of(signature.parameters, [](const Parameter &parameter) {
        return parameter.field && !parameter.field->boxes.empty();
      });
  if (!hasInterior)
    return emitError(nowhere)
           << "extents: expected none, as no field of the program has bounds";
  if (!llvm::is_contained(options.extents, 0)) {
    std::vector<std::optional<GivenShape>> none(signature.parameters.size());
    auto extents = resolveExtents(signature, none, options.extents, nowhere);
    if (failed(extents))
      return failure();
    read.compile.fieldBytes = countFieldBytes(signature, *extents);
    if (!read.compile.device)
      read.compile.extents = options.extents;
  }
  if (read.compile.device)
    read.compile.device->extents = options.extents;
  return success();
}

LogicalResult stencil::completeOptions(func::FuncOp entry,
                                       const Signature &signature,
                                       const ExecutableOptions &options,
                                       ReadOptions &read) {
  Location nowhere = UnknownLoc::get(entry.getContext());
  for (const std::string &warning : read.warnings)
    emitWarning(nowhere) << warning;
  if (failed(applyExtents(signature, options, nowhere, read)))
    return failure();
  if (read.compile.device && isTimedChoice(options.schedule) &&
      failed(timeSchedules(entry, *read.compile.device, read.tuning,
                           options.tuningDatabase)))
    return failure();
  if (options.tuningDatabase.empty())
    return success();
  std::vector<int64_t> interior(options.extents);
  interior.resize(signature.getRank());
  auto choice = findTuned(entry, read.compile.algebra, interior, read.tuning,
                          options.tuningDatabase);
  if (failed(choice))
    return failure();
  if (!choice->remark.empty())
    emitRemark(nowhere) << choice->remark;
  if (!read.compile.device && choice->schedule)
    read.compile.pipelineOptions = joinOptions(*choice->schedule);
  return success();
}
