//===- ComposedEdges.cpp - Chained steps of a rim at once -----------------===//
//
// Near a boundary, a halo is part of every step: each slab of the rim is one
// apply, as the core is, in whose body the value of a step is followed by what
// the conditions make of it beyond the boundary,
//
//   x1 = step of x0
//   y1 = p < lb ? the condition of x1 : x1         axis by axis
//   x2 = step of y1
//
// whose points beyond that nobody reads are as good as any. For these there is
// a copy of the state with wide margins. Of kept halos, those of odd levels are
// in another such field. Of periodic axes, the margins have images.
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
#include "Fusion/ApplyFusion.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "StepBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// What a condition puts `distance` points beyond the interior, from values of
/// points nearby.
static Value makeHaloPoint(ImplicitLocOpBuilder &body, const HaloRule &rule,
                           int64_t distance,
                           llvm::function_ref<Value(int64_t inwards)> read) {
  if (!rule.isPolynomial()) {
    Value value = read(rule.getPoint(distance) + distance);
    return rule.isNegated ? negate(body, body.getLoc(), value) : value;
  }
  SmallVector<Value> nodes;
  for (int64_t node = 0; node <= rule.order; ++node)
    nodes.push_back(read(node + distance));
  return extrapolate(body, body.getLoc(), nodes, rule.order, distance);
}

/// The source, with the halo of one axis on those sides that steps for the box
/// read; null if there is none. `kept` has the halo that is kept at this level,
/// if it is not that of the source.
static ApplyOp makeHalo(StepWriter &writer, Value source, Value kept,
                        int64_t axis, BoundsAttr box) {
  const StepComposition &plan = writer.plan;
  BoundsAttr interior = plan.time.interior;
  SmallVector<bool, 2> sides;
  for (bool upper : {false, true})
    if (HaloRule rule = plan.getRule(axis, upper);
        plan.isNear(box, axis, upper) && !rule.wraps() &&
        (!rule.isKept() || kept))
      sides.push_back(upper);
  if (sides.empty())
    return {};
  SmallVector<Value> args = {source};
  if (kept)
    args.push_back(kept);
  int64_t ub = interior.getUb()[axis];
  if (isSymbolic(ub))
    args.push_back(writer.getIndex(ub, axis));
  int64_t rank = box.getRank();
  Type element = writer.getElementType();
  ApplyOp apply = ApplyOp::create(
      writer.builder, TypeRange(TempType::get(rank, element)), args);
  Block *block = apply.getBodyBlock();
  auto body = ImplicitLocOpBuilder::atBlockEnd(writer.getLoc(), block);
  SmallVector<int64_t> offset(rank, 0);
  auto read = [&](unsigned argument, int64_t along) -> Value {
    offset[axis] = along;
    return AccessOp::create(body, block->getArgument(argument), offset);
  };
  Value at = stencil::IndexOp::create(body, axis, offset);
  auto getBound = [&](bool upper, int64_t distance) -> Value {
    int64_t bound = (upper ? interior.getUb() : interior.getLb())[axis];
    if (!isSymbolic(bound))
      return arith::ConstantIndexOp::create(body, bound + distance);
    Value last = block->getArgument(block->getNumArguments() - 1);
    return distance == 0
               ? last
               : arith::AddIOp::create(
                     body, last, arith::ConstantIndexOp::create(body, distance))
                     .getResult();
  };
  Value value = read(0, 0);
  for (bool upper : sides) {
    HaloRule rule = plan.getRule(axis, upper);
    Value beyond;
    if (rule.isKept()) {
      beyond = read(1, 0);
    } else if (rule.isConstant()) {
      beyond =
          arith::ConstantOp::create(body, convertNumber(rule.value, element));
    } else {
      // The farthest one, unless it is one that is nearer.
      for (int64_t distance = plan.getReach(axis, upper); distance > 0;
           --distance) {
        Value point = makeHaloPoint(body, rule, distance, [&](int64_t inwards) {
          return read(0, upper ? -inwards : inwards);
        });
        Value isHere =
            beyond ? arith::CmpIOp::create(
                         body, arith::CmpIPredicate::eq, at,
                         getBound(upper, upper ? distance - 1 : -distance))
                   : Value();
        beyond = beyond ? arith::SelectOp::create(body, isHere, point, beyond)
                              .getResult()
                        : point;
      }
    }
    Value isBeyond = arith::CmpIOp::create(
        body, upper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt, at,
        getBound(upper, 0));
    value = arith::SelectOp::create(body, isBeyond, beyond, value);
  }
  ReturnOp::create(body, value);
  return apply;
}

