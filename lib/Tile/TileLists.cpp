//===- TileLists.cpp - Kernels over the points of some boxes --------------===//

#include "../Dialect/BodyOps.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// ListAttr
//===----------------------------------------------------------------------===//

/// Whether two boxes have no point in common, in the reading that extents are
/// large.
static bool isApart(BoundsAttr a, BoundsAttr b) {
  for (int64_t axis = 0; axis < a.getRank(); ++axis)
    if (a.getUb()[axis] <= b.getLb()[axis] ||
        b.getUb()[axis] <= a.getLb()[axis])
      return true;
  return false;
}

/// Whether all rows of a box begin before `hole` and end behind it.
static bool leadsThrough(BoundsAttr box, BoundsAttr hole) {
  int64_t last = box.getRank() - 1;
  for (int64_t axis = 0; axis < last; ++axis)
    if (box.getLb()[axis] < hole.getLb()[axis] ||
        box.getUb()[axis] > hole.getUb()[axis])
      return false;
  return box.getLb()[last] < hole.getLb()[last] &&
         hole.getUb()[last] < box.getUb()[last];
}

LogicalResult
ListAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<BoundsAttr> boxes, BoundsAttr without, int64_t turns,
                 int64_t blocks) {
  constexpr int64_t kMaxTurns = 1024, kMaxBlocks = 1 << 20;
  if (boxes.empty())
    return emitError() << "expected at least one box";
  if (turns < 1 || turns > kMaxTurns)
    return emitError() << "expected 'turns' from 1 to " << kMaxTurns << ", got "
                       << turns;
  if (blocks < 0 || blocks > kMaxBlocks)
    return emitError() << "expected 'blocks' from 0 to " << kMaxBlocks
                       << ", got " << blocks;
  if (turns > 1 && blocks > 0)
    return emitError() << "expected 'turns' or 'blocks', got both";
  int64_t rank = boxes.front().getRank();
  // Of the points that another box leaves out.
  auto isInGap = [&](BoundsAttr box, BoundsAttr other) {
    return without && without.contains(box) && leadsThrough(other, without);
  };
  if (without && without.getRank() != rank)
    return emitError() << "expected boxes of one rank, got " << boxes.front()
                       << " without " << without;
  for (auto [index, box] : llvm::enumerate(boxes)) {
    if (box.getRank() != rank)
      return emitError() << "expected boxes of one rank, got " << boxes.front()
                         << " and " << box;
    for (BoundsAttr other : boxes.take_front(index))
      if (!isApart(other, box) && !isInGap(box, other) && !isInGap(other, box))
        return emitError() << "expected boxes without a common point, got "
                           << other << " and " << box;
    if (without && !isApart(box, without) && !without.contains(box) &&
        !leadsThrough(box, without))
      return emitError() << "expected a box in " << without
                         << ", apart from it, or whose rows lead through it, "
                            "got "
                         << box;
  }
  return success();
}

bool ListAttr::hasGap(unsigned part) const {
  return getWithout() && leadsThrough(getBoxes()[part], getWithout());
}

//===----------------------------------------------------------------------===//
// TurnOp
//===----------------------------------------------------------------------===//

static KernelOp getKernel(Operation *op) {
  return op->getParentOfType<KernelOp>();
}

static LogicalResult verifyInList(Operation *op) {
  if (KernelOp kernel = getKernel(op); kernel && kernel.getList())
    return success();
  return op->emitOpError("expected to be in a tile.kernel over a list");
}

