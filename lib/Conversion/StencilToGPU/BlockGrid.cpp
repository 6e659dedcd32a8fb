//===- BlockGrid.cpp - Which block computes which tile --------------------===//

#include "BlockGrid.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

SmallVector<SmallVector<int64_t>>
stencil::listOffsets(ArrayRef<int64_t> counts, ArrayRef<int64_t> steps) {
  SmallVector<SmallVector<int64_t>> points = {
      SmallVector<int64_t>(counts.size(), 0)};
  for (size_t axis = 0; axis < counts.size(); ++axis) {
    SmallVector<SmallVector<int64_t>> next;
    for (const SmallVector<int64_t> &point : points)
      for (int64_t i = 0; i < counts[axis]; ++i) {
        next.push_back(point);
        next.back()[axis] = i * steps[axis];
      }
    points = std::move(next);
  }
  return points;
}

/// The coordinate at which the first block begins: on the last axis aligned, so
/// that vectors are. A walk begins with the first plane.
std::optional<int64_t> BlockGrid::getStart(int64_t axis) const {
  int64_t lb = domain.getLb()[axis];
  if (isSymbolic(lb))
    return std::nullopt;
  bool isAligned = axis == domain.getRank() - 1 && schedule.walk != axis;
  return isAligned ? lb - llvm::mod(lb, alignment) : lb;
}

int64_t BlockGrid::getAlignment(int64_t step) const {
  int64_t last = domain.getRank() - 1;
  auto start = getStart(last);
  // From plane to plane, a walk along the last axis is at any coordinate.
  if (!start || schedule.walk == last)
    return 1;
  int64_t factors = step | *start | stepOf(last) | marginOf(last);
  return factors & -factors;
}

/// The points from the first block's on.
Value BlockGrid::getExtent(const Arithmetic &math, BoundValue getBound,
                           int64_t axis) const {
  auto start = getStart(axis);
  Value lb =
      start ? math.constant(*start) : getBound(domain.getLb()[axis], axis);
  return math.sub(getBound(domain.getUb()[axis], axis), lb);
}

SmallVector<Value> BlockGrid::countBlocks(KernelBuilder &kernel, Value &total) {
  auto count = [&](const Arithmetic &math, BoundValue getBound) {
    SmallVector<Value> counts;
    for (int64_t axis = 0; axis < domain.getRank(); ++axis)
      counts.push_back(
          schedule.walk == axis
              ? math.constant(schedule.segments)
              : math.ceilDiv(getExtent(math, getBound, axis), stepOf(axis)));
    return counts;
  };
  OpBuilder &outside = kernel.outside();
  Arithmetic math(outside, kernel.getLoc(), outside.getIndexType());
  SmallVector<Value> counts = count(math, [&](int64_t bound, int64_t axis) {
    return kernels.getBound(outside, kernel.getLoc(), bound, axis);
  });
  total = math.constant(1);
  for (auto [axis, blocks] : llvm::enumerate(counts)) {
    // The last panel may have less blocks, but is as large.
    if (int64_t panel = schedule.panel[axis])
      blocks = math.alignTo(blocks, panel);
    total = math.mul(total, blocks);
  }
  return count(kernel.math(), [&](int64_t bound, int64_t axis) {
    return kernel.getBound(bound, axis);
  });
}

SmallVector<Value> BlockGrid::findBlock(KernelBuilder &kernel,
                                        ArrayRef<Value> counts) {
  Arithmetic math = kernel.math();
  Value rest = kernel.getBlock();
  SmallVector<Value> block(counts.size());
  SmallVector<std::pair<int64_t, Value>> digits; // axis, number of values
  for (int64_t axis : schedule.order)
    digits.emplace_back(axis, schedule.panel[axis]
                                  ? math.constant(schedule.panel[axis])
                                  : counts[axis]);
  for (int64_t axis : schedule.order)
    if (int64_t panel = schedule.panel[axis])
      digits.emplace_back(axis, math.ceilDiv(counts[axis], panel));
  for (auto [index, digit] : llvm::enumerate(digits)) {
    auto [axis, count] = digit;
    bool isConstantOne = Arithmetic::getConstant(count) == 1;
    Value value = isConstantOne               ? math.constant(0)
                  : index + 1 < digits.size() ? math.rem(rest, count)
                                              : rest;
    if (!isConstantOne)
      rest = math.div(rest, count);
    if (block[axis])
      value = math.add(math.mul(value, schedule.panel[axis]), block[axis]);
    block[axis] = value;
  }
  return block;
}

Value BlockGrid::getSegmentLength(KernelBuilder &kernel) {
  auto getBound = [&](int64_t bound, int64_t axis) {
    return kernel.getBound(bound, axis);
  };
  return kernel.math().ceilDiv(
      getExtent(kernel.math(), getBound, *schedule.walk), schedule.segments);
}

Value BlockGrid::getTileStart(KernelBuilder &kernel, int64_t axis,
                              Value position) {
  Arithmetic math = kernel.math();
  auto start = getStart(axis);
  Value first = start ? math.constant(*start)
                      : kernel.getBound(domain.getLb()[axis], axis);
  Value offset = schedule.walk == axis
                     ? math.mul(position, getSegmentLength(kernel))
                     : math.mul(position, stepOf(axis));
  return math.add(math.add(first, offset), -marginOf(axis));
}

/// True if a thread's points can lie outside of the box on a side.
bool BlockGrid::needsTest(int64_t axis, bool upper) const {
  auto start = getStart(axis);
  if (!upper)
    return start && *start != domain.getLb()[axis];
  int64_t ub = domain.getUb()[axis];
  if (!start || isSymbolic(ub))
    return true;
  // Blocks of a panel that is not full lie outside.
  int64_t panel = std::max<int64_t>(1, schedule.panel[axis]);
  return (ub - *start) % (stepOf(axis) * panel) != 0;
}

Value BlockGrid::isInside(KernelBuilder &kernel, const BasePoint &base,
                          ArrayRef<int64_t> points) {
  Arithmetic math = kernel.math();
  Value inside;
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    if (schedule.walk == axis)
      continue;
    Value coordinate = base.coordinates[axis];
    if (needsTest(axis, /*upper=*/false))
      inside = math.both(
          inside, math.lessEqual(kernel.getBound(domain.getLb()[axis], axis),
                                 coordinate));
    if (needsTest(axis, /*upper=*/true))
      inside = math.both(
          inside, math.lessEqual(math.add(coordinate, points[axis]),
                                 kernel.getBound(domain.getUb()[axis], axis)));
  }
  return inside;
}

BasePoint BlockGrid::visitPoints(KernelBuilder &kernel, Location loc,
                                 const BasePoint &base,
                                 ArrayRef<int64_t> steps) {
  OpBuilder &builder = kernel.body();
  Arithmetic math = kernel.math();
  BasePoint point;
  for (auto [coordinate, count, step] :
       llvm::zip_equal(base.coordinates, points, steps)) {
    Value along = coordinate;
    if (count > step) {
      auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                     math.constant(count), math.constant(step));
      builder.setInsertionPoint(loop.getBody()->getTerminator());
      along = math.add(along, loop.getInductionVar());
    }
    point.coordinates.push_back(along);
  }
  if (Value test = isInside(kernel, point, steps)) {
    auto branch = scf::IfOp::create(builder, loc, test);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  return point;
}
