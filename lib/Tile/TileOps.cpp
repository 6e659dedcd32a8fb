//===- TileOps.cpp - Memory of a tile -------------------------------------===//

#include "../Dialect/BodyOps.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// Syntax: the type of a cursor follows from the ring's
//===----------------------------------------------------------------------===//

using Operand = std::optional<OpAsmParser::UnresolvedOperand>;

static ParseResult parseRingType(OpAsmParser &parser, Type &ring,
                                 const Operand &cursor, Type &cursorType) {
  if (parser.parseType(ring))
    return failure();
  if (auto type = dyn_cast<RingType>(ring); type && cursor)
    cursorType = CursorType::get(type.getContext(), type.getSlots());
  else if (cursor)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected the type of a ring, got ")
           << ring;
  return success();
}

static void printRingType(OpAsmPrinter &printer, Operation *, Type ring, Value,
                          Type) {
  printer << ring;
}

static ParseResult parseMemoryType(OpAsmParser &parser, Type &memory,
                                   const Operand &iteration,
                                   Type &iterationType) {
  if (parser.parseType(memory))
    return failure();
  if (auto ring = dyn_cast<RingType>(memory); ring && iteration)
    iterationType = CursorType::get(ring.getContext(), ring.getSlots());
  else if (iteration)
    iterationType = parser.getBuilder().getIndexType();
  return success();
}

static void printMemoryType(OpAsmPrinter &printer, Operation *, Type memory,
                            Value, Type) {
  printer << memory;
}

using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

/// One type, that of each operand and of the result.
static ParseResult parseSameTypes(OpAsmParser &parser, const Operands &operands,
                                  SmallVectorImpl<Type> &types, Type &result) {
  if (parser.parseType(result))
    return failure();
  types.assign(operands.size(), result);
  return success();
}

static void printSameTypes(OpAsmPrinter &printer, Operation *, OperandRange,
                           TypeRange, Type result) {
  printer << result;
}

#define GET_OP_CLASSES
#include "StencilDialect/Tile/TileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What all of them check
//===----------------------------------------------------------------------===//

std::optional<int64_t> tile::getWalkAxis(Operation *op) {
  return op->getParentOfType<KernelOp>().getGrid().getWalk();
}

LogicalResult tile::verifyInKernel(Operation *op) {
  if (!op->getParentOfType<KernelOp>())
    return op->emitOpError("expected to be in a tile.kernel");
  return success();
}

LogicalResult tile::verifyIteration(Operation *op, Value iteration,
                                    StringRef what) {
  if (failed(verifyInKernel(op)))
    return failure();
  if (getWalkAxis(op).has_value() == static_cast<bool>(iteration))
    return success();
  return op->emitOpError(iteration ? "expected no " : "expected a ")
         << what << " in a kernel that "
         << (iteration ? "does not walk" : "walks");
}

LogicalResult tile::verifyCursor(Operation *op, Value cursor, Value ring) {
  if (failed(verifyIteration(op, cursor, "cursor")))
    return failure();
  if (!cursor)
    return success();
  auto type = dyn_cast<CursorType>(cursor.getType());
  int64_t slots = cast<RingType>(ring.getType()).getSlots();
  if (!type || type.getSlots() != slots)
    return op->emitOpError("expected a cursor of ")
           << slots << " slots, as the ring has, got " << cursor.getType();
  return success();
}

LogicalResult tile::verifyForAll(Operation *op) {
  if (op->getParentOfType<WhereOp>())
    return op->emitOpError("expected to be outside of a tile.where, as all "
                           "threads take part");
  return success();
}

//===----------------------------------------------------------------------===//
// Walks, expanded
//===----------------------------------------------------------------------===//

LogicalResult tile::verifyLookback(Operation *op, int64_t lookback) {
  if (lookback >= 0 && lookback <= kMaxReach)
    return success();
  return op->emitOpError("expected 'lookback' from 0 to ")
         << kMaxReach << ", got " << lookback;
}

LogicalResult SegmentOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  return verifyLookback(*this, getLookback());
}

