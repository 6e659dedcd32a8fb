//===- SumChains.cpp - Sums that are weighted sums as written -------------===//

#include "StencilDialect/Analysis/SumChains.h"
#include "StencilDialect/Analysis/LinearTrees.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

namespace {

/// A value of an input times a weight.
struct Product {
  TapSource source;
  ArrayRef<int64_t> offset;
  SumChain::Weight weight;
  arith::FastMathFlags flags;
};

/// A chain that may go on.
struct OpenChain {
  SumChain chain;
  llvm::DenseSet<LinearForm::Offset> offsets;
  /// The sums that it is made of, without a weighted sum at its start.
  unsigned numSums = 0;
};

class ChainFinder {
public:
  ChainFinder(ApplyOp apply, MathMode mode) : mode(mode), uniform(apply) {}

  void visit(Operation *op);
  std::vector<SumChain> take();

private:
  std::optional<Product> getProduct(Operation *op);
  std::optional<Product> scale(Value value, Value weight,
                               arith::FastMathFlags flags);
  void begin(WeightedSumOp sum);
  void add(Operation *op, Value addend, const Product &product);
  void extend(Operation *op, Value sum, const Product &product);
  bool append(OpenChain &open, const Product &product);

  MathMode mode;
  UniformValues uniform;
  llvm::DenseMap<Value, Product> products;
  /// In the order in which they begin.
  std::vector<OpenChain> chains;
  llvm::DenseMap<Value, size_t> chainOf;
};

} // namespace

static void negate(SumChain::Weight &weight) {
  if (weight.number)
    weight.number = -*weight.number;
  else
    weight.isNegated = !weight.isNegated;
}

static bool isOne(const SumChain::Weight &weight) {
  return weight.number && weight.number->isOne();
}

static bool isMinusOne(const SumChain::Weight &weight) {
  return weight.number && weight.number->isMinusOne();
}

/// `value` times a scalar, if `value` is a point of an input or its negative.
std::optional<Product> ChainFinder::scale(Value value, Value weight,
                                          arith::FastMathFlags flags) {
  auto it = products.find(value);
  if (it == products.end() || !uniform.contains(weight))
    return std::nullopt;
  Product product = it->second;
  bool isMinus = isMinusOne(product.weight);
  if (!isMinus && !isOne(product.weight))
    return std::nullopt;
  Attribute constant;
  if (matchPattern(weight, m_Constant(&constant))) {
    std::optional<Number> number = Number::get(constant);
    // A constant weight of zero would mean that the point is no tap.
    if (!number || !number->isFinite() || number->isZero())
      return std::nullopt;
    product.weight = {number, {}, false};
  } else {
    product.weight = {std::nullopt, weight, false};
  }
  if (isMinus)
    negate(product.weight);
  product.flags = product.flags & flags;
  return product;
}

std::optional<Product> ChainFinder::getProduct(Operation *op) {
  if (auto access = dyn_cast<AccessOp>(op))
    return Product{{access.getTemp(), llvm::to_vector<4>(access.getAxes())},
                   access.getOffset().getValues(),
                   {Number::get(access.getType(), 1), {}, false},
                   arith::FastMathFlags::fast};
  arith::FastMathFlags flags = getFastMathFlags(op);
  if (isa<arith::MulFOp>(op)) {
    if (auto product = scale(op->getOperand(0), op->getOperand(1), flags))
      return product;
    return scale(op->getOperand(1), op->getOperand(0), flags);
  }
  if (!isa<arith::NegFOp, arith::ExtFOp, arith::DivFOp>(op))
    return std::nullopt;
  auto it = products.find(op->getOperand(0));
  if (it == products.end())
    return std::nullopt;
  Product product = it->second;
  product.flags = product.flags & flags;
  if (isa<arith::NegFOp>(op)) {
    negate(product.weight);
    return product;
  }
  if (auto extend = dyn_cast<arith::ExtFOp>(op)) {
    // It has no flags.
    product.flags = it->second.flags;
    if (!isOne(product.weight) || !isExactExtension(extend))
      return std::nullopt;
    return product;
  }
  // Division by a power of two, the inverse of which is a number of the type.
  auto type = dyn_cast<FloatType>(op->getResult(0).getType());
  APFloat divisor(0.0), inverse(0.0);
  bool isMinus = isMinusOne(product.weight);
  if (!type || (!isMinus && !isOne(product.weight)) ||
      !matchPattern(op->getOperand(1), m_ConstantFloat(&divisor)) ||
      !divisor.getExactInverse(&inverse))
    return std::nullopt;
  product.weight.number = Number::get(inverse);
  if (isMinus)
    negate(product.weight);
  return product;
}

