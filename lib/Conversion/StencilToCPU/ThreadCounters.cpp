//===- ThreadCounters.cpp - Numbers that threads change -------------------===//

#include "ThreadCounters.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

void ThreadCounters::clear(Value count) const {
  (void)b.emitLoop(b.constant(0), count, /*step=*/1, [&](Value place) {
    Value at = find(place);
    Value none = arith::ConstantIntOp::create(b, 0, 64);
    memref::StoreOp::create(b, none, memory, at);
    return success();
  });
}

Value ThreadCounters::find(Value place) const {
  return b.math.mul(place, countPerLine(loops));
}

Value ThreadCounters::changeAt(arith::AtomicRMWKind kind, Value operand,
                               Value at) const {
  Value before = memref::AtomicRMWOp::create(b, kind, operand, memory, at);
  return arith::IndexCastOp::create(b, b.getIndexType(), before);
}

Value ThreadCounters::change(arith::AtomicRMWKind kind, Value operand,
                             Value place) const {
  return changeAt(kind, operand, find(place));
}

Value ThreadCounters::emitTurns(Value place, Value end) const {
  Value at = find(place);
  Value one = arith::ConstantIntOp::create(b, 1, 64);
  auto turns = scf::WhileOp::create(b, end.getType(), ValueRange());
  b.createBlock(&turns.getBefore());
  Value number = changeAt(arith::AtomicRMWKind::addi, one, at);
  scf::ConditionOp::create(b, b.math.less(number, end), number);
  Block *body =
      b.createBlock(&turns.getAfter(), {}, end.getType(), {b.getLoc()});
  b.setInsertionPoint(scf::YieldOp::create(b));
  return body->getArgument(0);
}
