//===- TilePhases.cpp - What a thread does between two barriers -----------===//
//
// Point by point, through all stages to the stores; then what is beside the
// tile.
//
//===----------------------------------------------------------------------===//

#include "TileReads.h"

using namespace mlir;
using namespace stencil;

ArrayRef<TilePoint> stencil::takeRow(ArrayRef<TilePoint> points) {
  return points.take_while([&](const TilePoint &point) {
    return std::equal(point.begin(), point.end() - 1, points.front().begin());
  });
}

/// Whether an engine of the stages computes all points at once.
static bool takeAllPoints(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [](Operation *inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && tile::getEngine(stage).takesAllPoints();
  });
}

/// Row by row, each of which is stored before the next one is computed. Of
/// caches, a tile reads once what its points share.
LogicalResult TileKernel::emitRows(ArrayRef<Operation *> ops,
                                   ArrayRef<TilePoint> points,
                                   TileReads &reads) {
  bool areTogether = isOfCaches() || takeAllPoints(ops);
  while (!points.empty()) {
    auto row = areTogether ? points : takeRow(points);
    points = points.drop_front(row.size());
    for (Operation *inner : ops) {
      if (auto stage = dyn_cast<ApplyOp>(inner)) {
        if (failed(emitStage(stage, row, reads)))
          return failure();
      } else if (auto put = dyn_cast<tile::PutOp>(inner)) {
        emitPut(put, row);
      } else if (auto store = dyn_cast<tile::StoreOp>(inner)) {
        emitStore(store, row);
      }
    }
  }
  return success();
}

/// Row by row, or, if that takes too many registers, all at once.
LogicalResult TileKernel::emitStages(ArrayRef<Operation *> ops,
                                     ArrayRef<TilePoint> points,
                                     TileReads &reads) {
  if (!group->isOwn())
    return emitRimOps(ops, points, /*exists=*/{}, reads);
  OpBuilder &builder = kernel.body();
  Block *block = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  if (failed(emitRows(ops, points, reads)))
    return failure();
  if (!rings.empty() && llvm::any_of(ops, llvm::IsaPred<tile::StoreOp>))
    orderByArrival(
        isFirst ? block->begin() : std::next(before), end,
        [&](Operation *load) { return reads.getPlace(load); },
        kernels.getOptions().target.registersPerThread);
  return success();
}

/// Whether a stage returns what it reads of a ring.
static bool isCopy(Operation *op) {
  auto stage = dyn_cast<ApplyOp>(op);
  if (!stage || !llvm::hasNItems(*stage.getBodyBlock(), 2) ||
      !isa<AccessOp>(stage.getBodyBlock()->front()))
    return false;
  return llvm::all_of(stage.getArgs(), [](Value value) {
    auto source = value.getDefiningOp<tile::SourceOp>();
    return source && isa<tile::RingType>(source.getMemory().getType());
  });
}

/// Stages that others follow, at all points of a tile: point by point across
/// them, so that what one has made is used by the next; rows, if they are put
/// in rings, in vectors.
LogicalResult TileKernel::emitWork(ArrayRef<Operation *> ops,
                                   TileReads &reads) {
  ArrayRef<TilePoint> points = group->points;
  bool isPointwise = llvm::none_of(ops, [](Operation *inner) {
    return !isa<ApplyOp>(inner) || isCopy(inner) ||
           inner->hasAttr(tile::TileDialect::kEngineAttrName) ||
           llvm::product_of(cast<ApplyOp>(inner).getUnrollFactors()) != 1;
  });
  if (!isPointwise)
    return emitRows(ops, points, reads);
  for (const TilePoint &point : points)
    for (Operation *inner : ops)
      if (failed(emitStage(cast<ApplyOp>(inner), point, reads)))
        return failure();
  return success();
}

static bool isOfAllThreads(Operation *inner) {
  auto store = dyn_cast<tile::StoreOp>(inner);
  return store && store.getValues().getDefiningOp<tile::SourceOp>();
}

/// The stores of a tile.where of which each row may be written as soon as it is
/// computed: a thread of tiles that overlap has many rows, and what it would
/// hold until the last one is there takes registers.
SmallVector<Operation *> TileKernel::listStoresOfRows(Operation *follower) {
  auto where = dyn_cast<tile::WhereOp>(follower);
  if (!where || where.getIteration() || where.getNeedsAttr() || !splitsRows())
    return {};
  SmallVector<Operation *> stores;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    auto store = dyn_cast<tile::StoreOp>(inner);
    // Nobody reads the field in another row.
    if (!store || isOfAllThreads(store) || store.getImages() ||
        op.isRead(store.getField()))
      return {};
    stores.push_back(store);
  }
  return stores;
}

/// Stages, and what is stored of them, row by row.
LogicalResult TileKernel::emitStoredRows(ArrayRef<Operation *> stages,
                                         ArrayRef<Operation *> stores,
                                         TileReads &reads) {
  ArrayRef<TilePoint> points = group->points;
  while (!points.empty()) {
    auto row = takeRow(points);
    points = points.drop_front(row.size());
    if (failed(emitRows(stages, row, reads)) ||
        failed(emitInDomain(stores, row, reads)))
      return failure();
  }
  return success();
}

/// Ops at the thread's own points.
LogicalResult TileKernel::emitOps(ArrayRef<Operation *> ops, TileReads &reads) {
  while (!ops.empty()) {
    if (auto where = dyn_cast<tile::WhereOp>(ops.front())) {
      if (failed(emitWhere(where, reads)))
        return failure();
      ops = ops.drop_front();
      continue;
    }
    if (isOfAllThreads(ops.front())) {
      emitSharedStore(cast<tile::StoreOp>(ops.front()));
      ops = ops.drop_front();
      continue;
    }
    auto isAlike = [first = ops.front()](Operation *inner) {
      return !isa<tile::WhereOp>(inner) && !isOfAllThreads(inner) &&
             isa<tile::StoreOp>(inner) == isa<tile::StoreOp>(first) &&
             isCopy(inner) == isCopy(first);
    };
    auto part = ops.take_while(isAlike);
    ops = ops.drop_front(part.size());
    bool stores = isa<tile::StoreOp>(part.front());
    if (stores) {
      if (failed(emitInDomain(part, group->points, reads)))
        return failure();
      continue;
    }
    SmallVector<Operation *> stored;
    if (!ops.empty() && !takeAllPoints(part))
      stored = listStoresOfRows(ops.front());
    if (failed(stored.empty() ? emitWork(part, reads)
                              : emitStoredRows(part, stored, reads)))
      return failure();
    if (!stored.empty())
      ops = ops.drop_front();
  }
  return success();
}

LogicalResult TileKernel::emitPhase() {
  // Copies need nothing but what is in memory.
  SmallVector<Operation *> ops;
  llvm::copy_if(phase, std::back_inserter(ops), isCopy);
  llvm::copy_if(phase, std::back_inserter(ops),
                [](Operation *inner) { return !isCopy(inner); });
  phase.clear();
  if (ops.empty())
    return success();
  Block *block = kernel.body().getInsertionBlock();
  if (!known || known->getBlock() != block)
    known = std::make_unique<TileReads>(*this, block);
  return failure(failed(emitOps(ops, *known)) || failed(emitRims(ops)));
}
