//===- TileEngines.cpp - What engines are given of a thread ---------------===//

#include "TileKernel.h"

using namespace mlir;
using namespace stencil;

namespace stencil {

/// A stage at a row of a thread's points.
class ThreadStage : public tile::StageEmission {
public:
  ThreadStage(TileKernel &kernel, ApplyOp stage, ArrayRef<TilePoint> row,
              TileReads &reads)
      : kernel(kernel), stage(stage), row(row), reads(reads) {}

  ApplyOp getStage() const override { return stage; }
  ArrayRef<TilePoint> getPoints() const override { return row; }
  OpBuilder &getBuilder() override { return kernel.kernel.body(); }
  MathMode getMath() const override { return kernel.kernels.getOptions().math; }

  tile::OperandMemory getMemory(unsigned input) override {
    auto source = stage.getArgs()[input].getDefiningOp<tile::SourceOp>();
    const TileRing &ring = kernel.rings[source.getMemory()];
    return {ring.elements,
            kernel.getRingBase(source.getMemory(), source.getIteration(), 0),
            ring.strides};
  }

  Value getConstants(Location loc, DenseElementsAttr values) override {
    return kernel.kernels.getConstants(kernel.kernel.body(), loc, values);
  }

  void setResult(unsigned result, ArrayRef<int64_t> point,
                 Value value) override {
    kernel.group->values[stage.getRes()[result]][TilePoint(point)] = {value, {}};
  }

  LogicalResult emitPointwise() override {
    return kernel.emitPointwise(stage, row, reads);
  }

private:
  TileKernel &kernel;
  ApplyOp stage;
  ArrayRef<TilePoint> row;
  TileReads &reads;
};

} // namespace stencil

/// The stages within read memory and find errors at points where they are
/// needed only.
static LogicalResult checkGuard(ApplyOp stage) {
  auto where = stage->getParentOfType<tile::WhereOp>();
  if (where && !where.getIteration())
    return success();
  bool readsField = llvm::any_of(stage.getArgs(), [](Value value) {
    auto source = value.getDefiningOp<tile::SourceOp>();
    return source && isa<FieldType>(source.getMemory().getType());
  });
  auto fails = stage.getRegion().walk([](Operation *inner) {
    return mayFailAtRunTime(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  if (!readsField && !fails.wasInterrupted())
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

LogicalResult TileKernel::emitStage(ApplyOp stage, ArrayRef<TilePoint> row,
                                    TileReads &reads) {
  if (failed(checkGuard(stage)) || failed(checkBox(stage, op.getGrid())))
    return failure();
  ThreadStage emission(*this, stage, row, reads);
  return tile::getEngine(stage).emit(emission);
}
