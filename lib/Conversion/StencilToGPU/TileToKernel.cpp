//===- TileToKernel.cpp - Tiles to threads --------------------------------===//
//
//   tile.kernel { rings; loops { copies, waits, barriers, phases } }
//     ==> gpu.func: the block finds its tile and its segment, each thread its
//         points; what is said of boxes is done by threads
//
// Loops and numbers stay what they are, but for indices, which become the
// kernel's integers; a value on a box becomes the registers of a thread that
// hold its points.
//
//===----------------------------------------------------------------------===//

#include "ListKernel.h"
#include "Patterns.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/Barriers.h"
#include "TileIterations.h"
#include "TileReads.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace stencil;

/// The shape of the grid, as kernels are told.
static GPUSchedule makeSchedule(tile::GridAttr grid) {
  GPUSchedule schedule;
  auto copy = [](DenseI64ArrayAttr list) {
    return llvm::to_vector(list.asArrayRef());
  };
  schedule.block = copy(grid.getBlock());
  schedule.points = copy(grid.getPoints());
  if (grid.getOrder())
    schedule.order = copy(grid.getOrder());
  else
    for (int64_t axis = grid.getRank() - 1; axis >= 0; --axis)
      schedule.order.push_back(axis);
  if (grid.getPanel())
    schedule.panel = copy(grid.getPanel());
  else
    schedule.panel.assign(grid.getRank(), 0);
  schedule.launchBounds = grid.getLaunchBounds();
  schedule.walk = grid.getWalk();
  schedule.segments = grid.getSegments();
  schedule.inner = grid.getInner();
  return schedule;
}

TileKernel::TileKernel(tile::KernelOp op, KernelSet &kernels,
                       GPUSchedule schedule)
    : TileBlock(op, kernels, std::move(schedule)) {}

TileKernel::~TileKernel() = default;

/// Those of one overlay lie beside each other, the overlays at one place behind
/// what is in none.
LogicalResult TileKernel::placeRings() {
  int64_t own = 0;
  llvm::SmallDenseMap<int64_t, int64_t> ends;
  SmallVector<std::pair<tile::RingOp, int64_t>> places;
  for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>()) {
    auto overlay = ring.getOverlay();
    int64_t &end = overlay ? ends[*overlay] : own;
    places.emplace_back(ring, end);
    end += ring.getBytes();
  }
  if (places.empty())
    return success();
  Value memory = kernel.addDynamicShared(op.getSharedBytes());
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  Attribute space = cast<MemRefType>(memory.getType()).getMemorySpace();
  for (auto [ringOp, offset] : places) {
    TileRing &ring = rings[ringOp];
    ring.type = cast<tile::RingType>(ringOp.getType());
    ring.places = ring.type.getPlaces();
    ring.firstPlane = findFirstPlane(ringOp);
    int64_t last = op.getGrid().getRank() - 1;
    ring.vectorLength =
        walk == last ? 1 : ring.type.getVectorLength(group->step);
    int64_t legs = ringOp.getRelay() ? op.getGrid().getRelay() : 1;
    auto type = MemRefType::get(
        {legs * ring.type.getSlots() * ring.type.getSlotElements()},
        ring.type.getElementType(), MemRefLayoutAttrInterface(), space);
    ring.offset = offset + (ringOp.getOverlay() ? own : 0);
    Value start = arith::ConstantIndexOp::create(builder, loc, ring.offset);
    ring.elements =
        memref::ViewOp::create(builder, loc, type, memory, start, ValueRange());
  }
  threadPoints->placeInRings(*group);
  return success();
}

/// Calls `take` for each point of a value that a thread holds, in each plane.
void TileKernel::forEachHeld(Value value, TakeHeld take) {
  auto takeOf = [&](TilePoints *of) {
    for (const TilePoint &point : of->points)
      for (const TilePoint &held : listPlanes(value, point))
        take(*of, held);
  };
  takeOf(&threadPoints->getOwn());
  for (TilePoints *rim : threadPoints->getRim(value))
    takeOf(rim);
}

