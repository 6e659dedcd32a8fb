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
#include "TileChunks.h"
#include "TileReads.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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

/// Fields and coordinates as numbers of 32 bits, where they fit.
static Type chooseType(tile::KernelOp op) {
  SmallVector<GridType> fields;
  for (Type type : op.getArgs().getTypes())
    if (auto field = dyn_cast<GridType>(type))
      fields.push_back(field);
  int64_t reach = 0;
  BoundsAttr domain = op.getGrid().getDomain();
  for (int64_t axis = 0; axis < domain.getRank(); ++axis)
    reach = std::max(reach, std::abs(domain.getUb()[axis]) +
                                2 * op.getGrid().getTile(axis));
  // Planes and points around the tile that threads hold, or copy.
  int64_t around = 0;
  auto extend = [&](BoundsAttr box) {
    for (int64_t axis = 0; box && axis < box.getRank(); ++axis)
      if (!isSymbolic(box.getLb()[axis]) && !isSymbolic(box.getUb()[axis]))
        around = std::max({around, -box.getLb()[axis], box.getUb()[axis]});
  };
  op.getBody().walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (auto temp = dyn_cast<TempType>(type))
        extend(temp.getBounds());
    if (auto copy = dyn_cast<tile::CopyOp>(inner))
      extend(copy.getNeedsAttr());
  });
  // What is computed with may be any number: the sums and differences that
  // walks become are planes.
  constexpr int64_t kLargest = 1 << 20;
  bool isOpen = false;
  op.getBody().walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<ApplyOp>(inner))
      return WalkResult::skip();
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(inner))
      isOpen |= std::abs(constant.value()) > kLargest;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(inner))
      isOpen |= llvm::any_of(loop.getRegionIterArgs(), [](Value carried) {
        return carried.getType().isIndex();
      });
    bool isKnown =
        isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MinSIOp,
            arith::MaxSIOp, arith::MinUIOp, arith::RemUIOp, arith::DivUIOp,
            arith::SelectOp, tile::SegmentOp, LoopLikeOpInterface>(inner);
    isOpen |= !isKnown && llvm::any_of(inner->getResultTypes(), [](Type type) {
      return type.isIndex();
    });
    return WalkResult::advance();
  });
  return isOpen ? IntegerType::get(op.getContext(), 64)
                : chooseIndexType(op.getContext(), fields, reach, around);
}

/// Along the axis of a walk a block has one thread: there is a place for legs.
static std::array<int64_t, 3> getThreads(const GPUSchedule &schedule,
                                         tile::GridAttr grid) {
  std::array<int64_t, 3> threads = schedule.getThreads();
  if (grid.getRelay() > 1)
    threads[grid.getRank() - 1 - *grid.getWalk()] = grid.getRelay();
  return threads;
}

TileKernel::TileKernel(tile::KernelOp op, KernelSet &kernels, GPUSchedule given)
    : op(op), kernels(kernels), schedule(std::move(given)),
      kernel(kernels, op, op.getName(), ::chooseType(op),
             getThreads(schedule, op.getGrid()), schedule.launchBounds),
      grid(kernels, op.getGrid().getDomain(), schedule, schedule.points,
           op.getGrid().getAlign(), op.getGrid().getCut()),
      walk(op.getGrid().getWalk()) {}

TileKernel::~TileKernel() = default;

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

bool TileKernel::isStored(Value field) const {
  tile::KernelOp self = op;
  Value operand = self.getOperandOf(field);
  bool found = false;
  self.getBody().walk([&](tile::StoreOp store) {
    found |= kernels.getAliases().mayAlias(self.getOperandOf(store.getField()),
                                           operand);
  });
  return found;
}

/// Says which axis of the kernel each axis of a field is.
void TileKernel::setAxes(KernelField &field, ArrayRef<int64_t> axes) {
  auto getBound = [&](int64_t bound, int64_t axis) {
    return kernel.getBound(bound, axis);
  };
  field.axes.assign(axes.begin(), axes.end());
  field.layout.emplace(kernel.math(), field.type, kernels.getRows(), getBound,
                       field.axes);
}

