//===- TunedSchedules.cpp - Schedules that were measured ------------------===//

#include "StencilDialect/Transforms/TunedSchedules.h"
#include "FormBook.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "StencilDialect/Tuning/Database.h"

using namespace mlir;
using namespace stencil;

static void remarkDeclined(Location loc, const llvm::Twine &why) {
  remarkMissed(loc, "Schedule", "NotTuned", why);
}

/// What the database is asked for.
static TuningKey makeKey(ModuleOp module, const TargetInfo &target,
                         MathMode math, bool emulate) {
  TuningKey wanted;
  wanted.program = getFingerprint(module);
  wanted.math = getMathModeName(math).str();
  wanted.target = chooseGPUTarget(target.vendor, emulate).name.str();
  wanted.chip = target.chip;
  wanted.toolchain = getToolchain();
  return wanted;
}

FailureOr<bool> stencil::hasTunedSchedules(ModuleOp module,
                                           llvm::StringRef path,
                                           const TargetInfo &target,
                                           MathMode math, bool emulate) {
  auto database = TuningDatabase::load(path);
  if (!database)
    return emitError(getStart(module), llvm::toString(database.takeError()));
  TuningMatch match = lookUp(*database, makeKey(module, target, math, emulate));
  return match.entry && !match.entry->best->schedule.empty();
}

LogicalResult stencil::assignTunedSchedules(ModuleOp module,
                                            llvm::StringRef path,
                                            const TargetInfo &target,
                                            MathMode math, bool emulate) {
  Location loc = getStart(module);
  auto database = TuningDatabase::load(path);
  if (!database)
    return emitError(loc, llvm::toString(database.takeError()));
  // Of one that has forms only, nobody expects this program.
  if (database->entries.empty() && !database->forms.empty())
    return success();
  TuningMatch match = lookUp(*database, makeKey(module, target, math, emulate));
  llvm::SmallVector<ApplyOp> applies = getScheduledApplies(module);
  if (!match.entry) {
    if (!applies.empty())
      remarkDeclined(applies.front().getLoc(), match.remark);
    return success();
  }
  const TuningPoint &schedules = match.entry->best->schedule;
  if (schedules.size() != applies.size()) {
    remarkDeclined(loc, "the tuning database has schedules for " +
                            llvm::Twine(schedules.size()) +
                            " applies, the program has " +
                            llvm::Twine(applies.size()));
    return success();
  }
  for (auto [apply, text] : llvm::zip_equal(applies, schedules)) {
    if (!isScheduleOpen(apply) || text == "unit")
      continue;
    std::string why;
    ScheduleAttr schedule = parseSchedule(text, module.getContext(), why);
    // Padded rows may have been measured, which tensor maps always fit.
    bool isSuited = schedule && suits(schedule, apply);
    if (isSuited && hasDeviceArrays(apply))
      isSuited =
          findMisfit(profileKernel(apply, {}, math), schedule, target).empty();
    if (!isSuited) {
      remarkDeclined(apply.getLoc(),
                     "the schedule of the tuning database does not suit: " +
                         text);
      continue;
    }
    apply->setAttr(ScheduleAttr::kAttrName, mergeSchedule(apply, schedule));
    remarkPassed(apply.getLoc(), "Schedule", "Tuned",
                 "from the tuning database: " + text +
                     (match.remark.empty() ? "" : "; " + match.remark));
  }
  return success();
}
