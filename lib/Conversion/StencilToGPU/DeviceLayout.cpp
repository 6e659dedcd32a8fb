//===- DeviceLayout.cpp - Where a field's points are on the device --------===//

#include "DeviceLayout.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

RowLayout stencil::getRowLayout(Operation *function) {
  return hasDeviceArrays(function) ? RowLayout::Dense : RowLayout::Padded;
}

static int64_t getSectorElements(GridType type) {
  return std::max<int64_t>(1, DeviceLayout::kAlignmentBytes /
                                  getElementBytes(type.getElementType()));
}

/// Elements before the first point of a row: they bring coordinate 0 to a
/// multiple of the alignment.
static int64_t getStaticRowStart(GridType type, RowLayout rows) {
  int64_t lb = type.getBounds().getLb().back();
  if (rows == RowLayout::Dense || isSymbolic(lb))
    return 0;
  return llvm::mod(lb, getSectorElements(type));
}

int64_t DeviceLayout::getBufferAlignment(Type elementType, RowLayout rows) {
  if (rows == RowLayout::Padded)
    return kAlignmentBytes;
  // The caller's compiler aligns the parts of a number.
  if (auto complex = dyn_cast<ComplexType>(elementType))
    elementType = complex.getElementType();
  return static_cast<int64_t>(
      llvm::bit_floor<uint64_t>(getElementBytes(elementType)));
}

int64_t DeviceLayout::getAlignment(GridType type, RowLayout rows) {
  int64_t lb = type.getBounds().getLb().back();
  if (isSymbolic(lb))
    return 1;
  int64_t sector = getSectorElements(type);
  if (rows == RowLayout::Padded)
    return sector;
  int64_t factors = sector | lb;
  if (type.getRank() > 1) {
    int64_t extent = type.getBounds().getShape().back();
    if (ShapedType::isDynamic(extent))
      return 1;
    factors |= extent;
  }
  return factors & -factors;
}

std::optional<int64_t> DeviceLayout::getStaticSize(GridType type,
                                                   RowLayout rows) {
  SmallVector<int64_t> shape = type.getBounds().getShape();
  if (llvm::is_contained(shape, ShapedType::kDynamic))
    return std::nullopt;
  if (rows == RowLayout::Padded)
    shape.back() = llvm::alignTo(shape.back() + getStaticRowStart(type, rows),
                                 getSectorElements(type));
  int64_t size = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  return size;
}

bool DeviceLayout::canHold(Type elementType) {
  return hasStorage(elementType) && !elementType.isF80();
}

MemRefType DeviceLayout::getBufferType(GridType type, RowLayout rows) {
  if (!type.getBounds() || !canHold(type.getElementType()))
    return {};
  auto size = getStaticSize(type, rows);
  return MemRefType::get({size.value_or(ShapedType::kDynamic)},
                         type.getElementType());
}

DeviceLayout::DeviceLayout(const Arithmetic &math, GridType type,
                           RowLayout rows, BoundValue getBound,
                           ArrayRef<int64_t> axes) {
  BoundsAttr bounds = type.getBounds();
  int64_t rank = bounds.getRank();
  SmallVector<Value> lower, extents;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t outer = axes.empty() ? axis : axes[axis];
    lower.push_back(getBound(bounds.getLb()[axis], outer));
    Value upper = getBound(bounds.getUb()[axis], outer);
    extents.push_back(math.sub(upper, lower.back()));
  }
  rowLength = extents.back();
  rowStart = math.constant(getStaticRowStart(type, rows));
  pitch = rows == RowLayout::Dense ? rowLength
                                   : math.alignTo(math.add(rowLength, rowStart),
                                                  getSectorElements(type));
  rowCount = math.constant(1);
  strides.assign(rank, {});
  strides[rank - 1] = math.constant(1);
  size = pitch;
  for (int64_t axis = rank - 2; axis >= 0; --axis) {
    strides[axis] = size;
    size = math.mul(size, extents[axis]);
    rowCount = math.mul(rowCount, extents[axis]);
  }
  origin = rowStart;
  for (int64_t axis = 0; axis < rank; ++axis)
    origin = math.sub(origin, math.mul(lower[axis], strides[axis]));
}

Value DeviceLayout::getPosition(const Arithmetic &math,
                                ValueRange point) const {
  Value position = origin;
  for (auto [coordinate, stride] : llvm::zip_equal(point, strides))
    position = math.add(position, math.mul(coordinate, stride));
  return position;
}