LogicalResult TileKernel::addArguments() {
  FieldAliasAnalysis &aliases = kernels.getAliases();
  llvm::SmallDenseSet<Value> written;
  op.getBody().walk([&](tile::StoreOp store) {
    written.insert(op.getOperandOf(store.getField()));
  });
  for (BlockArgument argument : op.getBodyBlock()->getArguments()) {
    Value operand = op.getOperandOf(argument);
    if (!isa<FieldType>(operand.getType())) {
      numbers[argument] = kernel.addScalar(operand);
      continue;
    }
    KernelBuilder::BufferAttrs attributes;
    attributes.isolated = llvm::none_of(op.getArgs(), [&](Value other) {
      return isa<FieldType>(other.getType()) && other != operand &&
             aliases.mayAlias(other, operand);
    });
    attributes.readOnly = !written.contains(operand);
    KernelField field;
    field.type = cast<GridType>(operand.getType());
    if (op.isRead(argument) || attributes.readOnly)
      field.buffer = kernel.addField(operand, KernelAccess::Read, attributes,
                                     argument.getLoc());
    if (written.contains(operand))
      field.buffer = kernel.addField(operand, KernelAccess::Write, attributes,
                                     argument.getLoc());
    setAxes(field, llvm::to_vector(llvm::seq<int64_t>(field.type.getRank())));
    fields[argument] = std::move(field);
  }
  op.getBody().walk([&](Operation *inner) {
    needsPlanes |= usesCoordinate(inner, walk);
    if (!mayFailAtRunTime(inner))
      return;
    if (!errorWord)
      errorWord =
          kernel.addMemory(kernels.getErrorWord(), KernelAccess::Write, {});
  });
  needsPlanes &= walk.has_value();
  return success();
}

/// Where the block's tile and segment, and the thread in them, are.
void TileKernel::findTile() {
  Arithmetic math = kernel.math();
  int64_t rank = op.getGrid().getRank();
  SmallVector<Value> counts = grid.countBlocks(kernel, blocks);
  SmallVector<Value> block = grid.findBlock(kernel, counts);
  threadNumber = math.constant(0);
  if (op.getGrid().getRelay() > 1)
    threadNumber = leg =
        kernel.getThread(static_cast<gpu::Dimension>(rank - 1 - *walk));
  for (int64_t axis = 0; axis < rank; ++axis) {
    tileStart.push_back(grid.getTileStart(kernel, axis, block[axis]));
    int64_t dimension = rank - 1 - axis;
    bool isAlone = dimension >= 3 || (leg && walk == axis);
    threads.push_back(
        isAlone ? math.constant(0)
                : kernel.getThread(static_cast<gpu::Dimension>(dimension)));
    threadNumber =
        math.add(math.mul(threadNumber, schedule.block[axis]), threads.back());
  }
  isFirst =
      math.compare(arith::CmpIPredicate::eq, threadNumber, math.constant(0));
  if (!walk)
    return;
  segmentStart = tileStart[*walk];
  Value end = math.add(segmentStart, grid.getSegmentLength(kernel));
  Value limit = kernel.getBound(op.getGrid().getDomain().getUb()[*walk], *walk);
  segmentEnd = math.select(math.less(end, limit), end, limit);
}

void TileKernel::emitSegment(tile::SegmentOp segment) {
  Arithmetic math = kernel.math();
  lookback = segment.getLookback();
  firstPlane = math.add(segmentStart, -lookback);
  Value count = math.sub(segmentEnd, firstPlane);
  // The last segments may have nothing left.
  hasPlanes = math.less(segmentStart, segmentEnd);
  // Nor have the blocks of a panel that is not full.
  for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis)
    if (axis != *walk && schedule.panel[axis])
      hasPlanes = math.both(
          hasPlanes,
          math.less(
              tileStart[axis],
              kernel.getBound(op.getGrid().getDomain().getUb()[axis], axis)));
  count = math.select(hasPlanes, count, math.constant(0));
  numbers[segment.getFirst()] = firstPlane;
  numbers[segment.getCount()] = iterations = count;
}

