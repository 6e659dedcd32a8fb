//===- TileStages.cpp - What a thread computes of a stage -----------------===//

#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "TileIterations.h"
#include "TileReads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// How far a point is from the thread's first one in a slot, in elements;
/// nothing if the ring does not have it.
std::optional<int64_t> TileKernel::findInSlot(const TileRing &ring,
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

/// Where the thread's first point is in plane p + `plane`: an index.
Value TileKernel::getRingBase(Value ringValue, Value cursor, int64_t plane) {
  Arithmetic math = kernel.math();
  const TileRing &ring = rings[ringValue];
  Value slot = getRingSlot(cursor, ring, plane);
  return math.toIndex(math.add(ring.positions[group->number],
                               math.mul(slot, ring.type.getSlotElements())));
}

/// Where the thread's first point is, found once for each block of ops.
Value TileReads::getBase(Block *at, Value ring, Value cursor, int64_t plane) {
  Plane key{ring.getAsOpaquePointer(),
            cursor ? cursor.getAsOpaquePointer() : nullptr, plane};
  if (auto known = bases.find(key); known != bases.end())
    return known->second;
  if (at != block && branch != std::pair(at, kernel.group)) {
    branch = {at, kernel.group};
    branchBases.clear();
  }
  Value &base = (at == block ? bases : branchBases)[key];
  if (!base)
    base = kernel.getRingBase(ring, cursor, plane);
  return base;
}

Value TileReads::get(OpBuilder &builder, Value ringValue, Value cursor,
                     int64_t plane, ArrayRef<int64_t> offset) {
  TileRing &ring = kernel.rings[ringValue];
  Type element = ring.type.getElementType();
  Location loc = kernel.kernel.getLoc();
  // What is read in a branch is known there only.
  bool isHere = builder.getInsertionBlock() == block;
  OpBuilder::InsertionGuard guard(kernel.kernel.body());
  kernel.kernel.body().restoreInsertionPoint(builder.saveInsertionPoint());
  Plane key{ringValue.getAsOpaquePointer(),
            cursor ? cursor.getAsOpaquePointer() : nullptr, plane};
  Value base = getBase(builder.getInsertionBlock(), ringValue, cursor, plane);
  Arithmetic wide(builder, loc, builder.getIndexType());
  int64_t position = kernel.findInSlot(ring, offset).value_or(0);
  int64_t length = std::min(ring.vectorLength, kernel.group->getAlignment());
  int64_t lane = llvm::mod(offset.back(), length);
  auto extract = [&](Value value) -> Value {
    return length == 1 ? value
                       : vector::ExtractOp::create(builder, loc, value, lane);
  };
  // A branch uses what is known around it, and reads what it needs besides.
  if (!isHere) {
    if (auto it = loaded.find({key, position - lane}); it != loaded.end())
      return extract(it->second);
    lane = 0;
    length = 1;
  }
  auto load = [&]() -> Value {
    Value index = wide.add(base, position - lane);
    if (length == 1)
      return memref::LoadOp::create(builder, loc, ring.elements, index);
    return vector::LoadOp::create(
        builder, loc, VectorType::get({length}, element), ring.elements, index,
        /*nontemporal=*/false,
        llvm::MaybeAlign(length * getElementBytes(element)));
  };
  if (!isHere)
    return load();
  Value &value = loaded[{key, position - lane}];
  if (!value) {
    value = load();
    unsigned number =
        numbers.try_emplace(ringValue, numbers.size()).first->second;
    places[value.getDefiningOp()] = {plane, number, position - lane};
  }
  return extract(value);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace stencil {

/// Gives a stage the values of its inputs, at one of the thread's points.
class TileReader : public WindowReader {
public:
  TileReader(TileKernel &kernel, ApplyOp stage, TileReads &reads,
             CacheWindow &window, ArrayRef<int64_t> position)
      : WindowReader(window, kernel.kernel, kernel.errorWord, kernel.kernels,
                     position),
        kernel(kernel), stage(stage), reads(reads), position(position) {}

  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override {
    auto argument = cast<BlockArgument>(op.getTemp());
    Value value = stage.getArgs()[argument.getArgNumber()];
    auto source = value.getDefiningOp<tile::SourceOp>();
    if (tile::isFieldSource(value))
      return WindowReader::read(builder, op, here);
    TilePoint offset(position.begin(), position.end());
    for (auto [whole, part] :
         llvm::zip_equal(offset, op.getOffset().getValues()))
      whole += part;
    if (!source)
      return kernel.getValue(value, offset).value;
    int64_t plane = kernel.walk ? offset[*kernel.walk] : 0;
    return reads.get(builder, source.getMemory(), source.getIteration(), plane,
                     offset);
  }

private:
  TileKernel &kernel;
  ApplyOp stage;
  TileReads &reads;
  ArrayRef<int64_t> position;
};

} // namespace stencil

LaneValue TileKernel::getValue(Value value, TilePoint point) {
  if (Value poison = poisons.lookup(value))
    return {poison, {}};
  if (auto known = group->values.find(value); known != group->values.end())
    if (auto it = known->second.find(point); it != known->second.end())
      return it->second;
  if (auto shift = value.getDefiningOp<tile::ShiftOp>()) {
    ++point[*walk];
    return getValue(shift.getValues(), point);
  }
  if (auto join = value.getDefiningOp<tile::JoinOp>())
    for (Value plane : join.getPlanes()) {
      if (!walk)
        return getValue(plane, point);
      BoundsAttr box = cast<TempType>(plane.getType()).getBounds();
      if (box.getLb()[*walk] <= point[*walk] &&
          point[*walk] < box.getUb()[*walk])
        return getValue(plane, point);
    }
  return {};
}

/// The first of the points that are computed, in plane p.
BasePoint TileKernel::getBase(Value plane) {
  Arithmetic math = kernel.math();
  BasePoint base;
  base.alignment = onePoint.empty() ? grid.getAlignment(group->step) : 1;
  for (auto [axis, start] : llvm::enumerate(tileStart)) {
    Value first = math.add(start, group->position[axis]);
    if (!onePoint.empty())
      first = math.add(first, onePoint[axis]);
    base.coordinates.push_back(walk == static_cast<int64_t>(axis) ? plane
                                                                  : first);
  }
  return base;
}

bool stencil::isFirstOf(ArrayRef<int64_t> point, ArrayRef<int64_t> steps) {
  return llvm::all_of(llvm::zip_equal(point, steps), [](auto pair) {
    auto [along, step] = pair;
    return along % step == 0;
  });
}

/// The plane for which a stage that is for `plane` reads fields: of those that
/// nobody needs, the nearest one that somebody does.
Value TileKernel::getReadPlane(ApplyOp stage, Value plane) {
  auto where = stage->getParentOfType<tile::WhereOp>();
  if (!walk || !where || where.getIteration() || !where.getNeeds())
    return plane;
  Arithmetic math = kernel.math();
  int64_t own = stage.getDomain().getLb()[*walk];
  int64_t lower = where.getNeeds()->getLb()[*walk] - own;
  int64_t upper = where.getNeeds()->getUb()[*walk] - 1 - own;
  bool isChosen = where->getParentOfType<tile::WhereOp>() != nullptr;
  if (lower > -lookback && !isChosen) {
    Value first = math.add(segmentStart, lower);
    plane = math.select(math.less(plane, first), first, plane);
  }
  if (upper < 0) {
    Value last = math.add(segmentEnd, upper - 1);
    plane = math.select(math.less(last, plane), last, plane);
  }
  return plane;
}

/// Threads find computed coordinates in fields only.
static LogicalResult checkCoordinates(ApplyOp stage) {
  auto isRight = stage.getRegion().walk([&](Operation *access) {
    if (!readsComputedPoints(access))
      return WalkResult::advance();
    auto argument = cast<BlockArgument>(access->getOperand(0));
    auto source = stage.getArgs()[argument.getArgNumber()]
                      .getDefiningOp<tile::SourceOp>();
    if (source && isa<FieldType>(source.getMemory().getType()))
      return WalkResult::advance();
    access->emitOpError("has no distribution to threads: expected to read a "
                        "tile.source of a field");
    return WalkResult::interrupt();
  });
  return failure(isRight.wasInterrupted());
}

LogicalResult TileKernel::emitPointwise(ApplyOp stage, ArrayRef<TilePoint> row,
                                        TileReads &reads) {
  if (failed(checkCoordinates(stage)))
    return failure();
  Arithmetic math = kernel.math();
  BoundsAttr box = stage.getDomain();
  SmallVector<KernelField> inputs;
  SmallVector<Value> arguments;
  Value plane, fieldPlane;
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    KernelField &field = inputs.emplace_back();
    Value &scalar = arguments.emplace_back();
    if (!isa<GridType>(value.getType())) {
      scalar = value.getType().isIndex() ? math.toIndex(numbers.lookup(value))
                                         : numbers.lookup(value);
      continue;
    }
    auto source = value.getDefiningOp<tile::SourceOp>();
    if (!source)
      continue;
    if (tile::isFieldSource(value)) {
      field = fields.lookup(source.getMemory());
      // Of one of lower rank, the body says which axes it has.
      if (field.type.getRank() != op.getGrid().getRank())
        setAxes(field, findAxes(stage, index));
    }
    if (!walk || !source.getIteration())
      continue;
    if (tile::isFieldSource(value)) {
      Value own = getPlane(source.getIteration());
      if (fieldPlane && fieldPlane != own)
        return stage.emitOpError(
            "expected fields to be read in one iteration's plane");
      plane = fieldPlane = own;
    } else if (!plane && needsPlanes) {
      plane = getPlane(source.getIteration());
    }
  }
  if (Value own = tile::getPlaneOf(stage))
    plane = getPlane(own);
  bool needsPlace = tile::usesCoordinates(stage);
  if (walk && !plane) {
    if (needsPlanes && needsPlace)
      return stage.emitOpError(
          "expected a source or 'tile.plane' to know the plane from, as "
          "it asks for coordinates");
    plane = math.constant(0);
  }
  BasePoint base = getBase(plane), source = base;
  if (walk && llvm::any_of(inputs, [](const KernelField &field) {
        return static_cast<bool>(field.buffer);
      }))
    source.coordinates[*walk] = getReadPlane(stage, plane);
  RowAddresses addresses(kernel, source);
  CacheWindow window(kernel, op.getGrid().getRank(), inputs, addresses,
                     base.alignment);
  // A body that returns several points is evaluated at the first of them.
  SmallVector<int64_t> unroll = stage.getUnrollFactors();
  SmallVector<SmallVector<int64_t>> offsets;
  for (const TilePoint &point : row) {
    if (!isFirstOf(point, unroll))
      continue;
    for (int64_t along = walk ? box.getLb()[*walk] : 0,
                 end = walk ? box.getUb()[*walk] : 1;
         along < end; ++along) {
      offsets.emplace_back(point.begin(), point.end());
      if (walk)
        offsets.back()[*walk] = along;
    }
  }
  window.fetch(stage, offsets);
  // Point by point: what one point has computed is used by the next ones, and
  // nothing has to wait in registers for all of them. But of a branch that all
  // points take alike there is one, and what comes from caches takes long.
  JointPoints joint{offsets, base.alignment};
  bool isJoint =
      isOfCaches() ||
      llvm::any_of(stage.getBodyBlock()->getOps<scf::IfOp>(),
                   [&](scf::IfOp branch) { return joint.takeAlike(branch); });
  size_t count = isJoint ? offsets.size() : 1;
  for (PointList rest = offsets; !rest.empty(); rest = rest.drop_front(count)) {
    PointList points = rest.take_front(count);
    std::vector<TileReader> readers;
    readers.reserve(count);
    SmallVector<BodyEmitter> emitters;
    SmallVector<SmallVector<Value>> positions;
    for (const SmallVector<int64_t> &point : points) {
      readers.emplace_back(*this, stage, reads, window, point);
      emitters.emplace_back(stage, arguments, readers.back(), /*lanes=*/1,
                            kernels.getOptions().math);
      SmallVector<Value> &position = positions.emplace_back();
      if (!needsPlace)
        continue;
      for (auto [coordinate, along] : llvm::zip_equal(base.coordinates, point))
        position.push_back(math.toIndex(math.add(coordinate, along)));
    }
    auto results = BodyEmitter::emitJointly(kernel.body(), emitters, positions,
                                            {points, base.alignment});
    if (failed(results))
      return failure();
    SmallVector<SmallVector<int64_t>> places =
        listOffsets(unroll, SmallVector<int64_t>(unroll.size(), 1));
    for (auto [point, lanes] : llvm::zip_equal(points, *results))
      for (auto [index, lane] : llvm::enumerate(lanes)) {
        TilePoint place(point.begin(), point.end());
        for (auto [whole, part] :
             llvm::zip_equal(place, places[index % places.size()]))
          whole += part;
        group->values[stage.getRes()[index / places.size()]][place] = lane;
      }
  }
  return success();
}

/// Goes on in a branch for planes that are stored, if there may be others.
/// Returns the plane, none without a walk.
Value TileKernel::openStore(tile::StoreOp store) {
  if (!walk)
    return {};
  Arithmetic math = kernel.math();
  OpBuilder &builder = kernel.body();
  int64_t lead = store.getLead();
  Value plane = math.add(getPlane(store.getIteration()), lead);
  Value isStored;
  if (!isBehindLookback(store.getIteration(), lookback))
    isStored = math.lessEqual(segmentStart, plane);
  if (lead > 0)
    isStored = math.both(isStored, math.less(plane, segmentEnd));
  if (!isStored)
    return plane;
  auto branch = scf::IfOp::create(builder, store.getLoc(), isStored);
  builder.setInsertionPointToStart(branch.thenBlock());
  return plane;
}

void TileKernel::emitStore(tile::StoreOp store, ArrayRef<TilePoint> row) {
  OpBuilder &builder = kernel.body();
  OpBuilder::InsertionGuard guard(builder);
  BasePoint base = getBase(openStore(store));
  RowAddresses addresses(kernel, base);
  TileValues stored;
  for (const TilePoint &point : row) {
    TilePoint made = point;
    if (walk)
      made[*walk] = store.getLead();
    stored[point] = getValue(store.getValues(), made);
  }
  storePoints(kernel, addresses, fields[store.getField()], base.alignment,
              stored);
}
