//===- TileLists.cpp - Kernels over lists: halos and folds ----------------===//
//
// A tile is a piece of the list. Values on it are by place: what a point of the
// list has is the value at the place of its number.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

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

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::TurnOp op) {
  RuntimeValue field = state.get(op.getFields()[block.turn]);
  state.get(op.getRes()) = std::move(field);
  return success();
}

LogicalResult interp::evaluateListStore(RunState &state, TileBlock &block,
                                        tile::StoreOp op) {
  TileValue *values = getTileValue(state, op, op.getValues());
  if (!values)
    return failure();
  ArrayView from = values->values.getView();
  ArrayView to = state.getField(op.getField()).getView();
  block.forEachPoint([&](int64_t place, ArrayRef<int64_t> point) {
    copyElement(to, to.getIndex(point), from, place);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// The values of the piece's points in a copy of the field that has all of its
/// halo: as a kernel stores what it does not read, it may be of any moment.
LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::HaloOp op) {
  FieldValue field = state.getField(op.getField());
  FieldValue &filled = block.list->filled[{op, field.storage.get()}];
  if (!filled.storage) {
    auto type = cast<GridType>(op.getField().getType());
    FailureOr<FieldValue> copy = state.makeField(
        op, type.getElementType(), field.storage->shape, field.box);
    std::optional<Box> interior = state.resolve(op.getBounds(), op);
    if (failed(copy) || !interior ||
        failed(state.copyStorage(op, *field.storage, *copy->storage)) ||
        failed(fillHalo(state, op, op.getConditions(), copy->getView(),
                        type.getElementType(), *interior,
                        static_cast<unsigned>(op.getFilled()))))
      return failure();
    filled = std::move(*copy);
  }
  FailureOr<TileValue> halo = makeTileValue(state, op, op.getRes().getType());
  if (failed(halo))
    return failure();
  ArrayView from = filled.getView(), to = halo->values.getView();
  block.forEachPoint([&](int64_t place, ArrayRef<int64_t> point) {
    copyElement(to, place, from, from.getIndex(point));
    halo->values.mask.get()[place] = PointState::Set;
  });
  state.get(op.getRes()) = std::move(*halo);
  return success();
}
