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

#include "DiamondSharing.h"
#include "DiamondStep.h"
#include "Patterns.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/StepCalls.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stencil;

namespace {

class DiamondEmitter {
public:
  DiamondEmitter(DiamondLoop found, MathMode mode,
                 llvm::function_ref<Value(Value)> getMemory)
      : found(std::move(found)), loop(this->found.loop),
        loops(getLoops(loop.getOperation())), loc(loop.getLoc()), mode(mode),
        getMemory(getMemory) {}

  LogicalResult emit(OpBuilder &builder, FactsOfFunctions &facts);
  ArrayRef<Value> getResults() const { return results; }

private:
  LogicalResult learnExtents(OpBuilder &builder, FactsOfFunctions &facts);
  SmallVector<Value> rotate(OpBuilder &builder, Value steps);
  /// What the diamonds of a row have in common: the first one, and the fields
  /// at its beginning.
  struct DiamondRow {
    DiamondTile tile;
    SmallVector<Value> fields;
  };
  DiamondRow getRow(OpBuilder &builder, Value number);
  LogicalResult emitOfRow(OpBuilder &builder, const DiamondRow &row,
                          Value number);
  LogicalResult emitRow(OpBuilder &builder, Value number);
  LogicalResult emitRowByRow(OpBuilder &builder, Value rows);
  LogicalResult emitRowsAtOnce(OpBuilder &builder, Value rows);
  void countSteps(OpBuilder &builder, Value row);
  LogicalResult emitDiamond(OpBuilder &builder, DiamondTile tile,
                            ValueRange fields);
  LogicalResult emitTile(OpBuilder &builder, const DiamondTile &tile,
                         ValueRange fields);
  LogicalResult fillHalosBefore(OpBuilder &builder,
                                const DiamondLoopHalo &halo);
  Arithmetic math(OpBuilder &builder) {
    return Arithmetic(builder, loc, builder.getIndexType());
  }

