//===- TimedSchedules.cpp - Schedules timed on the device -----------------===//

#include "StencilDialect/Execution/TimedSchedules.h"
#include "ScheduleTimer.h"
#include "StencilDialect/Analysis/ScheduleOrder.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "TimedProgram.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>
#include <map>

using namespace mlir;
using namespace stencil;

namespace {

/// Times what a program has.
class ProgramTimer {
public:
  ProgramTimer(func::FuncOp entry, const GPUCompileOptions &device)
      : entry(entry), device(device) {}

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
                                          llvm::StringRef untuned) const;
  std::vector<ScheduleAttr> listNear(ApplyOp apply, ScheduleAttr from) const;
  void decline(llvm::StringRef why) {
    emitRemark(entry.getLoc()) << "schedules are not timed: " << why;
  }

  func::FuncOp entry;
  const GPUCompileOptions &device;
  /// By the text of an apply by itself.
  std::map<std::string, std::string> known;
};

} // namespace

static constexpr llvm::StringLiteral kOpen = "unit";

/// What is chosen now, then what the model likes, those first that differ.
llvm::SmallVector<ScheduleAttr, 0>
ProgramTimer::list(ApplyOp apply, llvm::StringRef untuned) const {
  // In a short list, what may be wrong with a kind counts for all of it: by 167
  // programs of benchmarks/data.
  constexpr double kKind = 0.03;
  TargetInfo target = llvm::cantFail(getTargetInfo(device.chip));
  KernelProfile profile =
      profileKernel(apply, device.extents, device.algebra.math);
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

/// What differs from a schedule in one number: the space has only some of them.
std::vector<ScheduleAttr> ProgramTimer::listNear(ApplyOp apply,
                                                 ScheduleAttr from) const {
  TargetInfo target = llvm::cantFail(getTargetInfo(device.chip));
  KernelProfile profile =
      profileKernel(apply, device.extents, device.algebra.math);
  if (!profile.isKnown)
    return {};
  return listNeighbours(completeSchedule(apply, profile, from, target), profile,
                        target);
}

std::string ProgramTimer::time(ApplyOp apply, llvm::StringRef untuned) {
  std::string program = makeTimedProgram(apply, {}, device.deviceArrays);
  if (program.empty()) {
    decline("the extents of a field are not known");
    return kOpen.str();
  }
  auto [place, isNew] = known.try_emplace(std::move(program), kOpen);
  if (!isNew)
    return place->second;
  llvm::SmallVector<ScheduleAttr, 0> schedules = list(apply, untuned);
  if (schedules.size() < 2)
    return place->second;
  ScheduleTimer timer(apply, device);
  llvm::Error error = timer.time(schedules, kTimedCandidates);
  for (unsigned round = 0; round < kClimbs && !error; ++round)
    error = timer.time(listNear(apply, timer.getBest().schedule), kTimedNear);
  if (error) {
    decline(llvm::toString(std::move(error)));
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

static std::string getDate() {
  std::time_t now = std::time(nullptr);
  std::tm fields = {};
  ::gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

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

/// Whether steps of a loop are computed several at once where nobody asks for a
/// schedule: those of single steps would be of another program.
static bool takesSeveralSteps(func::FuncOp entry,
                              const GPUCompileOptions &device,
                              ModuleOp module) {
  OwningOpRef<ModuleOp> composed =
      lowerToFields(entry, device.algebra, device.extents, &device);
  return composed && getScheduledApplies(*composed).size() !=
                         getScheduledApplies(module).size();
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
    // The first one to look makes it.
    auto make = [&](TuningDatabase &) { return llvm::Error::success(); };
    if (auto error = updateTuningDatabase(database, make))
      return emitError(nowhere) << llvm::toString(std::move(error));
    auto known = TuningDatabase::load(database);
    if (!known)
      return emitError(nowhere) << llvm::toString(known.takeError());
    if (lookUp(*known, wanted).entry)
      return success();
  }
  auto decline = [&](llvm::StringRef why) {
    emitRemark(entry.getLoc()) << "schedules are not timed: " << why;
    return success();
  };
  if (getScheduledApplies(*module).empty())
    return decline("there is no stencil.apply");
  for (const std::vector<int64_t> &extents : wanted.program.extents)
    if (llvm::is_contained(extents, -1))
      return decline("extents are not known");
  if (takesSeveralSteps(entry, device, *module))
    return decline("several steps are computed at once");
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
