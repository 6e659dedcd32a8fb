//===- MemRefReader.cpp - Inputs in row-major memory ----------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/Describe.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

std::string stencil::describeOutOfRange(DynAccessOp op) {
  return describe(op.getLoc(), "dynamic access outside of its declared range");
}

Value MemRefReader::inputOf(Value blockArgument) const {
  return inputs[cast<BlockArgument>(blockArgument).getArgNumber()];
}

Value MemRefReader::read(OpBuilder &builder, AccessOp op, ValueRange here) {
  Location loc = op.getLoc();
  auto type = cast<GridType>(op.getTemp().getType());
  SmallVector<int64_t> axes = op.getAxes();
  SmallVector<Value> indices;
  for (auto [inputAxis, axis] : llvm::enumerate(axes))
    indices.push_back(extents.getPosition(
        builder, loc, here[axis], op.getOffset().getValues()[inputAxis],
        type.getBounds().getLb()[inputAxis], axis));
  Value input = inputOf(op.getTemp());
  // An input without the last axis has one value for the whole row.
  if (lanes > 1 && axes.back() == rank - 1)
    return vector::LoadOp::create(
        builder, loc, VectorType::get({lanes}, type.getElementType()), input,
        indices);
  return memref::LoadOp::create(builder, loc, input, indices);
}

Value MemRefReader::readAt(OpBuilder &builder, DynAccessOp op,
                           ValueRange coordinates, Value inRange, ValueRange) {
  Location loc = op.getLoc();
  auto type = cast<GridType>(op.getTemp().getType());
  // Reading anywhere else would be a crash or a wrong answer.
  cf::AssertOp::create(builder, loc, inRange, describeOutOfRange(op));
  return memref::LoadOp::create(
      builder, loc, inputOf(op.getTemp()),
      extents.getIndices(builder, loc, type, coordinates));
}
