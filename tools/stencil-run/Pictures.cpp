//===- Pictures.cpp - What --png shows ------------------------------------===//

#include "Pictures.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

using Coordinates = llvm::SmallVector<int64_t, 4>;

/// The interior as indices into the array.
static std::pair<Coordinates, Coordinates>
getInterior(func::FuncOp entry, const Parameter &parameter,
            const Extents &extents, llvm::ArrayRef<int64_t> shape) {
  size_t rank = shape.size();
  Coordinates origin(rank, 0), lower(shape), upper(rank, 0);
  if (!parameter.field->boxes.empty())
    if (auto box =
            extents.resolve(parameter.field->boxes.front().type.getBounds()))
      origin = box->first;
  entry.walk([&](StoreOp op) {
    if (op.getBounds().getRank() != static_cast<int64_t>(rank))
      return;
    auto box = extents.resolve(op.getBounds());
    if (!box)
      return;
    for (size_t axis = 0; axis < rank; ++axis) {
      lower[axis] = std::min(lower[axis], box->first[axis] - origin[axis]);
      upper[axis] = std::max(upper[axis], box->second[axis] - origin[axis]);
    }
  });
  for (size_t axis = 0; axis < rank; ++axis) {
    lower[axis] = std::max<int64_t>(lower[axis], 0);
    upper[axis] = std::min(upper[axis], shape[axis]);
    if (lower[axis] >= upper[axis])
      return {Coordinates(rank, 0), Coordinates(shape)};
  }
  return {lower, upper};
}

PlaneView stencil::getPicturePlane(func::FuncOp entry,
                                   const Parameter &parameter,
                                   const Extents &extents,
                                   const FieldArgument &field) {
  auto [lower, upper] = getInterior(entry, parameter, extents, field.shape);
  ElementKind kind = parameter.field->element;
  int64_t start = 0, stride = 1, rowStride = 0, rows = 1, columns = 1;
  size_t rank = field.shape.size();
  for (size_t axis = rank; axis-- > 0; stride *= field.shape[axis]) {
    int64_t first = lower[axis];
    if (axis + 1 == rank) {
      columns = upper[axis] - first;
    } else if (axis + 2 == rank) {
      rows = upper[axis] - first;
      rowStride = stride;
    } else {
      first = (first + upper[axis]) / 2;
    }
    start += first * stride;
  }
  const char *data = static_cast<const char *>(field.data);
  return {data + start * getElementSize(kind),
          kind,
          rows,
          columns,
          rowStride,
          /*columnStride=*/1};
}
