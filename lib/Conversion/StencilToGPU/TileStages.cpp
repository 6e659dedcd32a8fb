//===- TileStages.cpp - What a thread computes of a stage -----------------===//

#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "TilePhases.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Gives a stage the values of its inputs, at one of the thread's points.
class TileReader : public WindowReader {
public:
  TileReader(ThreadValues &held, ApplyOp stage, TileReads &reads,
             CacheWindow &window, ArrayRef<int64_t> position)
      : WindowReader(window, held.block.kernel, held.block.errorWord,
                     held.block.kernels, position),
        held(held), stage(stage), reads(reads), position(position) {}

  std::optional<bool> decide(Operation *comparison) override;
  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override {
    Value value = stage.getInput(op.getTemp());
    auto source = value.getDefiningOp<tile::SourceOp>();
    if (tile::isFieldSource(value))
      return WindowReader::read(builder, op, here);
    TilePoint offset = shiftPoint(position, op.getOffset().getValues());
    if (!source)
      return held.get(value, offset).value;
    std::optional<int64_t> walk = held.block.walk;
    return reads.get(builder, source.getMemory(), source.getIteration(),
                     walk ? offset[*walk] : 0, offset);
  }

private:
  ThreadValues &held;
  ApplyOp stage;
  TileReads &reads;
  ArrayRef<int64_t> position;
};

} // namespace

/// A thread has points of few coordinates along a row, by the tiles and the
/// threads that there are: whether one is a number is often known. Where a loop
/// goes through a thread's points, these can be any of the tile.
std::optional<bool> TileReader::decide(Operation *comparison) {
  auto compared = cast<arith::CmpIOp>(comparison);
  bool isEqual = compared.getPredicate() == arith::CmpIPredicate::eq;
  auto index = compared.getLhs().getDefiningOp<stencil::IndexOp>();
  APInt number;
  if ((!isEqual && compared.getPredicate() != arith::CmpIPredicate::ne) ||
      !index || !matchPattern(compared.getRhs(), m_ConstantInt(&number)))
    return std::nullopt;
  tile::GridAttr grid = held.block.tiles;
  int64_t axis = index.getDim().getSExtValue();
  if (axis + 1 != grid.getRank() || grid.getWalk() == axis ||
      grid.getLayout() || stage->hasAttr(tile::TileDialect::kLayoutAttrName) ||
      grid.getDomain().isSymbolic())
    return std::nullopt;
  int64_t points = grid.getPoints()[axis], threads = grid.getBlock()[axis];
  int64_t apart = held.onePoint.empty() ? points : 1;
  int64_t lb = grid.getDomain().getLb()[axis];
  int64_t start = lb - llvm::mod(lb, grid.getAlign());
  int64_t extent = grid.getDomain().getUb()[axis] - start;
  // In the first tile, from the first thread's coordinate on.
  int64_t distance = number.getSExtValue() - start + grid.getMargin(axis) -
                     position[axis] - index.getOffset().getValues()[axis];
  for (int64_t tile = 0; tile < extent; tile += grid.getStep(axis))
    if (int64_t rest = distance - tile;
        rest >= 0 && rest % apart == 0 && rest < threads * points)
      return std::nullopt;
  return !isEqual;
}

namespace {

/// A stage, point by point.
class PointwiseStage {
public:
  PointwiseStage(ThreadValues &held, ApplyOp stage, TileReads &reads)
      : held(held), block(held.block), walk(block.walk), stage(stage),
        reads(reads), needsPlace(tile::usesCoordinates(stage)),
        unroll(stage.getUnrollFactors()) {}

  LogicalResult emit(ArrayRef<TilePoint> row);

private:
  LogicalResult bindInputs();
  LogicalResult findPlane();
  Value getReadPlane();
  SmallVector<SmallVector<int64_t>> listPoints(ArrayRef<TilePoint> row);
  LogicalResult emitJointly(PointList points, CacheWindow &window);

  ThreadValues &held;
  TileBlock &block;
  std::optional<int64_t> walk;
  ApplyOp stage;
  TileReads &reads;
  bool needsPlace;
  /// Points that the body returns at once.
  SmallVector<int64_t> unroll;
  /// By operand: a field, or a scalar, or none of both.
  SmallVector<KernelField> inputs;
  SmallVector<Value> arguments;
  /// The plane of the iteration, and that of fields that are read.
  Value plane, fieldPlane;
  BasePoint base;
};

} // namespace

/// The plane in which fields are read: of those that nobody needs, the nearest
/// one that somebody does.
Value PointwiseStage::getReadPlane() {
  auto where = stage->getParentOfType<tile::WhereOp>();
  if (!walk || !where || where.getIteration() || !where.getNeeds())
    return plane;
  const Arithmetic &math = block.math;
  int64_t own = stage.getDomain().getLb()[*walk];
  int64_t lower = where.getNeeds()->getLb()[*walk] - own;
  int64_t upper = where.getNeeds()->getUb()[*walk] - 1 - own;
  bool isChosen = where->getParentOfType<tile::WhereOp>() != nullptr;
  Value nearest = plane;
  if (lower > -block.lookback && !isChosen) {
    Value first = math.add(block.segmentStart, lower);
    nearest = math.larger(nearest, first);
  }
  if (upper < 0) {
    Value last = math.add(block.segmentEnd, upper - 1);
    nearest = math.smaller(last, nearest);
  }
  return nearest;
}

