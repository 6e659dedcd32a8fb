//===- FieldAlias.cpp - Which fields are the same memory ------------------===//

#include "StencilDialect/Analysis/FieldAlias.h"
#include "DefinitionOrder.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Which value is defined first
//===----------------------------------------------------------------------===//

bool stencil::isInside(Value value, Operation *op) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return parent && op->isAncestor(parent);
}

bool stencil::isLater(Value a, Value b) {
  // Outwards from where `b` is defined, up to the block that has both.
  Operation *opB = b.getDefiningOp();
  bool isNestedB = false;
  for (Block *block = b.getParentBlock(); block;) {
    bool isNestedA = a.getParentBlock() != block;
    Operation *opA =
        isNestedA
            ? block->findAncestorOpInBlock(*a.getParentBlock()->getParentOp())
            : a.getDefiningOp();
    if (opA || !isNestedA) {
      if (opA == opB)
        return !isNestedA && isNestedB;
      if (!opA || !opB)
        return opA != nullptr;
      return opB->isBeforeInBlock(opA);
    }
    opB = block->getParentOp();
    isNestedB = true;
    block = opB->getBlock();
  }
  // Of different functions: there is no order.
  return false;
}

/// Chains of loops longer than this are not followed: the answer is "may".
static constexpr unsigned kMaxDepth = 1000;

/// The loop that carries `value` from iteration to iteration, or null.
static Operation *getCarrier(Value value) {
  Operation *op = isa<BlockArgument>(value)
                      ? value.getParentBlock()->getParentOp()
                      : value.getDefiningOp();
  return isa_and_nonnull<scf::ForOp, scf::WhileOp>(op) ? op : nullptr;
}

/// One step towards the source of `value`; null where there is none.
static Value getNearerSource(FieldAliasAnalysis &analysis, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto apply = dyn_cast_or_null<ApplyOp>(parent))
      return apply.getInput(argument);
    if (auto whileOp = dyn_cast_or_null<scf::WhileOp>(parent);
        whileOp && argument.getOwner() == whileOp.getAfterBody())
      return whileOp.getConditionOp().getArgs()[argument.getArgNumber()];
  } else {
    Operation *op = value.getDefiningOp();
    if (op->hasTrait<FieldView>() ||
        (isa<CastOpInterface>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() == 1))
      return op->getOperand(0);
    if (auto whileOp = dyn_cast<scf::WhileOp>(op))
      return whileOp.getConditionOp()
          .getArgs()[cast<OpResult>(value).getResultNumber()];
  }
  if (Operation *loop = getCarrier(value)) {
    const CarriedFields &carried = analysis.getCarriedFields(loop);
    if (int64_t index = carried.find(value);
        index >= 0 && carried.isFixed(index))
      return carried.inits[index];
  }
  return {};
}

/// What both branches of an scf.if yield; null if that is not one field.
Value FieldAliasAnalysis::getBranchSource(Value result, unsigned depth) {
  auto ifOp = result.getDefiningOp<scf::IfOp>();
  if (!ifOp || depth > kMaxDepth)
    return {};
  if (auto it = branchSources.find(result); it != branchSources.end())
    return it->second;
  unsigned number = cast<OpResult>(result).getResultNumber();
  Value whenTrue = getSource(ifOp.thenYield().getOperand(number), depth + 1);
  Value whenFalse = getSource(ifOp.elseYield().getOperand(number), depth + 1);
  bool isOne = whenTrue == whenFalse && !isInside(whenTrue, ifOp);
  return branchSources[result] = isOne ? whenTrue : Value();
}

/// The argument of a call that a function returns; null if it returns another
/// field.
Value FieldAliasAnalysis::getCallSource(Value result, unsigned depth) {
  auto call = result.getDefiningOp<CallOpInterface>();
  if (!call || depth > kMaxDepth)
    return {};
  if (auto it = branchSources.find(result); it != branchSources.end())
    return it->second;
  auto function = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  if (!function || !llvm::hasSingleElement(function.getFunctionBody()))
    return {};
  Block &body = function.getFunctionBody().front();
  unsigned number = cast<OpResult>(result).getResultNumber();
  Operation *terminator = body.getTerminator();
  if (number >= terminator->getNumOperands())
    return {};
  auto source = dyn_cast<BlockArgument>(
      getSource(terminator->getOperand(number), depth + 1));
  bool isArgument = source && source.getOwner() == &body &&
                    source.getArgNumber() < call.getArgOperands().size();
  return branchSources[result] =
             isArgument ? call.getArgOperands()[source.getArgNumber()]
                        : Value();
}