//===----------------------------------------------------------------------===//
// Numbers, cursors, loops
//===----------------------------------------------------------------------===//

/// An op on numbers is the same op, on the kernel's integers.
LogicalResult TileKernel::emitScalarOp(Operation *inner) {
  // A division may have no result; who knows that it has one says by what.
  if (inner->getNumRegions() != 0 || !isPure(inner) ||
      !llvm::all_of(inner->getResultTypes(),
                    [](Type type) { return type.isIntOrIndexOrFloat(); }) ||
      !llvm::all_of(inner->getOperands(),
                    [&](Value value) { return numbers.contains(value); }))
    return inner->emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel");
  Arithmetic math = kernel.math();
  if (auto constant = dyn_cast<arith::ConstantOp>(inner);
      constant && constant.getType().isIndex()) {
    numbers[constant] =
        math.constant(cast<IntegerAttr>(constant.getValue()).getInt());
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
                           ? getNumber(operand)
                           : math.toIndex(numbers.lookup(operand)));
  SmallVector<Type> types;
  for (Type type : inner->getResultTypes())
    types.push_back(isPlain && type.isIndex() ? math.getType() : type);
  OperationState state(inner->getLoc(), inner->getName(), operands, types,
                       inner->getAttrs());
  Operation *copy = kernel.body().create(state);
  // The kernel's integers have room for its coordinates.
  if (auto sum = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy);
      sum && isPlain && inner->getResult(0).getType().isIndex())
    copy->setAttr(sum.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      copy->getContext(), arith::IntegerOverflowFlags::nsw));
  for (auto [from, to] :
       llvm::zip_equal(inner->getResults(), copy->getResults()))
    numbers[from] = to;
  return success();
}

/// `carried` says who holds it: a first value may be anybody's.
void TileKernel::appendState(Value value, Value carried,
                             SmallVectorImpl<Value> &state) {
  if (isa<tile::CursorType>(value.getType())) {
    const TileCursor &cursor = cursors[value];
    state.append({cursor.slot, cursor.parity});
    if (needsPlanes)
      state.push_back(cursor.number);
  } else if (isa<TempType>(value.getType())) {
    forEachHeld(carried, [&](TilePoints &of, const TilePoint &point) {
      TilePoints *computed = std::exchange(group, &of);
      state.push_back(getValue(value, point).value);
      group = computed;
    });
  } else {
    state.push_back(getNumber(value));
  }
}

void TileKernel::restoreState(Value value, ValueRange &state) {
  auto take = [&] {
    Value next = state.front();
    state = state.drop_front();
    return next;
  };
  if (isa<tile::CursorType>(value.getType())) {
    TileCursor &cursor = cursors[value];
    cursor.slot = take();
    cursor.parity = take();
    if (needsPlanes)
      cursor.number = take();
  } else if (isa<TempType>(value.getType())) {
    forEachHeld(value, [&](TilePoints &of, const TilePoint &point) {
      of.values[value][point] = {take(), {}};
    });
  } else {
    numbers[value] = take();
  }
}

