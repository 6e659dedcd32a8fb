//===- TmaCopies.cpp - Planes into rings, by the copy engine --------------===//
//
// One thread asks for a box of the field per plane; an mbarrier per slot says
// when it is there. Planes that nobody needs are asked for outside of the
// field: they are zeros, and cost no traffic.
//
// Rows with gaps are segments, each with the points behind it, which fill its
// gap: a tensor map has an axis for them, along which boxes overlap in the
// field. It knows where a row ends, but for the last segment only. So in blocks
// whose tile reaches beyond a row, threads copy, and arrive at the mbarriers:
// who waits knows no difference.
//
//===----------------------------------------------------------------------===//

#include "RingFills.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/IR/Elements.h"
#include "TileOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;
using tile::Fill;

static bool isTma(Value ring) {
  return cast<tile::RingType>(ring.getType()).getFill() == Fill::Tma;
}

/// The op before, but for those that only name what others read.
static Operation *getPrevious(Operation *op) {
  do
    op = op->getPrevNode();
  while (hasTrait<tile::ValueView>(op));
  return op;
}

/// The number of a plane among those that are copied to a ring.
static int64_t getOrdinal(Value ring, int64_t plane) {
  return plane - findFirstPlane(ring.getDefiningOp<tile::RingOp>());
}

/// Whether two copies are into slots of one number, and waited for together.
static bool isTogether(tile::CopyOp a, tile::CopyOp b) {
  auto getAhead = [](tile::CopyOp copy) {
    return copy.getPlane() - getAwaited(copy.getRing()).value_or(0);
  };
  return isTma(a.getRing()) && isTma(b.getRing()) &&
         a.getCursor() == b.getCursor() &&
         a.getIteration() == b.getIteration() && getAhead(a) == getAhead(b) &&
         getOrdinal(a.getRing(), a.getPlane()) ==
             getOrdinal(b.getRing(), b.getPlane());
}

/// The first of the copies, one behind the other, that are together.
static tile::CopyOp getFirst(tile::CopyOp copy) {
  while (auto before = dyn_cast_or_null<tile::CopyOp>(getPrevious(copy))) {
    if (!isTogether(before, copy))
      break;
    copy = before;
  }
  return copy;
}

/// Rings that are always filled together share their mbarriers: the copies that
/// are asked for with it.
static SmallVector<Operation *> listFills(tile::RingOp ring) {
  SmallVector<Operation *> firsts;
  for (Operation *user : ring.getRes().getUsers())
    if (auto copy = dyn_cast<tile::CopyOp>(user))
      firsts.push_back(getFirst(copy));
  llvm::sort(firsts);
  return firsts;
}

LogicalResult TmaCopies::prepare() {
  // Those with the same mbarriers.
  llvm::MapVector<Value, SmallVector<tile::RingOp>> groups;
  std::map<SmallVector<Operation *>, Value> known;
  for (auto ringOp : block.listRings()) {
    if (!isTma(ringOp))
      continue;
    for (Operation *user : ringOp.getRes().getUsers())
      if (auto copy = dyn_cast<tile::CopyOp>(user))
        if (failed(makeMap(copy)))
          return failure();
    Value &barriers = known[listFills(ringOp)];
    if (!barriers)
      barriers =
          createBarriers(cast<tile::RingType>(ringOp.getType()).getSlots());
    rings[ringOp].barriers = barriers;
    groups[barriers].push_back(ringOp);
  }
  if (known.empty())
    return success();
  for (auto &[barriers, filled] : groups)
    initBarriers(barriers, filled);
  // The copy engine sees the mbarriers as they are now.
  NVVM::FenceMbarrierInitOp::create(b);
  fenceCopyEngine(b, b.getLoc());
  gpu::BarrierOp::create(b);
  return success();
}

Value TmaCopies::createBarriers(int64_t slots) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  return nvgpu::MBarrierCreateOp::create(
      b, nvgpu::MBarrierGroupType::get(b.getContext(), space, slots));
}

/// One thread arrives, or all that copy.
void TmaCopies::initBarriers(Value barriers, ArrayRef<tile::RingOp> filled) {
  Value byThreads;
  for (tile::RingOp ring : filled)
    for (auto &[number, map] : rings[ring].maps)
      if (map.isBeyond)
        byThreads = math.either(byThreads, map.isBeyond);
  Value count = math.constant(1);
  if (byThreads)
    count = math.select(byThreads, math.constant(block.tiles.countThreads()),
                        count);
  tile::RingOp first = filled.front();
  int64_t slots = block.rings[first].type.getSlots();
  for (int64_t slot = 0; slot < slots; ++slot)
    nvgpu::MBarrierInitOp::create(b, barriers, math.toIndex(count),
                                  arith::ConstantIndexOp::create(b, slot),
                                  block.isFirst);
  for (tile::RingOp ring : filled)
    rings[ring].byThreads = byThreads;
}

