//===- FusedProducts.cpp - Products rounded with a sum --------------------===//

#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;

static bool mayContract(Operation *op, MathMode mode) {
  return arith::bitEnumContainsAll(addFastMathFlags(getFastMathFlags(op), mode),
                                   arith::FastMathFlags::contract);
}

/// The product that a value is, or is the negative of; null if it is neither.
static arith::MulFOp getProduct(Value value) {
  if (auto negation = value.getDefiningOp<arith::NegFOp>())
    value = negation.getOperand();
  return value.getDefiningOp<arith::MulFOp>();
}

void stencil::markRounded(Value value) {
  if (arith::MulFOp product = getProduct(value))
    product->setAttr(kRoundedAttr, UnitAttr::get(product->getContext()));
}

bool stencil::hasFusedProducts(Type type) {
  return isa<Float16Type, Float32Type, Float64Type>(getElementTypeOrSelf(type));
}

/// The product that is operand number `operand` of a sum or a difference, as it
/// is or negated, if it may be rounded together with it.
static std::optional<FusedProduct> getProduct(Operation *op, unsigned operand,
                                              MathMode mode) {
  Value value = op->getOperand(operand);
  arith::MulFOp product = getProduct(value);
  if (!product || !mayContract(product, mode) || product->hasAttr(kRoundedAttr))
    return std::nullopt;
  bool isSubtracted = operand == 1 && isa<arith::SubFOp>(op);
  bool isNegative = value != product.getResult();
  return FusedProduct{product, operand, isSubtracted != isNegative};
}

static bool isFusingSum(Operation *op, MathMode mode) {
  return isa<arith::AddFOp, arith::SubFOp>(op) && !mayReassociate(op, mode) &&
         hasFusedProducts(op->getResult(0).getType()) && mayContract(op, mode);
}

std::optional<FusedProduct> stencil::getFusedProduct(Operation *op,
                                                     MathMode mode) {
  if (!isFusingSum(op, mode))
    return std::nullopt;
  std::optional<FusedProduct> first = getProduct(op, 0, mode);
  return first ? first : getProduct(op, 1, mode);
}

namespace {
/// Who reads a product, or the negative of one.
struct ProductUses {
  unsigned sums = 0, others = 0;
};
} // namespace

static void addUses(Operation *op, MathMode mode, ProductUses &uses) {
  for (Operation *user : op->getUsers()) {
    if (isa<arith::MulFOp>(op) && isa<arith::NegFOp>(user))
      addUses(user, mode, uses);
    else
      ++(isFusingSum(user, mode) ? uses.sums : uses.others);
  }
}

static ProductUses countUses(arith::MulFOp product, MathMode mode) {
  ProductUses uses;
  addUses(product, mode, uses);
  return uses;
}

void stencil::roundProducts(Region &body, MathMode mode,
                            llvm::function_ref<bool(arith::MulFOp)> isRounded) {
  // One value is kept for many sums, not two factors.
  constexpr unsigned kMostSums = 4;
  body.walk([&](arith::MulFOp product) {
    ProductUses uses = countUses(product, mode);
    if (uses.sums > 0 &&
        (uses.others > 0 || uses.sums > kMostSums || isRounded(product)))
      markRounded(product);
  });
  // Of two products, one has to be computed before the other is added to it:
  // then other sums have it, too.
  body.walk([&](Operation *op) {
    if (!isFusingSum(op, mode))
      return;
    auto first = getProduct(op, 0, mode), second = getProduct(op, 1, mode);
    if (!first || !second)
      return;
    bool isSecondBetter = countUses(first->product, mode).sums >
                          countUses(second->product, mode).sums;
    markRounded(isSecondBetter ? first->product : second->product);
  });
}

bool stencil::isFusedEverywhere(Operation *op, MathMode mode) {
  if (!isa<arith::MulFOp, arith::NegFOp>(op) || op->use_empty())
    return false;
  return llvm::all_of(op->getUses(), [&](OpOperand &use) {
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
