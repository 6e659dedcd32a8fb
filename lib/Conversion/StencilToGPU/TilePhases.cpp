//===- TilePhases.cpp - What a thread does between two barriers -----------===//
//
// Point by point, through all stages to the stores; then what is beside the
// tile.
//
//===----------------------------------------------------------------------===//

#include "TilePhases.h"
#include "TileOps.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

void PhaseWriter::emitPut(tile::PutOp put, Points row) {
  known.forget(put.getRing());
  stencil::emitPut(held, put, row);
}

/// Stages whose engines take all threads, which compute all points.
LogicalResult PhaseWriter::emitEverywhere(tile::WhereOp where, Ops ops,
                                          TileReads &reads) {
  if (failed(emitStages(ops, held.getGroup().points, reads)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(where.getResults(),
                       where.getBodyBlock()->getTerminator()->getOperands()))
    for (const TilePoint &point : held.getGroup().points)
      for (const TilePoint &place : held.listPlanes(result, point))
        held.set(result, place, held.get(value, place));
  return success();
}

LogicalResult PhaseWriter::emitWhere(tile::WhereOp where, TileReads &reads) {
  bool isOfPlanes = static_cast<bool>(where.getIteration());
  SmallVector<Operation *> ops;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    if (inner.hasTrait<tile::ValueView>())
      continue;
    bool isWhere = isOfPlanes && isa<tile::WhereOp>(inner);
    if (!isa<ApplyOp, tile::StoreOp, tile::PrefetchOp>(inner) && !isWhere)
      return inner.emitOpError("has no distribution to threads in a "
                               "tile.where");
    ops.push_back(&inner);
  }
  auto takesAll = [](Operation *inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && tile::getEngine(stage).takesAllThreads();
  };
  if (!isOfPlanes && llvm::any_of(ops, takesAll)) {
    if (!llvm::all_of(ops, takesAll))
      return where.emitOpError("has no distribution to threads: expected "
                               "stages whose engines take all threads, or none "
                               "of them");
    return emitEverywhere(where, ops, reads);
  }
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    return isOfPlanes ? emitOps(ops, known) : emitStages(ops, at, known);
  };
  GuardedStages guarded(held, where.getLoc(), ops, compute,
                        where.getBodyBlock()->getTerminator()->getOperands(),
                        where.getResults(), reads, held.getGroup().points);
  return isOfPlanes ? guarded.emitIf(ThreadGuards(held).isPlane(where))
                    : guarded.emit(where.getNeedsAttr());
}

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

/// Stores, at those of the points that are in the domain.
LogicalResult OwnPhase::emitInDomain(Ops ops, Points points, TileReads &reads) {
  auto compute = [&](ArrayRef<TilePoint> at, TileReads known) {
    return emitStages(ops, at, known);
  };
  return GuardedStages(held, ops.front()->getLoc(), ops, compute, {}, {}, reads,
                       points)
      .emit(BoundsAttr());
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
LogicalResult OwnPhase::emitRows(Ops ops, Points points, TileReads &reads) {
  bool areTogether = block.isOfCaches() || takeAllPoints(ops);
  while (!points.empty()) {
    auto row = areTogether ? points : takeRow(points);
    points = points.drop_front(row.size());
    for (Operation *inner : ops) {
      if (auto stage = dyn_cast<ApplyOp>(inner)) {
        if (failed(emitStage(held, stage, row, reads)))
          return failure();
      } else if (auto put = dyn_cast<tile::PutOp>(inner)) {
        emitPut(put, row);
      } else if (auto store = dyn_cast<tile::StoreOp>(inner)) {
        emitStore(held, store, row);
      }
    }
  }
  return success();
}

/// Row by row, or, if that takes too many registers, all at once.
LogicalResult OwnPhase::emitStages(Ops ops, Points points, TileReads &reads) {
  OpBuilder &builder = block.kernel.body();
  Block *within = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == within->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  if (failed(emitRows(ops, points, reads)))
    return failure();
  if (!block.rings.empty() && llvm::any_of(ops, llvm::IsaPred<tile::StoreOp>))
    orderByArrival(
        isFirst ? within->begin() : std::next(before), end,
        [&](Operation *load) { return reads.getPlace(load); },
        block.kernels.getOptions().target.registersPerThread);
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
LogicalResult OwnPhase::emitWork(Ops ops, TileReads &reads) {
  Points points = held.getGroup().points;
  bool isPointwise = llvm::none_of(ops, [](Operation *inner) {
    return !isa<ApplyOp>(inner) || isCopy(inner) ||
           inner->hasAttr(tile::TileDialect::kEngineAttrName) ||
           llvm::product_of(cast<ApplyOp>(inner).getUnrollFactors()) != 1;
  });
  if (!isPointwise)
    return emitRows(ops, points, reads);
  for (const TilePoint &point : points)
    for (Operation *inner : ops)
      if (failed(emitStage(held, cast<ApplyOp>(inner), point, reads)))
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
SmallVector<Operation *> OwnPhase::listStoresOfRows(Operation *follower) {
  auto where = dyn_cast<tile::WhereOp>(follower);
  if (!where || where.getIteration() || where.getNeedsAttr() ||
      !ThreadGuards(held).splitsRows())
    return {};
  SmallVector<Operation *> stores;
  for (Operation &inner : where.getBodyBlock()->without_terminator()) {
    auto store = dyn_cast<tile::StoreOp>(inner);
    // Nobody reads the field in another row.
    if (!store || isOfAllThreads(store) || store.getImages() ||
        block.op.isRead(store.getField()))
      return {};
    stores.push_back(store);
  }
  return stores;
}

/// Stages, and what is stored of them, row by row.
LogicalResult OwnPhase::emitStoredRows(Ops stages, Ops stores,
                                       TileReads &reads) {
  Points points = held.getGroup().points;
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
LogicalResult OwnPhase::emitOps(Ops ops, TileReads &reads) {
  while (!ops.empty()) {
    Operation *first = ops.front();
    if (auto where = dyn_cast<tile::WhereOp>(first)) {
      if (failed(emitWhere(where, reads)))
        return failure();
      ops = ops.drop_front();
      continue;
    }
    if (isOfAllThreads(first)) {
      emitSharedStore(held, cast<tile::StoreOp>(first));
      ops = ops.drop_front();
      continue;
    }
    Ops part = ops.take_while([&](Operation *inner) {
      return !isa<tile::WhereOp>(inner) && !isOfAllThreads(inner) &&
             isa<tile::StoreOp>(inner) == isa<tile::StoreOp>(first) &&
             isCopy(inner) == isCopy(first);
    });
    ops = ops.drop_front(part.size());
    if (isa<tile::StoreOp>(first)) {
      if (failed(emitInDomain(part, held.getGroup().points, reads)))
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

LogicalResult TilePhases::emit(ArrayRef<Operation *> phase) {
  if (phase.empty())
    return success();
  // Copies need nothing but what is in memory.
  SmallVector<Operation *> ops;
  llvm::copy_if(phase, std::back_inserter(ops), isCopy);
  llvm::copy_if(phase, std::back_inserter(ops),
                [](Operation *inner) { return !isCopy(inner); });
  return failure(failed(own.emit(ops)) || failed(rim.emit(ops)));
}