  DiamondLoop found;
  scf::ForOp loop;
  CPULoopsAttr loops;
  Location loc;
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

LogicalResult DiamondEmitter::learnExtents(OpBuilder &builder,
                                           FactsOfFunctions &facts) {
  // A field of the loop has the type of the one that it begins with.
  auto getOutside = [&](Value field) {
    auto arg = dyn_cast<BlockArgument>(field);
    bool isCarried = arg && arg.getOwner() == loop.getBody();
    return getMemory(isCarried ? loop.getInitArgs()[arg.getArgNumber() - 1]
                               : field);
  };
  for (const DiamondKernel &kernel : found.kernels)
    kernel.forEachField([&](Value field) {
      extents.learn(builder, loc, cast<GridType>(field.getType()),
                    getOutside(field));
    });
  for (const DiamondKernel &kernel : found.kernels)
    if (failed(completeExtents(kernel.op, kernel.domain, facts, extents)))
      return failure();
  boxes.emplace(builder, found, loops,
                makeBox(builder, loc, found.kernels.front().domain, extents));
  return success();
}

/// The fields of the loop after so many steps.
SmallVector<Value> DiamondEmitter::rotate(OpBuilder &builder, Value count) {
  if (found.period == 1)
    return inits;
  Arithmetic arith = math(builder);
  Value rest = arith.rem(count, arith.constant(found.period));
  if (auto number = getConstantIntValue(rest); number == 0)
    return inits;
  auto turns = scf::ForOp::create(builder, loc, arith.constant(0), rest,
                                  arith.constant(1), inits);
  OpBuilder inner = OpBuilder::atBlockEnd(turns.getBody());
  scf::YieldOp::create(inner, loc, found.getNext(turns.getRegionIterArgs()));
  return turns.getResults();
}

/// What the first step reads, and in the other buffers what of a halo depends
/// on no step: conditions of one axis at what another one keeps.
LogicalResult DiamondEmitter::fillHalosBefore(OpBuilder &builder,
                                              const DiamondLoopHalo &halo) {
  Arithmetic arith = math(builder);
  unsigned at = halo.place;
  int64_t step = 0;
  do {
    auto branch = scf::IfOp::create(builder, loc,
                                    arith.less(arith.constant(step++), steps));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    if (failed(emitBoundary(builder, halo.boundary, inits[at], extents)))
      return failure();
    at = found.next[at];
  } while (at != halo.place);
  return success();
}

LogicalResult DiamondEmitter::emitTile(OpBuilder &builder,
                                       const DiamondTile &tile,
                                       ValueRange fields) {
  Arithmetic arith = math(builder);
  auto turns = scf::ForOp::create(builder, loc, tile.first, tile.end,
                                  arith.constant(1), fields);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(turns.getBody());
  ValueRange here = turns.getRegionIterArgs();
  // With no fields to carry there is a terminator already.
  if (!here.empty()) {
    auto yield = scf::YieldOp::create(builder, loc, found.getNext(here));
    builder.setInsertionPoint(yield);
  }
  return inTile->emit(builder, tile, turns.getInductionVar(), here);
}

LogicalResult DiamondEmitter::emitDiamond(OpBuilder &builder, DiamondTile tile,
                                          ValueRange fields) {
  Arithmetic arith = math(builder);
  // One of a row may be beside the domain.
  int64_t beside = found.getWidth() / 2;
  Value isInside =
      arith.less(arith.add(tile.center, -beside), boxes->places.box.ub[0]);
  auto branch = scf::IfOp::create(builder, loc, isInside);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  Value count = arith.max(arith.sub(tile.end, tile.first), arith.constant(0));
  Value last = arith.add(boxes->places.box.ub[1],
                         arith.mul(count, found.skew * found.countPhases()));
  inTile->useCopy(builder, sharing ? sharing->getSharer() : arith.constant(0));
  auto tiles = scf::ForOp::create(builder, loc, boxes->places.box.lb[1], last,
                                  boxes->size);
  builder.setInsertionPoint(tiles.getBody()->getTerminator());
  tile.start = tiles.getInductionVar();
  return emitTile(builder, tile, fields);
}

/// Half of the diamonds of a row are below those of the row before, and half
/// above.
DiamondEmitter::DiamondRow DiamondEmitter::getRow(OpBuilder &builder,
                                                  Value number) {
  Arithmetic arith = math(builder);
  int64_t half = found.getHalf(), width = found.getWidth();
  DiamondRow row;
  DiamondTile &tile = row.tile;
  tile.base = arith.mul(arith.add(number, -1), half);
  tile.first = arith.max(tile.base, arith.constant(0));
  tile.end = arith.min(arith.add(tile.base, 2 * half), steps);
  Value shift = arith.mul(arith.rem(number, arith.constant(2)), width / 2);
  tile.center = arith.add(boxes->places.box.lb[0], shift);
  row.fields = half % found.period == 0 ? inits : rotate(builder, tile.first);
  return row;
}

/// One of a row, by its number in it.
LogicalResult DiamondEmitter::emitOfRow(OpBuilder &builder,
                                        const DiamondRow &row, Value number) {
  Arithmetic arith = math(builder);
  DiamondTile tile = row.tile;
  tile.center = arith.add(tile.center, arith.mul(number, found.getWidth()));
  return emitDiamond(builder, tile, row.fields);
}

LogicalResult DiamondEmitter::emitRow(OpBuilder &builder, Value number) {
  Arithmetic arith = math(builder);
  DiamondRow row = getRow(builder, number);
  auto emit = [&](Value place) { return emitOfRow(builder, row, place); };
  OpBuilder::InsertionGuard guard(builder);
  if (sharing)
    return sharing->emitOneRow(builder, emit);
  auto diamonds = scf::ForOp::create(builder, loc, arith.constant(0),
                                     countOfRow, arith.constant(1));
  builder.setInsertionPoint(diamonds.getBody()->getTerminator());
  return emit(diamonds.getInductionVar());
}

/// Rows one after the other: nobody begins one before all are done with the one
/// before.
LogicalResult DiamondEmitter::emitRowByRow(OpBuilder &builder, Value rows) {
  Arithmetic arith = math(builder);
  auto outer = scf::ForOp::create(builder, loc, arith.constant(0), rows,
                                  arith.constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(outer.getBody()->getTerminator());
  if (failed(emitRow(builder, outer.getInductionVar())))
    return failure();
  if (found.countsSteps)
    countSteps(builder, outer.getInductionVar());
  return success();
}

LogicalResult DiamondEmitter::emitRowsAtOnce(OpBuilder &builder, Value rows) {
  return sharing->emitRows(builder, rows, [&](Value number, Value place) {
    return emitOfRow(builder, getRow(builder, number), place);
  });
}

/// A row is the end of as many steps as are below where the next one begins.
void DiamondEmitter::countSteps(OpBuilder &builder, Value row) {
  Arithmetic arith = math(builder);
  auto countDone = [&](Value rows) {
    return arith.min(arith.mul(rows, found.getHalf()), steps);
  };
  Value before = countDone(arith.max(arith.add(row, -1), arith.constant(0)));
  Value count = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           arith.sub(countDone(row), before));
  callStepFunction(builder, loc, kCountSteps, count);
}

LogicalResult DiamondEmitter::emit(OpBuilder &builder,
                                   FactsOfFunctions &facts) {
  for (Value init : loop.getInitArgs())
    inits.push_back(getMemory(init));
  if (failed(learnExtents(builder, facts)))
    return failure();
  Arithmetic arith = math(builder);
  Value zero = arith.constant(0);
  Value span =
      arith.max(arith.sub(loop.getUpperBound(), loop.getLowerBound()), zero);
  steps = arith.ceilDiv(span, loop.getStep());
  inTile.emplace(found, *boxes, extents, mode, steps, getMemory);
  for (const DiamondLoopHalo &halo : found.halos)
    if (failed(fillHalosBefore(builder, halo)))
      return failure();
  Value rows = arith.add(arith.ceilDiv(steps, found.getHalf()), 1);
  countOfRow =
      arith.add(arith.ceilDiv(arith.max(arith.sub(boxes->places.box.ub[0],
                                                  boxes->places.box.lb[0]),
                                        zero),
                              found.getWidth()),
                1);
  // Of those who share, each has buffers.
  Value sharers = countOfRow;
  if (inTile->hasBuffers())
    sharers = arith.min(
        countOfRow, arith.constant(std::max<int64_t>(1, loops.getThreads())));
  inTile->allocate(builder, sharers);
  if (loops.getThreads() > 0)
    sharing.emplace(builder, loc, loops, countOfRow, sharers);
  // How far it is, a loop says after each row.
  bool isAtOnce =
      loops.getThreads() > 1 && loops.getDeal() > 0 && !found.countsSteps;
  if (failed(isAtOnce ? emitRowsAtOnce(builder, rows)
                      : emitRowByRow(builder, rows)))
    return failure();
  if (sharing)
    sharing->end(builder);
  inTile->release(builder);
  results = rotate(builder, steps);
  return success();
}

namespace {
struct DiamondLowering : OpConversionPattern<scf::ForOp> {
  DiamondLowering(const TypeConverter &converter, MLIRContext *context,
                  FactsOfFunctions &facts, MathMode math)
      : OpConversionPattern(converter, context, /*benefit=*/10), facts(facts),
        math(math) {}

  LogicalResult
  matchAndRewrite(scf::ForOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(DiamondsAttr::kAttrName))
      return failure();
    FailureOr<DiamondLoop> found = DiamondLoop::create(op);
    if (failed(found))
      return failure();
    auto getMemory = [&](Value value) {
      return rewriter.getRemappedValue(value);
    };
    DiamondEmitter emitter(*found, math, getMemory);
    if (failed(emitter.emit(rewriter, facts)))
      return failure();
    rewriter.replaceOp(op, emitter.getResults());
    return success();
  }

private:
  FactsOfFunctions &facts;
  MathMode math;
};
} // namespace

void stencil::populateDiamondsToLoops(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      FactsOfFunctions &facts, MathMode math) {
  patterns.add<DiamondLowering>(converter, patterns.getContext(), facts, math);
}
