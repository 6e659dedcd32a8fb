//===- TimedSchedules.cpp - Schedules timed on the device -----------------===//

#include "StencilDialect/Execution/TimedSchedules.h"
#include "ScheduleTimer.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "TimedProgram.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace stencil;

/// What cannot be timed is chosen as if nobody had asked.
static void decline(func::FuncOp entry, llvm::StringRef why) {
  emitRemark(entry.getLoc()) << "schedules are not timed: " << why;
}

namespace {

/// Times what a program has.
class ProgramTimer {
public:
  ProgramTimer(func::FuncOp entry, const GPUCompileOptions &device)
      : entry(entry), device(device),
        target(llvm::cantFail(getTargetInfo(device.chip))) {}

  /// True if there is something to compile with.
  bool run(ModuleOp module);

  /// For each apply a schedule, or `unit`.
  TuningPoint choices;
  /// What was timed of each apply that is not like one before it.
  std::vector<std::vector<TimedSchedule>> timed;
  /// Of a call of each apply, with what was chosen.
  double seconds = 0;

private:
  std::string time(ApplyOp apply, llvm::StringRef untuned);
  llvm::SmallVector<ScheduleAttr, 0> list(ApplyOp apply,
                                          const KernelProfile &profile,
                                          llvm::StringRef untuned) const;

  func::FuncOp entry;
  const GPUCompileOptions &device;
  TargetInfo target;
  /// By the text of an apply by itself.
  std::map<std::string, std::string> known;
};

} // namespace

static constexpr llvm::StringLiteral kOpen = "unit";

/// What is chosen now, then what the model likes, those first that differ.
llvm::SmallVector<ScheduleAttr, 0>
ProgramTimer::list(ApplyOp apply, const KernelProfile &profile,
                   llvm::StringRef untuned) const {
  // In a short list, what may be wrong with a kind counts for all of it: by 167
  // programs of benchmarks/data.
  constexpr double kKind = 0.03;
  std::vector<RankedSchedule> ranked = rankSchedules(apply, profile, target);
  llvm::SetVector<ScheduleAttr> schedules;
  ScheduleAttr first;
  if (!untuned.empty())
    first = dyn_cast_or_null<ScheduleAttr>(
        parseAttribute(untuned, apply.getContext()));
  if (!first && !ranked.empty())
    first = getDefaultSchedule(apply, profile, target);
  if (first)
    schedules.insert(first);
  for (ScheduleAttr schedule : orderByVariety(ranked, kKind))
    schedules.insert(schedule);
  return schedules.takeVector();
}

std::string ProgramTimer::time(ApplyOp apply, llvm::StringRef untuned) {
  std::string program = makeTimedProgram(apply, {}, device.deviceArrays);
  if (program.empty()) {
    decline(entry, "the extents of a field are not known");
    return kOpen.str();
  }
  auto [place, isNew] = known.try_emplace(std::move(program), kOpen);
  if (!isNew)
    return place->second;
  KernelProfile profile =
      profileKernel(apply, device.extents, device.algebra.math);
  llvm::SmallVector<ScheduleAttr, 0> schedules = list(apply, profile, untuned);
  if (schedules.size() < 2)
    return place->second;
  ScheduleTimer timer(apply, device);
  llvm::Error error = timer.time(schedules, kTimedCandidates);
  // What differs in one number: the space has only some of that.
  unsigned climbs = profile.isKnown ? kClimbs : 0;
  for (unsigned round = 0; round < climbs && !error; ++round) {
    ScheduleAttr best =
        completeSchedule(apply, profile, timer.getBest().schedule, target);
    error = timer.time(listNeighbours(best, profile, target), kTimedNear);
  }
  if (error) {
    decline(entry, llvm::toString(std::move(error)));
    return place->second;
  }
  const TimedSchedule &best = timer.getBest();
  timed.emplace_back(timer.getSchedules().vec());
  seconds += best.seconds;
  std::string text = printSchedule(best.schedule);
  double untunedSeconds = timer.getSchedules().front().seconds;
  emitRemark(apply.getLoc())
      << llvm::formatv("timed {0} schedules: {1}, {2} times as fast as what is "
                       "chosen without",
                       timer.getSchedules().size(), text,
                       llvm::format("%.2f", untunedSeconds / best.seconds))
             .str();
  return place->second = std::move(text);
}

