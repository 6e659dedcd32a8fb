//===- TileToKernel.cpp - Tiles to threads --------------------------------===//
//
//   tile.kernel { rings; loops { copies, waits, barriers, phases } }
//     ==> gpu.func: the block finds its tile and its segment, each thread its
//         points; what is said of boxes is done by threads
//
// Loops and numbers stay what they are, but for indices, which become the
// kernel's integers; a value on a box becomes the registers of a thread that
// hold its points. What is decided has been decided in the IR: here, ops become
// loads, stores and arithmetic of threads.
//
//===----------------------------------------------------------------------===//

#include "RingFills.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/Barriers.h"
#include "TileOps.h"
#include "TilePhases.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Emits the kernel, op by op.
class TileKernel {
public:
  TileKernel(tile::KernelOp op, KernelSet &kernels) : block(op, kernels) {}

  LogicalResult emit();

private:
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation *op);
  LogicalResult emitPhase() { return phases.emit(std::exchange(phase, {})); }
  LogicalResult emitPoison(ub::PoisonOp poison);
  LogicalResult emitLoop(scf::ForOp loop);
  void appendState(Value value, Value carried, SmallVectorImpl<Value> &state);
  void restoreState(Value value, ValueRange &state);
  void emitAtEdge(tile::AtEdgeOp edge);
  LogicalResult emitIf(scf::IfOp branch);

  TileBlock block;
  ThreadValues held{block};
  TilePhases phases{held};
  RingFills fills{block};
  /// What has been seen of a phase.
  SmallVector<Operation *> phase;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// `carried` says who holds it: a first value may be anybody's.
void TileKernel::appendState(Value value, Value carried,
                             SmallVectorImpl<Value> &state) {
  if (isa<tile::CursorType>(value.getType())) {
    const TileCursor &cursor = block.cursors[value];
    state.append({cursor.slot, cursor.parity});
    if (block.needsPlanes)
      state.push_back(cursor.number);
  } else if (isa<TempType>(value.getType())) {
    held.forEachHeld(carried, [&](const TilePoint &point) {
      state.push_back(held.get(value, point).value);
    });
  } else {
    state.push_back(block.getNumber(value));
  }
}

static Value take(ValueRange &state) {
  Value next = state.front();
  state = state.drop_front();
  return next;
}

void TileKernel::restoreState(Value value, ValueRange &state) {
  if (isa<tile::CursorType>(value.getType())) {
    TileCursor &cursor = block.cursors[value];
    cursor.slot = take(state);
    cursor.parity = take(state);
    if (block.needsPlanes)
      cursor.number = take(state);
  } else if (isa<TempType>(value.getType())) {
    held.forEachHeld(value, [&](const TilePoint &point) {
      held.set(value, point, {take(state), {}});
    });
  } else {
    block.numbers[value] = take(state);
  }
}

