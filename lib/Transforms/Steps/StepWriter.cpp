//===- StepWriter.cpp - The ops of composed steps -------------------------===//

#include "ComposedParts.h"
#include "StencilDialect/IR/Schedule.h"
#include "StepBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

Value StepWriter::load(Value field) {
  auto type = cast<GridType>(field.getType());
  return LoadOp::create(builder, loc,
                        TempType::get(type.getRank(), type.getElementType()),
                        field);
}

Value StepWriter::getIndex(int64_t bound, int64_t axis) {
  if (!isSymbolic(bound))
    return arith::ConstantIndexOp::create(builder, loc, bound);
  Value extent = ExtentOp::create(builder, loc, axis);
  return builder.createOrFold<arith::AddIOp>(
      loc, extent,
      arith::ConstantIndexOp::create(builder, loc, symbolicOffset(bound)));
}

void StepWriter::copyScalars() {
  SmallVector<Value> roots;
  ApplyOp apply = plan.step;
  for (auto [i, argument] : llvm::enumerate(apply.getArgs()))
    if (i != plan.input)
      roots.push_back(argument);
  auto isCopied = [](Operation *) { return true; };
  copyNeeded(builder, *loop.getBody(), roots, isCopied, scalars);
}

ApplyOp StepWriter::makeApply(ValueRange args, BoundsAttr box) {
  return ApplyOp::create(builder, loc, TypeRange(getValueType(box)), args);
}

ApplyOp StepWriter::makeStep(Value source, Type type) {
  ApplyOp original = plan.step;
  SmallVector<Value> args;
  for (auto [i, argument] : llvm::enumerate(original.getArgs()))
    args.push_back(i == plan.input ? source
                                   : scalars.lookupOrDefault(argument));
  return copyApply(builder, loc, original, TypeRange(type), args);
}

static void askFor(ApplyOp apply, RegionLaunch how) {
  auto own = apply->getAttrOfType<ScheduleAttr>(ScheduleAttr::kAttrName);
  ScheduleKeys keys = own ? ScheduleKeys(own) : ScheduleKeys();
  keys.regions = how;
  apply->setAttr(ScheduleAttr::kAttrName, keys.get(apply.getContext()));
}

void StepWriter::setLaunch(ApplyOp apply, RegionLaunch how) const {
  if (plan.isChained && plan.hasRim())
    askFor(apply, how);
}

ApplyOp StepWriter::step(Value source, BoundsAttr box, Value field) {
  ApplyOp apply = makeStep(source, getValueType(box));
  setLaunch(apply, RegionLaunch::Launch);
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
  return apply;
}

void StepWriter::copy(Value source, BoundsAttr box, Value field,
                      int64_t shift) {
  ApplyOp apply = makeApply(source, box);
  // What all steps at once need for the rim is one launch, too.
  if (plan.hasRim() && (plan.isChained || plan.rim == ComposedRim::AtOnce))
    askFor(apply, RegionLaunch::Launch);
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  SmallVector<int64_t> here(box.getRank(), shift);
  Value value =
      AccessOp::create(body, loc, apply.getBodyBlock()->getArgument(0), here);
  ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void StepWriter::fill(Value field, BoundsAttr box, TypedAttr value) {
  ApplyOp apply = makeApply({}, box);
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  Value number = arith::ConstantOp::create(body, loc, value);
  ReturnOp::create(body, loc, ValueRange(number), stencil::IndexAttr());
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void StepWriter::fillHalo(Value field, Value source) {
  Value halo = load(source);
  GridBox rest(plan.getRimType().getBounds()), interior(plan.time.interior);
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    GridBox slab = rest;
    slab.ub[axis] = interior.lb[axis];
    if (slab.lb[axis] < slab.ub[axis])
      copy(halo, BoundsAttr::get(loop.getContext(), slab.lb, slab.ub), field);
    slab.lb[axis] = interior.ub[axis];
    slab.ub[axis] = rest.ub[axis];
    if (slab.lb[axis] < slab.ub[axis])
      copy(halo, BoundsAttr::get(loop.getContext(), slab.lb, slab.ub), field);
    rest.lb[axis] = interior.lb[axis];
    rest.ub[axis] = interior.ub[axis];
  }
}

void StepWriter::setBoundary(Value field) {
  if (!plan.boundary)
    return;
  BoundaryOp boundary = plan.boundary;
  BoundaryOp::create(builder, boundary.getLoc(), field, boundary.getBounds(),
                     boundary.getConditions());
}
