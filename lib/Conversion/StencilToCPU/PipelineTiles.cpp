//===- PipelineTiles.cpp - How threads share a pipeline -------------------===//

#include "PipelineEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

PipelineTiles::PipelineTiles(LoopBuilder &b, const PipelineWalk &walk,
                             const LoopBox &box, CPULoopsAttr loops)
    : b(b), math(b.math), axis(walk.getAxis()), box(box), loops(loops) {
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub))
    lengths.push_back(math.max(math.sub(ub, lb), math.constant(0)));
  findSizes(walk);
  for (auto [length, size] : llvm::zip_equal(lengths, sizes))
    counts.push_back(math.ceilDiv(length, size));
}

/// What is kept of one point across the walk, in bytes.
static int64_t countBytes(const PipelineWalk &walk) {
  int64_t bytes = 0;
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results)
      if (result.isKept())
        bytes += (walk.getAxis() ? result.planes : 1) *
                 getElementBytes(getElementType(result.value));
  return std::max<int64_t>(1, bytes);
}

void PipelineTiles::findSizes(const PipelineWalk &walk) {
  ArrayRef<int64_t> asked = loops.getTile();
  int64_t rank = lengths.size();
  sizes.resize(rank);
  Value one = math.constant(1);
  // Points across the walk for which there is room.
  Value room =
      math.constant(std::max<int64_t>(1, loops.getCache() / countBytes(walk)));
  // From the last axis on: rows of some length, then as many of them as fit.
  for (int64_t along = rank - 1; along >= 0; --along) {
    Value whole = math.max(lengths[along], one);
    bool isAsked = !asked.empty() && asked[along] > 0;
    if (along == axis || (!isAsked && loops.getCache() == 0)) {
      sizes[along] = whole;
      continue;
    }
    Value halo = math.constant(2 * walk.getHalo(along));
    Value size;
    if (isAsked) {
      size = math.min(math.constant(asked[along]), whole);
    } else {
      Value most = math.sub(room, halo);
      bool isLast = true;
      for (int64_t before = 0; before < along; ++before)
        isLast &= before == axis;
      // There are other axes to share the room with.
      if (along == rank - 1 && !isLast && loops.getRow() > 0)
        most = math.min(most, math.constant(loops.getRow()));
      most = math.max(most, math.add(halo, 4));
      // Tiles of about the same size.
      size = math.ceilDiv(whole, math.ceilDiv(whole, most));
    }
    sizes[along] = size;
    room = math.div(room, math.add(size, halo));
  }
}

LoopBox PipelineTiles::getTile(Value number) const {
  LoopBox tile = box;
  for (int64_t along = lengths.size() - 1; along >= 0; --along) {
    if (along == axis)
      continue;
    Value index = math.rem(number, counts[along]);
    number = math.div(number, counts[along]);
    tile.lb[along] = math.add(box.lb[along], math.mul(index, sizes[along]));
    tile.ub[along] =
        math.min(math.add(tile.lb[along], sizes[along]), box.ub[along]);
  }
  return tile;
}

LogicalResult PipelineTiles::emitPiece(Value first, Value end,
                                       TileBody body) const {
  Value zero = math.constant(0), one = math.constant(1);
  Value planes = axis ? lengths[*axis] : one;
  auto walk = scf::ForOp::create(b, math.div(first, planes),
                                 math.ceilDiv(end, planes), one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(walk.getBody()->getTerminator());
  Value number = walk.getInductionVar();
  LoopBox tile = getTile(number);
  if (axis) {
    Value before = math.mul(number, planes);
    Value lower = math.max(math.sub(first, before), zero);
    Value upper = math.min(math.sub(end, before), planes);
    tile.lb[*axis] = math.add(box.lb[*axis], lower);
    tile.ub[*axis] = math.add(box.lb[*axis], upper);
  }
  return body(tile);
}

/// How many pieces of each share threads have taken, each on a line of its own.
/// They are on the stack: the sweeps of a loop allocate nothing.
ThreadCounters PipelineTiles::makeCounters() const {
  ThreadCounters counters{b, loops, {}};
  {
    OpBuilder::InsertionGuard guard(b);
    Operation *around = b.getInsertionBlock()->getParentOp();
    auto function = dyn_cast<func::FuncOp>(around);
    if (!function)
      function = around->getParentOfType<func::FuncOp>();
    b.setInsertionPointToStart(&function.front());
    counters.memory = memref::AllocaOp::create(
        b,
        MemRefType::get(
            {loops.getThreads() * ThreadCounters::countPerLine(loops)},
            b.getI64Type()),
        b.getI64IntegerAttr(loops.getLine()));
  }
  counters.clear(math.constant(loops.getThreads()));
  return counters;
}

/// A thread takes the pieces of its own share, and then what others have not
/// begun of theirs: cores are not equally fast.
LogicalResult PipelineTiles::emitDealt(Value thread, Value total, Value pieces,
                                       const ThreadCounters &counters,
                                       TileBody body) const {
  Value threads = math.constant(loops.getThreads());
  // Of shares of one piece nothing is left.
  Value one = math.constant(1);
  Value others = math.select(math.less(one, pieces), threads, one);
  auto shares = scf::ForOp::create(b, math.constant(0), others, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(shares.getBody()->getTerminator());
  Value share = math.rem(math.add(thread, shares.getInductionVar()), threads);
  Value taken = counters.emitTurns(share, pieces);
  Value piece = math.add(math.mul(share, pieces), taken);
  Value all = math.mul(threads, pieces);
  Value first = math.div(math.mul(piece, total), all);
  Value end = math.div(math.mul(math.add(piece, 1), total), all);
  return emitPiece(first, end, body);
}

LogicalResult PipelineTiles::emit(Prepare prepare, TileBody body,
                                  Prepare finish) const {
  Value zero = math.constant(0), one = math.constant(1);
  Value total = axis ? lengths[*axis] : one;
  for (auto [along, count] : llvm::enumerate(counts))
    if (axis != static_cast<int64_t>(along))
      total = math.mul(total, count);
  Value threads = math.constant(std::max<int64_t>(1, loops.getThreads()));
  Value pieces;
  std::optional<ThreadCounters> counters;
  // More would need much of the stack.
  constexpr int64_t kMostThreads = 1024;
  if (loops.getDeal() > 0 && loops.getThreads() > 1 &&
      loops.getThreads() <= kMostThreads) {
    pieces = math.max(
        math.div(math.div(total, threads), math.constant(loops.getDeal())),
        one);
    counters.emplace(makeCounters());
  }
  auto loop = scf::ParallelOp::create(b, zero, threads, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value thread = loop.getInductionVars().front();
  // Planes of all tiles, one after the other.
  Value first = math.div(math.mul(thread, total), threads);
  Value end = math.div(math.mul(math.add(thread, one), total), threads);
  Value hasWork = b.compare(arith::CmpIPredicate::ult, first, end);
  return b.emitIf(hasWork, [&] {
    prepare();
    {
      OpBuilder::InsertionGuard inner(b);
      if (failed(counters ? emitDealt(thread, total, pieces, *counters, body)
                          : emitPiece(first, end, body)))
        return failure();
    }
    finish();
    return success();
  });
}
