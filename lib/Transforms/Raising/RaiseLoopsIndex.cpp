//===- RaiseLoopsIndex.cpp - Extents and subscripts of memrefs ------------===//

#include "RaiseLoopsIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace stencil::raise;

/// Longer sums than this are no subscripts.
static constexpr unsigned kMaxOps = 256;

/// Factors and constants stay so small that they can be added without overflow.
static constexpr int64_t kMaxNumber = int64_t(1) << 40;

void LinearIndex::add(Root root, int64_t factor) {
  for (auto &[known, sum] : terms) {
    if (!(known == root))
      continue;
    sum += factor;
    llvm::erase_if(terms, [](auto &term) { return term.second == 0; });
    return;
  }
  if (factor != 0)
    terms.push_back({root, factor});
}

int64_t LinearIndex::getFactor(Value value) const {
  for (auto &[root, factor] : terms)
    if (root == Root{value})
      return factor;
  return 0;
}

Value stencil::raise::stripCasts(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>()) {
    if (!isa<MemRefType>(cast.getSource().getType()))
      break;
    value = cast.getSource();
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void Extents::join(Value a, Value b) {
  if (isa<MemRefType>(a.getType()) && isa<MemRefType>(b.getType()))
    classes.unionSets(a, b);
}

Extents::Extents(func::FuncOp function) {
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<MemRefType>(result.getType()))
        classes.insert(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (isa<MemRefType>(argument.getType()))
          classes.insert(argument);
    if (auto cast = dyn_cast<memref::CastOp>(op))
      join(cast.getSource(), cast.getResult());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [init, arg, yielded, result] :
           llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                           loop.getYieldedValues(), loop.getResults())) {
        join(init, arg);
        join(init, yielded);
        join(init, result);
      }
  });

  for (const auto *entry : classes) {
    if (!entry->isLeader())
      continue;
    Known facts;
    for (Value member : classes.members(*entry)) {
      auto type = cast<MemRefType>(member.getType());
      if (facts.shape.empty())
        facts.shape.assign(type.getShape());
      for (auto [extent, other] : llvm::zip(facts.shape, type.getShape()))
        if (ShapedType::isDynamic(extent))
          extent = other;
      if (auto alloc = member.getDefiningOp<memref::AllocOp>();
          alloc && facts.sizes.empty()) {
        facts.sizes.resize(type.getRank());
        for (int64_t axis = 0, next = 0; axis < type.getRank(); ++axis)
          if (type.isDynamicDim(axis))
            facts.sizes[axis] = alloc.getDynamicSizes()[next++];
      }
    }
    known[entry->getData()] = std::move(facts);
  }
  readAssertions(function);
}

/// Assertions at the top of a function that two extents are equal, but for a
/// number: how a program that was lowered says which arrays fit together.
void Extents::readAssertions(func::FuncOp function) {
  for (auto op : function.getBody().front().getOps<cf::AssertOp>()) {
    auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
      continue;
    std::optional<Bound> left = readBound(compare.getLhs());
    std::optional<Bound> right = readBound(compare.getRhs());
    if (!left || !right || !left->root || !right->root ||
        left->root == right->root)
      continue;
    // Both are representatives.
    equal[left->root.key()] = {right->root, right->offset - left->offset};
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Bound Extents::normalise(Root root) const {
  Bound result{root, 0};
  while (true) {
    auto it = equal.find(result.root.key());
    if (it == equal.end() || isAsWritten)
      return result;
    result.root = it->second.root;
    result.offset += it->second.offset;
  }
}

Bound Extents::getExtent(Value memref, int64_t axis) const {
  Value leader = getClass(memref);
  const Known &facts = known.find(leader)->second;
  if (!ShapedType::isDynamic(facts.shape[axis]))
    return {{}, facts.shape[axis]};
  // An array may be allocated with the extents of one of its class.
  if (!facts.sizes.empty() && facts.sizes[axis] &&
      active.insert({leader, axis}).second) {
    std::optional<Bound> size = readBound(facts.sizes[axis]);
    active.erase({leader, axis});
    if (size)
      return *size;
  }
  return normalise({leader, axis});
}

void Extents::read(Value value, int64_t factor, unsigned &ops,
                   LinearIndex &sum) const {
  auto addConstant = [&](int64_t constant) {
    if (std::abs(constant) > kMaxNumber || std::abs(factor) > kMaxNumber ||
        llvm::MulOverflow(constant, factor, constant) ||
        llvm::AddOverflow(sum.constant, constant, sum.constant))
      return false;
    return std::abs(sum.constant) <= kMaxNumber;
  };
  LinearIndex before = sum;
  auto addRoot = [&] {
    sum = before;
    Bound bound = normalise({value});
    sum.add(bound.root, factor);
    sum.constant += factor * bound.offset;
  };
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    if (!addConstant(*constant))
      addRoot();
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!op || ++ops > kMaxOps)
    return addRoot();
  if (auto add = dyn_cast<arith::AddIOp>(op)) {
    read(add.getLhs(), factor, ops, sum);
    return read(add.getRhs(), factor, ops, sum);
  }
  if (auto sub = dyn_cast<arith::SubIOp>(op)) {
    read(sub.getLhs(), factor, ops, sum);
    return read(sub.getRhs(), -factor, ops, sum);
  }
  if (auto mul = dyn_cast<arith::MulIOp>(op)) {
    int64_t product = 0;
    for (auto [number, other] : {std::pair(mul.getLhs(), mul.getRhs()),
                                 std::pair(mul.getRhs(), mul.getLhs())})
      if (std::optional<int64_t> constant = getConstantIntValue(number);
          constant && !llvm::MulOverflow(factor, *constant, product) &&
          std::abs(product) < kMaxNumber)
        return read(other, product, ops, sum);
    return addRoot();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!axis || !type || *axis < 0 || *axis >= type.getRank())
      return addRoot();
    Bound extent = getExtent(dim.getSource(), *axis);
    if (extent.root)
      sum.add(extent.root, factor);
    if (!addConstant(extent.offset))
      addRoot();
    return;
  }
  addRoot();
}

LinearIndex Extents::read(Value value, bool asWritten) const {
  llvm::SaveAndRestore restore(isAsWritten, isAsWritten || asWritten);
  LinearIndex sum;
  unsigned ops = 0;
  // Arithmetic of narrower integers wraps around where that of indices does
  // not.
  if (value.getType().isIndex())
    read(value, 1, ops, sum);
  else
    sum.add({value}, 1);
  return sum;
}

std::optional<Bound> Extents::toBound(const LinearIndex &index) {
  if (index.terms.empty())
    return Bound{{}, index.constant};
  if (index.terms.size() > 1 || index.terms.front().second != 1)
    return std::nullopt;
  return Bound{index.terms.front().first, index.constant};
}
