//===- PipelineHalo.cpp - Stages around the tile --------------------------===//
//
//   tile and halo of a stage that feeds a shared window
//     +-----------+   each thread: its own points of the tile,
//     |  +-----+  |   then its share of what is around the tile, a point at a
//     |  |     |  |   time. All of them are written to the window's slot of
//     this |  +-----+  |   iteration.
//     +-----------+
//
//===----------------------------------------------------------------------===//

#include "PipelineKernel.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Who computes what beside the tile
//===----------------------------------------------------------------------===//

/// Numbers the points of the box that are not of the tile: what is beside it
/// along the first axis, then what is left beside it along the next.
void PipelineKernel::findHaloPoint(PointGroup &group, const OffsetBox &box,
                                   Value number) {
  Arithmetic math = kernel.math();
  int64_t rank = op.getRank();
  group.position.assign(rank, math.constant(0));
  int64_t first = 0;
  for (int64_t beside = 0; beside < rank; ++beside) {
    if (context.getWalk() == beside)
      continue;
    Value rest = math.sub(number, math.constant(first));
    SmallVector<Value> position(rank, math.constant(0));
    int64_t size = 1;
    for (int64_t axis = rank - 1; axis >= 0; --axis) {
      if (context.getWalk() == axis)
        continue;
      int64_t before = -box.lower[axis], after = box.upper[axis];
      int64_t tile = context.getTile(axis);
      int64_t count = axis < beside    ? tile
                      : axis == beside ? before + after
                                       : before + tile + after;
      size *= count;
      if (count == 0)
        break;
      Value digit = math.rem(rest, math.constant(count));
      rest = math.div(rest, math.constant(count));
      if (axis < beside)
        position[axis] = digit;
      else if (axis > beside)
        position[axis] = math.add(digit, -before);
      else
        position[axis] = math.select(math.less(digit, math.constant(before)),
                                     math.add(digit, -before),
                                     math.add(digit, tile - before));
    }
    if (size == 0)
      continue;
    Value isHere = math.lessEqual(math.constant(first), number);
    for (auto [known, here] : llvm::zip_equal(group.position, position))
      known = first == 0 ? here : math.select(isHere, here, known);
    first += size;
  }
}

void PipelineKernel::addHalo(StageChain &chain) {
  Arithmetic math = kernel.math();
  int64_t inner = 1, all = 1;
  for (int64_t axis = 0; axis < op.getRank(); ++axis) {
    if (context.getWalk() == axis)
      continue;
    inner *= context.getTile(axis);
    all *=
        context.getTile(axis) + chain.box.upper[axis] - chain.box.lower[axis];
  }
  int64_t count = all - inner, threads = context.countThreads();
  for (int64_t first = 0; first < count; first += threads) {
    auto halo = std::make_unique<PointGroup>();
    halo->number = groups.size();
    halo->points.emplace_back(op.getRank(), 0);
    Value number = math.add(context.threadNumber, first);
    if (first + threads > count) {
      halo->exists = math.less(number, math.constant(count));
      // The others compute some point again, if values are to be known.
      number = math.select(halo->exists, number, math.constant(first));
    }
    findHaloPoint(*halo, chain.box, number);
    for (auto &[window, ring] : rings)
      ring->addGroup(halo->position);
    chain.halo.push_back(halo.get());
    groups.push_back(std::move(halo));
  }
}

/// Whether a point at an offset from the base point is one of a box around the
/// tile.
Value PipelineKernel::isWithin(const PointOffset &offset,
                               const OffsetBox &box) {
  Arithmetic math = kernel.math();
  Value within;
  for (int64_t axis = 0; axis < op.getRank(); ++axis) {
    if (context.getWalk() == axis)
      continue;
    Value at = math.add(group->position[axis], offset[axis]);
    within =
        math.both(within, math.lessEqual(math.constant(box.lower[axis]), at));
    within = math.both(
        within,
        math.less(at, math.constant(context.getTile(axis) + box.upper[axis])));
  }
  return within;
}

