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

using namespace mlir;
using namespace stencil;

DiamondPlaces::DiamondPlaces(LoopBuilder &b, const LoopBox &domain,
                             std::array<bool, 2> folds)
    : box(domain), b(b), domain(domain), folds(folds) {
  const Arithmetic &math = b.math;
  for (int64_t axis : {0, 1})
    if (folds[axis]) {
      Value length = math.sub(domain.ub[axis], domain.lb[axis]);
      Value half =
          math.ceilDiv(math.max(length, math.constant(0)), math.constant(2));
      box.ub[axis] = math.add(domain.lb[axis], half);
    }
}

LogicalResult DiamondPlaces::forEachImage(const LoopBox &some, int64_t axis,
                                          TileBody body) const {
  if (axis == static_cast<int64_t>(folds.size()))
    return body(some);
  if (!folds[axis])
    return forEachImage(some, axis + 1, body);
  const Arithmetic &math = b.math;
  Value first = math.constant(0), end = math.constant(2);
  return b.emitLoop(
      first, end, /*step=*/1,
      [&](Value half) {
        Value isFirst = math.compare(arith::CmpIPredicate::eq, half, first);
        Value ends = math.add(domain.lb[axis], domain.ub[axis]);
        // The middle of an odd number of points is its own image.
        Value lb = math.max(math.sub(ends, some.ub[axis]), box.ub[axis]);
        Value ub = math.max(math.sub(ends, some.lb[axis]), lb);
        LoopBox image = some;
        image.lb[axis] = math.select(isFirst, some.lb[axis], lb);
        image.ub[axis] = math.select(isFirst, some.ub[axis], ub);
        return forEachImage(image, axis + 1, body);
      },
      /*vectorise=*/false);
}
