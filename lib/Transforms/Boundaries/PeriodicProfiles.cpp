//===- PeriodicProfiles.cpp - Fields of fewer axes that repeat ------------===//
//
// Before, in a pipeline of two axes whose box is [0, 64) along axis 1:
//   %p = stencil.load %f                   read at [_, 1], around the box, too
// After:
//   %g = stencil.alloc                     before the pipeline
//   stencil.apply(%x = %f) outs (%g) { return %x[1] } to <[0], [64]>
//   stencil.boundary %g [#stencil.periodic]
//   %p = stencil.load %g                   read at [_, 0]
//
// A window has all axes, so that it cannot be one that repeats.
//
//===----------------------------------------------------------------------===//

#include "PeriodicProfiles.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

Value PeriodicProfiles::fill(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
                             ArrayRef<int64_t> at) {
  MLIRContext *context = op.getContext();
  BoundsAttr domain = plan.getDomain();
  const OffsetBox &needs = plan.getNeeds(stage);
  SmallVector<int64_t> lower, upper, first, end;
  SmallVector<Attribute> conditions;
  for (int64_t axis : own) {
    const OffsetBox &box = axes[axis] ? OffsetBox::zero(axes.size()) : needs;
    lower.push_back(domain.getLb()[axis] + box.lower[axis]);
    upper.push_back(domain.getUb()[axis] + box.upper[axis]);
    first.push_back(lower.back() - (axes[axis] ? reach.lower[axis] : 0));
    end.push_back(upper.back() + (axes[axis] ? reach.upper[axis] : 0));
    conditions.append(2, axes[axis] ? Attribute(PeriodicAttr::get(context))
                                    : Attribute(KeepAttr::get(context)));
  }
  Location loc = load.getLoc();
  Value source = load.getField();
  auto box = BoundsAttr::get(context, lower, upper);
  auto type = FieldType::get(BoundsAttr::get(context, first, end),
                             cast<GridType>(source.getType()).getElementType());
  OpBuilder builder(op);
  // Once, if its size does not depend on what comes before the pipeline.
  if (!type.getBounds().isSymbolic())
    builder.setInsertionPointToStart(
        &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  Value copy = AllocOp::create(builder, loc, type);
  builder.setInsertionPoint(op);
  auto apply =
      ApplyOp::create(builder, loc, ValueRange(source), ValueRange(copy), box);
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  Value value =
      AccessOp::create(body, loc, apply.getBodyBlock()->getArgument(0), at);
  ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  BoundaryOp::create(builder, loc, copy, box,
                     ArrayAttr::get(context, conditions));
  return copy;
}

LoadOp PeriodicProfiles::get(LoadOp load, ApplyOp stage, ArrayRef<int64_t> own,
                             ArrayRef<int64_t> at) {
  LoadOp &known = made[{load, stage, own.vec(), at.vec()}];
  if (!known) {
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(load);
    known = LoadOp::create(builder, load.getLoc(), load.getType(),
                           fill(load, stage, own, at));
  }
  return known;
}