bool ProgramTimer::run(ModuleOp module) {
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  std::vector<ChosenSchedule> untuned =
      describeSchedules(entry, device, /*areComposed=*/false);
  untuned.resize(applies.size());
  for (auto [apply, chosen] : llvm::zip_equal(applies, untuned)) {
    std::string choice(kOpen);
    // Who has a schedule keeps it; of regions the launch counts.
    if (isScheduleOpen(apply) && !apply->hasAttr(ScheduleAttr::kAttrName) &&
        !apply->hasAttr(kRegionAttr))
      choice = time(apply, chosen.schedule);
    choices.push_back(std::move(choice));
  }
  return llvm::any_of(
      choices, [](const std::string &choice) { return choice != kOpen; });
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

static TuningEntry makeEntry(func::FuncOp entry, TuningKey key,
                             const ProgramTimer &timer) {
  TuningEntry result;
  result.key = std::move(key);
  result.function = entry.getName().str();
  result.best = TuningBest{timer.choices, timer.seconds, {}, {}, getDate()};
  // Samples are of whole programs.
  if (timer.choices.size() == 1)
    for (const TimedSchedule &schedule : timer.timed.front()) {
      TuningSample sample;
      sample.schedule = {printSchedule(schedule.schedule)};
      sample.seconds = sample.min = sample.max = schedule.seconds;
      sample.runs = schedule.runs;
      sample.registers = schedule.registers;
      sample.spilledBytes = schedule.spilledBytes;
      result.add(sample);
    }
  return result;
}

LogicalResult stencil::timeSchedules(func::FuncOp entry,
                                     GPUCompileOptions &device,
                                     TuningKey wanted,
                                     llvm::StringRef database) {
  device.schedule.clear();
  Location nowhere = UnknownLoc::get(entry.getContext());
  OwningOpRef<ModuleOp> module =
      lowerToFields(entry, device.algebra, device.extents);
  if (!module)
    return failure();
  wanted.program = getFingerprint(*module);
  wanted.math = getMathModeName(device.algebra.math).str();
  wanted.toolchain = getToolchain();
  if (!database.empty()) {
    // A file that is not there is made: who compiles reads it.
    bool isKnown = false;
    if (auto error = updateTuningDatabase(database, [&](TuningDatabase &known) {
          isKnown = lookUp(known, wanted).entry;
          return llvm::Error::success();
        }))
      return emitError(nowhere) << llvm::toString(std::move(error));
    if (isKnown)
      return success();
  }
  std::string why;
  if (getScheduledApplies(*module).empty())
    why = "there is no stencil.apply";
  else if (llvm::any_of(wanted.program.extents, [](const auto &extents) {
             return llvm::is_contained(extents, -1);
           }))
    why = "extents are not known";
  else if (takesSeveralSteps(entry, device, *module))
    why = "several steps are computed at once";
  if (!why.empty()) {
    decline(entry, why);
    return success();
  }
  ProgramTimer timer(entry, device);
  if (!timer.run(*module))
    return success();
  if (database.empty()) {
    device.schedule = "[" + llvm::join(timer.choices, ", ") + "]";
    return success();
  }
  if (auto error = updateTuningDatabase(database, [&](TuningDatabase &known) {
        known.merge(makeEntry(entry, std::move(wanted), timer));
        return llvm::Error::success();
      }))
    return emitError(nowhere) << llvm::toString(std::move(error));
  return success();
}
