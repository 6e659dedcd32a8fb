//===- Extents.h - Bounds as numbers ----------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_EXTENTS_H
#define STENCIL_LIB_INTERPRETER_EXTENTS_H

#include "Arrays.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stencil::interp {

/// The number of interior points of every axis (`?`) of one call of a function.
class Extents {
public:
  /// Checks that an array of `shape` fits `bounds`, and learns the extents that
  /// they are relative to. Errors are at `op`.
  mlir::LogicalResult bind(mlir::Operation *op, BoundsAttr bounds,
                           llvm::ArrayRef<int64_t> shape);

  /// Learns what it can; says nothing about the rest.
  void tryBind(mlir::Operation *op, BoundsAttr bounds,
               llvm::ArrayRef<int64_t> shape);

  /// The box that `bounds` stand for; nothing if an extent is not known or the
  /// box is empty. With an `op`, that is an error there.
  std::optional<Box> resolve(BoundsAttr bounds,
                             mlir::Operation *op = nullptr) const;

private:
  struct Binding {
    int64_t extent;
    mlir::Operation *op;
  };
  std::optional<int64_t> getExtent(BoundsAttr bounds, unsigned axis,
                                   int64_t size) const;

  llvm::SmallVector<std::optional<Binding>, 4> bindings;
};

/// Of a window with a boundary around `box` of which `needed` is needed: what
/// it takes of the value inside of the box. That is all of it along axes where
/// something beyond the box is needed.
Box getWindowInterior(const Box &needed, const Box &box);

using Demand = llvm::DenseMap<mlir::Value, Box>;

/// The boxes of the temps of a function on which their values are needed: from
/// the stores and folds backwards. Bounds in a type come first.
Demand computeDemand(mlir::func::FuncOp func, const Extents &extents);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_EXTENTS_H