Value FieldAliasAnalysis::getSource(Value field, unsigned depth) {
  while (true) {
    Value nearer = getNearerSource(*this, field);
    if (!nearer)
      nearer = getBranchSource(field, depth);
    if (!nearer)
      nearer = getCallSource(field, depth);
    if (!nearer)
      return field;
    field = nearer;
  }
}

bool FieldAliasAnalysis::mayAlias(Value a, Value b, unsigned depth) {
  a = getSource(a);
  b = getSource(b);
  if (a == b || depth > kMaxDepth)
    return true;
  std::pair<Value, Value> key(a, b);
  if (a.getAsOpaquePointer() > b.getAsOpaquePointer())
    std::swap(key.first, key.second);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  bool result = mayAliasUncached(a, b, depth + 1);
  known[key] = result;
  return result;
}

static bool isNewMemory(Value value) {
  Operation *op = value.getDefiningOp();
  return op && hasEffect<MemoryEffects::Allocate>(op, value);
}

/// An argument of a function: other memory than the other arguments.
static bool isParameter(Value value) {
  Block *block = value.getParentBlock();
  return isa<BlockArgument>(value) && block->isEntryBlock() &&
         isa_and_nonnull<FunctionOpInterface>(block->getParentOp());
}

/// `a` and `b` are different sources. The later one is replaced with what it
/// may be, until both are known.
bool FieldAliasAnalysis::mayAliasUncached(Value a, Value b, unsigned depth) {
  if (isLater(b, a))
    std::swap(a, b);

  if (Operation *loop = getCarrier(a)) {
    const CarriedFields &carried = getCarriedFields(loop);
    int64_t indexA = carried.find(a);
    if (indexA < 0 || !carried.permutes)
      return true;
    int64_t indexB = getCarrier(b) == loop ? carried.find(b) : -1;
    bool together =
        indexB >= 0 && isa<BlockArgument>(a) == isa<BlockArgument>(b);
    // The answer is the same for all of a cycle: ask for its first members
    // only, which are remembered.
    ArrayRef<Value> list =
        isa<BlockArgument>(a) ? carried.args : carried.results;
    const unsigned *begin = carried.cycle.begin(), *end = carried.cycle.end();
    int64_t firstA = std::find(begin, end, begin[indexA]) - begin, firstB = 0;
    Value firstOfB = b;
    if (together) {
      firstB = std::find(begin, end, begin[indexB]) - begin;
      if (firstA == firstB)
        firstB = std::find(begin + firstA + 1, end, begin[indexB]) - begin;
      firstOfB = list[firstB];
    }
    if (list[firstA] != a || firstOfB != b)
      return mayAlias(list[firstA], firstOfB, depth);
    for (unsigned i = 0, size = list.size(); i < size; ++i) {
      if (begin[i] != begin[indexA])
        continue;
      if (!together) {
        if (mayAlias(carried.inits[i], b, depth))
          return true;
        continue;
      }
      // Both are permuted together: distinct if the initial fields are.
      for (unsigned j = 0; j < size; ++j)
        if (i != j && begin[j] == begin[indexB] &&
            mayAlias(carried.inits[i], carried.inits[j], depth))
          return true;
    }
    return false;
  }
  if (auto ifOp = a.getDefiningOp<scf::IfOp>()) {
    for (Block *block : {ifOp.thenBlock(), ifOp.elseBlock()}) {
      auto yielded = [&](Value value) {
        return value.getDefiningOp() != ifOp
                   ? value
                   : block->getTerminator()->getOperand(
                         cast<OpResult>(value).getResultNumber());
      };
      if (mayAlias(yielded(a), yielded(b), depth))
        return true;
    }
    return false;
  }
  if (auto select = a.getDefiningOp<arith::SelectOp>()) {
    auto other = b.getDefiningOp<arith::SelectOp>();
    bool together = other && other.getCondition() == select.getCondition();
    return mayAlias(select.getTrueValue(), together ? other.getTrueValue() : b,
                    depth) ||
           mayAlias(select.getFalseValue(),
                    together ? other.getFalseValue() : b, depth);
  }
  if (auto view = a.getDefiningOp<ViewLikeOpInterface>())
    return mayAlias(view.getViewSource(), b, depth);
  // New memory is none that was named before.
  if (isNewMemory(a) && isLater(a, b))
    return false;
  auto isRoot = [](Value value) {
    return isNewMemory(value) || isParameter(value);
  };
  return !isRoot(a) || !isRoot(b);
}
