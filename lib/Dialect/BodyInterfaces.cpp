//===- BodyInterfaces.cpp - What is asked of ops of bodies ----------------===//

#include "StencilDialect/IR/BodyInterfaces.h"
#include "BodyOps.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect/IR/BodyInterfaces.cpp.inc"

LogicalResult stencil::verifyInBody(Operation *op) {
  return success(succeeded(getEnclosingApply(op)));
}

bool stencil::readsComputedPoints(Operation *op) {
  auto placed = dyn_cast<PlacedOpInterface>(op);
  return placed && placed.readsComputedPoints();
}

bool stencil::usesCoordinate(Operation *op, std::optional<int64_t> axis) {
  auto placed = dyn_cast<PlacedOpInterface>(op);
  return placed && placed.usesCoordinate(axis);
}

Expansion::Expansion(PointwiseOpInterface op)
    : block(std::make_unique<Block>()) {
  for (Value operand : op->getOperands())
    block->addArgument(operand.getType(), operand.getLoc());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(block.get());
  results = op.expand(builder, block->getArguments());
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

/// Moves offsets along the axes `own`, which become those of the new apply.
/// Returns the mapping of the input, null if it has all axes.
static stencil::IndexAttr moveOffsets(MLIRContext *context,
                                      ArrayRef<int64_t> own,
                                      ArrayRef<int64_t> offset,
                                      ArrayRef<int64_t> axes,
                                      MutableArrayRef<int64_t> values) {
  SmallVector<int64_t> moved;
  for (int64_t axis : own)
    moved.push_back(axes[axis]);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] += offset[moved[i % moved.size()]];
  return moved.size() == offset.size()
             ? stencil::IndexAttr()
             : stencil::IndexAttr::get(context, moved);
}

void AccessOp::move(ArrayRef<int64_t> offset, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> values(getOffset().getValues());
  stencil::IndexAttr mapping =
      moveOffsets(getContext(), getAxes(), offset, axes, values);
  setOffsetAttr(stencil::IndexAttr::get(getContext(), values));
  if (mapping)
    setOffsetMappingAttr(mapping);
  else
    removeOffsetMappingAttr();
}

/// Of a sum over a value of the body, the neighbours stay: what it depends on
/// moves. There is one offset per axis of the new apply.
void WeightedSumOp::move(ArrayRef<int64_t> offset, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> values;
  if (!isOverInput()) {
    for (int64_t tap = 0, end = getNumTaps(); tap < end; ++tap) {
      SmallVector<int64_t> full(offset.size(), 0);
      for (auto [axis, value] : llvm::zip_equal(getAxes(), getOffset(tap)))
        full[axes[axis]] = value;
      llvm::append_range(values, full);
    }
    setOffsets(values);
    return;
  }
  values.assign(getOffsets().begin(), getOffsets().end());
  stencil::IndexAttr mapping =
      moveOffsets(getContext(), getAxes(), offset, axes, values);
  setOffsets(values);
  if (mapping)
    setOffsetMappingAttr(mapping);
  else
    removeOffsetMappingAttr();
}

void DynAccessOp::move(ArrayRef<int64_t> offset, ArrayRef<int64_t> /*axes*/) {
  auto getMoved = [&](stencil::IndexAttr bound) {
    SmallVector<int64_t> values(bound.getValues());
    for (auto [value, by] : llvm::zip_equal(values, offset))
      value += by;
    return stencil::IndexAttr::get(getContext(), values);
  };
  setLbAttr(getMoved(getLb()));
  setUbAttr(getMoved(getUb()));
}

/// The number of the row moves with what computes it.
void MatVecOp::move(ArrayRef<int64_t> offset, ArrayRef<int64_t> axes) {
  int64_t from = getFromAttr().getInt() + offset[axes.front()];
  setFromAttr(Builder(getContext()).getI64IntegerAttr(from));
}

void stencil::IndexOp::move(ArrayRef<int64_t> offset, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> values(offset);
  for (auto [axis, value] : llvm::enumerate(getOffset().getValues()))
    values[axes[axis]] += value;
  setOffsetAttr(stencil::IndexAttr::get(getContext(), values));
  setDimAttr(Builder(getContext()).getIndexAttr(axes[getDim().getSExtValue()]));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool AccessOp::getReadHull(SmallVectorImpl<int64_t> &axes,
                           SmallVectorImpl<int64_t> &lower,
                           SmallVectorImpl<int64_t> &upper) {
  ArrayRef<int64_t> offset = getOffset().getValues();
  axes.assign(getAxes());
  lower.assign(offset.begin(), offset.end());
  upper.assign(offset.begin(), offset.end());
  return true;
}

bool WeightedSumOp::getReadHull(SmallVectorImpl<int64_t> &axes,
                                SmallVectorImpl<int64_t> &lower,
                                SmallVectorImpl<int64_t> &upper) {
  axes.assign(getAxes());
  return isOverInput() && getTapHull(*this, lower, upper);
}

bool DynAccessOp::getReadHull(SmallVectorImpl<int64_t> &axes,
                              SmallVectorImpl<int64_t> &lower,
                              SmallVectorImpl<int64_t> &upper) {
  ArrayRef<int64_t> first = getLb().getValues(), last = getUb().getValues();
  axes.assign(llvm::to_vector(llvm::seq<int64_t>(0, first.size())));
  lower.assign(first.begin(), first.end());
  upper.assign(last.begin(), last.end());
  return true;
}

bool MatVecOp::getReadHull(SmallVectorImpl<int64_t> &axes,
                           SmallVectorImpl<int64_t> &lower,
                           SmallVectorImpl<int64_t> &upper) {
  axes.assign({0});
  lower.assign({getLower()});
  upper.assign({getUpper()});
  return true;
}