LogicalResult TileKernel::emitLoop(scf::ForOp loop) {
  OpBuilder &builder = kernel.body();
  SmallVector<Value> state;
  auto appendAll = [&](ValueRange values) {
    state.clear();
    for (auto [value, carried] :
         llvm::zip_equal(values, loop.getRegionIterArgs()))
      appendState(value, carried, state);
    for (tile::RingOp ring : listRings()) {
      copies.appendLoaded(ring, state);
      patches.appendState(ring, state);
    }
  };
  auto restoreAll = [&](ValueRange carried, ValueRange from) {
    for (Value value : carried)
      restoreState(value, from);
    for (tile::RingOp ring : listRings()) {
      copies.restoreLoaded(ring, from);
      patches.restoreState(ring, from);
    }
  };
  appendAll(loop.getInitArgs());
  auto lowered = scf::ForOp::create(
      builder, loop.getLoc(), getNumber(loop.getLowerBound()),
      getNumber(loop.getUpperBound()), getNumber(loop.getStep()), state,
      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(lowered.getBody());
    numbers[loop.getInductionVar()] = lowered.getInductionVar();
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
// Copies
//===----------------------------------------------------------------------===//

LogicalResult TileKernel::emitCopy(tile::CopyOp copy) {
  switch (rings[copy.getRing()].type.getFill()) {
  case tile::Fill::Threads:
    copies.copy(copy);
    return success();
  case tile::Fill::Delayed:
    copies.load(copy);
    return success();
  case tile::Fill::Async:
    return copies.copyAsync(copy);
  case tile::Fill::Tma:
    tma.copy(copy);
    return success();
  case tile::Fill::Stage:
    break;
  }
  llvm_unreachable("a copy has no such ring");
}

LogicalResult TileKernel::emitWait(tile::WaitOp wait) {
  switch (rings[wait.getRing()].type.getFill()) {
  case tile::Fill::Threads:
  case tile::Fill::Stage:
    break;
  case tile::Fill::Delayed:
    return copies.store(wait);
  case tile::Fill::Async:
    copies.waitAsync(wait);
    break;
  case tile::Fill::Tma:
    tma.wait(wait);
    break;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Branches: blocks at the edge have one of their own, with patches; the others
// have none. What is in registers, loaded and not yet written, is that of a
// branch.
//===----------------------------------------------------------------------===//

/// A block that reads nothing beyond the box is never at the edge.
void TileKernel::emitAtEdge(tile::AtEdgeOp edge) {
  Value here = makeFrame(edge.getNeeds(), edge.getBoundary()).findEdge();
  if (!here)
    here = arith::ConstantIntOp::create(kernel.body(), edge.getLoc(), 0, 1);
  numbers[edge] = here;
}

/// What is on its way in front of a branch is so in both, and behind it.
LogicalResult TileKernel::emitBranch(Region &region) {
  ThreadCopies::State saved = copies.state;
  if (failed(patches.prepare(region)) || failed(emitBlock(region.front())))
    return failure();
  copies.state = std::move(saved);
  patches.clear();
  return success();
}

/// All threads of a block take the same branch: numbers do not depend on them.
LogicalResult TileKernel::emitIf(scf::IfOp branch) {
  if (branch.getNumResults() != 0)
    return branch.emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel: expected no results");
  OpBuilder &builder = kernel.body();
  bool hasElse = !branch.getElseRegion().empty();
  auto lowered = scf::IfOp::create(builder, branch.getLoc(),
                                   getNumber(branch.getCondition()), hasElse);
  for (auto [region, target] :
       llvm::zip_equal(branch->getRegions(), lowered->getRegions())) {
    if (region.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(target.front().getTerminator());
    if (failed(emitBranch(region)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult TileKernel::emitBlock(Block &block) {
  for (Operation &inner : block) {
    if (inner.hasTrait<OpTrait::IsTerminator>())
      break;
    if (isa<ApplyOp, tile::PutOp, tile::StoreOp, tile::WhereOp>(inner)) {
      phase.push_back(&inner);
      continue;
    }
    // They name what others read.
    if (isa<tile::SourceOp, tile::JoinOp, tile::ShiftOp, tile::RingOp>(inner))
      continue;
    if (failed(emitOp(&inner)))
      return failure();
  }
  return emitPhase();
}

LogicalResult TileKernel::emitOp(Operation *inner) {
  OpBuilder &builder = kernel.body();
  Location loc = inner->getLoc();
  Arithmetic math = kernel.math();
  if (auto poison = dyn_cast<ub::PoisonOp>(inner)) {
    Type type = poison.getType();
    auto temp = dyn_cast<TempType>(type);
    if (!temp || !temp.getBounds())
      return inner->emitOpError("expected a value on a box, got ") << type;
    poisons[poison] = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(temp.getElementType()));
    return success();
  }
  if (auto cursor = dyn_cast<tile::CursorOp>(inner)) {
    Value number = getNumber(cursor.getIteration());
    Value slots =
        math.constant(cast<tile::CursorType>(cursor.getType()).getSlots());
    Value round = math.div(number, slots);
    Value parity =
        math.compare(arith::CmpIPredicate::ne,
                     math.rem(round, math.constant(2)), math.constant(0));
    cursors[cursor] = {math.rem(number, slots), parity, number};
    return success();
  }
  if (auto advance = dyn_cast<tile::AdvanceOp>(inner)) {
    // What the next iteration needs takes no registers in this one.
    if (failed(emitPhase()))
      return failure();
    TileCursor cursor = cursors[advance.getCursor()];
    Value depth =
        math.constant(cast<tile::CursorType>(advance.getType()).getSlots());
    for (uint64_t step = 0; step < advance.getDistance(); ++step) {
      Value next = math.add(cursor.slot, 1);
      Value wraps = math.compare(arith::CmpIPredicate::eq, next, depth);
      cursor.slot = math.select(wraps, math.constant(0), next);
      cursor.parity =
          builder.createOrFold<arith::XOrIOp>(loc, cursor.parity, wraps);
      if (needsPlanes)
        cursor.number = math.add(cursor.number, 1);
    }
    cursors[advance] = cursor;
    return success();
  }
  if (auto segment = dyn_cast<tile::SegmentOp>(inner)) {
    beginSegment(segment);
    return success();
  }
  if (isa<tile::WalkOp>(inner))
    return inner->emitOpError("has no threads yet; run stencil-expand-walks");
  if (isa<tile::BarrierOp, tile::CopyOp, tile::WaitOp, tile::FringeOp,
          tile::PatchOp, tile::TakeOp, scf::ForOp, scf::IfOp>(inner) &&
      failed(emitPhase()))
    return failure();
  // Of a walk, another plane comes, and takes the place of one that nobody
  // reads any more.
  if (auto copy = dyn_cast<tile::CopyOp>(inner); copy && known && !walk)
    known->forget(copy.getRing());
  if (isa<tile::BarrierOp>(inner)) {
    gpu::BarrierOp::create(builder, loc);
    return success();
  }
  if (auto copy = dyn_cast<tile::CopyOp>(inner))
    return emitCopy(copy);
  if (auto take = dyn_cast<tile::TakeOp>(inner)) {
    emitTake(take);
    return success();
  }
  if (auto wait = dyn_cast<tile::WaitOp>(inner))
    return emitWait(wait);
  if (auto halo = dyn_cast<tile::FringeOp>(inner)) {
    patches.load(halo);
    return success();
  }
  if (auto patch = dyn_cast<tile::PatchOp>(inner))
    return patches.store(patch);
  if (auto edge = dyn_cast<tile::AtEdgeOp>(inner)) {
    emitAtEdge(edge);
    return success();
  }
  if (auto branch = dyn_cast<scf::IfOp>(inner))
    return emitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(inner))
    return emitLoop(loop);
  return emitScalarOp(inner);
}

LogicalResult TileKernel::emit() {
  addArguments();
  findTile();
  threadPoints.emplace(*this, op);
  group = &threadPoints->addOwn();
  if (failed(placeRings()) || failed(tma.prepare()))
    return failure();
  threadPoints->addRims();
  clearEdges();
  if (op.getKeepsLines() && failed(kernel.keepLines(op)))
    return failure();
  // What threads copy is found out once, before all loops.
  op.getBody().walk([&](tile::CopyOp copy) {
    if (rings[copy.getRing()].type.getFill() != tile::Fill::Tma ||
        tma.isCopiedByThreads(copy.getRing()))
      copies.prepare(copy);
  });
  if (failed(patches.prepare(op.getBody())) ||
      failed(emitBlock(*op.getBodyBlock())))
    return failure();
  kernel.launch(blocks);
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
  return TileKernel(op, kernels, makeSchedule(op.getGrid())).emit();
}