LogicalResult TileKernel::emitLoop(scf::ForOp loop) {
  OpBuilder &builder = block.kernel.body();
  SmallVector<Value> state;
  auto appendAll = [&](ValueRange values) {
    state.clear();
    for (auto [value, carried] :
         llvm::zip_equal(values, loop.getRegionIterArgs()))
      appendState(value, carried, state);
    for (tile::RingOp ring : block.listRings())
      fills.forEachLoaded(ring,
                          [&](Value &loaded) { state.push_back(loaded); });
  };
  auto restoreAll = [&](ValueRange carried, ValueRange from) {
    for (Value value : carried)
      restoreState(value, from);
    for (tile::RingOp ring : block.listRings())
      fills.forEachLoaded(ring, [&](Value &loaded) { loaded = take(from); });
  };
  appendAll(loop.getInitArgs());
  auto lowered = scf::ForOp::create(
      builder, loop.getLoc(), block.getNumber(loop.getLowerBound()),
      block.getNumber(loop.getUpperBound()), block.getNumber(loop.getStep()),
      state,
      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(lowered.getBody());
    block.numbers[loop.getInductionVar()] = lowered.getInductionVar();
    restoreAll(loop.getRegionIterArgs(), lowered.getRegionIterArgs());
    if (failed(emitBlock(*loop.getBody())))
      return failure();
    appendAll(loop.getBody()->getTerminator()->getOperands());
    if (!state.empty())
      scf::YieldOp::create(builder, loop.getLoc(), state);
  }
  restoreAll(loop.getResults(), lowered.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Branches: blocks at the edge have one of their own, with patches; the others
// have none.
//===----------------------------------------------------------------------===//

/// A block that reads nothing beyond the box is never at the edge.
void TileKernel::emitAtEdge(tile::AtEdgeOp edge) {
  Value here = HaloFrame(block, edge.getNeeds(), edge.getBoundary()).findEdge();
  if (!here)
    here =
        arith::ConstantIntOp::create(block.kernel.body(), edge.getLoc(), 0, 1);
  block.numbers[edge] = here;
}

/// All threads of a block take the same branch: numbers do not depend on them.
LogicalResult TileKernel::emitIf(scf::IfOp branch) {
  if (branch.getNumResults() != 0)
    return branch.emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel: expected no results");
  OpBuilder &builder = block.kernel.body();
  bool hasElse = !branch.getElseRegion().empty();
  auto lowered =
      scf::IfOp::create(builder, branch.getLoc(),
                        block.getNumber(branch.getCondition()), hasElse);
  for (auto [region, target] :
       llvm::zip_equal(branch->getRegions(), lowered->getRegions())) {
    if (region.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(target.front().getTerminator());
    Block &ops = region.front();
    if (failed(fills.inBranch(region, [&] { return emitBlock(ops); })))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers and cursors
//===----------------------------------------------------------------------===//

/// An op on numbers is the same op, on the kernel's integers.
static LogicalResult emitNumber(TileBlock &block, Operation *inner) {
  // A division may have no result; who knows that it has one says by what.
  if (inner->getNumRegions() != 0 || !isPure(inner) ||
      !llvm::all_of(inner->getResultTypes(),
                    [](Type type) { return type.isIntOrIndexOrFloat(); }) ||
      !llvm::all_of(inner->getOperands(),
                    [&](Value value) { return block.numbers.contains(value); }))
    return inner->emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel");
  if (auto constant = dyn_cast<arith::ConstantOp>(inner);
      constant && constant.getType().isIndex()) {
    block.numbers[constant] =
        block.math.constant(cast<IntegerAttr>(constant.getValue()).getInt());
    return success();
  }
  // Casts and all that has integers and indices: as it is, on indices.
  bool isPlain =
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
          arith::RemUIOp, arith::DivSIOp, arith::RemSIOp, arith::MinSIOp,
          arith::MaxSIOp, arith::MinUIOp, arith::CmpIOp, arith::SelectOp>(
          inner);
  SmallVector<Value> operands;
  for (Value operand : inner->getOperands())
    operands.push_back(isPlain || !operand.getType().isIndex()
                           ? block.getNumber(operand)
                           : block.math.toIndex(block.numbers.lookup(operand)));
  SmallVector<Type> types;
  for (Type type : inner->getResultTypes())
    types.push_back(isPlain && type.isIndex() ? block.math.getType() : type);
  OperationState state(inner->getLoc(), inner->getName(), operands, types,
                       inner->getAttrs());
  Operation *copy = block.kernel.body().create(state);
  // The kernel's integers have room for its coordinates.
  if (auto sum = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy);
      sum && isPlain && inner->getResult(0).getType().isIndex())
    copy->setAttr(sum.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      copy->getContext(), arith::IntegerOverflowFlags::nsw));
  for (auto [from, to] :
       llvm::zip_equal(inner->getResults(), copy->getResults()))
    block.numbers[from] = to;
  return success();
}

static void emitCursor(TileBlock &block, tile::CursorOp cursor) {
  Value number = block.getNumber(cursor.getIteration());
  Value slots =
      block.math.constant(cast<tile::CursorType>(cursor.getType()).getSlots());
  Value round = block.math.div(number, slots);
  Value parity =
      block.math.compare(arith::CmpIPredicate::ne, block.math.rem(round, 2),
                         block.math.constant(0));
  block.cursors[cursor] = {block.math.rem(number, slots), parity, number};
}

static void emitAdvance(TileBlock &block, tile::AdvanceOp advance) {
  TileCursor cursor = block.cursors[advance.getCursor()];
  Value depth =
      block.math.constant(cast<tile::CursorType>(advance.getType()).getSlots());
  for (int64_t step = 0; step < advance.getDistance(); ++step) {
    Value next = block.math.add(cursor.slot, 1);
    Value wraps = block.math.compare(arith::CmpIPredicate::eq, next, depth);
    cursor.slot = block.math.select(wraps, block.math.constant(0), next);
    cursor.parity = block.kernel.body().createOrFold<arith::XOrIOp>(
        advance.getLoc(), cursor.parity, wraps);
    if (block.needsPlanes)
      cursor.number = block.math.add(cursor.number, 1);
  }
  block.cursors[advance] = cursor;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult TileKernel::emitBlock(Block &ops) {
  for (Operation &inner : ops) {
    if (inner.hasTrait<OpTrait::IsTerminator>())
      break;
    if (isa<ApplyOp, tile::PutOp, tile::StoreOp, tile::WhereOp>(inner)) {
      phase.push_back(&inner);
      continue;
    }
    // They name what others read.
    if (inner.hasTrait<tile::ValueView>() || isa<tile::RingOp>(inner))
      continue;
    if (failed(emitOp(&inner)))
      return failure();
  }
  return emitPhase();
}

LogicalResult TileKernel::emitPoison(ub::PoisonOp poison) {
  auto temp = dyn_cast<TempType>(poison.getType());
  if (!temp || !temp.getBounds())
    return poison.emitOpError("expected a value on a box, got ")
           << poison.getType();
  held.setPoison(poison,
                 arith::getZeroConstant(block.kernel.body(), poison.getLoc(),
                                        temp.getElementType()));
  return success();
}

LogicalResult TileKernel::emitOp(Operation *inner) {
  // What the next iteration needs takes no registers in this one.
  if (isa<tile::AdvanceOp, tile::BarrierOp, tile::CopyOp, tile::WaitOp,
          tile::FringeOp, tile::PatchOp, tile::TakeOp, scf::ForOp, scf::IfOp>(
          inner) &&
      failed(emitPhase()))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(inner)
      .Case([&](ub::PoisonOp poison) { return emitPoison(poison); })
      .Case([&](tile::CopyOp copy) {
        phases.forget(copy.getRing());
        return fills.copy(copy);
      })
      .Case([&](tile::WaitOp wait) { return fills.wait(wait); })
      .Case([&](tile::PatchOp patch) { return fills.store(patch); })
      .Case([&](scf::IfOp branch) { return emitIf(branch); })
      .Case([&](scf::ForOp loop) { return emitLoop(loop); })
      .Case([&](tile::WalkOp walk) {
        return walk.emitOpError("has no threads yet; run stencil-expand-walks");
      })
      .Case([&](tile::FringeOp halo) { return fills.load(halo), success(); })
      .Case([&](tile::TakeOp take) { return emitTake(held, take), success(); })
      .Case([&](tile::CursorOp cursor) {
        return emitCursor(block, cursor), success();
      })
      .Case([&](tile::AdvanceOp advance) {
        return emitAdvance(block, advance), success();
      })
      .Case([&](tile::SegmentOp segment) {
        return block.beginSegment(segment), success();
      })
      .Case([&](tile::AtEdgeOp edge) { return emitAtEdge(edge), success(); })
      .Case([&](tile::BarrierOp barrier) {
        gpu::BarrierOp::create(block.kernel.body(), barrier.getLoc());
        return success();
      })
      .Default([&](Operation *number) { return emitNumber(block, number); });
}

/// True if threads have several rows of a plane in registers, each of which is
/// stored under a condition of its own. Of doubles, and where there is one
/// program for all blocks: others spill then (docs/notebook.md).
static bool isStraight(tile::KernelOp kernel) {
  bool hasBranches = llvm::any_of(
      kernel.getBodyBlock()->getOps<scf::IfOp>(), [](scf::IfOp branch) {
        return !branch.getThenRegion().getOps<scf::ForOp>().empty();
      });
  constexpr int64_t kDouble = 8;
  return !hasBranches &&
         llvm::any_of(kernel.getBodyBlock()->getOps<tile::RingOp>(),
                      [](tile::RingOp ring) {
                        auto type = cast<tile::RingType>(ring.getType());
                        return type.hasEdges() &&
                               getElementBytes(type.getElementType()) ==
                                   kDouble;
                      });
}

LogicalResult TileKernel::emit() {
  block.addArguments();
  block.findTile();
  held.setGroup(held.points.addOwn());
  placeRings(held);
  if (failed(fills.prepareEngine()))
    return failure();
  held.points.addRims();
  clearEdges(block);
  if (isStraight(block.op))
    block.kernel.keepStraight();
  if (block.op.getKeepsLines() && failed(block.kernel.keepLines(block.op)))
    return failure();
  if (failed(fills.prepare()) || failed(emitBlock(*block.op.getBodyBlock())))
    return failure();
  block.kernel.launch(block.blocks);
  return success();
}

LogicalResult stencil::lowerTileKernel(tile::KernelOp op, KernelSet &kernels) {
  if (op.getList()) {
    lowerListKernel(op, kernels);
    return success();
  }
  // Of loops and branches, those who wrote them know.
  bool isExpanded = op.getGrid().getWalk() ||
                    !op.getBodyBlock()->getOps<tile::AtEdgeOp>().empty();
  if (!isExpanded && failed(tile::verifyBarriers(op)))
    return failure();
  return TileKernel(op, kernels).emit();
}
