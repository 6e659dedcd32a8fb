//===- TileOps.cpp - Memory and values of a tile --------------------------===//

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

static std::optional<int64_t> getWalkAxis(Operation *op) {
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

LogicalResult tile::verifyLookback(Operation *op, uint64_t lookback) {
  if (lookback <= static_cast<uint64_t>(kMaxReach))
    return success();
  return op->emitOpError("expected 'lookback' from 0 to ")
         << kMaxReach << ", got " << static_cast<int64_t>(lookback);
}

LogicalResult SegmentOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  return verifyLookback(*this, getLookback());
}

LogicalResult AdvanceOp::verify() {
  auto distance = static_cast<int64_t>(getDistance());
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
  constexpr uint64_t kMaxOverlay = 1023;
  if (getOverlay().value_or(0) > kMaxOverlay)
    return emitOpError("expected 'overlay' from 0 to ")
           << kMaxOverlay << ", got " << static_cast<int64_t>(*getOverlay());
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
LogicalResult tile::verifyPlane(Operation *op, uint64_t plane) {
  constexpr int64_t kMaxPlane = 1024;
  auto asked = static_cast<int64_t>(plane);
  if (asked < -kMaxPlane || asked > kMaxPlane)
    return op->emitOpError("expected 'plane' from ")
           << -kMaxPlane << " to " << kMaxPlane << ", got " << asked;
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

LogicalResult tile::verifyFill(Operation *op, Value iteration, Type fieldType,
                               Type ringType, uint64_t plane) {
  if (failed(verifyPlane(op, plane)) ||
      failed(verifyIteration(op, iteration, "plane")) ||
      failed(verifyForAll(op)))
    return failure();
  auto field = cast<FieldType>(fieldType);
  auto ring = cast<RingType>(ringType);
  if (!field.getBounds() || field.getRank() != ring.getBox().getRank() ||
      field.getElementType() != ring.getElementType())
    return op->emitOpError("expected a field of the rank and the element type "
                           "of the ring, got ")
           << field << " and " << ring;
  if (ring.getFill() == Fill::Stage)
    return op->emitOpError("expected a ring that copies fill, got one with "
                           "'fill = stage', which a tile.put fills");
  if (plane != 0 && !iteration)
    return op->emitOpError("expected 'plane' in a kernel that walks only");
  return success();
}

LogicalResult CopyOp::verify() {
  if (failed(verifyFill(*this, getIteration(), getField().getType(),
                        getRing().getType(), getPlane())) ||
      failed(verifyCursor(*this, getCursor(), getRing())))
    return failure();
  auto field = cast<FieldType>(getField().getType());
  if (failed(verifyNeeds(*this, getNeeds(), field.getRank())))
    return failure();
  return getBoundary()
             ? verifyBoundary(*this, getNeeds(), *getBoundary(),
                              cast<RingType>(getRing().getType()), field)
             : success();
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
    auto plane = static_cast<int64_t>(getPlane());
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

static LogicalResult verifyImages(tile::StoreOp store, KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> images = store.getImages();
  if (!images)
    return success();
  GridAttr grid = kernel.getGrid();
  if (grid.getWalk())
    return store.emitOpError("expected 'images' in a kernel that does not walk "
                             "only");
  BoundsAttr field = cast<FieldType>(store.getField().getType()).getBounds();
  int64_t least = 0;
  for (int64_t axis : *images) {
    if (axis < least || axis >= grid.getRank())
      return store.emitOpError("expected 'images' to name axes from 0 to ")
             << grid.getRank() - 1 << " in ascending order, got "
             << store.getImagesAttr();
    least = axis + 1;
    int64_t first = grid.getDomain().getLb()[axis];
    int64_t end = grid.getDomain().getUb()[axis];
    int64_t before = field.getLb()[axis], behind = field.getUb()[axis];
    if (isSymbolic(first) || isSymbolic(end) || isSymbolic(before) ||
        isSymbolic(behind))
      return store.emitOpError("expected known bounds along axis ")
             << axis << " for 'images', got " << grid.getDomain() << " in "
             << field;
    if (int64_t halos = first - before + behind - end; end - first < halos)
      return store.emitOpError("expected at least ")
             << halos << " points along axis " << axis
             << ", as many as its halos have, for 'images', got "
             << end - first;
  }
  return success();
}

/// Some ops are for the box of points that a thread has.
static LogicalResult verifyNeighbours(Operation *op, KernelOp kernel) {
  if (LayoutAttr layout = kernel.getGrid().getLayout())
    return op->emitOpError("expected a grid without 'layout', whose threads "
                           "have neighbouring points, got ")
           << layout;
  return success();
}

LogicalResult tile::StoreOp::verify() {
  if (failed(verifyIteration(*this, getIteration(), "plane")))
    return failure();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto values = cast<TempType>(getValues().getType());
  auto field = cast<FieldType>(getField().getType());
  if (!field.getBounds() || values.getRank() != field.getRank() ||
      values.getElementType() != field.getElementType())
    return emitOpError("expected a field of the rank and the element type of "
                       "the values, got ")
           << values << " and " << field;
  BoundsAttr tile = kernel.getGrid().getTileBox(), box = values.getBounds();
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  auto hasTile = [&] {
    if (!box || box.isSymbolic() || box.getRank() != tile.getRank())
      return false;
    for (int64_t axis = 0, rank = tile.getRank(); axis < rank; ++axis)
      if (axis != walk && (box.getLb()[axis] > tile.getLb()[axis] ||
                           box.getUb()[axis] < tile.getUb()[axis]))
        return false;
    return true;
  };
  if (!hasTile())
    return emitOpError("expected values of the tile, ")
           << tile << ", got " << values;
  if (walk &&
      (box.getLb()[*walk] < 0 || box.getUb()[*walk] - box.getLb()[*walk] != 1))
    return emitOpError("expected one plane along axis ")
           << *walk << ", from plane 0 on, got " << values;
  if (auto source = getValues().getDefiningOp<SourceOp>()) {
    if (!isa<RingType>(source.getMemory().getType()))
      return emitOpError("expected values that threads hold, or a source of a "
                         "ring, got a source of a field");
    if (failed(verifyForAll(*this)))
      return failure();
    if (getImages())
      return emitOpError("expected values that threads hold for 'images', got "
                         "a source");
  }
  if (kernel.getGrid().getInner() && getImages())
    return emitOpError("expected no 'images' in a grid whose tiles overlap "
                       "('inner')");
  if (!field.getBounds().contains(kernel.getGrid().getDomain()))
    return emitOpError("expected a field that has all of the domain, ")
           << kernel.getGrid().getDomain() << ", got " << field;
  if (getImages() && failed(verifyNeighbours(*this, kernel)))
    return failure();
  return verifyImages(*this, kernel);
}

int64_t tile::StoreOp::getLead() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  return walk ? cast<TempType>(getValues().getType()).getBounds().getLb()[*walk]
              : 0;
}

SmallVector<tile::StoreOp::ImageAxis> tile::StoreOp::getImageAxes() {
  SmallVector<ImageAxis> axes;
  BoundsAttr field = cast<FieldType>(getField().getType()).getBounds();
  BoundsAttr domain =
      (*this)->getParentOfType<KernelOp>().getGrid().getDomain();
  for (int64_t axis : getImages().value_or(ArrayRef<int64_t>())) {
    int64_t first = domain.getLb()[axis], end = domain.getUb()[axis];
    int64_t lower = first - field.getLb()[axis];
    int64_t upper = field.getUb()[axis] - end;
    if (lower + upper > 0)
      axes.push_back({axis, first + upper, end - lower, end - first});
  }
  return axes;
}

LogicalResult PrefetchOp::verify() {
  auto where = cast<WhereOp>((*this)->getParentOp());
  auto kernel = where->getParentOfType<KernelOp>();
  if (!kernel)
    return success();
  GridAttr grid = kernel.getGrid();
  if (where.getNeeds())
    return emitOpError("expected a tile.where without 'needs' around it");
  if (grid.getWalk())
    return emitOpError("expected a kernel that does not walk");
  if (failed(verifyNeighbours(*this, kernel)))
    return failure();
  if (getFields().size() != getAt().size() || getFields().empty())
    return emitOpError("expected a field or more, and as many offsets, got ")
           << getFields().size() << " and " << getAt().size();
  for (Type type : getFields().getTypes())
    if (cast<FieldType>(type).getRank() != grid.getRank() ||
        !cast<FieldType>(type).getBounds())
      return emitOpError("expected fields of rank ")
             << grid.getRank() << " with bounds, got " << type;
  auto along = static_cast<int64_t>(getAlong());
  if (along < 0 || along + 1 >= grid.getRank())
    return emitOpError("expected 'along' to be an axis before the last one, ")
           << grid.getRank() - 1 << ", got " << along;
  for (auto [field, at] : llvm::zip_equal(getFields(), getAt())) {
    BoundsAttr box = cast<FieldType>(field.getType()).getBounds();
    int64_t upper = box.getUb()[along] - grid.getDomain().getUb()[along];
    int64_t lower = box.getLb()[along] - grid.getDomain().getLb()[along];
    if (at < lower || at > upper)
      return emitOpError("expected offsets of points in the field, from ")
             << lower << " to " << upper << ", got " << at;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The box of a value in a kernel that walks; null, with an error, if it has
/// none.
static BoundsAttr findBox(Operation *op, Value value) {
  auto type = cast<TempType>(value.getType());
  auto kernel = op->getParentOfType<KernelOp>();
  if (BoundsAttr box = type.getBounds();
      box && !box.isSymbolic() && box.getRank() == kernel.getGrid().getRank())
    return box;
  op->emitOpError("expected values on boxes of rank ")
      << kernel.getGrid().getRank() << ", got " << type;
  return {};
}

/// The same box, `by` planes further along an axis.
static BoundsAttr moveBox(BoundsAttr box, int64_t axis, int64_t by) {
  SmallVector<int64_t> lower(box.getLb()), upper(box.getUb());
  lower[axis] += by;
  upper[axis] += by;
  return BoundsAttr::get(box.getContext(), lower, upper);
}

static LogicalResult verifyWalks(Operation *op) {
  if (failed(verifyInKernel(op)))
    return failure();
  if (!getWalkAxis(op))
    return op->emitOpError("expected a kernel that walks");
  return success();
}

LogicalResult JoinOp::verify() {
  if (failed(getPlanes().size() > 1 ? verifyWalks(*this)
                                    : verifyInKernel(*this)))
    return failure();
  if (getPlanes().empty())
    return emitOpError("expected at least one value");
  int64_t axis = getWalkAxis(*this).value_or(0);
  Type elementType = cast<TempType>(getRes().getType()).getElementType();
  BoundsAttr joined;
  for (Value plane : getPlanes()) {
    BoundsAttr box = findBox(*this, plane);
    if (!box)
      return failure();
    if (cast<TempType>(plane.getType()).getElementType() != elementType)
      return emitOpError("expected values of the element type of the result, ")
             << elementType << ", got " << plane.getType();
    if (!joined) {
      joined = box;
      continue;
    }
    SmallVector<int64_t> lower(joined.getLb()), upper(joined.getUb());
    lower[axis] = upper[axis];
    upper[axis] += box.getUb()[axis] - box.getLb()[axis];
    if (box != BoundsAttr::get(getContext(), lower, upper))
      return emitOpError("expected a box that follows the one before along "
                         "axis ")
             << axis << ", " << BoundsAttr::get(getContext(), lower, upper)
             << ", got " << box;
    joined = BoundsAttr::get(getContext(), joined.getLb(), upper);
  }
  // Beside it, along rows, nothing is specified.
  BoundsAttr box = cast<TempType>(getRes().getType()).getBounds();
  bool isWide =
      box && box.getRank() == joined.getRank() && box.contains(joined);
  for (int64_t i = 0; isWide && i + 1 < joined.getRank(); ++i)
    isWide = box.getLb()[i] == joined.getLb()[i] &&
             box.getUb()[i] == joined.getUb()[i];
  if (!isWide)
    return emitOpError("expected a result on the joined box, ")
           << joined << ", or a wider one along the last axis, got "
           << getRes().getType();
  return success();
}

LogicalResult ShiftOp::verify() {
  if (failed(verifyWalks(*this)))
    return failure();
  BoundsAttr box = findBox(*this, getValues());
  if (!box)
    return failure();
  Type expected =
      TempType::get(moveBox(box, *getWalkAxis(*this), -1),
                    cast<TempType>(getValues().getType()).getElementType());
  if (getRes().getType() != expected)
    return emitOpError("expected a result of one plane less along the walk, ")
           << expected << ", got " << getRes().getType();
  return success();
}

LogicalResult WhereOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  if (getBodyBlock()->getNumArguments() != 0)
    return emitOpError("expected a body without arguments, got ")
           << getBodyBlock()->getNumArguments();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  ListAttr list = kernel.getListAttr();
  if (list && (!getPart() || *getPart() >= list.getBoxes().size()))
    return emitOpError("expected 'part' from 0 to ")
           << list.getBoxes().size() - 1 << " in a kernel over a list";
  if (list && (getNeeds() || getNumResults() > 0 ||
               !isa<KernelOp>((*this)->getParentOp())))
    return emitOpError("expected no 'needs', no results and no tile.where "
                       "around it in a kernel over a list");
  if (!list && getPart())
    return emitOpError("expected 'part' in a kernel over a list only");
  auto around = (*this)->getParentOfType<WhereOp>();
  if (around && (getIteration() || !around.getIteration()))
    return emitOpError("expected to be outside of a tile.where, but for one "
                       "without a plane in one with a plane");
  if (getIteration() && !kernel.getGrid().getWalk())
    return emitOpError("expected no plane in a kernel that does not walk");
  if (getIteration() && !getNeeds())
    return emitOpError("expected 'needs' with a plane");
  return verifyNeeds(*this, getNeeds(), kernel.getGrid().getRank());
}

LogicalResult WhereOp::verifyRegions() {
  if (getBodyBlock()->getTerminator()->getOperandTypes() != getResultTypes())
    return emitOpError("expected to yield values of the types of its results, ")
           << getResultTypes() << ", got "
           << getBodyBlock()->getTerminator()->getOperandTypes();
  auto isRight = getBody().walk([](BarrierOp barrier) {
    barrier.emitOpError("expected to be outside of a tile.where, as all "
                        "threads take part");
    return WalkResult::interrupt();
  });
  return failure(isRight.wasInterrupted());
}
