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

/// Whether all that is filled are images of the box's points.
static bool checkConditions(BoundaryOp boundary, std::string &why) {
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
    if (!getHaloRule(boundary.getCondition(axis, false)).wraps()) {
      why = "a condition is not periodic";
      return false;
    }
    // The halos of axes behind reach over the full extents of this one.
    if (hasKept) {
      why = "the halo that an axis keeps has images along another one";
      return false;
    }
    int64_t first = box.getLb()[axis], end = box.getUb()[axis];
    if (isSymbolic(first) || isSymbolic(end)) {
      why = "the extents are not known";
      return false;
    }
    if (end - first < lower + upper) {
      why = "the box is narrower than its halos";
      return false;
    }
    hasImages = true;
  }
  if (!hasImages)
    why = "no halo is filled";
  return hasImages;
}

bool stencil::canStoreImages(ApplyOp apply, Value field, BoundaryOp boundary,
                             FieldAliasAnalysis &aliases, std::string &why) {
  if (field.getType() != boundary.getField().getType() ||
      llvm::count(apply.getDest(), field) != 1) {
    why = "the field is not what is stored to";
    return false;
  }
  if (*apply.getBounds() != boundary.getBounds()) {
    why = "what is stored to is not the box of the boundary";
    return false;
  }
  if (apply->hasAttr(RegionGroupAttr::kAttrName)) {
    why = "other applies of a launch may read the halo";
    return false;
  }
  bool isPointwise = true;
  Footprint(apply).forEachRead([&](const InputRead &read) {
    isPointwise &= read.isPointwise(apply.getRank()) ||
                   !aliases.mayAlias(apply.getInput(read.input), field);
  });
  if (!isPointwise) {
    why = "neighbours are read of what is stored to";
    return false;
  }
  return checkConditions(boundary, why);
}

/// The boundary ops behind an apply whose halos its kernel can fill.
static SmallVector<BoundaryOp>
findImages(ApplyOp op, FieldAliasAnalysis &aliases, std::string &why) {
  SmallVector<BoundaryOp> images;
  llvm::SmallPtrSet<Value, 8> fields;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    auto boundary = dyn_cast<BoundaryOp>(next);
    if (!boundary && next->getNumRegions() == 0 && isMemoryEffectFree(next))
      continue;
    if (!boundary || !fields.insert(boundary.getField()).second ||
        !canStoreImages(op, boundary.getField(), boundary, aliases, why))
      break;
    images.push_back(boundary);
  }
  return images;
}

FailureOr<SmallVector<BoundaryOp>>
stencil::findStoredImages(ApplyOp apply, FieldAliasAnalysis &aliases) {
  SmallVector<BoundaryOp> images;
  auto given = ScheduleAttr::of(apply);
  if (!given || given.getBoundary() != BoundaryPlace::Store)
    return images;
  std::string why = "none follows";
  images = findImages(apply, aliases, why);
  if (!images.empty())
    return images;
  return apply.emitOpError("expected a boundary op behind it whose halo it can "
                           "store for 'boundary = store': ")
         << why;
}