/// Threads find computed coordinates in fields only.
static LogicalResult checkCoordinates(ApplyOp stage) {
  return checkWithin(
      stage.getRegion(), [&](Operation *access) -> LogicalResult {
        if (!readsComputedPoints(access))
          return success();
        auto source = stage.getInput(access->getOperand(0))
                          .getDefiningOp<tile::SourceOp>();
        if (source && isa<FieldType>(source.getMemory().getType()))
          return success();
        return access->emitOpError(
            "has no distribution to threads: expected to "
            "read a tile.source of a field");
      });
}

LogicalResult PointwiseStage::bindInputs() {
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    KernelField &field = inputs.emplace_back();
    Value &scalar = arguments.emplace_back();
    if (!isa<GridType>(value.getType())) {
      scalar = block.numbers.lookup(value);
      if (value.getType().isIndex())
        scalar = block.math.toIndex(scalar);
      continue;
    }
    auto source = value.getDefiningOp<tile::SourceOp>();
    if (!source)
      continue;
    if (tile::isFieldSource(value)) {
      field = block.fields.lookup(source.getMemory());
      // Of one of lower rank, the body says which axes it has.
      if (field.type.getRank() != block.tiles.getRank())
        block.setAxes(field, findAxes(stage, index));
    }
    if (!walk || !source.getIteration())
      continue;
    if (tile::isFieldSource(value)) {
      Value own = block.getPlane(source.getIteration());
      if (fieldPlane && fieldPlane != own)
        return stage.emitOpError(
            "expected fields to be read in one iteration's plane");
      plane = fieldPlane = own;
    } else if (!plane && block.needsPlanes) {
      plane = block.getPlane(source.getIteration());
    }
  }
  return success();
}

LogicalResult PointwiseStage::findPlane() {
  if (Value own = tile::getPlaneOf(stage))
    plane = block.getPlane(own);
  if (plane && block.legLead)
    plane = block.math.add(plane, block.legLead);
  if (!walk || plane)
    return success();
  if (block.needsPlanes && needsPlace)
    return stage.emitOpError(
        "expected a source or 'tile.plane' to know the plane from, as "
        "it asks for coordinates");
  plane = block.math.constant(0);
  return success();
}

/// The points at which the body is evaluated: one that returns several points,
/// at the first of them.
SmallVector<SmallVector<int64_t>>
PointwiseStage::listPoints(ArrayRef<TilePoint> row) {
  BoundsAttr box = stage.getDomain();
  SmallVector<SmallVector<int64_t>> points;
  for (const TilePoint &point : row) {
    if (!isFirstOf(point, unroll))
      continue;
    for (int64_t along = walk ? box.getLb()[*walk] : 0,
                 end = walk ? box.getUb()[*walk] : 1;
         along < end; ++along) {
      points.emplace_back(point.begin(), point.end());
      if (walk)
        points.back()[*walk] = along;
    }
  }
  return points;
}

LogicalResult PointwiseStage::emitJointly(PointList points,
                                          CacheWindow &window) {
  std::vector<TileReader> readers;
  readers.reserve(points.size());
  SmallVector<BodyEmitter> emitters;
  SmallVector<SmallVector<Value>> positions;
  for (const SmallVector<int64_t> &point : points) {
    readers.emplace_back(held, stage, reads, window, point);
    emitters.emplace_back(stage, arguments, readers.back(), /*lanes=*/1,
                          block.kernels.getOptions().math);
    SmallVector<Value> &position = positions.emplace_back();
    if (!needsPlace)
      continue;
    for (auto [coordinate, along] : llvm::zip_equal(base.coordinates, point))
      position.push_back(block.math.toIndex(block.math.add(coordinate, along)));
  }
  auto results = BodyEmitter::emitJointly(block.kernel.body(), emitters,
                                          positions, {points, base.alignment});
  if (failed(results))
    return failure();
  SmallVector<SmallVector<int64_t>> places = listOffsets(unroll);
  for (auto [point, lanes] : llvm::zip_equal(points, *results))
    for (auto [index, lane] : llvm::enumerate(lanes))
      held.set(stage.getRes()[index / places.size()],
               shiftPoint(point, places[index % places.size()]), lane);
  return success();
}

LogicalResult PointwiseStage::emit(ArrayRef<TilePoint> row) {
  if (failed(checkCoordinates(stage)) || failed(bindInputs()) ||
      failed(findPlane()))
    return failure();
  base = held.getBase(plane);
  BasePoint source = base;
  if (walk && llvm::any_of(inputs, [](const KernelField &field) {
        return static_cast<bool>(field.buffer);
      }))
    source.coordinates[*walk] = getReadPlane();
  RowAddresses addresses(block.kernel, source);
  CacheWindow window(block.kernel, block.tiles.getRank(), inputs, addresses,
                     base.alignment);
  SmallVector<SmallVector<int64_t>> offsets = listPoints(row);
  window.fetch(stage, offsets);
  // Point by point: what one point has computed is used by the next ones, and
  // nothing has to wait in registers for all of them. But of a branch that all
  // points take alike there is one, and what comes from caches takes long.
  JointPoints joint{offsets, base.alignment};
  bool isJoint =
      block.isOfCaches() ||
      llvm::any_of(stage.getBodyBlock()->getOps<scf::IfOp>(),
                   [&](scf::IfOp branch) { return joint.takeAlike(branch); });
  size_t count = isJoint ? offsets.size() : 1;
  for (PointList rest = offsets; !rest.empty(); rest = rest.drop_front(count))
    if (failed(emitJointly(rest.take_front(count), window)))
      return failure();
  return success();
}

LogicalResult stencil::emitPointwise(ThreadValues &held, ApplyOp stage,
                                     ArrayRef<TilePoint> row,
                                     TileReads &reads) {
  return PointwiseStage(held, stage, reads).emit(row);
}
