//===- DiamondsToLoops.cpp - The steps of a time loop in diamonds ---------===//
//
//   scf.for ... { stencil.apply ... } {stencil.diamonds}
//     ==> loop over rows of diamonds
//           parallel loop over the diamonds of a row
//             loop over skewed tiles of the second axis
//               loop over the steps of the diamond
//                 the rows of each apply that are in the tile in this step
//
// A phase is an apply of a step, or a boundary whose halo is not filled with
// the points that it is made of. From one to the next a diamond grows by R
// planes on either side, where R is how far a phase reads what others store,
// and after as many again it shrinks: what it reads while it grows is of the
// row of diamonds before, which is done, and of its own. Tiles move by as much
// as is read along the second axis, towards its beginning, and so read what
// they or earlier ones have made. A phase stores to a point when all that read
// what was there have done so, as they are as near.
//
//===----------------------------------------------------------------------===//

#include "DiamondStep.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stencil;

namespace {

class DiamondEmitter {
public:
  DiamondEmitter(const OpBuilder &builder, const DiamondLoop &found,
                 MathMode mode, llvm::function_ref<Value(Value)> getMemory)
      : b(found.loop->getLoc(), builder), math(b.math), found(found),
        loop(found.loop), loops(getLoops(loop.getOperation())), mode(mode),
        getMemory(getMemory) {}

  LogicalResult emit(FactsOfFunctions &facts);
  ArrayRef<Value> getResults() const { return results; }

private:
  LogicalResult learnExtents(FactsOfFunctions &facts);
  SmallVector<Value> rotate(Value steps);
  /// What the diamonds of a row have in common: the first one, and the fields
  /// at its beginning.
  struct DiamondRow {
    DiamondTile tile;
    SmallVector<Value> fields;
  };
  DiamondRow getRow(Value number);
  LogicalResult emitOfRow(const DiamondRow &row, Value number);
  LogicalResult emitRow(Value number);
  LogicalResult emitRowByRow(Value rows);
  LogicalResult emitRowsAtOnce(Value rows);
  void countSteps(Value row);
  LogicalResult emitDiamond(DiamondTile tile, ValueRange fields);
  LogicalResult emitTile(const DiamondTile &tile, ValueRange fields);
  LogicalResult fillHalosBefore(const DiamondLoopHalo &halo);

  LoopBuilder b;
  const Arithmetic &math;
  const DiamondLoop &found;
  scf::ForOp loop;
  CPULoopsAttr loops;
  MathMode mode;
  llvm::function_ref<Value(Value)> getMemory;

  SmallVector<Value> inits, results;
  Extents extents;
  /// Once the extents are known.
  std::optional<DiamondBoxes> boxes;
  std::optional<DiamondStep> inTile;
  /// The number of steps; diamonds of a row.
  Value steps, countOfRow;
  std::optional<DiamondSharing> sharing;
};

} // namespace

LogicalResult DiamondEmitter::learnExtents(FactsOfFunctions &facts) {
  // A field of the loop has the type of the one that it begins with.
  auto getOutside = [&](Value field) {
    auto arg = dyn_cast<BlockArgument>(field);
    bool isCarried = arg && arg.getOwner() == loop.getBody();
    return getMemory(isCarried ? loop.getInitArgs()[arg.getArgNumber() - 1]
                               : field);
  };
  for (const DiamondKernel &kernel : found.kernels)
    kernel.forEachField([&](Value field) {
      extents.learn(b, b.getLoc(), cast<GridType>(field.getType()),
                    getOutside(field));
    });
  for (const DiamondKernel &kernel : found.kernels)
    if (failed(completeExtents(kernel.op, kernel.domain, facts, extents)))
      return failure();
  boxes.emplace(b, found, loops,
                b.makeBox(found.kernels.front().domain, extents));
  return success();
}

/// The fields of the loop after so many steps.
SmallVector<Value> DiamondEmitter::rotate(Value count) {
  if (found.period == 1)
    return inits;
  Value rest = math.rem(count, math.constant(found.period));
  if (auto number = getConstantIntValue(rest); number == 0)
    return inits;
  auto turns =
      scf::ForOp::create(b, math.constant(0), rest, math.constant(1), inits);
  OpBuilder inner = OpBuilder::atBlockEnd(turns.getBody());
  scf::YieldOp::create(inner, b.getLoc(),
                       found.getNext(turns.getRegionIterArgs()));
  return turns.getResults();
}

/// What the first step reads, and in the other buffers what of a halo depends
/// on no step: conditions of one axis at what another one keeps.
LogicalResult DiamondEmitter::fillHalosBefore(const DiamondLoopHalo &halo) {
  unsigned at = halo.place;
  int64_t step = 0;
  do {
    if (failed(b.emitIf(math.less(math.constant(step++), steps), [&] {
          return emitBoundary(b, halo.boundary, inits[at], extents);
        })))
      return failure();
    at = found.next[at];
  } while (at != halo.place);
  return success();
}

LogicalResult DiamondEmitter::emitTile(const DiamondTile &tile,
                                       ValueRange fields) {
  auto turns =
      scf::ForOp::create(b, tile.first, tile.end, math.constant(1), fields);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(turns.getBody());
  ValueRange here = turns.getRegionIterArgs();
  // With no fields to carry there is a terminator already.
  if (!here.empty()) {
    auto yield = scf::YieldOp::create(b, found.getNext(here));
    b.setInsertionPoint(yield);
  }
  return inTile->emit(tile, turns.getInductionVar(), here);
}

