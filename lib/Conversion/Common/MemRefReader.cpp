//===- MemRefReader.cpp - Inputs in row-major memory ----------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace stencil;

Value MemRefReader::inputOf(Value blockArgument) const {
  return inputs[cast<BlockArgument>(blockArgument).getArgNumber()];
}

Value MemRefReader::load(OpBuilder &builder, Location loc, Value from,
                         ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
                         ArrayRef<Value> further, ValueRange here) const {
  auto type = cast<GridType>(from.getType());
  SmallVector<Value> indices;
  for (auto [inputAxis, axis] : llvm::enumerate(axes)) {
    indices.push_back(
        extents.getPosition(builder, loc, here[axis], offset[inputAxis],
                            type.getBounds().getLb()[inputAxis], axis));
    if (!further.empty() && further[inputAxis])
      indices.back() = arith::AddIOp::create(builder, loc, indices.back(),
                                             further[inputAxis]);
  }
  // An input without the last axis has one value for the whole row.
  if (lanes > 1 && axes.back() == rank - 1)
    return vector::LoadOp::create(
        builder, loc, VectorType::get({lanes}, type.getElementType()),
        inputOf(from), indices);
  return memref::LoadOp::create(builder, loc, inputOf(from), indices);
}

Value MemRefReader::read(OpBuilder &builder, AccessOp op, ValueRange here) {
  return load(builder, op.getLoc(), op.getTemp(), op.getAxes(),
              op.getOffset().getValues(), {}, here);
}

Value MemRefReader::readTap(OpBuilder &builder, WeightedSumOp op,
                            const TapOffset &tap, ValueRange here) {
  return load(builder, op.getLoc(), op.getInput(), op.getAxes(), tap.constant,
              tap.variable, here);
}

Value MemRefReader::getTable(OpBuilder &builder, Location loc,
                             DenseElementsAttr values) {
  return getConstantArray(
      builder, loc,
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>(),
      values);
}

Value MemRefReader::getWeights(OpBuilder &builder, WeightedSumOp op) {
  return getTable(builder, op.getLoc(), getTapWeights(op));
}

Value MemRefReader::readElement(OpBuilder &builder, MatVecOp op,
                                Value coordinate) {
  auto type = cast<GridType>(op.getTemp().getType());
  return memref::LoadOp::create(
      builder, op.getLoc(), inputOf(op.getTemp()),
      extents.getIndices(builder, op.getLoc(), type, coordinate));
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
