//===- ThreadCounters.cpp - Numbers that threads change -------------------===//

#include "ThreadCounters.h"
#include "StencilDialect/Conversion/Arithmetic.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

void ThreadCounters::clear(OpBuilder &builder, Value count) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  auto all = scf::ForOp::create(builder, loc, math.constant(0), count,
                                math.constant(1));
  OpBuilder inner(all.getBody()->getTerminator());
  Value at = find(inner, all.getInductionVar());
  Value none = Arithmetic(inner, loc, inner.getI64Type()).constant(0);
  memref::StoreOp::create(inner, loc, none, memory, at);
}

Value ThreadCounters::find(OpBuilder &builder, Value place) const {
  return Arithmetic(builder, loc, builder.getIndexType())
      .mul(place, countPerLine(loops));
}

Value ThreadCounters::changeAt(OpBuilder &builder, arith::AtomicRMWKind kind,
                               Value operand, Value at) const {
  Value before =
      memref::AtomicRMWOp::create(builder, loc, kind, operand, memory, at);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    before);
}

Value ThreadCounters::change(OpBuilder &builder, arith::AtomicRMWKind kind,
                             Value operand, Value place) const {
  return changeAt(builder, kind, operand, find(builder, place));
}

Value ThreadCounters::emitTurns(OpBuilder &builder, Value place,
                                Value end) const {
  Value at = find(builder, place);
  Value one = Arithmetic(builder, loc, builder.getI64Type()).constant(1);
  auto turns = scf::WhileOp::create(builder, loc, end.getType(), ValueRange());
  builder.createBlock(&turns.getBefore());
  Value number = changeAt(builder, arith::AtomicRMWKind::addi, one, at);
  Arithmetic math(builder, loc, builder.getIndexType());
  scf::ConditionOp::create(builder, loc, math.less(number, end), number);
  Block *body =
      builder.createBlock(&turns.getAfter(), {}, end.getType(), {loc});
  builder.setInsertionPoint(scf::YieldOp::create(builder, loc));
  return body->getArgument(0);
}