LogicalResult DiamondEmitter::emitDiamond(DiamondTile tile, ValueRange fields) {
  // One of a row may be beside the domain.
  int64_t beside = found.getWidth() / 2;
  Value isInside =
      math.less(math.add(tile.center, -beside), boxes->places.box.ub[0]);
  return b.emitIf(isInside, [&] {
    inTile->useCopy(sharing ? sharing->getSharer() : math.constant(0));
    if (found.getRank() == 1)
      return emitTile(tile, fields);
    Value count = math.max(math.sub(tile.end, tile.first), math.constant(0));
    Value last = math.add(boxes->places.box.ub[1],
                          math.mul(count, found.skew * found.countPhases()));
    auto tiles =
        scf::ForOp::create(b, boxes->places.box.lb[1], last, boxes->size);
    b.setInsertionPoint(tiles.getBody()->getTerminator());
    tile.start = tiles.getInductionVar();
    return emitTile(tile, fields);
  });
}

/// Half of the diamonds of a row are below those of the row before, and half
/// above.
DiamondEmitter::DiamondRow DiamondEmitter::getRow(Value number) {
  int64_t half = found.getHalf(), width = found.getWidth();
  DiamondRow row;
  DiamondTile &tile = row.tile;
  tile.base = math.mul(math.add(number, -1), half);
  tile.first = math.max(tile.base, math.constant(0));
  tile.end = math.min(math.add(tile.base, 2 * half), steps);
  Value shift = math.mul(math.rem(number, math.constant(2)), width / 2);
  tile.center = math.add(boxes->places.box.lb[0], shift);
  row.fields = half % found.period == 0 ? inits : rotate(tile.first);
  return row;
}

/// One of a row, by its number in it.
LogicalResult DiamondEmitter::emitOfRow(const DiamondRow &row, Value number) {
  DiamondTile tile = row.tile;
  tile.center = math.add(tile.center, math.mul(number, found.getWidth()));
  return emitDiamond(tile, row.fields);
}

LogicalResult DiamondEmitter::emitRow(Value number) {
  DiamondRow row = getRow(number);
  auto emit = [&](Value place) { return emitOfRow(row, place); };
  if (sharing) {
    OpBuilder::InsertionGuard guard(b);
    return sharing->emitOneRow(emit);
  }
  return b.emitLoop(b.constant(0), countOfRow, /*step=*/1, emit);
}

/// Rows one after the other: nobody begins one before all are done with the one
/// before.
LogicalResult DiamondEmitter::emitRowByRow(Value rows) {
  return b.emitLoop(b.constant(0), rows, /*step=*/1, [&](Value number) {
    if (failed(emitRow(number)))
      return failure();
    if (found.countsSteps)
      countSteps(number);
    return success();
  });
}

LogicalResult DiamondEmitter::emitRowsAtOnce(Value rows) {
  return sharing->emitRows(rows, [&](Value number, Value place) {
    return emitOfRow(getRow(number), place);
  });
}

/// A row is the end of as many steps as are below where the next one begins.
void DiamondEmitter::countSteps(Value row) {
  auto countDone = [&](Value rows) {
    return math.min(math.mul(rows, found.getHalf()), steps);
  };
  Value before = countDone(math.max(math.add(row, -1), math.constant(0)));
  Value count = arith::IndexCastOp::create(b, b.getI64Type(),
                                           math.sub(countDone(row), before));
  callStepFunction(b, kCountSteps, count);
}

LogicalResult DiamondEmitter::emit(FactsOfFunctions &facts) {
  for (Value init : loop.getInitArgs())
    inits.push_back(getMemory(init));
  if (failed(learnExtents(facts)))
    return failure();
  Value zero = math.constant(0);
  Value span =
      math.max(math.sub(loop.getUpperBound(), loop.getLowerBound()), zero);
  steps = math.ceilDiv(span, loop.getStep());
  inTile.emplace(b, found, *boxes, extents, mode, steps, getMemory);
  for (const DiamondLoopHalo &halo : found.halos)
    if (failed(fillHalosBefore(halo)))
      return failure();
  Value rows = math.add(math.ceilDiv(steps, found.getHalf()), 1);
  countOfRow = math.add(math.ceilDiv(math.max(math.sub(boxes->places.box.ub[0],
                                                       boxes->places.box.lb[0]),
                                              zero),
                                     found.getWidth()),
                        1);
  // Of those who share, each has buffers.
  Value sharers = countOfRow;
  if (inTile->hasBuffers())
    sharers = math.min(countOfRow,
                       math.constant(std::max<int64_t>(1, loops.getThreads())));
  inTile->allocate(sharers);
  if (loops.getThreads() > 0)
    sharing.emplace(b, loops, countOfRow, sharers);
  // How far it is, a loop says after each row.
  bool isAtOnce =
      loops.getThreads() > 1 && loops.getDeal() > 0 && !found.countsSteps;
  if (failed(isAtOnce ? emitRowsAtOnce(rows) : emitRowByRow(rows)))
    return failure();
  if (sharing)
    sharing->end();
  inTile->release();
  results = rotate(steps);
  return success();
}

LogicalResult stencil::lower(CPULowering &lowering, scf::ForOp op,
                             scf::ForOp::Adaptor) {
  if (!op->hasAttr(DiamondsAttr::kAttrName))
    return failure();
  FailureOr<DiamondLoop> found = DiamondLoop::create(op);
  if (failed(found))
    return failure();
  auto getMemory = [&](Value value) {
    return lowering.rewriter.getRemappedValue(value);
  };
  DiamondEmitter emitter(lowering.rewriter, *found, lowering.math, getMemory);
  if (failed(emitter.emit(lowering.facts)))
    return failure();
  lowering.rewriter.replaceOp(op, emitter.getResults());
  return success();
}
