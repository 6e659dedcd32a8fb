//===- TileStoreOps.cpp - Stores and prefetches ---------------------------===//

#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

static LogicalResult verifyImages(tile::StoreOp store, KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> images = store.getImages();
  if (!images)
    return success();
  GridAttr grid = kernel.getGrid();
  if (grid.getWalk())
    return store.emitOpError("expected 'images' in a kernel that does not walk "
                             "only");
  BoundsAttr field = getBounds(store.getField());
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
  std::optional<int64_t> walk = getWalkAxis(*this);
  return walk ? getBounds(getValues()).getLb()[*walk] : 0;
}

SmallVector<tile::StoreOp::ImageAxis> tile::StoreOp::getImageAxes() {
  SmallVector<ImageAxis> axes;
  BoundsAttr field = getBounds(getField());
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
  int64_t along = getAlong();
  if (along < 0 || along + 1 >= grid.getRank())
    return emitOpError("expected 'along' to be an axis before the last one, ")
           << grid.getRank() - 1 << ", got " << along;
  for (auto [field, at] : llvm::zip_equal(getFields(), getAt())) {
    BoundsAttr box = getBounds(field);
    int64_t upper = box.getUb()[along] - grid.getDomain().getUb()[along];
    int64_t lower = box.getLb()[along] - grid.getDomain().getLb()[along];
    if (at < lower || at > upper)
      return emitOpError("expected offsets of points in the field, from ")
             << lower << " to " << upper << ", got " << at;
  }
  return success();
}
