//===- RegionLaunches.cpp - How regions are launched ----------------------===//

#include "RegionLaunches.h"
#include "Schedules/ScheduleTrial.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

static ScheduleAttr getSchedule(ApplyOp apply) {
  return apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
}

static void setLaunch(ApplyOp apply, RegionLaunch launch) {
  ScheduleAttr schedule = getSchedule(apply);
  ScheduleKeys keys = schedule ? ScheduleKeys(schedule) : ScheduleKeys();
  keys.regions = launch;
  apply->setAttr(ScheduleAttr::kAttrName, keys.get(apply.getContext()));
}

/// Thin along the rows: where a row of one ends, that of the other begins.
static bool isThin(ApplyOp apply) {
  constexpr int64_t kThin = 32;
  int64_t row = apply.getDomain().getShape().back();
  return !ShapedType::isDynamic(row) && row <= kThin;
}

/// Of each region the other one that has the same points and schedule. None
/// where there are more of them.
static SmallVector<ApplyOp> findPair(ArrayRef<ApplyOp> regions) {
  SmallVector<ApplyOp> pair;
  for (ApplyOp region : regions)
    if (isThin(region) && getSchedule(region) &&
        !getSchedule(region).needsPipeline())
      pair.push_back(region);
  if (pair.size() == 2 && getSchedule(pair[0]) == getSchedule(pair[1]) &&
      pair[0].getDomain().getShape() == pair[1].getDomain().getShape())
    return pair;
  return {};
}

static void remarkDeclined(ApplyOp apply, RegionLaunch launch, StringRef why) {
  remark::missed(apply.getLoc(),
                 remark::RemarkOpts::name("Declined").category("Schedule"))
      << llvm::formatv("not regions = {0}: {1}", stringifyRegionLaunch(launch),
                       why)
             .str();
}

void stencil::chooseRegionLaunches(ModuleOp module, ArrayRef<ApplyOp> regions,
                                   const TargetInfo &target, MathMode math) {
  SmallVector<ScheduleAttr> before = llvm::map_to_vector(regions, getSchedule);
  SmallVector<ApplyOp> pair = findPair(regions);
  for (ApplyOp region : regions)
    setLaunch(region, RegionLaunch::Streams);
  for (ApplyOp region : pair)
    setLaunch(region, RegionLaunch::Launch);
  std::string why = tryRegions(module, target, math);
  if (!why.empty() && !pair.empty()) {
    remarkDeclined(pair.front(), RegionLaunch::Launch, why);
    for (ApplyOp region : pair)
      setLaunch(region, RegionLaunch::Streams);
    why = tryRegions(module, target, math);
  }
  if (why.empty()) {
    remark::passed(regions.front()->getLoc(),
                   remark::RemarkOpts::name("Launches").category("Schedule"))
        << llvm::formatv("{0} regions in streams, {1} in one launch",
                         regions.size() - pair.size(), pair.size())
               .str();
    return;
  }
  remarkDeclined(regions.front(), RegionLaunch::Streams, why);
  for (auto [region, schedule] : llvm::zip_equal(regions, before)) {
    if (schedule)
      region->setAttr(ScheduleAttr::kAttrName, schedule);
    else
      region->removeAttr(ScheduleAttr::kAttrName);
  }
}
