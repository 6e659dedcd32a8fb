//===- HaloReads.cpp - What a stage reads beyond a box --------------------===//
//
// Of a point at distance d beyond the box along axis a, the condition says
// which points within it is made of: these are at a fixed offset of the point
// that the body is for, as long as d is fixed. So each d has a test of the
// coordinate, and a select.
//
// v(a, o): what is read at offset o, beyond the box along the axes up to a; the
// window itself is v(-1, o).
//
//   v(a, o) = select(coordinate a + o[a] == lb - d,
//                    the condition of v(a - 1, o with another o[a]),
//                    v(a - 1, o)), for all d
//
//===----------------------------------------------------------------------===//

#include "HaloReads.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value HaloInputs::getExtent(int64_t axis) {
  Value &extent = extents[axis];
  if (!extent) {
    OpBuilder builder(op);
    extent = ExtentOp::create(builder, op.getLoc(), axis);
  }
  return extent;
}

Value HaloInputs::getZeroPadded(LoadOp load) {
  Value &known = windows[load];
  if (known)
    return known;
  OpBuilder builder(load.getContext());
  builder.setInsertionPointAfter(load);
  auto field = cast<GridType>(load.getField().getType());
  BoundsAttr box = OffsetBox::ofBounds(plan.getDomain())
                       .shifted(getRead(load))
                       .toBounds(load.getContext());
  // As many planes as are read, once that is known.
  std::optional<int64_t> depth, lead;
  if (op.getWalkAxis()) {
    depth = op.getStep();
    lead = 0;
  }
  auto window = WindowOp::create(builder, load.getLoc(), load, Space::Shared,
                                 depth, lead, Prefetch::None);
  SmallVector<Attribute> zeros(2 * field.getRank(),
                               getZeroCondition(field.getElementType()));
  window.setBoundary(box, builder.getArrayAttr(zeros));
  return known = window;
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// Of the points that the stage computes: how far what they read may lie beyond
/// the box.
int64_t HaloReads::countLayers(int64_t axis, bool upper, int64_t offset) const {
  if (upper)
    return domain.getUb()[axis] + needs.upper[axis] + offset -
           halo.box.getUb()[axis];
  return halo.box.getLb()[axis] - domain.getLb()[axis] - needs.lower[axis] -
         offset;
}

/// The coordinate of the point, counted from a bound of the box.
Value HaloReads::getDistance(int64_t axis, bool upper) {
  Value &distance = distances[{axis, upper}];
  if (distance)
    return distance;
  int64_t bound = (upper ? halo.box.getUb() : halo.box.getLb())[axis];
  bool isRelative = isSymbolic(bound);
  SmallVector<int64_t> offset(stage.getRank(), 0);
  offset[axis] = isRelative ? -symbolicOffset(bound) : -bound;
  distance = stencil::IndexOp::create(head, loc, axis, offset);
  if (isRelative)
    distance = arith::SubIOp::create(head, loc, distance,
                                     getArgument(inputs.getExtent(axis)));
  return distance;
}

Value HaloReads::compare(arith::CmpIPredicate predicate, int64_t axis,
                         bool upper, int64_t value) {
  Value &condition =
      conditions[{static_cast<int>(predicate), axis, upper, value}];
  if (!condition) {
    Value distance = getDistance(axis, upper);
    condition =
        arith::CmpIOp::create(head, loc, predicate, distance,
                              arith::ConstantIndexOp::create(head, loc, value));
  }
  return condition;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether a field has what is read at an offset, for all points.
bool HaloReads::staysIn(BoundsAttr field, const Offset &offset) const {
  for (auto [axis, distance] : llvm::enumerate(offset))
    if (domain.getLb()[axis] + needs.lower[axis] + distance <
            field.getLb()[axis] ||
        domain.getUb()[axis] + needs.upper[axis] + distance >
            field.getUb()[axis])
      return false;
  return true;
}

Value HaloReads::read(Value argument, const Offset &offset) {
  if (argument == window && halo.field)
    readsBeyondField |= !staysIn(halo.field, offset);
  Value &access = accesses[{argument.getAsOpaquePointer(), offset}];
  if (!access)
    access = AccessOp::create(here, loc, argument, offset);
  return access;
}

/// In memory, if it is read there at all points.
Value HaloReads::readKept(const Offset &offset) {
  if (!halo.keep)
    return read(window, offset);
  LoadOp keep = halo.keep;
  OffsetBox known = inputs.getRead(keep);
  bool isRead = true;
  for (auto [axis, distance] : llvm::enumerate(offset))
    isRead &= needs.lower[axis] + distance >= known.lower[axis] &&
              needs.upper[axis] + distance <= known.upper[axis];
  return read(getArgument(isRead ? keep.getRes() : inputs.getZeroPadded(keep)),
              offset);
}

/// What is at a distance from the box.
Value HaloReads::makeLayer(int64_t axis, bool upper, const Offset &offset,
                           int64_t distance) {
  HaloRule rule = halo.getRule(axis, upper);
  auto evaluateInside = [&](int64_t point) {
    Offset moved = offset;
    moved[axis] += upper ? -distance - point : distance + point;
    return evaluate(axis - 1, moved);
  };
  if (!rule.isPolynomial()) {
    Value value = evaluateInside(rule.getPoint(distance));
    return rule.isNegated ? negate(here, loc, value) : value;
  }
  SmallVector<Value> values;
  for (int64_t node = 0; node <= rule.order; ++node)
    values.push_back(evaluateInside(node));
  // The nearest value itself.
  return rule.order == 0 ? values.front()
                         : extrapolate(here, loc, values, rule.order, distance);
}

/// `inner`, or what is beyond the box on one side.
Value HaloReads::addSide(int64_t axis, bool upper, const Offset &offset,
                         Value inner) {
  HaloRule rule = halo.getRule(axis, upper);
  int64_t layers = countLayers(axis, upper, offset[axis]);
  if (layers <= 0 || rule.wraps())
    return inner;
  Value value = inner;
  if (rule.isConstant() || rule.isKept()) {
    Value isBeyond =
        compare(upper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt,
                axis, upper, -offset[axis]);
    Value beyond =
        rule.isKept()
            ? readKept(offset)
            : arith::ConstantOp::create(
                  head, loc, convertNumber(rule.value, inner.getType()))
                  .getResult();
    ++numOps;
    return arith::SelectOp::create(here, loc, isBeyond, beyond, value);
  }
  for (int64_t distance = 1; distance <= layers && numOps <= kMaxShiftedOps;
       ++distance) {
    int64_t at = upper ? distance - 1 : -distance;
    Value isHere =
        compare(arith::CmpIPredicate::eq, axis, upper, at - offset[axis]);
    Value beyond = makeLayer(axis, upper, offset, distance);
    ++numOps;
    value = arith::SelectOp::create(here, loc, isHere, beyond, value);
  }
  return value;
}

Value HaloReads::evaluate(int64_t axis, const Offset &offset) {
  if (axis < 0 || numOps > kMaxShiftedOps)
    return read(window, offset);
  if (auto found = known.find({axis, offset}); found != known.end())
    return found->second;
  Value value = evaluate(axis - 1, offset);
  for (bool upper : {false, true})
    value = addSide(axis, upper, offset, value);
  known[{axis, offset}] = value;
  return value;
}

LogicalResult HaloReads::run(unsigned operand) {
  Block *body = stage.getBodyBlock();
  window = body->getArgument(operand);
  SmallVector<AccessOp> reads;
  auto note = [&](Operation *op) -> LogicalResult {
    if (!llvm::is_contained(op->getOperands(), window))
      return success();
    auto access = dyn_cast<AccessOp>(op);
    if (!access)
      return op->emitOpError("has no lowering here: expected accesses of a "
                             "window with a boundary of what a stage makes, "
                             "or with an extrapolation");
    reads.push_back(access);
    return success();
  };
  if (failed(checkWithin(*body, note)))
    return failure();
  head.setInsertionPointToStart(body);
  for (AccessOp access : reads) {
    ArrayRef<int64_t> at = access.getOffset().getValues();
    here.setInsertionPoint(access);
    loc = access.getLoc();
    // What is read in a branch is not known outside of it.
    bool isInBranch = access->getBlock() != body;
    decltype(known) outerValues;
    decltype(accesses) outerAccesses;
    if (isInBranch) {
      outerValues = known;
      outerAccesses = accesses;
    }
    Value value =
        evaluate(halo.box.getRank() - 1, Offset(at.begin(), at.end()));
    if (numOps > kMaxShiftedOps)
      return stage.emitOpError("expected a boundary of what it reads for which "
                               "its body has at most ")
             << kMaxShiftedOps << " values to choose from";
    if (readsBeyondField)
      return stage.emitOpError("has no lowering here: expected a field that "
                               "has all points of which a boundary with kept, "
                               "extrapolated and periodic sides is made, ")
             << halo.field;
    access.getRes().replaceAllUsesWith(value);
    if (isInBranch) {
      known = std::move(outerValues);
      accesses = std::move(outerAccesses);
    }
  }
  for (AccessOp access : reads)
    access.erase();
  return success();
}
