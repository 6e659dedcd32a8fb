//===- TileBlock.cpp - What a block of a kernel has -----------------------===//

#include "TileBlock.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace stencil;

/// Fields and coordinates as numbers of 32 bits, where they fit.
static Type chooseType(tile::KernelOp op) {
  int64_t reach = 0;
  std::optional<int64_t> narrow;
  if (auto planes = op->getAttrOfType<IntegerAttr>(kNarrowAttr))
    narrow = planes.getInt();
  BoundsAttr domain = op.getGrid().getDomain();
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    int64_t end = domain.getUb()[axis];
    // Whoever launches the kernel sees to it that extents are small.
    if (narrow && isSymbolic(end))
      end = symbolicOffset(end);
    reach = std::max(reach, std::abs(end) + 2 * op.getGrid().getTile(axis));
  }
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
                : chooseIndexType(op, reach, around, narrow);
}

/// Threads of a block along x, y, z: the last axis is x. Along the axis of a
/// walk it has one: there is a place for legs.
static std::array<int64_t, 3> getThreads(tile::GridAttr grid) {
  std::array<int64_t, 3> threads = {1, 1, 1};
  ArrayRef<int64_t> block = grid.getBlock();
  llvm::copy(llvm::reverse(block.take_back(3)), threads.begin());
  if (grid.getRelay() > 1)
    threads[grid.getRank() - 1 - *grid.getWalk()] = grid.getRelay();
  return threads;
}

TileBlock::TileBlock(tile::KernelOp op, KernelSet &kernels)
    : op(op), kernels(kernels), tiles(op.getGrid()),
      kernel(kernels, op, op.getName(), ::chooseType(op), getThreads(tiles),
             tiles.getLaunchBounds()),
      math(kernel.math()), grid(kernel, tiles), walk(tiles.getWalk()) {}

bool TileBlock::isStored(Value field) const {
  tile::KernelOp self = op;
  Value operand = self.getOperandOf(field);
  return anyWithin(self.getBody(), [&](tile::StoreOp store) {
    return kernels.getAliases().mayAlias(self.getOperandOf(store.getField()),
                                         operand);
  });
}

void TileBlock::setAxes(KernelField &field, ArrayRef<int64_t> axes) {
  field.axes.assign(axes.begin(), axes.end());
  field.layout.emplace(math, field.type, kernels.getRows(), kernel.listBounds(),
                       field.axes);
}

void TileBlock::addArguments() {
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
    bool isIsolated = llvm::none_of(op.getArgs(), [&](Value other) {
      return isa<FieldType>(other.getType()) && other != operand &&
             aliases.mayAlias(other, operand);
    });
    KernelField field;
    field.type = cast<GridType>(operand.getType());
    field.buffer = kernel.addField(
        operand, getAccess(op.isRead(argument), written.contains(operand)),
        isIsolated, argument.getLoc());
    setAxes(field, llvm::to_vector(llvm::seq<int64_t>(field.type.getRank())));
    fields[argument] = std::move(field);
  }
  op.getBody().walk([&](Operation *inner) {
    needsPlanes |= usesCoordinate(inner, walk);
    if (!mayFailAtRunTime(inner))
      return;
    if (!errorWord)
      errorWord = kernel.addMemory(kernels.getErrorWord(), KernelAccess::Write,
                                   /*isIsolated=*/false);
  });
  needsPlanes &= walk.has_value();
}

void TileBlock::findTile() {
  int64_t rank = tiles.getRank();
  SmallVector<Value> counts = grid.countBlocks(blocks);
  SmallVector<Value> block = grid.findBlock(counts);
  threadNumber = math.constant(0);
  if (tiles.getRelay() > 1) {
    threadNumber = leg =
        kernel.getThread(static_cast<gpu::Dimension>(rank - 1 - *walk));
    legLead = math.mul(math.sub(math.constant(tiles.getRelay() - 1), leg),
                       tile::getLag(op));
  }
  for (int64_t axis = 0; axis < rank; ++axis) {
    tileStart.push_back(grid.getTileStart(axis, block[axis]));
    int64_t dimension = rank - 1 - axis;
    bool isAlone = dimension >= 3 || (leg && walk == axis);
    threads.push_back(
        isAlone ? math.constant(0)
                : kernel.getThread(static_cast<gpu::Dimension>(dimension)));
    threadNumber = math.add(math.mul(threadNumber, tiles.getBlock()[axis]),
                            threads.back());
  }
  isFirst = math.equal(threadNumber, 0);
  if (!walk)
    return;
  segmentStart = tileStart[*walk];
  Value end = math.add(segmentStart, grid.getSegmentLength());
  segmentEnd = math.smaller(end, grid.getUb(*walk));
}

void TileBlock::beginSegment(tile::SegmentOp segment) {
  lookback = segment.getLookback();
  firstPlane = math.add(segmentStart, -lookback);
  Value count = math.sub(segmentEnd, firstPlane);
  // The last segments may have nothing left.
  hasPlanes = math.less(segmentStart, segmentEnd);
  // Nor have the blocks of a panel that is not full.
  for (int64_t axis = 0; axis < tiles.getRank(); ++axis)
    if (axis != *walk && tiles.getPanel(axis))
      hasPlanes =
          math.both(hasPlanes, math.less(tileStart[axis], grid.getUb(axis)));
  count = math.select(hasPlanes, count, math.constant(0));
  numbers[segment.getFirst()] = firstPlane;
  numbers[segment.getCount()] = iterations = count;
}

Value TileBlock::getNumber(Value value) {
  Value number = numbers.lookup(value);
  return value.getType().isIndex() ? math.fromIndex(number) : number;
}

Value TileBlock::getPlane(Value iteration) {
  if (isa<tile::CursorType>(iteration.getType()))
    return math.add(firstPlane, cursors.lookup(iteration).number);
  return getNumber(iteration);
}

Value TileBlock::getIteration(Value plane) {
  if (plane.getDefiningOp<tile::SegmentOp>())
    return math.constant(0);
  if (auto sum = plane.getDefiningOp<arith::AddIOp>();
      sum && sum.getLhs().getDefiningOp<tile::SegmentOp>())
    return getNumber(sum.getRhs());
  return math.sub(getNumber(plane), firstPlane);
}

Value TileBlock::getRingSlot(Value cursor, const TileRing &ring,
                             int64_t plane) {
  if (!cursor)
    return math.constant(0);
  Value slot = cursors[cursor].slot;
  int64_t slots = ring.type.getSlots();
  int64_t distance = llvm::mod(plane - ring.firstPlane, slots);
  if (distance == 0 || slots == 1)
    return slot;
  // One of the two sides is nearer; both are a comparison and a selection.
  Value next = math.add(slot, distance);
  Value wrapped = math.add(slot, distance - slots);
  return math.select(math.less(next, slots), next, wrapped);
}

std::optional<int64_t> TileBlock::findInSlot(const TileRing &ring,
                                             ArrayRef<int64_t> offset) const {
  int64_t position = 0;
  for (auto [axis, along] : llvm::enumerate(offset)) {
    if (walk == static_cast<int64_t>(axis))
      continue;
    int64_t row = along;
    if (ring.type.hasEdges() && axis + 2 == offset.size()) {
      std::optional<int64_t> stored = ring.type.findStoredRow(along);
      if (!stored)
        return std::nullopt;
      row = *stored;
    }
    position += row * ring.places.strides[axis];
  }
  return position;
}
