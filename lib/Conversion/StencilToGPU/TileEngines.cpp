//===- TileEngines.cpp - What engines are given of a thread ---------------===//

#include "TilePhases.h"

using namespace mlir;
using namespace stencil;

ThreadStage::ThreadStage(ThreadValues &held, ApplyOp stage,
                         ArrayRef<TilePoint> points, TileReads &reads)
    : held(held), block(held.block), kernel(block.kernel), math(block.math),
      stage(stage), row(points.begin(), points.end()), reads(reads) {
  if (block.walk)
    for (TilePoint &point : row)
      point[*block.walk] = stage.getDomain().getLb()[*block.walk];
}

tile::OperandMemory ThreadStage::getMemory(unsigned input, int64_t plane) {
  auto source = stage.getArgs()[input].getDefiningOp<tile::SourceOp>();
  const TileRing &ring = block.rings[source.getMemory()];
  return {ring.elements,
          held.getRingBase(source.getMemory(), source.getIteration(), plane),
          ring.places};
}

LogicalResult ThreadStage::emitPointwise() {
  return stencil::emitPointwise(held, stage, row, reads);
}

/// The stages within read memory and find errors at points where they are
/// needed only.
static LogicalResult checkGuard(ApplyOp stage) {
  auto where = stage->getParentOfType<tile::WhereOp>();
  if (where && !where.getIteration())
    return success();
  bool readsField = llvm::any_of(stage.getArgs(), tile::isFieldSource);
  if (!readsField && !mayBodyFail(stage))
    return success();
  return stage.emitOpError("expected to be in a tile.where: it ")
         << (readsField ? "reads a field" : "may fail at run time")
         << ", and a tile may reach beyond the domain";
}

/// A stage computes the tile, or that and what is beside it.
static LogicalResult checkBox(ApplyOp stage, tile::GridAttr grid) {
  Attribute layout = tile::getLayout(stage);
  if (isa_and_nonnull<tile::CoreAndRimAttr>(layout))
    return success();
  BoundsAttr box = stage.getDomain(), tile = grid.getTileBox();
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    if (axis != grid.getWalk() && (box.getLb()[axis] != tile.getLb()[axis] ||
                                   box.getUb()[axis] != tile.getUb()[axis]))
      return stage.emitOpError("has no distribution to threads yet: expected "
                               "the tile's box, ")
             << tile << ", got " << box;
  if (layout)
    return stage.emitOpError("has no distribution to threads yet: expected the "
                             "layout of the kernel, or that and a rim");
  return success();
}

LogicalResult stencil::emitStage(ThreadValues &held, ApplyOp stage,
                                 ArrayRef<TilePoint> row, TileReads &reads) {
  if (failed(checkGuard(stage)) ||
      failed(checkBox(stage, held.block.op.getGrid())))
    return failure();
  ThreadStage emission(held, stage, row, reads);
  return tile::getEngine(stage).emit(emission);
}
