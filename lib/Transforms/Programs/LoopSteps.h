//===- LoopSteps.h - The steps that a loop takes ----------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_LOOPSTEPS_H
#define STENCIL_LIB_TRANSFORMS_LOOPSTEPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// The number of steps of a loop that counts with sign, an index; zero or less
/// if it takes none. The type that the loop counts in may be too small for it.
inline mlir::Value countSteps(mlir::OpBuilder &builder, mlir::scf::ForOp loop) {
  using namespace mlir;
  Location loc = loop.getLoc();
  auto toIndex = [&](Value value) {
    return value.getType().isIndex() ? value
                                     : builder.createOrFold<arith::IndexCastOp>(
                                           loc, builder.getIndexType(), value);
  };
  Value span = builder.createOrFold<arith::SubIOp>(
      loc, toIndex(loop.getUpperBound()), toIndex(loop.getLowerBound()));
  return builder.createOrFold<arith::CeilDivSIOp>(loc, span,
                                                  toIndex(loop.getStep()));
}

/// The value of the loop's variable at which its last `count` steps begin, or
/// its lower bound if it takes less; before the loop.
inline mlir::Value findLastSteps(mlir::scf::ForOp loop, int64_t count) {
  using namespace mlir;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value first = builder.createOrFold<arith::MaxSIOp>(
      loc,
      builder.createOrFold<arith::SubIOp>(loc, countSteps(builder, loop),
                                          constant(count)),
      constant(0));
  if (Type type = loop.getStep().getType(); !type.isIndex())
    first = builder.createOrFold<arith::IndexCastOp>(loc, type, first);
  return builder.createOrFold<arith::AddIOp>(
      loc, loop.getLowerBound(),
      builder.createOrFold<arith::MulIOp>(loc, first, loop.getStep()));
}

/// Splits a loop that counts with sign in two: `loop` keeps all but its last
/// `count` steps, another one behind it takes those. What the body's ops and
/// values are there.
inline mlir::IRMapping splitLastSteps(mlir::scf::ForOp loop, int64_t count) {
  using namespace mlir;
  Value middle = findLastSteps(loop, count);
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  IRMapping copies;
  auto last = cast<scf::ForOp>(builder.clone(*loop, copies));
  loop.replaceAllUsesWith(last);
  last.setLowerBound(middle);
  last.getInitArgsMutable().assign(loop.getResults());
  loop.setUpperBound(middle);
  return copies;
}

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_LOOPSTEPS_H