/// Whether the tensor memory accelerator can read a field.
static LogicalResult checkField(tile::CopyOp copy, RowLayout rows) {
  constexpr int64_t kRowBytes = kTensorMapRowBytes;
  // Who has written a schedule knows no rings.
  constexpr StringLiteral kWhat =
      "'fill = tma', which is 'prefetch = tma' of a schedule";
  auto type = cast<GridType>(copy.getField().getType());
  if (isSymbolic(type.getBounds().getLb().back()))
    return copy.emitOpError("expected a field whose rows are aligned to ")
           << kRowBytes << " bytes for " << kWhat << ", got one whose lower "
           << "bound along axis " << type.getRank() - 1
           << " is known at run time only";
  if (rows != RowLayout::Dense || denseRowsFitTensorMap(type))
    return success();
  InFlightDiagnostic error = copy.emitOpError("expected rows of a multiple of ")
                             << kRowBytes << " bytes for " << kWhat
                             << ", got an array of the caller with rows of ";
  if (auto own = getDenseRowBytes(type))
    return error << *own << " bytes";
  return error << "an extent that is known at run time only";
}

/// Whether the tensor memory accelerator can begin where tiles do. `alignment`
/// divides the coordinate of each tile along rows.
static LogicalResult checkStart(tile::CopyOp copy, RowLayout rows,
                                int64_t alignment) {
  auto field = cast<GridType>(copy.getField().getType());
  auto ring = cast<tile::RingType>(copy.getRing().getType());
  int64_t step = tile::RingType::getTensorMapStep(ring.getElementType());
  int64_t factors = alignment | ring.getBox().getLb().back();
  if (rows == RowLayout::Dense)
    factors |= field.getBounds().getLb().back();
  if (factors % step == 0)
    return success();
  int64_t bytes = getElementBytes(ring.getElementType());
  InFlightDiagnostic error =
      copy.emitOpError("expected tiles and halos that begin at multiples of ")
      << step * bytes << " bytes of a row for 'fill = tma', which is 'prefetch "
      << "= tma' of a schedule, got ";
  if (rows == RowLayout::Dense && field.getBounds().getLb().back() % step != 0)
    return error << "an array of the caller with "
                 << -field.getBounds().getLb().back() * bytes
                 << " bytes before the domain";
  return error << "a multiple of " << (factors & -factors) * bytes;
}