//===----------------------------------------------------------------------===//
// An iteration
//===----------------------------------------------------------------------===//

/// Writes what a stage has computed for the points of the group to its window.
void PipelineKernel::storePlane(WindowOp window, const PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  Location loc = window.getLoc();
  const SharedRing &ring = *rings[window];
  const PointValues &plane = group->values[window.getTemp()];
  int64_t length = group->isOwn() ? ring.getVectorLength() : 1;
  Value base = ring.getBase(step, -ring.getAhead(), group->number);
  Arithmetic wide(builder, loc, builder.getIndexType());
  for (const PointOffset &point : group->points) {
    if (point.back() % length != 0)
      continue;
    Value at = wide.add(base, ring.getOffset(point));
    SmallVector<Value> lanes;
    PointOffset next = point;
    for (int64_t lane = 0; lane < length; ++lane, ++next.back())
      lanes.push_back(plane.at(next).value);
    if (length == 1) {
      memref::StoreOp::create(builder, loc, lanes.front(), ring.getElements(),
                              at);
      continue;
    }
    auto type = VectorType::get({length}, ring.getElementType());
    Value vector = vector::FromElementsOp::create(builder, loc, type, lanes);
    vector::StoreOp::create(
        builder, loc, vector, ring.getElements(), at, /*nontemporal=*/false,
        llvm::MaybeAlign(length * getElementBytes(ring.getElementType())));
  }
}

/// One point beside the tile.
LogicalResult PipelineKernel::emitHaloPoint(StageChain &chain,
                                            const StagePhase &phase,
                                            PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  SharedReads reads(context, step, builder.getInsertionBlock(), group->number);
  const PointOffset &point = group->points.front();
  for (Operation *copy : phase.copies)
    if (chain.copies.contains(copy))
      pushCopy(cast<WindowOp>(copy), step, reads, &chain);
  for (Operation *inner : phase.work) {
    if (!chain.ops.contains(inner))
      continue;
    bool isEverywhere = isSamePlane(getHeld(inner), chain.box);
    auto window = dyn_cast<WindowOp>(inner);
    if (window && window.getSpace() == WindowSpace::Shared) {
      Value condition = chain.keepsValues ? group->exists : Value();
      if (!isEverywhere)
        condition =
            kernel.math().both(condition, isWithin(point, getHeld(inner)));
      OpBuilder::InsertionGuard guard(builder);
      if (condition) {
        auto branch = scf::IfOp::create(builder, loc, condition);
        builder.setInsertionPoint(branch.thenBlock()->getTerminator());
      }
      storePlane(window, step);
      continue;
    }
    auto stage = dyn_cast<ApplyOp>(inner);
    if (stage) {
      Value condition = isDue(stage, step);
      if (!isEverywhere)
        condition =
            kernel.math().both(condition, isWithin(point, getHeld(stage)));
      if (failed(emitGuardedStage(stage, step, reads, condition)))
        return failure();
      continue;
    }
    if (failed(emitWork(inner, point, step, reads)))
      return failure();
  }
  return success();
}

LogicalResult PipelineKernel::emitHalo(StageChain &chain,
                                       const StagePhase &phase,
                                       PipelineStep &step) {
  OpBuilder &builder = kernel.body();
  if (llvm::none_of(
          phase.work,
          [&](Operation *inner) { return chain.ops.contains(inner); }) &&
      llvm::none_of(phase.copies, [&](Operation *copy) {
        return chain.copies.contains(copy);
      }))
    return success();
  for (PointGroup *halo : chain.halo) {
    group = halo;
    OpBuilder::InsertionGuard guard(builder);
    if (halo->exists && !chain.keepsValues) {
      auto branch = scf::IfOp::create(builder, op.getLoc(), halo->exists);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    LogicalResult result = emitHaloPoint(chain, phase, step);
    group = &getOwn();
    if (failed(result))
      return failure();
  }
  return success();
}