LogicalResult AdvanceOp::verify() {
  int64_t distance = getDistance();
  if (distance < 1 || distance > kMaxSlots)
    return emitOpError("expected a distance from 1 to ")
           << kMaxSlots << ", got " << distance;
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult RingOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  auto type = cast<RingType>(getRes().getType());
  BoundsAttr box = type.getBox();
  int64_t rank = kernel.getGrid().getRank();
  if (box.getRank() != rank)
    return emitOpError("expected a box of rank ")
           << rank << ", that of the grid, got " << type;
  constexpr int64_t kMaxOverlay = 1023;
  if (int64_t overlay = getOverlay().value_or(0);
      overlay < 0 || overlay > kMaxOverlay)
    return emitOpError("expected 'overlay' from 0 to ")
           << kMaxOverlay << ", got " << overlay;
  if (getRelay() && (type.getFill() != Fill::Stage || getOverlay() ||
                     kernel.getGrid().getRelay() == 1))
    return emitOpError("expected 'relay' of a ring with 'fill = stage', "
                       "without 'overlay', in a grid with a 'relay'");
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  if (!walk) {
    if (type.getSlots() != 1)
      return emitOpError("expected one slot in a kernel that does not walk, "
                         "got ")
             << type.getSlots();
    return success();
  }
  // Its memory is that of others in the same iteration.
  if (getOverlay() && type.getSlots() != 1)
    return emitOpError("expected one slot of a ring with an 'overlay', got ")
           << type.getSlots();
  if (getOverlay() && type.getFill() == Fill::Delayed)
    return emitOpError("expected another fill than 'delayed' of a ring with an "
                       "'overlay' in a walk");
  if (box.getLb()[*walk] != 0 || box.getUb()[*walk] != 1)
    return emitOpError("expected a slot to be one plane: [0,1] along axis ")
           << *walk << ", got [" << box.getLb()[*walk] << ","
           << box.getUb()[*walk] << "]";
  return success();
}

/// First planes come one by one (stencil-expand-walks).
LogicalResult tile::verifyPlane(Operation *op, int64_t plane) {
  constexpr int64_t kMaxPlane = 1024;
  if (plane < -kMaxPlane || plane > kMaxPlane)
    return op->emitOpError("expected 'plane' from ")
           << -kMaxPlane << " to " << kMaxPlane << ", got " << plane;
  return success();
}

/// Offsets from points of the domain, which are known.
LogicalResult tile::verifyNeeds(Operation *op, std::optional<BoundsAttr> needs,
                                int64_t rank) {
  if (!needs)
    return success();
  if (needs->getRank() != rank)
    return op->emitOpError("expected 'needs' of rank ")
           << rank << ", got " << needs->getRank();
  if (needs->isSymbolic())
    return op->emitOpError("expected offsets that are known as 'needs', got ")
           << *needs;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (needs->getLb()[axis] < -kMaxReach || needs->getUb()[axis] > kMaxReach)
      return op->emitOpError("expected 'needs' from ")
             << -kMaxReach << " to " << kMaxReach << ", got " << *needs;
  return success();
}

/// What brings planes of a field to a ring.
template <typename Op> static LogicalResult verifyFill(Op op) {
  if (failed(verifyPlane(op, op.getPlane())) ||
      failed(verifyIteration(op, op.getIteration(), "plane")) ||
      failed(verifyForAll(op)))
    return failure();
  auto field = cast<FieldType>(op.getField().getType());
  auto ring = cast<RingType>(op.getRing().getType());
  if (!field.getBounds() || field.getRank() != ring.getBox().getRank() ||
      field.getElementType() != ring.getElementType())
    return op->emitOpError("expected a field of the rank and the element type "
                           "of the ring, got ")
           << field << " and " << ring;
  if (ring.getFill() == Fill::Stage)
    return op->emitOpError("expected a ring that copies fill, got one with "
                           "'fill = stage', which a tile.put fills");
  if (op.getPlane() != 0 && !op.getIteration())
    return op->emitOpError("expected 'plane' in a kernel that walks only");
  return success();
}

template <typename Op>
static LogicalResult verifyBoundaryOf(Op op, BoundaryAttr boundary) {
  return verifyBoundary(op, op.getNeeds(), boundary,
                        cast<RingType>(op.getRing().getType()),
                        cast<FieldType>(op.getField().getType()));
}

LogicalResult CopyOp::verify() {
  if (failed(verifyFill(*this)) ||
      failed(verifyCursor(*this, getCursor(), getRing())) ||
      failed(verifyNeeds(*this, getNeeds(), getBounds(getField()).getRank())))
    return failure();
  return getBoundary() ? verifyBoundaryOf(*this, *getBoundary()) : success();
}

LogicalResult FringeOp::verify() {
  return failed(verifyFill(*this)) ? failure()
                                   : verifyBoundaryOf(*this, getBoundary());
}

LogicalResult PatchOp::verify() {
  if (failed(verifyFill(*this)) ||
      failed(verifyCursor(*this, getCursor(), getRing())))
    return failure();
  return verifyBoundaryOf(*this, getBoundary());
}

