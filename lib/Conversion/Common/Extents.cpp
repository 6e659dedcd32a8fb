//===- Extents.cpp - Run-time values of bounds ----------------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

static Value addConstant(OpBuilder &builder, Location loc, Value value,
                         int64_t constant) {
  if (constant == 0)
    return value;
  Value other = arith::ConstantIndexOp::create(builder, loc, constant);
  return arith::AddIOp::create(builder, loc, value, other);
}

void Extents::learn(OpBuilder &builder, Location loc, GridType type,
                    Value buffer) {
  BoundsAttr bounds = type.getBounds();
  if (!bounds)
    return;
  for (int64_t axis = 0; axis < bounds.getRank(); ++axis) {
    int64_t lb = bounds.getLb()[axis], ub = bounds.getUb()[axis];
    if (isSymbolic(lb) || !isSymbolic(ub) || get(axis))
      continue;
    // size = N + k - lb
    Value size = memref::DimOp::create(builder, loc, buffer, axis);
    set(axis, addConstant(builder, loc, size, lb - symbolicOffset(ub)));
  }
}

void Extents::set(int64_t axis, Value extent) {
  if (static_cast<int64_t>(extents.size()) <= axis)
    extents.resize(axis + 1);
  extents[axis] = extent;
}

Value Extents::get(int64_t axis) const {
  return axis < static_cast<int64_t>(extents.size()) ? extents[axis] : Value();
}

Value Extents::getBound(OpBuilder &builder, Location loc, int64_t bound,
                        int64_t axis) const {
  if (!isSymbolic(bound))
    return arith::ConstantIndexOp::create(builder, loc, bound);
  return addConstant(builder, loc, get(axis), symbolicOffset(bound));
}

Value Extents::getPosition(OpBuilder &builder, Location loc, Value coordinate,
                           int64_t offset, int64_t lb, int64_t axis) const {
  if (!isSymbolic(lb))
    return addConstant(builder, loc, coordinate, offset - lb);
  return arith::SubIOp::create(builder, loc,
                               addConstant(builder, loc, coordinate, offset),
                               getBound(builder, loc, lb, axis));
}

SmallVector<Value> Extents::getIndices(OpBuilder &builder, Location loc,
                                       GridType type, ValueRange point) const {
  SmallVector<Value> indices;
  for (auto [axis, coordinate] : llvm::enumerate(point))
    indices.push_back(getPosition(builder, loc, coordinate, 0,
                                  type.getBounds().getLb()[axis], axis));
  return indices;
}
