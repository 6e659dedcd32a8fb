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

#include "DiamondHalo.h"
#include "DiamondPlaces.h"
#include "DiamondSharing.h"
#include "Diamonds.h"
#include "NestEmitter.h"
#include "PipelineEmitter.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/StepCalls.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace stencil;

namespace {

/// The loops of one apply over a box that is known when the program runs.
class BoxNest : public NestEmitter {
public:
  BoxNest(ApplyOp op, ValueRange args, ValueRange dests, const Extents &known,
          MathMode math)
      : NestEmitter(op, args, dests, math) {
    extents = known;
  }

  LogicalResult emitBox(OpBuilder &builder, const LoopBox &box) {
    return emitTile(builder, box, /*stream=*/false);
  }

private:
  bool isAligned() const override { return schedule.lanes > 1; }

  /// Rows that begin at different places of a line have unaligned loads in any
  /// case, and more of them at their ends if stores are aligned.
  Value countToAlignment(OpBuilder &builder, ValueRange point) override {
    Arithmetic arith(builder, loc, builder.getIndexType());
    Value row = getStride(builder, dests.front(), op.getRank() - 2);
    Value rest = arith.rem(row, arith.constant(schedule.lanes));
    Value isSame =
        arith.compare(arith::CmpIPredicate::eq, rest, arith.constant(0));
    Value head = NestEmitter::countToAlignment(builder, point);
    return arith.select(isSame, head, arith.constant(0));
  }
};

/// Where a tile is.
struct DiamondTile {
  /// The plane that the diamond is around, and where the tile begins in its
  /// first step.
  Value center, start;
  /// The step at which the diamond would begin, its first step, and the one
  /// after its last.
  Value base, first, end;
};

class DiamondEmitter {
public:
  DiamondEmitter(DiamondLoop found, MathMode mode,
                 llvm::function_ref<Value(Value)> getMemory)
      : found(std::move(found)), loop(this->found.loop),
        loops(getLoops(loop.getOperation())), loc(loop.getLoc()), mode(mode),
        getMemory(getMemory), pipelines(this->found.kernels.size()) {}

