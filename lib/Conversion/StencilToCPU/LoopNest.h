//===- LoopNest.h - Loops over a box ----------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// A box at run time.
struct LoopBox {
  llvm::SmallVector<mlir::Value> lb, ub;
};

using LoopBody = llvm::function_ref<mlir::LogicalResult(mlir::Value)>;
using TileBody = llvm::function_ref<mlir::LogicalResult(const LoopBox &)>;
using PointBody = llvm::function_ref<mlir::LogicalResult(mlir::ValueRange)>;
using BranchBody = llvm::function_ref<mlir::LogicalResult()>;

/// Builds loops over boxes, branches, and the indices that they count with. Is
/// in a loop, or a branch, while its body runs.
class LoopBuilder : public mlir::ImplicitLocOpBuilder {
public:
  LoopBuilder(mlir::Location loc, const mlir::OpBuilder &builder)
      : ImplicitLocOpBuilder(loc, builder), math(*this, loc, getIndexType()) {}
  LoopBuilder(const LoopBuilder &) = delete;
  LoopBuilder &operator=(const LoopBuilder &) = delete;

  /// Arithmetic that folds; and op by op.
  const Arithmetic math;

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*this, value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(*this, a, b);
  }
  mlir::Value add(mlir::Value a, int64_t b) { return add(a, constant(b)); }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubIOp::create(*this, a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulIOp::create(*this, a, b);
  }
  /// Of numbers that are not negative.
  mlir::Value divide(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivUIOp::create(*this, a, b);
  }
  mlir::Value remainder(mlir::Value a, mlir::Value b) {
    return mlir::arith::RemUIOp::create(*this, a, b);
  }
  mlir::Value smaller(mlir::Value a, mlir::Value b) {
    return mlir::arith::MinSIOp::create(*this, a, b);
  }
  mlir::Value larger(mlir::Value a, mlir::Value b) {
    return mlir::arith::MaxSIOp::create(*this, a, b);
  }
  mlir::Value both(mlir::Value a, mlir::Value b) {
    return mlir::arith::AndIOp::create(*this, a, b);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpIOp::create(*this, predicate, a, b);
  }

  /// What `bounds` are, with the extents that they are relative to.
  LoopBox makeBox(BoundsAttr bounds, const Extents &extents);

  /// Constant sizes of tiles as values; null where the size is 0.
  llvm::SmallVector<mlir::Value> getTileSizes(llvm::ArrayRef<int64_t> tile);

  /// Replaces the sizes of a tile by those of the whole box if this has fewer
  /// points than `least`, which is decided when the program runs: one tile
  /// needs one thread.
  void joinTilesOfFewPoints(const LoopBox &box, int64_t least,
                            llvm::MutableArrayRef<mlir::Value> tile);

  /// Runs `body` on the tiles of `box`, on parallel threads if `parallel`, of
  /// which each takes `deal` tiles at a time; 0: it has a share. A null size of
  /// a tile means the whole axis. Tiles at the end may be smaller.
  mlir::LogicalResult emitTiles(const LoopBox &box,
                                llvm::ArrayRef<mlir::Value> tile, bool parallel,
                                TileBody body, int64_t deal = 0);

  /// Runs `body` at every point of the first `steps.size()` axes of `box` in
  /// order, an axis in steps of `steps`.
  mlir::LogicalResult emitPoints(const LoopBox &box,
                                 llvm::ArrayRef<int64_t> steps, PointBody body);

  /// A loop from `lb` to `ub`; `body` gets the induction variable. LLVM is told
  /// to leave it as it is unless `vectorise`: the run-time checks of a
  /// vectorised loop of a few iterations cost more than the loop.
  mlir::LogicalResult emitLoop(mlir::Value lb, mlir::Value ub, int64_t step,
                               LoopBody body, bool vectorise = true);

  /// Runs `body` where the condition holds, and `otherwise`, which comes first,
  /// where it does not.
  mlir::LogicalResult emitIf(mlir::Value condition, BranchBody body);
  mlir::LogicalResult emitIf(mlir::Value condition, BranchBody body,
                             BranchBody otherwise);
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