LogicalResult WaitOp::verify() {
  if (failed(verifyPlane(*this, getPlane())) ||
      failed(verifyCursor(*this, getCursor(), getRing())) ||
      failed(verifyForAll(*this)))
    return failure();
  if (!cast<RingType>(getRing().getType()).isAsynchronous())
    return emitOpError("expected a ring that is not filled by '")
           << stringifyFill(cast<RingType>(getRing().getType()).getFill())
           << "', which nobody waits for";
  if (getPlane() != 0 && !getCursor())
    return emitOpError("expected 'plane' in a kernel that walks only");
  return success();
}

LogicalResult PutOp::verify() {
  if (failed(verifyPlane(*this, getPlane())) ||
      failed(verifyCursor(*this, getCursor(), getRing())) ||
      failed(verifyForAll(*this)))
    return failure();
  auto values = cast<TempType>(getValues().getType());
  auto ring = cast<RingType>(getRing().getType());
  BoundsAttr box = values.getBounds();
  if (ring.getFill() != Fill::Stage)
    return emitOpError("expected a ring with 'fill = stage', got ") << ring;
  if (!box || box.isSymbolic() || box.getRank() != ring.getBox().getRank() ||
      values.getElementType() != ring.getElementType())
    return emitOpError("expected values on a box, of the rank and the element "
                       "type of the ring, got ")
           << values << " and " << ring;
  if (getValues().getDefiningOp<SourceOp>())
    return emitOpError("expected values that threads hold, got a source");
  GridAttr grid = (*this)->getParentOfType<KernelOp>().getGrid();
  std::optional<int64_t> walk = grid.getWalk();
  if (getPlane() != 0 && !walk)
    return emitOpError("expected 'plane' in a kernel that walks only");
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t lower = box.getLb()[axis], upper = box.getUb()[axis];
    int64_t plane = getPlane();
    if (axis == walk && (lower != plane || upper != plane + 1))
      return emitOpError("expected values of plane p + ")
             << plane << ", [" << plane << "," << plane + 1 << "] along axis "
             << axis << ", got [" << lower << "," << upper << "]";
    int64_t first = ring.getBox().getLb()[axis];
    int64_t end = ring.getBox().getUb()[axis];
    int64_t tile = grid.getTile(axis);
    if (axis != walk && (lower > 0 || upper < tile || first > 0 || end < tile))
      return emitOpError("expected values and a ring that have the tile, [0,")
             << tile << "] along axis " << axis << ", got [" << lower << ","
             << upper << "] and [" << first << "," << end << "]";
  }
  return success();
}

LogicalResult SourceOp::verify() {
  auto result = cast<TempType>(getRes().getType());
  if (auto field = dyn_cast<FieldType>(getMemory().getType())) {
    if (failed(verifyIteration(*this, getIteration(), "plane")))
      return failure();
    if (getIteration() && !getIteration().getType().isIndex())
      return emitOpError("expected a plane (index) of a field, got ")
             << getIteration().getType();
    if (!field.getBounds() || result.getRank() != field.getRank() ||
        result.getElementType() != field.getElementType() || result.getBounds())
      return emitOpError("expected '?' for each axis, and the rank and the "
                         "element type of ")
             << field << ", got " << result;
    return success();
  }
  if (failed(verifyCursor(*this, getIteration(), getMemory())))
    return failure();
  auto ring = cast<RingType>(getMemory().getType());
  BoundsAttr box = result.getBounds();
  if (!box || box.isSymbolic() || box.getRank() != ring.getBox().getRank() ||
      result.getElementType() != ring.getElementType())
    return emitOpError("expected a box, of the rank and the element type of ")
           << ring << ", got " << result;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t lower = box.getLb()[axis], upper = box.getUb()[axis];
    if (axis == getWalkAxis(*this)) {
      if (upper - lower > ring.getSlots())
        return emitOpError("expected at most as many planes as the ring has "
                           "slots, ")
               << ring.getSlots() << ", got " << upper - lower;
    } else if (lower < ring.getBox().getLb()[axis] ||
               upper > ring.getBox().getUb()[axis]) {
      return emitOpError("expected a box in that of the ring, [")
             << ring.getBox().getLb()[axis] << ","
             << ring.getBox().getUb()[axis] << "] along axis " << axis
             << ", got [" << lower << "," << upper << "]";
    }
  }
  return success();
}

bool tile::isFieldSource(Value value) {
  auto source = value.getDefiningOp<SourceOp>();
  return source && isa<FieldType>(source.getMemory().getType());
}
