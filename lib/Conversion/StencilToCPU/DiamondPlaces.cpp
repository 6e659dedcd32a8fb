//===- DiamondPlaces.cpp - Where steps in diamonds are --------------------===//
//
// A periodic axis has no beginning. It is folded in the middle: places are
// those of its first half, and at each is the mirror image, too.
//
//   0  1  2  3  4      of nine points the one in the middle is its own image
//      8  7  6  5
//
// Neighbours are at neighbouring places or at the same one then, also where the
// ends meet.
//
//===----------------------------------------------------------------------===//

#include "DiamondPlaces.h"
#include "StencilDialect/Conversion/Arithmetic.h"

using namespace mlir;
using namespace stencil;

DiamondPlaces::DiamondPlaces(OpBuilder &builder, Location loc,
                             const LoopBox &domain, std::array<bool, 2> folds)
    : box(domain), loc(loc), domain(domain), folds(folds) {
  Arithmetic arith(builder, loc, builder.getIndexType());
  for (int64_t axis : {0, 1})
    if (folds[axis]) {
      Value length = arith.sub(domain.ub[axis], domain.lb[axis]);
      Value half = arith.ceilDiv(arith.max(length, arith.constant(0)),
                                 arith.constant(2));
      box.ub[axis] = arith.add(domain.lb[axis], half);
    }
}

LogicalResult DiamondPlaces::forEachImage(OpBuilder &builder,
                                          const LoopBox &some, int64_t axis,
                                          TileBody body) const {
  if (axis == static_cast<int64_t>(folds.size()))
    return body(builder, some);
  if (!folds[axis])
    return forEachImage(builder, some, axis + 1, body);
  Value first = Arithmetic(builder, *loc, builder.getIndexType()).constant(0);
  Value end = Arithmetic(builder, *loc, builder.getIndexType()).constant(2);
  return emitLoop(
      builder, *loc, first, end, /*step=*/1,
      [&](OpBuilder &inner, Value half) {
        Arithmetic arith(inner, *loc, inner.getIndexType());
        Value isFirst = arith.compare(arith::CmpIPredicate::eq, half, first);
        Value ends = arith.add(domain.lb[axis], domain.ub[axis]);
        // The middle of an odd number of points is its own image.
        Value lb = arith.max(arith.sub(ends, some.ub[axis]), box.ub[axis]);
        Value ub = arith.max(arith.sub(ends, some.lb[axis]), lb);
        LoopBox image = some;
        image.lb[axis] = arith.select(isFirst, some.lb[axis], lb);
        image.ub[axis] = arith.select(isFirst, some.ub[axis], ub);
        return forEachImage(inner, image, axis + 1, body);
      },
      /*vectorise=*/false);
}