LogicalResult TurnOp::verify() {
  if (failed(verifyInList(*this)))
    return failure();
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("expected to be in the tile.kernel itself");
  auto turns = static_cast<size_t>(getKernel(*this).getListAttr().getTurns());
  if (getFields().size() != turns)
    return emitOpError("expected ")
           << turns << " fields, one for each of the list's turns, got "
           << getFields().size();
  llvm::SmallDenseSet<Value> seen;
  for (Value field : getFields()) {
    if (field.getType() != getRes().getType())
      return emitOpError("expected fields of the result's type, ")
             << getRes().getType() << ", got " << field.getType();
    if (!getKernel(*this).getOperandOf(field))
      return emitOpError("expected arguments of the kernel");
    if (!seen.insert(field).second)
      return emitOpError("expected different fields");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// HaloOp
//===----------------------------------------------------------------------===//

std::optional<HaloSide> HaloOp::locate(ListAttr list, unsigned part) {
  BoundsAttr box = list.getBoxes()[part], interior = getBounds();
  // Inside of the interior along later axes.
  int64_t axis = box.getRank() - 1;
  auto isInside = [&] {
    return interior.getLb()[axis] <= box.getLb()[axis] &&
           box.getUb()[axis] <= interior.getUb()[axis];
  };
  while (axis > 0 && isInside())
    --axis;
  HaloSide side = {axis, /*upper=*/false, /*bothSides=*/false};
  if (box.getUb()[axis] <= interior.getLb()[axis])
    return side;
  side.upper = interior.getUb()[axis] <= box.getLb()[axis];
  if (side.upper)
    return side;
  side.bothSides = axis + 1 == box.getRank() && list.hasGap(part) &&
                   list.getWithout().getLb()[axis] == interior.getLb()[axis] &&
                   list.getWithout().getUb()[axis] == interior.getUb()[axis];
  return side.bothSides ? std::optional(side) : std::nullopt;
}

/// That what is stored in a box of the list is the halo's, and not read.
static LogicalResult verifyPart(HaloOp op, ListAttr list, unsigned part) {
  BoundsAttr box = list.getBoxes()[part];
  std::optional<HaloSide> side = op.locate(list, part);
  int64_t filled = op.getFilled();
  if (!side || side->axis < filled)
    return op.emitOpError("expected boxes in the halo of one axis from ")
           << filled << " on, got " << box << " around " << op.getBounds();
  for (bool upper : {false, true}) {
    if (!side->bothSides && upper != side->upper)
      continue;
    Attribute condition = op.getCondition(side->axis, upper);
    if (getHaloRule(condition).isKept())
      return op.emitOpError("expected boxes where halos are not kept, got ")
             << box << " with " << condition << " along axis " << side->axis;
    if (!getHaloRule(condition).isPolynomial())
      continue;
    int64_t width = box.getUb()[side->axis] - box.getLb()[side->axis];
    if (side->bothSides || width != 1 || side->axis != filled)
      return op.emitOpError("expected a box on one side, one point wide, "
                            "along axis ")
             << filled << ", the first one that is not filled, for "
             << condition << ", got " << box;
  }
  return success();
}

LogicalResult HaloOp::verify() {
  auto type = cast<GridType>(getField().getType());
  auto result = cast<TempType>(getRes().getType());
  if (failed(verifyInList(*this)) ||
      failed(verifyHalo(*this, getField(), getBounds(), getConditions())))
    return failure();
  KernelOp kernel = getKernel(*this);
  BoundsAttr tile = kernel.getGrid().getTileBox();
  if (type.getRank() != tile.getRank())
    return emitOpError("expected a field of the rank of the grid, ")
           << tile.getRank() << ", got " << getField().getType();
  if (result.getBounds() != tile ||
      result.getElementType() != type.getElementType())
    return emitOpError("expected a result on the tile's box, ")
           << tile << ", of the field's element type, got " << result;
  int64_t filled = getFilled();
  if (filled < 0 || filled >= type.getRank())
    return emitOpError("expected 'filled' from 0 to ")
           << type.getRank() - 1 << ", got " << filled;
  if (!(*this)->getParentOfType<WhereOp>())
    return emitOpError("expected to be in a tile.where, which says which box "
                       "of the list it is for");
  for (unsigned part = 0; part < kernel.getListAttr().getBoxes().size(); ++part)
    if (failed(verifyPart(*this, kernel.getListAttr(), part)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// FoldOp
//===----------------------------------------------------------------------===//

Type tile::getFoldType(Type elementType) {
  if (isa<FloatType>(elementType))
    return Float64Type::get(elementType.getContext());
  return IntegerType::get(elementType.getContext(), 64);
}

/// That memory is for as many numbers.
static LogicalResult verifyNumbers(tile::FoldOp op, Value memory, Type element,
                                   int64_t count) {
  if (MemRefType expected = MemRefType::get({count}, element);
      memory.getType() != expected)
    return op.emitOpError("expected memory of type ")
           << expected << ", got " << memory.getType();
  if (!getKernel(op).getOperandOf(memory))
    return op.emitOpError("expected memory to be an argument of the kernel");
  return success();
}

LogicalResult tile::FoldOp::verify() {
  if (failed(verifyInList(*this)))
    return failure();
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("expected to be in the tile.kernel itself, as all "
                       "threads take part");
  KernelOp kernel = getKernel(*this);
  ListAttr list = kernel.getListAttr();
  if (list.getBlocks() == 0 || list.getBoxes().size() != 1 || list.hasGap(0))
    return emitOpError("expected a list of one box, without a gap, with "
                       "'blocks', got ")
           << list;
  if (int64_t threads = kernel.getGrid().countThreads();
      !llvm::isPowerOf2_64(threads))
    return emitOpError("expected a tile of a power of two of points, got ")
           << threads;
  if (getTemps().empty())
    return emitOpError("expected at least one operand");
  Type elementType = getElementType(getTemps().front());
  if (!isa<FloatType, IntegerType>(elementType))
    return emitOpError("expected an integer or floating-point element type, "
                       "got ")
           << elementType;
  if ((getKind() == FoldKind::Rms || getTemps().size() > 1) &&
      !isa<FloatType>(elementType))
    return emitOpError("expected a floating-point element type for rms or the "
                       "length of a vector, got ")
           << elementType;
  for (Value temp : getTemps()) {
    auto source = temp.getDefiningOp<SourceOp>();
    auto type = cast<TempType>(temp.getType());
    if (!source || type.getRank() != kernel.getGrid().getRank() ||
        type.getElementType() != elementType)
      return emitOpError("expected sources of fields of rank ")
             << kernel.getGrid().getRank() << " and of " << elementType
             << ", got " << type;
    auto field = dyn_cast<FieldType>(source.getMemory().getType());
    if (!field || !field.getBounds().contains(list.getBoxes().front()))
      return emitOpError("expected fields that have all of ")
             << list.getBoxes().front() << ", got "
             << source.getMemory().getType();
    if (!kernel.getOperandOf(source.getMemory()))
      return emitOpError("expected sources of arguments of the kernel");
  }
  if (getResult() == getPartial())
    return emitOpError("expected different memory for the result and for "
                       "blocks");
  Type number = getFoldType(elementType);
  return success(
      succeeded(verifyNumbers(*this, getResult(), number, 1)) &&
      succeeded(verifyNumbers(*this, getPartial(), number, list.getBlocks())));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static LogicalResult verifyGrid(KernelOp kernel) {
  GridAttr grid = kernel.getGrid();
  ListAttr list = kernel.getListAttr();
  int64_t rank = grid.getRank();
  if (list.getBoxes().front().getRank() != rank)
    return kernel.emitOpError("expected a list of boxes of rank ")
           << rank << ", that of the grid, got " << list;
  for (BoundsAttr box : list.getBoxes())
    if (!grid.getDomain().contains(box))
      return kernel.emitOpError("expected boxes in the domain, ")
             << grid.getDomain() << ", got " << box;
  if (grid.getWalk() || grid.getOrder() || grid.getPanel() ||
      grid.getAlign() != 1 || grid.getLaunchBounds() != 0)
    return kernel.emitOpError("expected a grid of 'domain', 'block' and "
                              "'points' for a list, got ")
           << grid;
  if (kernel.getKeepsLines())
    return kernel.emitOpError("expected no 'keeps_lines' for a list");
  for (int64_t axis = 0; axis < rank; ++axis)
    if (grid.getPoints()[axis] != 1 ||
        (axis + 1 < rank && grid.getBlock()[axis] != 1))
      return kernel.emitOpError("expected one point per thread, and threads "
                                "along the last axis only, for a list, got ")
             << grid;
  return success();
}

/// Each point of a field is stored once, and what is stored to is read as a
/// halo's source only.
static LogicalResult verifyStores(KernelOp kernel) {
  llvm::DenseMap<std::pair<Value, uint64_t>, tile::StoreOp> stores;
  HaloOp halo;
  return checkWithin(kernel.getBody(), [&](Operation *op) {
    if (auto other = dyn_cast<HaloOp>(op)) {
      if (!halo)
        halo = other;
      if (halo.getBounds() == other.getBounds() &&
          halo.getConditions() == other.getConditions() &&
          halo.getFilled() == other.getFilled())
        return WalkResult::advance();
      return WalkResult(
          withNote(other.emitOpError("expected the boundary that others have"),
                   halo.getLoc(), "another one is here"));
    }
    auto store = dyn_cast<tile::StoreOp>(op);
    if (!store)
      return WalkResult::advance();
    if (store.getImages())
      return WalkResult(
          store.emitOpError("expected no 'images' in a kernel over a list"));
    auto where = store->getParentOfType<WhereOp>();
    if (!where)
      return WalkResult(store.emitOpError(
          "expected to be in a tile.where, which says which box "
          "of the list it is for"));
    SmallVector<Value> fields = {store.getField()};
    if (auto turn = store.getField().getDefiningOp<TurnOp>()) {
      fields.assign(turn.getFields().begin(), turn.getFields().end());
    } else if (kernel.getListAttr().getTurns() > 1) {
      return WalkResult(
          store.emitOpError("expected the field whose turn it is"));
    }
    for (Value field : fields) {
      auto [known, isNew] = stores.try_emplace(
          {kernel.getOperandOf(field), *where.getPart()}, store);
      if (isNew)
        continue;
      return WalkResult(
          withNote(store.emitOpError(
                       "expected one store per field and box, got another one"),
                   known->second.getLoc(), "the other one is here"));
    }
    return WalkResult::advance();
  });
}

LogicalResult tile::verifyListed(KernelOp kernel) {
  if (failed(verifyGrid(kernel)))
    return failure();
  unsigned folds = 0, wheres = 0, turns = 0;
  auto checkOp = [&](Operation *op) -> LogicalResult {
    folds += isa<tile::FoldOp>(op);
    wheres += isa<WhereOp>(op);
    turns += isa<TurnOp>(op);
    if (isa<TurnOp, HaloOp, tile::FoldOp, SourceOp, WhereOp, tile::StoreOp,
            tile::YieldOp>(op))
      return success();
    return op->emitOpError("expected to be outside of a kernel over a list, "
                           "whose tiles are no boxes");
  };
  if (failed(checkWithin(kernel.getBody(), checkOp)))
    return failure();
  bool hasBlocks = kernel.getListAttr().getBlocks() > 0;
  if (folds != (hasBlocks ? 1 : 0) || (folds && wheres))
    return kernel.emitOpError(
               hasBlocks ? "expected one tile.fold and no tile.where, as its "
                           "list has 'blocks', got "
                         : "expected no tile.fold, as its list has no "
                           "'blocks', got ")
           << folds << " and " << wheres;
  if (kernel.getListAttr().getTurns() > 1 && turns != 1)
    return kernel.emitOpError("expected one tile.turn, as its list has "
                              "'turns', got ")
           << turns;
  return verifyStores(kernel);
}