/// Calls `take` for each point of a value that a thread holds, in each plane.
void TileKernel::forEachHeld(Value value, TakeHeld take) {
  TilePoints *own = groups.front().get();
  auto takeOf = [&](TilePoints *of) {
    for (const TilePoint &point : of->points)
      for (const TilePoint &held : listPlanes(value, point))
        take(*of, held);
  };
  takeOf(own);
  for (TilePoints *rim : getRim(value))
    takeOf(rim);
}

//===----------------------------------------------------------------------===//
// Numbers, cursors, loops
//===----------------------------------------------------------------------===//

/// What a number of the kernel became; an index, in the kernel's integers.
Value TileKernel::getNumber(Value value) {
  Value number = numbers.lookup(value);
  return value.getType().isIndex() ? kernel.math().fromIndex(number) : number;
}

/// The plane p of an iteration, from its coordinate or a cursor.
Value TileKernel::getPlane(Value iteration) {
  if (isa<tile::CursorType>(iteration.getType()))
    return kernel.math().add(firstPlane, cursors.lookup(iteration).number);
  return getNumber(iteration);
}

/// The number of the iteration for a plane, counted from 0.
Value TileKernel::getIteration(Value plane) {
  Arithmetic math = kernel.math();
  if (plane.getDefiningOp<tile::SegmentOp>())
    return math.constant(0);
  if (auto sum = plane.getDefiningOp<arith::AddIOp>();
      sum && sum.getLhs().getDefiningOp<tile::SegmentOp>())
    return getNumber(sum.getRhs());
  return math.sub(getNumber(plane), firstPlane);
}

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

/// What has been loaded for a ring and is not in it yet.
static void appendLoaded(const TileRing &ring, SmallVectorImpl<Value> &state) {
  for (const SmallVector<Value> &plane : ring.loaded)
    llvm::append_range(state, plane);
  if (ring.patch)
    ring.patch->appendState(state);
}

static void restoreLoaded(TileRing &ring, ValueRange &from) {
  for (SmallVector<Value> &plane : ring.loaded)
    for (Value &loaded : plane) {
      loaded = from.front();
      from = from.drop_front();
    }
  if (ring.patch)
    ring.patch->restoreState(from);
}

LogicalResult TileKernel::emitLoop(scf::ForOp loop) {
  OpBuilder &builder = kernel.body();
  SmallVector<Value> state;
  auto appendAll = [&](ValueRange values) {
    state.clear();
    for (auto [value, carried] :
         llvm::zip_equal(values, loop.getRegionIterArgs()))
      appendState(value, carried, state);
    for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>())
      appendLoaded(rings[ring], state);
  };
  auto restoreAll = [&](ValueRange carried, ValueRange from) {
    for (Value value : carried)
      restoreState(value, from);
    for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>())
      restoreLoaded(rings[ring], from);
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
    emitSegment(segment);
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
    emitFringe(halo);
    return success();
  }
  if (auto patch = dyn_cast<tile::PatchOp>(inner))
    return emitPatch(patch);
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
  if (failed(addArguments()))
    return failure();
  findTile();
  layouts.emplace(op);
  addOwnPoints();
  if (failed(placeRings()) || failed(prepareTma()))
    return failure();
  addRims();
  clearEdges();
  if (op.getKeepsLines() && failed(kernel.keepLines(op)))
    return failure();
  // What threads copy is found out once, before all loops.
  op.getBody().walk([&](tile::CopyOp copy) {
    const TileRing &ring = rings[copy.getRing()];
    if (ring.type.getFill() != tile::Fill::Tma || ring.byThreads)
      getChunks(copy);
  });
  if (failed(preparePatches(op.getBody())) ||
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