LogicalResult TmaCopies::makeMap(tile::CopyOp copy) {
  const TileRing &ring = block.rings[copy.getRing()];
  auto argument = cast<BlockArgument>(copy.getField());
  Map &known = rings[copy.getRing()].maps[argument.getArgNumber()];
  if (known.descriptor)
    return success();
  RowLayout rows = block.kernels.getRows();
  if (failed(checkField(copy, rows)) ||
      (block.walk != block.tiles.getRank() - 1 &&
       failed(checkStart(copy, rows, block.grid.getTileAlignment()))))
    return failure();
  block.kernel.requireAlignment(kTensorMapRowBytes);
  const KernelField &field = block.fields[argument];
  GridType type = field.type;
  BoundsAttr bounds = type.getBounds(), box = ring.type.getBox();
  int64_t rank = type.getRank();

  SmallVector<int64_t> shape = ring.type.getCopiedShape();
  auto space = gpu::AddressSpaceAttr::get(copy.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto mapType = nvgpu::TensorMapDescriptorType::get(
      copy.getContext(),
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      space),
      nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE,
      // Measured to be the best of the three (docs/benchmarks.md).
      nvgpu::TensorMapL2PromoKind::L2PROMO_128B,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  bool hasGaps = ring.type.getGap() != 0;
  OpBuilder &outside = block.kernel.outside();
  known.descriptor = block.kernel.addOperand(TensorMapOp::create(
      outside, block.kernel.getLoc(), mapType, block.op.getOperandOf(argument),
      hasGaps ? outside.getI64IntegerAttr(ring.type.getSegment())
              : IntegerAttr()));

  // Where the tile begins, in the kernel.
  for (int64_t axis = 0; axis < rank; ++axis) {
    Value lower = block.kernel.getBound(bounds.getLb()[axis], axis);
    if (block.walk == axis) {
      known.start.push_back(lower);
      continue;
    }
    Value first =
        math.sub(math.add(block.tileStart[axis], box.getLb()[axis]), lower);
    if (axis + 1 == rank)
      first = math.add(first, field.layout->getRowStart());
    known.start.push_back(first);
  }
  if (hasGaps)
    known.isBeyond = isBeyondRows(ring, copy);
  return success();
}

/// Whether the tile of this block has segments that are not within a row of the
/// field. Behind the last one there may be nothing: then all gaps are zeros.
/// What other blocks store to may be in gaps, too.
Value TmaCopies::isBeyondRows(const TileRing &ring, tile::CopyOp copy) {
  if (block.isStored(copy.getField()))
    return arith::ConstantIntOp::create(b, 1, 1);
  int64_t last = block.tiles.getRank() - 1;
  BoundsAttr bounds = getBounds(copy.getField());
  BoundsAttr box = ring.type.getBox();
  Value first = math.add(block.tileStart[last], box.getLb().back());
  Value end = math.add(block.tileStart[last], box.getUb().back());
  Value isBefore =
      math.less(first, block.kernel.getBound(bounds.getLb().back(), last));
  Value isBehind =
      math.less(block.kernel.getBound(bounds.getUb().back(), last), end);
  return math.either(isBefore, isBehind);
}

/// Whether the plane of a copy is one that a block waits for before it ends: no
/// copy may be on its way then.
Value TmaCopies::isAwaited(tile::CopyOp copy) {
  return math.less(math.add(block.getIteration(copy.getIteration()),
                            countUntilAwaited(copy)),
                   block.iterations);
}

void TmaCopies::copy(tile::CopyOp first) {
  if (getFirst(first) != first)
    return; // It has been asked for with the first one.
  // Those that share their mbarriers.
  llvm::MapVector<Value, SmallVector<tile::CopyOp>> groups;
  for (Operation *next = first; next; next = next->getNextNode()) {
    auto copy = dyn_cast<tile::CopyOp>(next);
    if (copy && getFirst(copy) == first)
      groups[rings[copy.getRing()].barriers].push_back(copy);
    else if (!next->hasTrait<tile::ValueView>())
      break;
  }
  for (auto &[barriers, copies] : groups)
    issue(copies, barriers);
}

void TmaCopies::issue(ArrayRef<tile::CopyOp> copies, Value barriers) {
  tile::CopyOp first = copies.front();
  Location loc = first.getLoc();
  OpBuilder::InsertionGuard guard(b);
  Value slot = block.getRingSlot(
      first.getCursor(), block.rings[first.getRing()], first.getPlane());
  Value asks = block.walk ? isAwaited(first) : Value();
  if (Value byThreads = rings[first.getRing()].byThreads) {
    auto branch = scf::IfOp::create(b, loc, byThreads,
                                    /*withElseRegion=*/true);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    openIf(b, loc, asks);
    copyByThreads(copies, barriers, slot);
    b.setInsertionPoint(branch.elseBlock()->getTerminator());
  }
  asks = math.both(block.isFirst, asks);
  openIf(b, loc, asks);
  // The barrier before has ordered what threads have read with what this thread
  // does, but not with what the copy engine does (PTX ISA, "Causality order": a
  // proxy fence between the two). One thread's fence is enough for that.
  bool reuses = first->getParentOfType<scf::ForOp>() ||
                llvm::any_of(copies, [](tile::CopyOp copy) {
                  auto ring = copy.getRing().getDefiningOp<tile::RingOp>();
                  return ring.getOverlay().has_value();
                });
  if (reuses)
    fenceCopyEngine(b, loc);
  int64_t bytes = 0;
  for (tile::CopyOp copy : copies) {
    tile::RingType ring = block.rings[copy.getRing()].type;
    bytes += llvm::product_of(ring.getCopiedShape()) *
             getElementBytes(ring.getElementType());
  }
  Value barrier = math.toIndex(slot);
  nvgpu::MBarrierArriveExpectTxOp::create(
      b, loc, barriers, arith::ConstantIndexOp::create(b, loc, bytes), barrier,
      Value());
  for (tile::CopyOp copy : copies)
    load(copy, threads.getCopied(copy), slot);
}

/// Each thread arrives when it has stored its part: who waits sees it then.
void TmaCopies::copyByThreads(ArrayRef<tile::CopyOp> copies, Value barriers,
                              Value slot) {
  for (tile::CopyOp copy : copies)
    threads.copy(copy, slot);
  nvgpu::MBarrierArriveOp::create(b,
                                  nvgpu::MBarrierTokenType::get(b.getContext()),
                                  barriers, math.toIndex(slot));
}

void TmaCopies::load(tile::CopyOp copy, Value plane, Value slot) {
  Location loc = copy.getLoc();
  const TileRing &ring = block.rings[copy.getRing()];
  Ring &filled = rings[copy.getRing()];
  const Map &map =
      filled.maps[cast<BlockArgument>(copy.getField()).getArgNumber()];
  SmallVector<Value> coordinates;
  for (auto [axis, start] : llvm::enumerate(map.start)) {
    Value along = start;
    if (block.walk == static_cast<int64_t>(axis))
      along = math.select(threads.isNeeded(copy, plane),
                          math.sub(threads.getSourcePlane(copy, plane), start),
                          math.constant(-1));
    coordinates.push_back(math.toIndex(along));
  }
  SmallVector<int64_t> shape = ring.type.getCopiedShape();
  SmallVector<int64_t> distances(ring.places.strides);
  if (int64_t gap = ring.type.getGap()) {
    distances.insert(std::prev(distances.end()), ring.type.getSegment() + gap);
    coordinates.insert(std::prev(coordinates.end()),
                       arith::ConstantIndexOp::create(b, loc, 0));
  }
  auto flat = cast<MemRefType>(ring.elements.getType());
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, distances);
  auto type = MemRefType::get(shape, ring.type.getElementType(), layout,
                              flat.getMemorySpace());
  Value offset = math.toIndex(math.mul(slot, ring.type.getSlotElements()));
  Value box = memref::ReinterpretCastOp::create(
      b, loc, type, ring.elements, OpFoldResult(offset),
      getAsIndexOpFoldResult(b.getContext(), shape),
      getAsIndexOpFoldResult(b.getContext(), distances));
  // The fastest axis comes first.
  std::reverse(coordinates.begin(), coordinates.end());
  nvgpu::TmaAsyncLoadOp::create(b, loc, box, filled.barriers, map.descriptor,
                                coordinates, math.toIndex(slot), Value(),
                                Value());
}

