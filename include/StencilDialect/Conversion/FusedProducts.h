//===- FusedProducts.h - Products rounded with a sum ------------*- C++ -*-===//
//
// Which products of a body are rounded together with the sum that they are
// added in (fma), where that is allowed: by the mode `contract` and those above
// it, or by the flag `contract` on both ops. It depends on the body alone, so
// that results have the same bits with any schedule, which a compiler that sees
// what the schedule has left of a body cannot promise.
//
//   a + w * x       fma(w, x, a)
//   w * x + a       fma(w, x, a)
//   w * x + v * y   fma(w, x, v * y), or of two the one that fewer sums have
//   a - w * x       fma(-w, x, a)
//   w * x - a       fma(w, x, -a)
//
// A product is rounded by itself if something else than sums reads it, or more
// than four of them, or if it is the same at all points; and so is the first
// product of a weighted sum, as in a loop over its taps. Such products are
// marked (kRoundedAttr), by stencil-round-products, before applies are fused,
// and where weighted sums are expanded.
//
// Where a sum may be computed in any order, LLVM decides, and sees more: a
// product of one stage and the sum of the next are one instruction.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_CONVERSION_FUSEDPRODUCTS_H
#define STENCILDIALECT_CONVERSION_FUSEDPRODUCTS_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/LLVM.h"

namespace stencil {

/// A product of floats, and which operand of an addition or a subtraction it
/// is, as it is or negated.
struct FusedProduct {
  mlir::arith::MulFOp product;
  unsigned operand = 0;
  bool isNegated = false;
};

/// If `value` is a product, or the negative of one, it is rounded before it is
/// added to anything.
void markRounded(Value value);

/// True for types, or vectors of them, in which hardware has an fma. Of bf16,
/// each operation is rounded.
bool hasFusedProducts(Type type);

/// The product of a body that is rounded together with `op`, if `op` is a sum
/// or a difference that has one.
std::optional<FusedProduct> getFusedProduct(Operation *op, MathMode mode);

/// True for a product, or the negative of one, that is nothing but a part of
/// such sums.
bool isFusedEverywhere(Operation *op, MathMode mode);

/// Marks the products of a body that are rounded by themselves, although sums
/// could have them (see above), and those of these for which `isRounded`.
void roundProducts(mlir::Region &body, MathMode mode,
                   llvm::function_ref<bool(mlir::arith::MulFOp)> isRounded);

/// a * b + c as an op. On a CPU without an fma, it is rounded twice: the flag
/// `contract` says so, which the program's own `math.fma` does not have.
Value createFusedProduct(OpBuilder &builder, Location loc, Value a, Value b,
                         Value c);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_FUSEDPRODUCTS_H
