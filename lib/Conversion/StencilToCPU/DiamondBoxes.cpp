//===- DiamondBoxes.cpp - Which points steps in diamonds have -------------===//

#include "DiamondBoxes.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/IR/Elements.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace stencil;

DiamondBoxes::DiamondBoxes(OpBuilder &builder, const DiamondLoop &found,
                           CPULoopsAttr loops, const LoopBox &domain)
    : domain(domain), found(found), loops(loops), loc(found.loop->getLoc()) {
  places = DiamondPlaces(builder, loc, domain, found.folds);
  size = getTileSize(builder);
}

/// As many points that the cache has room for what a tile holds of all fields:
/// on the average half of the planes of the diamond, and those beside them.
Value DiamondBoxes::getTileSize(OpBuilder &builder) const {
  Arithmetic arith(builder, loc, builder.getIndexType());
  if (int64_t asked = found.diamonds.getTile())
    return arith.constant(asked);
  Value one = arith.constant(1);
  Value length = arith.max(arith.sub(places.box.ub[1], places.box.lb[1]), one);
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
  Value taken = arith.constant(bytes * planes * found.countFolded());
  for (int64_t axis = 2; axis < found.getRank(); ++axis)
    taken = arith.mul(
        taken,
        arith.max(arith.sub(places.box.ub[axis], places.box.lb[axis]), one));
  // Beside a tile is what it moves by. Of a row, whole turns of the innermost
  // loop.
  int64_t moved = found.skew * found.countPhases() * found.diamonds.getSteps();
  int64_t least = found.getRank() == 2 ? 64 : 4;
  Value room = arith.sub(arith.div(arith.constant(loops.getCache()), taken),
                         arith.constant(moved));
  room = arith.max(room, arith.constant(least));
  if (found.getRank() > 2)
    return arith.min(room, length);
  room =
      arith.mul(arith.div(room, arith.constant(least)), arith.constant(least));
  return arith.min(room, arith.alignTo(length, least));
}

LoopBox DiamondBoxes::getBox(OpBuilder &builder, const DiamondTile &tile,
                             Value phase, Value moved) const {
  Arithmetic arith(builder, loc, builder.getIndexType());
  int64_t half = found.getHalf() * found.countPhases();
  Value growing = arith.mul(phase, found.reach);
  Value shrinking = arith.sub(arith.constant(2 * half * found.reach), growing);
  Value beside = arith.min(growing, shrinking);
  Value start =
      arith.sub(tile.start, arith.mul(moved, arith.constant(found.skew)));
  LoopBox box = places.box;
  auto clip = [&](int64_t axis, Value lb, Value ub) {
    box.lb[axis] = arith.max(lb, places.box.lb[axis]);
    // Not less: a box of no points has no negative number of them.
    box.ub[axis] = arith.max(arith.min(ub, places.box.ub[axis]), box.lb[axis]);
  };
  clip(0, arith.sub(tile.center, beside), arith.add(tile.center, beside));
  clip(1, start, arith.add(start, size));
  return box;
}

SmallVector<Value> DiamondBoxes::getMostPoints(OpBuilder &builder) const {
  Arithmetic arith(builder, loc, builder.getIndexType());
  SmallVector<Value> most{arith.constant(found.getWidth()), size};
  for (auto [axis, lb, ub] : llvm::enumerate(domain.lb, domain.ub)) {
    Value length = arith.max(arith.sub(ub, lb), arith.constant(0));
    if (axis < most.size())
      most[axis] = arith.min(most[axis], length);
    else
      most.push_back(length);
  }
  return most;
}
