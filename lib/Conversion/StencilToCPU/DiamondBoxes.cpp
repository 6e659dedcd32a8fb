//===- DiamondBoxes.cpp - Which points steps in diamonds have -------------===//

#include "DiamondStep.h"
#include "StencilDialect/IR/Elements.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Places
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

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

DiamondBoxes::DiamondBoxes(LoopBuilder &b, const DiamondLoop &found,
                           CPULoopsAttr loops, const LoopBox &domain)
    : domain(domain), places(b, domain, found.folds), math(b.math),
      found(found), loops(loops) {
  size = getTileSize();
}

/// As many points that the cache has room for what a tile holds of all fields:
/// on the average half of the planes of the diamond, and those beside them.
Value DiamondBoxes::getTileSize() const {
  // Of a row, a diamond is a tile.
  if (found.getRank() == 1)
    return {};
  if (int64_t asked = found.diamonds.getTile())
    return math.constant(asked);
  Value one = math.constant(1);
  Value length = math.max(math.sub(places.box.ub[1], places.box.lb[1]), one);
  if (loops.getCache() == 0)
    return length;
  llvm::SmallDenseSet<Value> fields;
  int64_t bytes = 0;
  for (const DiamondKernel &kernel : found.kernels)
    kernel.forEachField([&](Value field) {
      auto type = cast<GridType>(field.getType());
      if (type.getRank() == found.getRank() && fields.insert(field).second)
        bytes += getElementBytes(type.getElementType());
    });
  int64_t planes = found.getWidth() / 2 + 2 * found.reach;
  Value taken = math.constant(bytes * planes * found.countFolded());
  for (int64_t axis = 2; axis < found.getRank(); ++axis)
    taken = math.mul(
        taken,
        math.max(math.sub(places.box.ub[axis], places.box.lb[axis]), one));
  // Beside a tile is what it moves by. Of a row, whole turns of the innermost
  // loop.
  int64_t moved = found.skew * found.countPhases() * found.diamonds.getSteps();
  int64_t least = found.getRank() == 2 ? 64 : 4;
  Value room = math.sub(math.div(math.constant(loops.getCache()), taken),
                        math.constant(moved));
  room = math.max(room, math.constant(least));
  if (found.getRank() > 2)
    return math.min(room, length);
  room = math.mul(math.div(room, math.constant(least)), math.constant(least));
  return math.min(room, math.alignTo(length, least));
}

LoopBox DiamondBoxes::getBox(const DiamondTile &tile, Value phase,
                             Value moved) const {
  int64_t half = found.getHalf() * found.countPhases();
  Value growing = math.mul(phase, found.reach);
  Value shrinking = math.sub(math.constant(2 * half * found.reach), growing);
  Value beside = math.min(growing, shrinking);
  LoopBox box = places.box;
  auto clip = [&](int64_t axis, Value lb, Value ub) {
    box.lb[axis] = math.max(lb, places.box.lb[axis]);
    // Not less: a box of no points has no negative number of them.
    box.ub[axis] = math.max(math.min(ub, places.box.ub[axis]), box.lb[axis]);
  };
  clip(0, math.sub(tile.center, beside), math.add(tile.center, beside));
  if (found.getRank() == 1)
    return box;
  Value start =
      math.sub(tile.start, math.mul(moved, math.constant(found.skew)));
  clip(1, start, math.add(start, size));
  return box;
}

SmallVector<Value> DiamondBoxes::getMostPoints() const {
  SmallVector<Value> most{math.constant(found.getWidth())};
  if (size)
    most.push_back(size);
  for (auto [axis, lb, ub] : llvm::enumerate(domain.lb, domain.ub)) {
    Value length = math.max(math.sub(ub, lb), math.constant(0));
    if (axis < most.size())
      most[axis] = math.min(most[axis], length);
    else
      most.push_back(length);
  }
  return most;
}
