//===- TileLists.cpp - Kernels over lists: halos and folds ----------------===//
//
// A tile is a piece of the list. Values on it are by place: what a point of the
// list has is the value at the place of its number.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

int64_t TileList::countPoints(const Part &part) {
  int64_t points = part.rowLength;
  for (unsigned axis = 0; axis + 1 < part.box.getRank(); ++axis)
    points *= part.box.getExtent(axis);
  return points;
}

/// Where the points of a box come in the list, for as long as its rows are
/// without what is left out of them.
void TileList::add(Box box, const Box &without, bool hasGap) {
  Part part;
  unsigned last = box.getRank() - 1;
  part.rowLength = box.getExtent(last);
  part.gapBegin = box.ub[last];
  if (hasGap) {
    part.gapBegin = without.lb[last];
    part.gap = without.getExtent(last);
    part.rowLength -= part.gap;
  }
  part.box = std::move(box);
  part.first = total;
  total += countPoints(part);
  parts.push_back(std::move(part));
}

bool TileList::find(int64_t number, unsigned part,
                    SmallVectorImpl<int64_t> &point) const {
  const Part &found = parts[part];
  number -= found.first;
  if (number < 0 || number >= countPoints(found))
    return false;
  point.resize(found.box.getRank());
  for (unsigned axis = point.size(); axis-- > 0;) {
    bool isRow = axis + 1 == point.size();
    int64_t extent = isRow ? found.rowLength : found.box.getExtent(axis);
    point[axis] = found.box.lb[axis] + number % extent;
    number /= extent;
  }
  if (point.back() >= found.gapBegin)
    point.back() += found.gap;
  return true;
}

/// Copies an element with its error.
static void copyElement(const ArrayView &target, int64_t to,
                        const ArrayView &source, int64_t from) {
  size_t size = getSize(target.kind);
  std::memcpy(target.data + to * size, source.data + from * size, size);
  if (target.errors)
    target.errors[to] = source.errors[from];
}

LogicalResult Evaluator::evaluateList(tile::KernelOp op) {
  tile::ListAttr attr = op.getListAttr();
  TileList list;
  Box without;
  if (attr.getWithout()) {
    std::optional<Box> box = activation->extents.resolve(attr.getWithout(), op);
    if (!box)
      return failure();
    without = *box;
  }
  for (auto [part, bounds] : llvm::enumerate(attr.getBoxes())) {
    std::optional<Box> box = activation->extents.resolve(bounds, op);
    if (!box)
      return failure();
    list.add(*box, without, attr.hasGap(part));
  }
  list.threads = op.getGrid().countThreads();
  int64_t pieces = llvm::divideCeil(list.total, list.threads);
  list.blocks = attr.getBlocks() > 0 ? std::min(pieces, attr.getBlocks())
                                     : pieces * attr.getTurns();
  Shuffle order(list.blocks, options.blockOrder);
  for (int64_t i = 0; i < order.size(); ++i) {
    TileBlock here;
    here.kernel = op;
    here.list = &list;
    int64_t number = order.get(i);
    here.turn = number % attr.getTurns();
    here.piece = number / attr.getTurns();
    here.isLast = i + 1 == order.size();
    block = &here;
    if (failed(evaluateBlock(*op.getBodyBlock())))
      return failure();
  }
  return success();
}

LogicalResult Evaluator::evaluateTurn(tile::TurnOp op) {
  RuntimeValue field = get(op.getFields()[block->turn]);
  get(op.getRes()) = std::move(field);
  return success();
}

LogicalResult Evaluator::evaluateListStore(tile::StoreOp op) {
  TileValue *values = getTileValue(op, op.getValues());
  if (!values)
    return failure();
  ArrayView from = values->values.getView();
  ArrayView to = getField(op.getField()).getView();
  SmallVector<int64_t, 4> point;
  for (int64_t place = 0; place < block->list->threads; ++place)
    if (block->findPoint(place, point))
      copyElement(to, to.getIndex(point), from, place);
  return success();
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// The values of the piece's points in a copy of the field that has all of its
/// halo: as a kernel stores what it does not read, it may be of any moment.
LogicalResult Evaluator::evaluateHalo(tile::HaloOp op) {
  FieldValue field = getField(op.getField());
  FieldValue &filled = block->list->filled[{op, field.storage.get()}];
  if (!filled.storage) {
    auto type = cast<GridType>(op.getField().getType());
    FailureOr<FieldValue> copy =
        makeField(op, type.getElementType(), field.storage->shape, field.box);
    std::optional<Box> interior =
        activation->extents.resolve(op.getBounds(), op);
    if (failed(copy) || !interior ||
        failed(copyStorage(op, *field.storage, *copy->storage)) ||
        failed(fillHalo(op, op.getConditions(), copy->getView(),
                        type.getElementType(), *interior,
                        static_cast<unsigned>(op.getFilled()))))
      return failure();
    filled = std::move(*copy);
  }
  FailureOr<TileValue> halo = makeTileValue(op, op.getRes().getType());
  if (failed(halo))
    return failure();
  ArrayView from = filled.getView(), to = halo->values.getView();
  SmallVector<int64_t, 4> point;
  for (int64_t place = 0; place < block->list->threads; ++place)
    if (block->findPoint(place, point)) {
      copyElement(to, place, from, from.getIndex(point));
      halo->values.mask.get()[place] = PointState::Set;
    }
  get(op.getRes()) = std::move(*halo);
  return success();
}
