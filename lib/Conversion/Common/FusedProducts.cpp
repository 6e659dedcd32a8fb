//===- FusedProducts.cpp - Products rounded with a sum --------------------===//

#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

static bool mayContract(Operation *op, MathMode mode) {
  return arith::bitEnumContainsAll(
      addFastMathFlags(getFastMathFlags(op), mode),
      arith::FastMathFlags::contract);
}

void stencil::markRounded(Value value) {
  if (auto negation = value.getDefiningOp<arith::NegFOp>())
    value = negation.getOperand();
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    product->setAttr(kRoundedAttr, UnitAttr::get(product->getContext()));
}

bool stencil::hasFusedProducts(Type type) {
  return isa<Float16Type, Float32Type, Float64Type>(getElementTypeOrSelf(type));
}

std::optional<FusedProduct> stencil::getFusedProduct(Operation *op,
                                                     MathMode mode) {
  if (!isa<arith::AddFOp, arith::SubFOp>(op) ||
      !hasFusedProducts(op->getResult(0).getType()) || !mayContract(op, mode))
    return std::nullopt;
  for (unsigned operand : {0, 1}) {
    Value value = op->getOperand(operand);
    bool isNegated = operand == 1 && isa<arith::SubFOp>(op);
    if (auto negation = value.getDefiningOp<arith::NegFOp>()) {
      value = negation.getOperand();
      isNegated = !isNegated;
    }
    auto product = value.getDefiningOp<arith::MulFOp>();
    if (product && mayContract(product, mode) &&
        (mayReassociate(mode) || !product->hasAttr(kRoundedAttr)))
      return FusedProduct{product, operand, isNegated};
  }
  return std::nullopt;
}

bool stencil::isFusedEverywhere(Operation *op, MathMode mode) {
  if (mode == MathMode::Strict && !mayContract(op, mode))
    return false;
  return isa<arith::MulFOp, arith::NegFOp>(op) &&
         llvm::all_of(op->getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<arith::MulFOp>(op) && isa<arith::NegFOp>(user))
             return isFusedEverywhere(user, mode);
           std::optional<FusedProduct> fused = getFusedProduct(user, mode);
           return fused && fused->operand == use.getOperandNumber();
         });
}

Value stencil::createFusedProduct(OpBuilder &builder, Location loc, Value a,
                                  Value b, Value c) {
  return math::FmaOp::create(builder, loc, a, b, c,
                             arith::FastMathFlags::contract);
}