void TmaCopies::wait(tile::WaitOp wait) {
  Location loc = wait.getLoc();
  const TileRing &ring = block.rings[wait.getRing()];
  Value barriers = rings[wait.getRing()].barriers;
  // Rings that share their mbarriers are waited for once.
  if (auto before = dyn_cast_or_null<tile::WaitOp>(getPrevious(wait));
      before && rings[before.getRing()].barriers == barriers &&
      before.getCursor() == wait.getCursor() &&
      getOrdinal(before.getRing(), before.getPlane()) ==
          getOrdinal(wait.getRing(), wait.getPlane()))
    return;
  int64_t slots = ring.type.getSlots();
  int64_t newest = wait.getPlane();
  Value slot = block.getRingSlot(wait.getCursor(), ring, newest);
  Value parity = arith::ConstantIntOp::create(b, loc, 0, 1);
  if (wait.getCursor()) {
    const TileCursor &cursor = block.cursors[wait.getCursor()];
    parity = cursor.parity;
    // So many rounds of the ring have begun between the slot of the cursor and
    // that one, and perhaps another one.
    int64_t distance = newest - ring.firstPlane;
    int64_t rounds = llvm::divideFloorSigned(distance, slots);
    if (rounds % 2 != 0) {
      Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
      parity = b.createOrFold<arith::XOrIOp>(loc, parity, yes);
    }
    if (int64_t rest = distance - rounds * slots) {
      Value wraps =
          math.lessEqual(math.constant(slots), math.add(cursor.slot, rest));
      parity = b.createOrFold<arith::XOrIOp>(loc, parity, wraps);
    }
  }
  // Before the walk: of a segment without planes nothing has been asked for.
  OpBuilder::InsertionGuard guard(b);
  if (block.hasPlanes && !wait->getParentOfType<scf::ForOp>()) {
    openIf(b, loc, block.hasPlanes);
  }
  // A hint: how long the hardware may suspend the thread.
  constexpr int64_t kTicks = 10000000;
  nvgpu::MBarrierTryWaitParityOp::create(
      b, loc, barriers, parity, arith::ConstantIndexOp::create(b, loc, kTicks),
      math.toIndex(slot));
}