  LogicalResult emit(OpBuilder &builder, FactsOfFunctions &facts);
  ArrayRef<Value> getResults() const { return results; }

private:
  LogicalResult learnExtents(OpBuilder &builder, FactsOfFunctions &facts);
  SmallVector<Value> rotate(OpBuilder &builder, Value steps);
  Value getTileSize(OpBuilder &builder);
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
  LogicalResult fillHalo(OpBuilder &builder, const DiamondLoopHalo &halo,
                         const LoopBox &box, Value step, Value memory);
  LogicalResult emitHaloPhase(OpBuilder &builder, const DiamondPhase &phase,
                              Value memory, const LoopBox &box);
  LogicalResult emitStep(OpBuilder &builder, const DiamondTile &tile,
                         Value step, ValueRange fields);
  LogicalResult emitPipeline(OpBuilder &builder, PipelineEmitter &emitter,
                             const LoopBox &box);
  LogicalResult emitKernel(OpBuilder &builder, unsigned number, Value step,
                           const LoopBox &box);
  void allocate(OpBuilder &builder, Value copies);
  LoopBox getBox(OpBuilder &builder, const DiamondTile &tile, Value phase,
                 Value moved);
  Value find(Value value) const {
    return copies.contains(value) ? copies.lookup(value) : getMemory(value);
  }
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
  LoopBox domain;
  DiamondPlaces places;
  /// What values of the step are in the one that is emitted.
  IRMapping copies;
  const std::function<Value(Value)> findInStep = [this](Value value) {
    return find(value);
  };
  /// By the number of the kernel: of pipelines.
  std::vector<std::optional<PipelineEmitter>> pipelines;
  /// The number of steps; points of a tile along the second axis; diamonds of a
  /// row.
  Value steps, size, countOfRow;
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
  domain = makeBox(builder, loc, found.kernels.front().domain, extents);
  places = DiamondPlaces(builder, loc, domain, found.folds);
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

/// As many points that the cache has room for what a tile holds of all fields:
/// on the average half of the planes of the diamond, and those beside them.
Value DiamondEmitter::getTileSize(OpBuilder &builder) {
  Arithmetic arith = math(builder);
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

/// The places that a tile has in a phase of the loop. `phase` is
/// counted from the base of the diamond, `moved` from its first step.
LoopBox DiamondEmitter::getBox(OpBuilder &builder, const DiamondTile &tile,
                               Value phase, Value moved) {
  Arithmetic arith = math(builder);
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

/// What the next step reads around the box, if there is one.
LogicalResult DiamondEmitter::fillHalo(OpBuilder &builder,
                                       const DiamondLoopHalo &halo,
                                       const LoopBox &box, Value step,
                                       Value memory) {
  Arithmetic arith = math(builder);
  auto branch =
      scf::IfOp::create(builder, loc, arith.less(arith.add(step, 1), steps));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return DiamondHalo(halo.boundary, extents, box, memory).fill(builder);
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

/// A halo is at the place of the outermost points.
LogicalResult DiamondEmitter::emitHaloPhase(OpBuilder &builder,
                                            const DiamondPhase &phase,
                                            Value memory, const LoopBox &box) {
  auto boundary = cast<BoundaryOp>(phase.op);
  auto fill = [&](OpBuilder &inner, const LoopBox &image) {
    for (int64_t axis = phase.firstAxis; axis < phase.endAxis; ++axis)
      if (failed(emitBoundaryWithin(inner, boundary, memory, extents, axis,
                                    image)))
        return failure();
    return success();
  };
  return places.forEachImage(builder, box, fill);
}

/// Buffers of what the stages of pipelines make of a tile: who shares diamonds
/// has a copy. None is allocated between diamonds that wait for each other.
void DiamondEmitter::allocate(OpBuilder &builder, Value copies) {
  Arithmetic arith = math(builder);
  SmallVector<Value> sizes{arith.constant(found.getWidth()), size};
  for (int64_t axis = 2; axis < found.getRank(); ++axis)
    sizes.push_back(arith.max(arith.sub(domain.ub[axis], domain.lb[axis]),
                              arith.constant(0)));
  for (auto [emitter, kernel] : llvm::zip_equal(pipelines, found.kernels)) {
    if (!kernel.walk)
      continue;
    emitter.emplace(cast<PipelineOp>(kernel.op), *kernel.walk, mode,
                    findInStep);
    emitter->setDomain(extents, domain);
    emitter->allocate(builder, sizes, copies);
  }
}

/// Stages are computed around a box: where it has no points, there is nothing.
LogicalResult DiamondEmitter::emitPipeline(OpBuilder &builder,
                                           PipelineEmitter &emitter,
                                           const LoopBox &box) {
  Arithmetic arith = math(builder);
  Value hasPoints;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub)) {
    Value isAny = arith.less(lb, ub);
    hasPoints = hasPoints ? arith.both(hasPoints, isAny) : isAny;
  }
  auto branch = scf::IfOp::create(builder, loc, hasPoints);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return emitter.emitTile(builder, box);
}

/// A kernel of the step at the points of a box, and what follows from these
/// around the domain.
LogicalResult DiamondEmitter::emitKernel(OpBuilder &builder, unsigned number,
                                         Value step, const LoopBox &box) {
  const DiamondKernel &kernel = found.kernels[number];
  if (auto apply = dyn_cast<ApplyOp>(kernel.op)) {
    auto here = [&](Value value) { return find(value); };
    SmallVector<Value> args = llvm::map_to_vector(apply.getArgs(), here);
    SmallVector<Value> dests = llvm::map_to_vector(apply.getDest(), here);
    BoxNest nest(apply, args, dests, extents, mode);
    if (failed(nest.emitBox(builder, box)))
      return failure();
  } else if (failed(emitPipeline(builder, *pipelines[number], box))) {
    return failure();
  }
  for (const DiamondLoopHalo &halo : found.halos)
    if (halo.phase == number &&
        failed(fillHalo(builder, halo, box, step,
                        find(kernel.stored[halo.result]))))
      return failure();
  return success();
}

LogicalResult DiamondEmitter::emitStep(OpBuilder &builder,
                                       const DiamondTile &tile, Value step,
                                       ValueRange fields) {
  Arithmetic arith = math(builder);
  copies.clear();
  copies.map(loop.getInductionVar(),
             arith.add(loop.getLowerBound(), arith.mul(step, loop.getStep())));
  for (auto [arg, field] : llvm::zip_equal(loop.getRegionIterArgs(), fields))
    copies.map(arg, field);
  Value phases = arith.constant(found.countPhases());
  Value phase = arith.mul(arith.sub(step, tile.base), phases);
  Value moved = arith.mul(arith.sub(step, tile.first), phases);
  unsigned number = 0, numKernels = 0;
  auto getPhaseBox = [&] {
    return getBox(builder, tile, arith.add(phase, number),
                  arith.add(moved, number));
  };
  auto isPhaseOf = [&](unsigned phase, Operation *op) {
    return phase < found.phases.size() && found.phases[phase].op == op;
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isStepCount(&op))
      continue;
    if (auto boundary = dyn_cast<BoundaryOp>(op)) {
      for (; isPhaseOf(number, boundary); ++number)
        if (failed(emitHaloPhase(builder, found.phases[number],
                                 find(boundary.getField()), getPhaseBox())))
          return failure();
      continue;
    }
    if (!isPhaseOf(number, &op)) {
      for (Value operand : op.getOperands())
        if (!copies.contains(operand))
          copies.map(operand, getMemory(operand));
      builder.clone(op, copies);
      continue;
    }
    auto emitImage = [&](OpBuilder &inner, const LoopBox &image) {
      return emitKernel(inner, numKernels, step, image);
    };
    if (failed(places.forEachImage(builder, getPhaseBox(), emitImage)))
      return failure();
    ++number;
    ++numKernels;
  }
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
  return emitStep(builder, tile, turns.getInductionVar(), here);
}

LogicalResult DiamondEmitter::emitDiamond(OpBuilder &builder, DiamondTile tile,
                                          ValueRange fields) {
  Arithmetic arith = math(builder);
  // One of a row may be beside the domain.
  int64_t beside = found.getWidth() / 2;
  Value isInside =
      arith.less(arith.add(tile.center, -beside), places.box.ub[0]);
  auto branch = scf::IfOp::create(builder, loc, isInside);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  Value count = arith.max(arith.sub(tile.end, tile.first), arith.constant(0));
  Value last = arith.add(places.box.ub[1],
                         arith.mul(count, found.skew * found.countPhases()));
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->useCopy(builder, sharing ? sharing->getSharer()
                                        : Value(arith.constant(0)));
  auto tiles = scf::ForOp::create(builder, loc, places.box.lb[1], last, size);
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
  tile.center = arith.add(places.box.lb[0], shift);
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
  size = getTileSize(builder);
  for (const DiamondLoopHalo &halo : found.halos)
    if (failed(fillHalosBefore(builder, halo)))
      return failure();
  Value rows = arith.add(arith.ceilDiv(steps, found.getHalf()), 1);
  countOfRow = arith.add(
      arith.ceilDiv(
          arith.max(arith.sub(places.box.ub[0], places.box.lb[0]), zero),
          found.getWidth()),
      1);
  // Of those who share, each has buffers.
  bool hasBuffers = llvm::any_of(
      found.kernels, [](const DiamondKernel &kernel) { return kernel.walk; });
  Value sharers = countOfRow;
  if (hasBuffers)
    sharers = arith.min(
        countOfRow, arith.constant(std::max<int64_t>(1, loops.getThreads())));
  allocate(builder, sharers);
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
  for (std::optional<PipelineEmitter> &emitter : pipelines)
    if (emitter)
      emitter->release(builder);
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
