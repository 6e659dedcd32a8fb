//===- PeriodicImages.cpp - Halos that applies can fill -------------------===//

#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

int64_t stencil::getHaloWidth(BoundaryOp boundary, int64_t axis, bool upper) {
  BoundsAttr field = getBounds(boundary.getField());
  BoundsAttr box = boundary.getBounds();
  return upper ? field.getUb()[axis] - box.getUb()[axis]
               : box.getLb()[axis] - field.getLb()[axis];
}

/// Whether an axis keeps its halo, which is there, on both sides.
static bool keepsHalo(BoundaryOp boundary, int64_t axis) {
  return getHaloRule(boundary.getCondition(axis, false)).isKept() &&
         getHaloRule(boundary.getCondition(axis, true)).isKept();
}

/// Why not all that is filled are images of the box's points; empty if it is.
static StringRef checkConditions(BoundaryOp boundary) {
  BoundsAttr box = boundary.getBounds();
  bool hasImages = false, hasKept = false;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t lower = getHaloWidth(boundary, axis, false);
    int64_t upper = getHaloWidth(boundary, axis, true);
    if (lower + upper == 0)
      continue;
    if (keepsHalo(boundary, axis)) {
      hasKept = true;
      continue;
    }
    if (!getHaloRule(boundary.getCondition(axis, false)).wraps())
      return "a condition is not periodic";
    // The halos of axes behind reach over the full extents of this one.
    if (hasKept)
      return "the halo that an axis keeps has images along another one";
    int64_t first = box.getLb()[axis], end = box.getUb()[axis];
    if (isSymbolic(first) || isSymbolic(end))
      return "the extents are not known";
    if (end - first < lower + upper)
      return "the box is narrower than its halos";
    hasImages = true;
  }
  return hasImages ? "" : "no halo is filled";
}

StringRef stencil::explainNoImages(ApplyOp apply, Value field,
                                   BoundaryOp boundary,
                                   FieldAliasAnalysis &aliases) {
  if (field.getType() != boundary.getField().getType() ||
      llvm::count(apply.getDest(), field) != 1)
    return "the field is not what is stored to";
  if (*apply.getBounds() != boundary.getBounds())
    return "what is stored to is not the box of the boundary";
  if (apply->hasAttr(RegionGroupAttr::kAttrName))
    return "other applies of a launch may read the halo";
  bool isPointwise = true;
  Footprint(apply).forEachRead([&](const InputRead &read) {
    isPointwise &= read.isPointwise(apply.getRank()) ||
                   !aliases.mayAlias(apply.getInput(read.input), field);
  });
  return isPointwise ? checkConditions(boundary)
                     : "neighbours are read of what is stored to";
}

FailureOr<SmallVector<BoundaryOp>>
stencil::findStoredImages(ApplyOp apply, FieldAliasAnalysis &aliases) {
  SmallVector<BoundaryOp> images;
  auto given = ScheduleAttr::of(apply);
  if (!given || given.getBoundary() != BoundaryPlace::Store)
    return images;
  StringRef why = "none follows";
  llvm::SmallPtrSet<Value, 8> fields;
  for (Operation *next = apply->getNextNode(); next;
       next = next->getNextNode()) {
    auto boundary = dyn_cast<BoundaryOp>(next);
    if (!boundary && next->getNumRegions() == 0 && isMemoryEffectFree(next))
      continue;
    if (!boundary || !fields.insert(boundary.getField()).second)
      break;
    why = explainNoImages(apply, boundary.getField(), boundary, aliases);
    if (!why.empty())
      break;
    images.push_back(boundary);
  }
  if (!images.empty())
    return images;
  return apply.emitOpError("expected a boundary op behind it whose halo it can "
                           "store for 'boundary = store': ")
         << why;
}
