//===- VariantConditions.cpp - Which variant the extents of a call are for ===//

#include "VariantConditions.h"
#include "StencilDialect/Analysis/NarrowPositions.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Numbers of the host, none of which leaves its range.
struct HostNumbers {
  HostNumbers(OpBuilder &builder, ApplyOp apply)
      : builder(apply.getLoc(), builder) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value add(Value a, int64_t b) {
    return b == 0 ? a : arith::AddIOp::create(builder, a, constant(b));
  }
  /// At most 2^31, which is too much for all that it is compared to.
  Value cap(Value a) {
    return arith::MinSIOp::create(builder, a, constant(int64_t(1) << 31));
  }
  Value mul(Value a, Value b) {
    return cap(arith::MulIOp::create(builder, a, b));
  }
  Value alignTo(Value a, int64_t b) {
    if (b == 1)
      return a;
    Value tiles = arith::DivUIOp::create(builder, add(a, b - 1), constant(b));
    return arith::MulIOp::create(builder, tiles, constant(b));
  }
  Value less(Value a, int64_t b) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, a,
                                 constant(b));
  }
  /// Points of a box along an axis.
  Value extent(BoundsAttr bounds, int64_t axis) {
    int64_t lb = bounds.getLb()[axis], ub = bounds.getUb()[axis];
    if (isSymbolic(lb) == isSymbolic(ub))
      return constant(ub - lb);
    Value &interior = interiors[axis];
    if (!interior)
      interior = ExtentOp::create(builder, axis);
    return add(interior, resolve(ub, 0) - resolve(lb, 0));
  }

  ImplicitLocOpBuilder builder;
  /// Of the axes that were asked for.
  llvm::SmallDenseMap<int64_t, Value> interiors;
};
} // namespace

SmallVector<Value> stencil::listFields(ApplyOp apply) {
  llvm::SetVector<Value> fields;
  for (Value operand : apply->getOperands())
    if (isa<GridType>(operand.getType()))
      fields.insert(operand);
  return fields.takeVector();
}

Value stencil::emitFits(OpBuilder &builder, ApplyOp apply, int64_t planes,
                        int64_t limit) {
  HostNumbers numbers(builder, apply);
  auto getExtent = [&](BoundsAttr bounds, int64_t axis) {
    return numbers.cap(numbers.extent(bounds, axis));
  };
  // Rows begin and end at multiples of 32 bytes.
  constexpr int64_t kPadding = 64;
  llvm::SmallSetVector<BoundsAttr, 2> boxes;
  for (Value field : listFields(apply))
    boxes.insert(getBounds(field));
  Value fits;
  for (BoundsAttr bounds : boxes) {
    Value plane =
        numbers.add(getExtent(bounds, bounds.getRank() - 1), kPadding);
    for (int64_t axis = bounds.getRank() - 2; axis > 0; --axis)
      plane = numbers.mul(plane, getExtent(bounds, axis));
    Value size = numbers.mul(plane, getExtent(bounds, 0));
    Value isSmall = numbers.less(size, limit);
    if (planes > 0) {
      int64_t largest = NarrowPositions::kEighth / (planes + 1);
      isSmall = arith::OrIOp::create(
          numbers.builder, isSmall,
          arith::AndIOp::create(numbers.builder,
                                numbers.less(size, limit / 4 * 7),
                                numbers.less(plane, largest)));
    }
    fits =
        fits ? arith::AndIOp::create(numbers.builder, fits, isSmall) : isSmall;
  }
  return fits;
}

/// What a sweep takes with a schedule, of a box whose fields are small.
static Value emitTime(HostNumbers &numbers, ArrayRef<Value> extents,
                      const SweepTime &time) {
  Value points = numbers.constant(1);
  for (auto [extent, length] : llvm::zip_equal(extents, time.tile))
    points = numbers.mul(points, numbers.alignTo(extent, length));
  return arith::MulIOp::create(numbers.builder, points,
                               numbers.constant(time.perPoint));
}

Value stencil::emitIsFaster(OpBuilder &builder, ApplyOp apply,
                            const SweepTime &one, const SweepTime &other) {
  HostNumbers numbers(builder, apply);
  BoundsAttr domain = apply.getDomain();
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    Value extent = numbers.extent(domain, axis);
    // An empty box has no points.
    extents.push_back(
        arith::MaxSIOp::create(numbers.builder, extent, numbers.constant(0)));
  }
  return arith::CmpIOp::create(numbers.builder, arith::CmpIPredicate::slt,
                               emitTime(numbers, extents, one),
                               emitTime(numbers, extents, other));
}
