//===- LoopNest.h - Loops over a box ------------------------------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// A box at run time.
struct LoopBox {
  llvm::SmallVector<mlir::Value> lb, ub;
};

/// What `bounds` are, with the extents that they are relative to.
LoopBox makeBox(mlir::OpBuilder &builder, mlir::Location loc, BoundsAttr bounds,
                const Extents &extents);

using TileBody =
    llvm::function_ref<mlir::LogicalResult(mlir::OpBuilder &, const LoopBox &)>;
using PointBody = llvm::function_ref<mlir::LogicalResult(mlir::OpBuilder &,
                                                         mlir::ValueRange)>;

/// Constant sizes of tiles as values; null where the size is 0.
llvm::SmallVector<mlir::Value> getTileSizes(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            llvm::ArrayRef<int64_t> tile);

/// Replaces the sizes of a tile by those of the whole box if this has fewer
/// points than `least`, which is decided when the program runs: one tile needs
/// one thread.
void joinTilesOfFewPoints(mlir::OpBuilder &builder, mlir::Location loc,
                          const LoopBox &box, int64_t least,
                          llvm::MutableArrayRef<mlir::Value> tile);

/// Runs `body` on the tiles of `box`, on parallel threads if `parallel`, of
/// which each takes `deal` tiles at a time; 0: it has a share. A null size of a
/// tile means the whole axis. Tiles at the end may be smaller.
mlir::LogicalResult emitTiles(mlir::OpBuilder &builder, mlir::Location loc,
                              const LoopBox &box,
                              llvm::ArrayRef<mlir::Value> tile, bool parallel,
                              TileBody body, int64_t deal = 0);

/// Runs `body` at every point of the first `steps.size()` axes of `box` in
/// order, an axis in steps of `steps`.
mlir::LogicalResult emitPoints(mlir::OpBuilder &builder, mlir::Location loc,
                               const LoopBox &box,
                               llvm::ArrayRef<int64_t> steps, PointBody body);

/// A loop from `lb` to `ub`; `body` gets the induction variable. LLVM is told
/// to leave it as it is unless `vectorise`: the run-time checks of a vectorised
/// loop of a few iterations cost more than the loop.
mlir::LogicalResult
emitLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lb,
         mlir::Value ub, int64_t step,
         llvm::function_ref<mlir::LogicalResult(mlir::OpBuilder &, mlir::Value)>
             body,
         bool vectorise = true);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_LOOPNEST_H
