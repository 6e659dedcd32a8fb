//===- Ranges.cpp - Integers that are small and not negative --------------===//

#include "Ranges.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// No array has more elements: addresses are shorter.
static constexpr unsigned extentBits = 48;

Ranges::Ranges(ModuleOp module) {
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
    if (!kernel)
      return;
    for (auto [argument, operand] :
         llvm::zip(kernel.getArguments(), launch.getKernelOperands()))
      passed[argument].push_back(operand);
  });
}

std::optional<unsigned> Ranges::getBits(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  // Nothing is known in a cycle.
  known[value] = std::nullopt;
  std::optional<unsigned> bits = compute(value);
  Type type = value.getType();
  if (!type.isIntOrIndex() || type.isInteger(1) ||
      (bits && *bits >= (getBitWidth(type))))
    bits = std::nullopt;
  known[value] = bits;
  return bits;
}

/// True if the function ends where `value` is negative.
static bool isCheckedNotNegative(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    APInt bound;
    if (!compare || compare.getLhs() != value ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
      return false;
    bool enough =
        (compare.getPredicate() == arith::CmpIPredicate::sge &&
         bound.isNonNegative()) ||
        (compare.getPredicate() == arith::CmpIPredicate::sgt && bound.sge(-1));
    // In the entry block, so that all that follows is behind it.
    return enough && compare->getBlock()->isEntryBlock() &&
           isa<FunctionOpInterface>(compare->getParentOp()) &&
           llvm::any_of(compare->getUsers(), [](Operation *check) {
             return isa<cf::AssertOp>(check);
           });
  });
}

/// True if `condition` holds only where `small <= large`.
static bool implies(Value condition, Value small, Value large) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return implies(both.getLhs(), small, large) ||
           implies(both.getRhs(), small, large);
  using Predicate = arith::CmpIPredicate;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  Predicate predicate = compare.getPredicate();
  if (compare.getLhs() == small && compare.getRhs() == large)
    return predicate == Predicate::sle || predicate == Predicate::slt;
  return compare.getLhs() == large && compare.getRhs() == small &&
         (predicate == Predicate::sge || predicate == Predicate::sgt);
}

/// True if the difference is taken only where it is not negative.
static bool isBehindComparison(arith::SubIOp op) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (auto branch = dyn_cast<scf::IfOp>(region->getParentOp()))
      if (region == &branch.getThenRegion() &&
          implies(branch.getCondition(), op.getRhs(), op.getLhs()))
        return true;
  return false;
}

std::optional<unsigned> Ranges::computeArgument(BlockArgument argument) {
  if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
    if (argument != loop.getInductionVar() || !getBits(loop.getLowerBound()) ||
        !getBits(loop.getStep()))
      return std::nullopt;
    return getBits(loop.getUpperBound());
  }
  auto found = passed.find(argument);
  if (found == passed.end() || found->second.empty())
    return std::nullopt;
  unsigned most = 0;
  for (Value operand : SmallVector<Value>(found->second)) {
    std::optional<unsigned> bits = getBits(operand);
    if (!bits)
      return std::nullopt;
    most = std::max(most, *bits);
  }
  return most;
}

std::optional<unsigned> Ranges::compute(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.isNegative())
      return std::nullopt;
    return constant.getActiveBits();
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  Operation *op = value.getDefiningOp();
  auto of = [&](unsigned index) { return getBits(op->getOperand(index)); };
  auto both = [&](auto combine) -> std::optional<unsigned> {
    std::optional<unsigned> left = of(0), right = of(1);
    if (!left || !right)
      return std::nullopt;
    return combine(*left, *right);
  };
  auto larger = [](unsigned l, unsigned r) { return std::max(l, r); };
  auto smaller = [](unsigned l, unsigned r) { return std::min(l, r); };
  using Bits = std::optional<unsigned>;
  return llvm::TypeSwitch<Operation *, Bits>(op)
      .Case<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(
          [](auto) { return 11; })
      .Case<gpu::BlockIdOp, gpu::GridDimOp>([](auto) { return 31; })
      .Case([](memref::DimOp) { return extentBits; })
      .Case([&](arith::AddIOp) -> Bits {
        if (Bits bits =
                both([&](unsigned l, unsigned r) { return larger(l, r) + 1; }))
          return bits;
        // A difference, in canonical form.
        return matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
                       isCheckedNotNegative(value)
                   ? of(0)
                   : std::nullopt;
      })
      .Case([&](arith::MulIOp) {
        return both([](unsigned l, unsigned r) { return l + r; });
      })
      .Case([&](arith::SubIOp) -> Bits {
        // Less than what it is taken from, if it is checked.
        return of(1) && (isCheckedNotNegative(value) ||
                         isBehindComparison(cast<arith::SubIOp>(op)))
                   ? of(0)
                   : std::nullopt;
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return of(1) ? of(0) : std::nullopt; })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) { return both(smaller); })
      .Case<arith::AndIOp, arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { return both(smaller); })
      .Case<arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return both(larger); })
      .Case([&](arith::MaxSIOp) -> Bits {
        if (Bits bits = both(larger))
          return bits;
        unsigned width = getBitWidth(value.getType());
        return of(0) || of(1) ? Bits(width - 1) : std::nullopt;
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp>([&](auto) { return of(0); })
      .Case([&](arith::SelectOp) -> Bits {
        Bits left = of(1), right = of(2);
        return left && right ? Bits(larger(*left, *right)) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}
