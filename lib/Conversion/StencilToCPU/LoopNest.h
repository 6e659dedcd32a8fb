//===- LoopNest.h - Loops over a box ----------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// A box at run time.
struct LoopBox {
  SmallVector<Value> lb, ub;
};

using LoopBody = function_ref<LogicalResult(Value)>;
using TileBody = function_ref<LogicalResult(const LoopBox &)>;
using PointBody = function_ref<LogicalResult(ValueRange)>;
using BranchBody = function_ref<LogicalResult()>;

/// Builds loops over boxes, branches, and the indices that they count with. Is
/// in a loop, or a branch, while its body runs.
class LoopBuilder : public ImplicitLocOpBuilder {
public:
  LoopBuilder(Location loc, const OpBuilder &builder)
      : ImplicitLocOpBuilder(loc, builder), math(*this, loc, getIndexType()) {}
  LoopBuilder(const LoopBuilder &) = delete;
  LoopBuilder &operator=(const LoopBuilder &) = delete;

  /// Arithmetic that folds; and op by op.
  const Arithmetic math;

  Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*this, value);
  }
  Value add(Value a, Value b) {
    return mlir::arith::AddIOp::create(*this, a, b);
  }
  Value add(Value a, int64_t b) { return add(a, constant(b)); }
  Value subtract(Value a, Value b) {
    return mlir::arith::SubIOp::create(*this, a, b);
  }
  Value multiply(Value a, Value b) {
    return mlir::arith::MulIOp::create(*this, a, b);
  }
  /// Of numbers that are not negative.
  Value divide(Value a, Value b) {
    return mlir::arith::DivUIOp::create(*this, a, b);
  }
  Value remainder(Value a, Value b) {
    return mlir::arith::RemUIOp::create(*this, a, b);
  }
  Value smaller(Value a, Value b) {
    return mlir::arith::MinSIOp::create(*this, a, b);
  }
  Value larger(Value a, Value b) {
    return mlir::arith::MaxSIOp::create(*this, a, b);
  }
  Value both(Value a, Value b) {
    return mlir::arith::AndIOp::create(*this, a, b);
  }
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) {
    return mlir::arith::CmpIOp::create(*this, predicate, a, b);
  }

  /// What `bounds` are, with the extents that they are relative to.
  LoopBox makeBox(BoundsAttr bounds, const Extents &extents);

  /// Constant sizes of tiles as values; null where the size is 0.
  SmallVector<Value> getTileSizes(ArrayRef<int64_t> tile);

  /// Replaces the sizes of a tile by those of the whole box if this has fewer
  /// points than `least`, which is decided when the program runs: one tile
  /// needs one thread.
  void joinTilesOfFewPoints(const LoopBox &box, int64_t least,
                            llvm::MutableArrayRef<Value> tile);

  /// Runs `body` on the tiles of `box`, on parallel threads if `parallel`, of
  /// which each takes `deal` tiles at a time; 0: it has a share. A null size of
  /// a tile means the whole axis. Tiles at the end may be smaller.
  LogicalResult emitTiles(const LoopBox &box, ArrayRef<Value> tile,
                          bool parallel, TileBody body, int64_t deal = 0);

  /// Runs `body` at every point of the first `steps.size()` axes of `box` in
  /// order, an axis in steps of `steps`.
  LogicalResult emitPoints(const LoopBox &box, ArrayRef<int64_t> steps,
                           PointBody body);

  /// A loop from `lb` to `ub`; `body` gets the induction variable. LLVM is told
  /// to leave it as it is unless `vectorise`: the run-time checks of a
  /// vectorised loop of a few iterations cost more than the loop.
  LogicalResult emitLoop(Value lb, Value ub, int64_t step, LoopBody body,
                         bool vectorise = true);

  /// Runs `body` where the condition holds, and `otherwise`, which comes first,
  /// where it does not.
  LogicalResult emitIf(Value condition, BranchBody body,
                       BranchBody otherwise = nullptr);
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
