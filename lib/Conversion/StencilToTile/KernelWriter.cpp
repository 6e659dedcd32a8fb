//===- KernelWriter.cpp - Where the ops of a kernel go --------------------===//

#include "KernelWriter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/TilePlane.h"

using namespace mlir;
using namespace stencil;

/// The fields and scalars that a kernel is given.
static SmallVector<Value> listOperands(const TiledPipeline &pipeline) {
  SmallVector<Value> operands;
  for (LoadOp load : pipeline.getOps<LoadOp>())
    if (pipeline.plan.isNeeded(load))
      operands.push_back(load.getField());
  for (StoreOp store : pipeline.getOps<StoreOp>())
    operands.push_back(store.getField());
  for (ApplyOp stage : pipeline.getOps<ApplyOp>())
    if (!pipeline.plan.getNeeds(stage).isEmpty())
      llvm::copy_if(
          stage.getArgs(), std::back_inserter(operands),
          [](Value value) { return !isa<GridType>(value.getType()); });
  return operands;
}

KernelWriter::KernelWriter(const TiledPipeline &pipeline, StringRef name)
    : pipeline(pipeline), builder(pipeline.getContext()),
      frame(pipeline.getOp(), name, pipeline.grid, listOperands(pipeline)) {
  builder.setInsertionPointToEnd(frame.get().getBodyBlock());
}

tile::WhereOp KernelWriter::openWhere(Location loc, TypeRange results,
                                      const OffsetBox &needs, Value plane) {
  // Of tiles that overlap, the threads that store nothing lie in the domain or
  // not: only where all is for stores are they left out anyway.
  bool isOfDomain = needs.isZero() && !plane &&
                    (results.empty() || !pipeline.grid.getInner());
  auto where = tile::WhereOp::create(
      builder, loc, results, plane,
      isOfDomain ? BoundsAttr() : needs.toBounds(pipeline.getContext()));
  builder.createBlock(&where.getBody());
  return where;
}

SmallVector<Value> KernelWriter::makeWhere(Location loc, TypeRange types,
                                           const OffsetBox &needs,
                                           bool isGuarded,
                                           std::optional<WantedPlanes> ofPlanes,
                                           Make make) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<tile::WhereOp> wheres;
  if (ofPlanes)
    wheres.push_back(openWhere(loc, types, ofPlanes->planes, plane));
  if (ofPlanes && ofPlanes->within)
    wheres.back()->setDiscardableAttr(kWithinAttr, ofPlanes->within);
  if (isGuarded)
    wheres.push_back(openWhere(loc, types, needs));
  SmallVector<Value> made(make());
  for (tile::WhereOp where : llvm::reverse(wheres)) {
    tile::YieldOp::create(builder, loc, made);
    made = where.getRes();
    builder.setInsertionPointAfter(where);
  }
  return made;
}

ApplyOp KernelWriter::makeCopy(Location loc, Value source, Type type,
                               ArrayRef<SmallVector<int64_t>> offsets) {
  auto stage = ApplyOp::create(builder, loc,
                               SmallVector<Type>(offsets.size(), type), source);
  OpBuilder::InsertionGuard inner(builder);
  builder.setInsertionPointToEnd(stage.getBodyBlock());
  SmallVector<Value> read;
  for (ArrayRef<int64_t> offset : offsets)
    read.push_back(AccessOp::create(
        builder, loc, stage.getBodyBlock()->getArgument(0), offset));
  ReturnOp::create(builder, loc, read, stencil::IndexAttr());
  return stage;
}

void KernelWriter::tellPlane(ApplyOp stage) {
  auto knowsPlane = [](Value input) {
    return input.getDefiningOp<tile::SourceOp>();
  };
  if (!pipeline.axis || llvm::any_of(stage.getArgs(), knowsPlane) ||
      !tile::usesCoordinates(stage))
    return;
  stage->setAttr(tile::kPlaneAttrName,
                 builder.getI64IntegerAttr(stage.getArgs().size()));
  stage.getArgsMutable().append(plane);
  stage.getBodyBlock()->addArgument(plane.getType(), stage.getLoc());
}
