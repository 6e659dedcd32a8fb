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

std::string stencil::printSchedule(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

ScheduleAttr stencil::parseSchedule(llvm::StringRef text,
                                    MLIRContext *context) {
  if (text.empty())
    return {};
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(context, [&](Diagnostic &) {
    // The interpreter, in a thread of its own, is heard.
    return success(llvm::get_threadid() == thread);
  });
  return dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, context));
}

ScheduleAttr stencil::writeOut(ModuleOp module, size_t number,
                               ScheduleAttr schedule, llvm::StringRef chip,
                               MathMode math) {
  if (!schedule.needsPipeline() ||
      (!schedule.getBlock().empty() && !schedule.getPoints().empty() &&
       (schedule.getSegments() || schedule.getPlanes())))
    return {};
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto [other, apply] : llvm::enumerate(getScheduledApplies(*copy)))
    if (other == number)
      apply->setAttr(ScheduleAttr::kAttrName, schedule);
    else
      apply->removeAttr(ScheduleAttr::kAttrName);
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) {});
  StencilStreamWindowsOptions windows;
  windows.math = math;
  PassManager manager(module.getContext());
  addTarget(manager, chip);
  manager.addPass(createStencilStreamWindows(windows));
  manager.addPass(createStencilTileRegisters());
  if (failed(manager.run(*copy)))
    return {};
  ScheduleAttr tiled;
  copy->walk([&](PipelineOp op) {
    tiled = op->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  });
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
  for (ScheduleAttr other : listNeighbours(schedule, profile, target)) {
    if (isRegion(apply))
      other = keepInside(apply, profile, other);
    if (other && other != whole)
      texts.push_back(printSchedule(other));
  }
  return texts;
}