bool ChainFinder::append(OpenChain &open, const Product &product) {
  if (!(product.source == open.chain.source) ||
      !open.offsets.insert(LinearForm::Offset(product.offset)).second)
    return false;
  llvm::append_range(open.chain.offsets, product.offset);
  open.chain.weights.push_back(product.weight);
  open.chain.flags = open.chain.flags & product.flags;
  return true;
}

void ChainFinder::begin(WeightedSumOp sum) {
  if (!sum.isOverInput())
    return;
  OpenChain open;
  open.chain.source = {sum.getInput(), llvm::to_vector<4>(sum.getAxes())};
  llvm::append_range(open.chain.offsets, sum.getOffsets());
  open.chain.flags = sum.getFastmath();
  open.chain.last = sum;
  for (int64_t tap = 0, end = sum.getNumTaps(); tap < end; ++tap)
    open.offsets.insert(LinearForm::Offset(sum.getOffset(tap)));
  if (DenseElementsAttr weights = sum.getDenseWeights())
    for (Attribute weight : weights.getValues<Attribute>()) {
      open.chain.weights.push_back({Number::get(weight), {}, false});
      // Beside scalars, it could not say that it is no tap.
      if (open.chain.weights.back().number->isZero())
        return;
    }
  else
    for (Value weight : sum.getUniforms())
      open.chain.weights.push_back({std::nullopt, weight, false});
  chainOf[sum] = chains.size();
  chains.push_back(std::move(open));
}

/// `op` adds a product to the sum of a chain, if it is one.
void ChainFinder::extend(Operation *op, Value sum, const Product &product) {
  auto it = chainOf.find(sum);
  if (it == chainOf.end() || !sum.hasOneUse() ||
      !runsAsOftenAs(op, sum.getDefiningOp()))
    return;
  size_t index = it->second;
  OpenChain &open = chains[index];
  if (!append(open, product))
    return;
  open.chain.flags = open.chain.flags & getFastMathFlags(op);
  open.chain.last = op;
  ++open.numSums;
  chainOf[op->getResult(0)] = index;
}

/// `op` adds a product to some value: two products begin a chain.
void ChainFinder::add(Operation *op, Value addend, const Product &product) {
  auto first = products.find(addend);
  if (first == products.end())
    return extend(op, addend, product);
  OpenChain open;
  open.chain.source = first->second.source;
  if (!append(open, first->second) || !append(open, product))
    return;
  open.chain.flags = open.chain.flags & getFastMathFlags(op);
  open.chain.last = op;
  open.numSums = 1;
  chainOf[op->getResult(0)] = chains.size();
  chains.push_back(std::move(open));
}

void ChainFinder::visit(Operation *op) {
  if (op->getNumResults() != 1 || !isa<FloatType>(op->getResult(0).getType()) ||
      uniform.contains(op->getResult(0)))
    return;
  if (std::optional<Product> product = getProduct(op)) {
    products.try_emplace(op->getResult(0), std::move(*product));
    return;
  }
  if (auto sum = dyn_cast<WeightedSumOp>(op))
    return begin(sum);
  arith::FastMathFlags flags = getFastMathFlags(op);
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    auto second = products.find(b);
    if (second != products.end()) {
      Product product = second->second;
      if (isa<arith::SubFOp>(op))
        negate(product.weight);
      add(op, a, product);
      return;
    }
    // a - (b + ...) is no sum of negatives: the sign of zero would differ.
    auto first = products.find(a);
    if (first != products.end() && isa<arith::AddFOp>(op))
      extend(op, b, first->second);
    return;
  }
  auto fma = dyn_cast<math::FmaOp>(op);
  if (!fma || mode == MathMode::Strict)
    return;
  std::optional<Product> product = scale(fma.getA(), fma.getB(), flags);
  if (!product)
    product = scale(fma.getB(), fma.getA(), flags);
  if (product)
    add(op, fma.getC(), *product);
}

std::vector<SumChain> ChainFinder::take() {
  std::vector<SumChain> result;
  for (OpenChain &open : chains)
    if (open.numSums > 0)
      result.push_back(std::move(open.chain));
  return result;
}

std::vector<SumChain> stencil::findSumChains(ApplyOp apply, MathMode mode) {
  ChainFinder finder(apply, mode);
  apply.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
        op->hasTrait<HasScalarBody>())
      return WalkResult::skip();
    finder.visit(op);
    return WalkResult::advance();
  });
  return finder.take();
}
