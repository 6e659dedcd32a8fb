//===- FoldMath.h - The arithmetic of stencil.fold --------------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_FOLDMATH_H
#define STENCILDIALECT_CONVERSION_FOLDMATH_H

#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {

/// The arithmetic of a fold.
class Folder {
public:
  /// Folds floating-point numbers in f64, integers in their own type or, if
  /// `wide`, in i64.
  explicit Folder(FoldOp op, bool wide = false);
  Folder(Location loc, FoldKind kind, Type elementType, size_t operands,
         bool wide);

  Type getAccumulatorType() const { return accumulator; }

  /// The neutral element.
  Value getIdentity(OpBuilder &builder) const;

  /// What one point contributes, from the operands' values there.
  Value getTerm(OpBuilder &builder, ArrayRef<Value> values) const;

  /// Folds two numbers, or two vectors of them.
  Value combine(OpBuilder &builder, Value a, Value b) const;

  mlir::vector::CombiningKind getCombiningKind() const;

  /// The result from the fold over all points.
  Value finish(OpBuilder &builder, Value folded, Value count, Type type) const;

private:
  bool isSum() const { return kind == FoldKind::Sum || kind == FoldKind::Rms; }
  Value widen(OpBuilder &builder, Value value) const;

  Location loc;
  FoldKind kind;
  bool isVector, isFloat;
  Type accumulator;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_FOLDMATH_H
