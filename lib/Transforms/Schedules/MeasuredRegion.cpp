//===- MeasuredRegion.cpp - Regions as they were measured best ------------===//

#include "MeasuredForm.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"

using namespace mlir;
using namespace stencil;

/// `kernel`: "layer" or "interior".
static FormFacts getFacts(const KernelProfile &profile, StringRef kernel) {
  FormFacts facts;
  facts.kernel = kernel;
  facts.reads = profile.readsBox() ? "box" : "star";
  facts.bytes = profile.getElementBytes();
  facts.radius = profile.getRadius();
  // Profiles along one axis cost nothing beside inputs that have all.
  facts.inputs = llvm::count_if(profile.inputs, [](const auto &input) {
    return input.isRead() && input.fitsWindow;
  });
  facts.outputs = profile.outputBytes.size();
  facts.setPoints(profile.countPoints());
  facts.extents.assign(profile.shape.begin(), profile.shape.end());
  facts.areSumsFree = profile.scatterSums > 0;
  return facts;
}

/// All that is read comes to shared memory plane by plane, in tiles that leave
/// no rest.
static FormSchedule getInterior(ApplyOp apply, const KernelProfile &profile,
                                const TargetInfo &target,
                                const FormBook &forms) {
  FoundForm found =
      forms.find(getFacts(profile, "interior"), target, apply.getContext());
  if (!found)
    return {};
  ScheduleKeys keys(found.schedule);
  bool isTensor = keys.prefetch == Prefetch::Tma;
  if (isTensor && !target.hasAsyncCopy(AsyncCopyTensor))
    return {};
  SmallVector<Space> windows;
  for (const ProfiledInput &input : profile.inputs) {
    bool isShared = input.isRead() && input.fitsWindow;
    if (isShared && isTensor && !input.fitsTensorMap)
      return {};
    windows.push_back(isShared ? Space::Shared : Space::Cache);
  }
  std::vector<PlaneTile> tiles = listEvenTiles(apply, profile, target);
  if (tiles.empty())
    return {};
  auto [rows, row] = tiles.front();
  if (rows % keys.points[1] != 0 || row % keys.points[2] != 0)
    return {};
  keys.block = {1, rows / keys.points[1], row / keys.points[2]};
  keys.segments = std::max<int64_t>(1, (profile.shape[0] + *keys.planes / 2) /
                                           *keys.planes);
  keys.planes.reset();
  if (llvm::all_equal(windows))
    windows.resize(1);
  keys.window.assign(windows.begin(), windows.end());
  // As many panels as there are of 256 rows, all of the same width.
  if (arePlanesWide(profile.shape, profile.getElementBytes())) {
    int64_t blocks = profile.shape[1] / rows;
    int64_t panels =
        llvm::divideCeil(blocks, countPanelBlocks(kPanelRows, rows));
    keys.panel = {0, static_cast<int64_t>(llvm::divideCeil(blocks, panels)), 0};
  }
  return {makeSchedule(keys, apply.getContext()), found.form};
}

FormSchedule stencil::getMeasuredRegion(ApplyOp apply,
                                        const KernelProfile &profile,
                                        const TargetInfo &target,
                                        const FormBook &forms) {
  if (!profile.isKnown || profile.rank != 3 || !profile.isShapeKnown)
    return {};
  if (FoundForm layer =
          forms.find(getFacts(profile, "layer"), target, apply.getContext()))
    return {layer.schedule, layer.form};
  bool isRegion =
      apply->hasAttr(kRegionAttr) || apply->hasAttr(ScheduleAttr::kAttrName);
  return isRegion ? getInterior(apply, profile, target, forms) : FormSchedule();
}
