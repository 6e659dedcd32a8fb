//===- RegionLaunches.cpp - How regions are launched ----------------------===//

#include "RegionLaunches.h"
#include "Schedules/ScheduleTrial.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/IR/Schedule.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

void stencil::setLaunch(ApplyOp apply, RegionLaunch how) {
  ScheduleKeys keys(ScheduleAttr::of(apply));
  keys.regions = how;
  keys.give(apply);
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
    if (isThin(region) && ScheduleAttr::of(region) &&
        !ScheduleAttr::of(region).needsPipeline())
      pair.push_back(region);
  if (pair.size() == 2 &&
      ScheduleAttr::of(pair[0]) == ScheduleAttr::of(pair[1]) &&
      pair[0].getDomain().getShape() == pair[1].getDomain().getShape())
    return pair;
  return {};
}

static void remarkDeclined(ApplyOp apply, RegionLaunch launch, StringRef why) {
  remarkMissed(apply.getLoc(), "Schedule", "Declined",
               llvm::formatv("not regions = {0}: {1}",
                             stringifyRegionLaunch(launch), why));
}

void stencil::chooseRegionLaunches(ModuleOp module, ArrayRef<ApplyOp> regions,
                                   const TargetInfo &target, MathMode math) {
  SmallVector<ScheduleAttr> before =
      llvm::map_to_vector(regions, ScheduleAttr::of);
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
    remarkPassed(regions.front()->getLoc(), "Schedule", "Launches",
                 llvm::formatv("{0} regions in streams, {1} in one launch",
                               regions.size() - pair.size(), pair.size()));
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
