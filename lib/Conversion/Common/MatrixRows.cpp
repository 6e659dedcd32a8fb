//===- MatrixRows.cpp - A row of a matrix for each point ------------------===//
//
//   n = the row, between the first and the last one
//   for K columns at a time
//     for the K columns (unrolled)
//       sum += table[column][n] * x[point - n + from + column]
//
// Neighbouring points read neighbouring elements of the table.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// Columns whose elements are on their way at the same time.
static constexpr int64_t kTogether = 16;

/// The elements column by column; no zero has a sign.
static DenseElementsAttr transpose(DenseElementsAttr matrix) {
  int64_t rows = matrix.getType().getDimSize(0);
  int64_t columns = matrix.getType().getDimSize(1);
  auto elements = llvm::to_vector(matrix.getValues<APFloat>());
  SmallVector<APFloat> table;
  table.reserve(elements.size());
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row) {
      const APFloat &element = elements[row * columns + column];
      table.push_back(element.isZero()
                          ? APFloat::getZero(element.getSemantics())
                          : element);
    }
  return DenseElementsAttr::get(
      RankedTensorType::get({columns * rows}, matrix.getElementType()), table);
}

Value BodyEmitter::emitMatVec(OpBuilder &builder, MatVecOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto plus = [&](Value one, Value other) -> Value {
    return arith::AddIOp::create(b, one, other);
  };
  int64_t columns = op.getNumColumns(), rows = op.getNumRows();
  Value row = arith::MaxSIOp::create(b, lookup(op.getRow()), constant(0));
  row = arith::MinSIOp::create(b, row, constant(rows - 1));
  Value first = arith::SubIOp::create(b, coordinates[0], row);
  first = plus(first, constant(op.getFromAttr().getInt()));
  Value table = reader->getTable(b, b.getLoc(), transpose(op.getDenseMatrix()));
  auto type = cast<FloatType>(op.getRes().getType());
  // Adds columns to a sum: `column` is an index, and `count` are unrolled from
  // there.
  auto add = [&](Value column, int64_t count, Value sum) {
    SmallVector<Value> weights, values;
    Value begin = arith::MulIOp::create(b, column, constant(rows));
    begin = plus(begin, row);
    Value place = plus(first, column);
    for (int64_t number = 0; number < count; ++number) {
      weights.push_back(memref::LoadOp::create(
          b, table, ValueRange(plus(begin, constant(number * rows)))));
      values.push_back(
          reader->readElement(b, op, plus(place, constant(number))));
    }
    SumArithmetic math(b, b.getLoc(), type,
                       addFastMathFlags(op.getFastmath(), mode));
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    // 0 * -0 is -0, which changes no sum.
    Value none = arith::ConstantOp::create(b, b.getFloatAttr(type, -0.0));
    for (auto [weight, value] : llvm::zip_equal(weights, values)) {
      Value isNone =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, weight, zero);
      Value tap = arith::SelectOp::create(b, isNone, none, value);
      sum = math.addProduct(sum, weight, tap);
    }
    return sum;
  };
  Value sum = arith::ConstantOp::create(b, b.getFloatAttr(type, -0.0));
  int64_t whole = columns / kTogether * kTogether;
  if (whole > 0) {
    auto loop = scf::ForOp::create(b, constant(0), constant(whole),
                                   constant(kTogether), sum);
    keepAsLoop(loop);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Value next = add(loop.getInductionVar(), kTogether,
                     loop.getRegionIterArgs().front());
    scf::YieldOp::create(b, next);
    sum = loop.getResult(0);
  }
  return add(constant(whole), columns - whole, sum);
}
