//===- FoldMath.h - The arithmetic of stencil.fold --------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_FOLDMATH_H
#define STENCILDIALECT_CONVERSION_FOLDMATH_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {

/// The arithmetic of a fold.
class Folder {
public:
  /// Folds floating-point numbers in f64, integers in their own type or, if
  /// `wide`, in i64.
  explicit Folder(FoldOp op, bool wide = false);
  Folder(mlir::Location loc, FoldKind kind, mlir::Type elementType,
         size_t operands, bool wide);

  mlir::Type getAccumulatorType() const { return accumulator; }

  /// The neutral element.
  mlir::Value getIdentity(mlir::OpBuilder &builder) const;

  /// What one point contributes, from the operands' values there.
  mlir::Value getTerm(mlir::OpBuilder &builder,
                      llvm::ArrayRef<mlir::Value> values) const;

  /// Folds two numbers, or two vectors of them.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Value a,
                      mlir::Value b) const;

  mlir::vector::CombiningKind getCombiningKind() const;

  /// The result from the fold over all points.
  mlir::Value finish(mlir::OpBuilder &builder, mlir::Value folded,
                     mlir::Value count, mlir::Type type) const;

private:
  bool isSum() const { return kind == FoldKind::Sum || kind == FoldKind::Rms; }
  mlir::Value widen(mlir::OpBuilder &builder, mlir::Value value) const;

  mlir::Location loc;
  FoldKind kind;
  bool isVector, isFloat;
  mlir::Type accumulator;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_FOLDMATH_H