/// Stages as the core has them, if that is asked for; the tile is chosen.
static void setEdgeSchedule(const StepWriter &writer, ApplyOp apply) {
  ApplyOp step = writer.plan.step;
  auto core = ScheduleAttr::of(step);
  ScheduleKeys keys;
  if (core && core.getChain()) {
    keys.stream = core.getStream();
    keys.chain = Space::Shared;
  }
  keys.give(apply);
  writer.setLaunch(apply, RegionLaunch::Streams);
}

/// All steps for a slab of the rim.
static void stepEdge(StepWriter &writer, Value state, Value kept,
                     BoundsAttr box, Value field) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  Type between = TempType::get(box.getRank(), writer.getElementType());
  ApplyOp apply;
  auto getSource = [&] { return apply ? apply.getRes().front() : state; };
  auto add = [&](ApplyOp next) {
    apply = apply ? inlineProducer(apply, next, /*keepsResults=*/false, next)
                  : next;
  };
  for (unsigned level = 0; level < plan.steps; ++level) {
    Value halo = level % 2 == 0 ? state : kept;
    for (int64_t axis = 0; axis < box.getRank(); ++axis) {
      // At first what is kept is there, unless a condition was put over it.
      bool isThere = level == 0 && !apply;
      if (ApplyOp next = makeHalo(writer, getSource(), isThere ? Value() : halo,
                                  axis, box))
        add(next);
    }
    bool isLast = level + 1 == plan.steps;
    add(writer.makeStep(getSource(),
                        isLast ? writer.getValueType(box) : between));
  }
  apply->setDiscardableAttr(kStepsAttr, builder.getI64IntegerAttr(plan.steps));
  // Its branches are few, and of a few points.
  apply->setDiscardableAttr(kRegionsAttr, builder.getStringAttr("keep"));
  setEdgeSchedule(writer, apply);
  StoreOp::create(builder, apply.getRes().front(), field, box);
}

RimFields stencil::prepareEdges(StepWriter &writer, const StateFields &first) {
  // Tiles compute what nobody stores, of what nobody has copied.
  FieldType type = writer.plan.getEdgeType();
  auto make = [&] {
    Value field = makeFieldBefore(writer.loop, writer.builder, type);
    fillZeros(writer.builder, field);
    return field;
  };
  RimFields rim;
  rim.even = make();
  if (!writer.plan.keepsHalo)
    return rim;
  rim.odd = make();
  writer.fillHalo(rim.even, first.now);
  writer.fillHalo(rim.odd, first.then);
  return rim;
}

void stencil::buildEdges(StepWriter &writer, const RimFields &rim, Value state,
                         Value then) {
  const StepComposition &plan = writer.plan;
  for (BoundsAttr box : plan.getRim(0))
    writer.copy(state, box, rim.even);
  bool wraps = llvm::any_of(
      llvm::seq<int64_t>(0, plan.margins.size()), [&](int64_t axis) {
        return plan.margins[axis] > 0 && plan.getRule(axis, false).wraps();
      });
  if (wraps)
    writer.setBoundary(rim.even);
  Value begin = writer.load(rim.even);
  Value kept = rim.odd ? writer.load(rim.odd) : Value();
  for (BoundsAttr box : plan.getRim(plan.steps))
    stepEdge(writer, begin, kept, box, then);
}
