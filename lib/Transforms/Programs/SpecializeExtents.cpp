//===- SpecializeExtents.cpp - Run-time extents that are known ------------===//

#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSPECIALIZEEXTENTS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// A function learns extents at its top level. The casts of a function that was
/// inlined may be in a loop, of fields that come from outside.
static void moveCasts(LoopLikeOpInterface loop) {
  moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) { return isa<CastOp>(op); },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

namespace {

struct SpecializeExtents
    : stencil::impl::StencilSpecializeExtentsBase<SpecializeExtents> {
  using StencilSpecializeExtentsBase::StencilSpecializeExtentsBase;

  void runOnOperation() override {
    getOperation().walk([](LoopLikeOpInterface loop) { moveCasts(loop); });
    if (extents.empty())
      return;
    for (int64_t extent : extents)
      if (extent < 0 || extent > kMaxBound) {
        emitError(getStart(getOperation()), "expected extents from 0 to ")
            << kMaxBound << ", got " << extent;
        return signalPassFailure();
      }
    // A box that cannot be made is found first: then nothing is half-replaced.
    bool isRight = true;
    AttrTypeWalker walker;
    Operation *current = nullptr;
    walker.addWalk([&](BoundsAttr bounds) {
      isRight = isRight && succeeded(check(current, bounds));
    });
    getOperation().walk([&](Operation *op) {
      current = op;
      walker.walk(op->getAttrDictionary());
      for (Type type : op->getResultTypes())
        walker.walk(type);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Type type : block.getArgumentTypes())
            walker.walk(type);
    });
    if (!isRight)
      return signalPassFailure();

    AttrTypeReplacer replacer;
    replacer.addReplacement([&](BoundsAttr bounds) -> std::optional<Attribute> {
      return resolveBounds(bounds).get(bounds.getContext());
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    // No field says any more what they are.
    getOperation()->walk([&](ExtentOp op) {
      auto axis = static_cast<int64_t>(op.getAxis());
      if (!isKnown(axis))
        return;
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          arith::ConstantIndexOp::create(builder, op.getLoc(), extents[axis])
              .getResult());
      op.erase();
    });
  }

private:
  bool isKnown(int64_t axis) const {
    return axis < static_cast<int64_t>(extents.size()) && extents[axis] > 0;
  }

  GridBox resolveBounds(BoundsAttr bounds) const {
    GridBox box(bounds);
    for (int64_t axis = 0; axis < bounds.getRank(); ++axis)
      if (isKnown(axis)) {
        box.lb[axis] = resolve(box.lb[axis], extents[axis]);
        box.ub[axis] = resolve(box.ub[axis], extents[axis]);
      }
    return box;
  }

  LogicalResult check(Operation *op, BoundsAttr bounds) const {
    GridBox box = resolveBounds(bounds);
    for (int64_t axis = 0; axis < bounds.getRank(); ++axis)
      if (box.lb[axis] >= box.ub[axis])
        return op->emitError("the extent ")
               << extents[axis] << " leaves no points on axis " << axis
               << " of " << bounds;
    return success();
  }
};

} // namespace
