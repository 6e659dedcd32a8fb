//===- Neighbourhood.cpp - What is close to a schedule --------------------===//

#include "Neighbourhood.h"
#include "RegionCandidates.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Hides what this thread reports. The interpreter, in a thread of its own, is
/// heard.
struct Silence {
  explicit Silence(MLIRContext *context)
      : handler(context, [thread = llvm::get_threadid()](Diagnostic &) {
          return success(llvm::get_threadid() == thread);
        }) {}
  ScopedDiagnosticHandler handler;
};
} // namespace

ScheduleAttr stencil::parseSchedule(llvm::StringRef text,
                                    MLIRContext *context) {
  if (text.empty())
    return {};
  Silence silence(context);
  return dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, context));
}

/// The schedule of the pipeline that the passes behind stencil-select-schedule
/// make of an apply; null if they fail.
static ScheduleAttr makePipeline(ModuleOp module, size_t number,
                                 ScheduleAttr schedule, llvm::StringRef chip,
                                 MathMode math) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto [other, apply] : llvm::enumerate(getScheduledApplies(*copy)))
    if (other == number)
      apply->setAttr(ScheduleAttr::kAttrName, schedule);
    else
      apply->removeAttr(ScheduleAttr::kAttrName);
  Silence silence(module.getContext());
  StencilStreamWindowsOptions windows;
  windows.math = math;
  PassManager manager(module.getContext());
  addTarget(manager, chip);
  manager.addPass(createStencilStreamWindows(windows));
  manager.addNestedPass<func::FuncOp>(createStencilSkewStages());
  manager.addNestedPass<func::FuncOp>(createStencilTileRegisters());
  if (failed(manager.run(*copy)))
    return {};
  ScheduleAttr tiled;
  copy->walk([&](PipelineOp op) { tiled = ScheduleAttr::of(op); });
  return tiled;
}

ScheduleAttr stencil::writeOut(ModuleOp module, size_t number,
                               ScheduleAttr schedule, llvm::StringRef chip,
                               MathMode math) {
  if (!schedule.needsPipeline() ||
      (!schedule.getBlock().empty() && !schedule.getPoints().empty() &&
       (schedule.getSegments() || schedule.getPlanes())))
    return {};
  ScheduleAttr tiled = makePipeline(module, number, schedule, chip, math);
  if (!tiled)
    return {};
  ScheduleKeys keys(schedule), chosen(tiled);
  keys.block = chosen.block;
  keys.points = chosen.points;
  keys.segments = chosen.segments;
  keys.planes = chosen.planes;
  keys.panel = chosen.panel;
  keys.launchBounds = chosen.launchBounds;
  return keys.get(module.getContext());
}

std::vector<std::string>
Neighbourhood::operator()(const std::string &choice) const {
  ApplyOp apply = this->apply;
  ScheduleAttr schedule = parseSchedule(choice, apply.getContext());
  if (schedule && schedule == untuned && whole)
    schedule = whole;
  // A database may hold what an earlier version has written.
  if (!schedule || !suits(schedule, apply))
    return {};
  std::vector<std::string> texts;
  for (ScheduleAttr other : list(schedule))
    if (other != whole)
      texts.push_back(printSchedule(other));
  return texts;
}

/// Planes of an iteration, legs and skews depend on all stages of the pipeline,
/// which only it can tell.
bool Neighbourhood::canBeMade(ScheduleAttr schedule) const {
  return (!schedule.getStep() && !schedule.getRelay() && !schedule.getSkew()) ||
         makePipeline(**module, number, schedule, chip, math);
}

std::vector<ScheduleAttr> Neighbourhood::list(ScheduleAttr schedule) const {
  std::vector<ScheduleAttr> found;
  for (ScheduleAttr other : listNeighbours(schedule, profile, target)) {
    if (isRegion(apply))
      other = keepInside(apply, profile, other);
    if (other && canBeMade(other))
      found.push_back(other);
  }
  return found;
}
