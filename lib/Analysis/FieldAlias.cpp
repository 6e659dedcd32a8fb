//===- FieldAlias.cpp - Which fields are the same memory ------------------===//

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace stencil;

/// Chains of loops longer than this are not followed: the answer is "may".
static constexpr unsigned kMaxDepth = 1000;

static bool isStorage(Value value) {
  return isa<FieldType, BaseMemRefType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Order of definition
//===----------------------------------------------------------------------===//

/// True if `value` is defined in a region of `op`.
static bool isInside(Value value, Operation *op) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return parent && op->isAncestor(parent);
}

/// True if `a` is defined after `b`, for values that are visible at one place
/// or of which one is defined inside the op that defines the other.
static bool isLater(Value a, Value b) {
  Block *blockA = a.getParentBlock(), *blockB = b.getParentBlock();
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  bool nestedA = false, nestedB = false;
  auto depth = [](Block *block) {
    unsigned depth = 0;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      ++depth;
    return depth;
  };
  unsigned depthA = depth(blockA), depthB = depth(blockB);
  while (blockA != blockB) {
    bool raiseA = depthA >= depthB, raiseB = depthB >= depthA;
    if (raiseA) {
      opA = blockA->getParentOp();
      blockA = opA->getBlock();
      nestedA = true;
      --depthA;
    }
    if (raiseB) {
      opB = blockB->getParentOp();
      blockB = opB->getBlock();
      nestedB = true;
      --depthB;
    }
    // Different functions or blocks of one region: there is no order.
    if (!blockA || !blockB)
      return false;
  }
  if (opA == opB)
    return !nestedA && nestedB;
  if (!opA || !opB)
    return opA != nullptr;
  return opB->isBeforeInBlock(opA);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

const CarriedFields &FieldAliasAnalysis::getCarriedFields(Operation *loop) {
  std::unique_ptr<CarriedFields> &entry = loops[loop];
  if (entry)
    return *entry;
  entry = std::make_unique<CarriedFields>();
  CarriedFields &carried = *entry;
  auto add = [&](Value arg, Value init, OpOperand &yield) {
    if (!isStorage(arg))
      return;
    carried.positions[arg] = carried.args.size();
    carried.args.push_back(arg);
    carried.inits.push_back(init);
    carried.yields.push_back(&yield);
  };
  if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
    for (auto [arg, init, yield, result] :
         llvm::zip_equal(forOp.getRegionIterArgs(), forOp.getInitArgs(),
                         forOp.getBody()->getTerminator()->getOpOperands(),
                         forOp.getResults())) {
      add(arg, init, yield);
      if (isStorage(arg))
        carried.results.push_back(result);
    }
    for (auto [index, result] : llvm::enumerate(carried.results))
      carried.positions[result] = index;
  } else if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
    for (auto [arg, init, yield] :
         llvm::zip_equal(whileOp.getBeforeArguments(), whileOp.getInits(),
                         whileOp.getYieldOp()->getOpOperands()))
      add(arg, init, yield);
  }
  // From here on `entry` may have moved; while it is being filled, the loop
  // looks like one that does not permute, and its arguments stand for
  // themselves.
  findPermutation(loop, carried);
  return carried;
}

/// Sets `permutes` and `cycle`, or `culprit`.
void FieldAliasAnalysis::findPermutation(Operation *loop,
                                         CarriedFields &carried) {
  unsigned size = carried.args.size();
  llvm::IntEqClasses cycles(size);
  llvm::SmallBitVector named(size);
  SmallVector<Value> dynamic;
  SmallVector<unsigned> dynamicPositions;
  for (unsigned i = 0; i < size; ++i) {
    Value source = getSource(carried.yields[i]->get());
    int64_t index = carried.find(source);
    if (index < 0) {
      dynamic.push_back(source);
      dynamicPositions.push_back(i);
      carried.culprit = carried.yields[i];
      continue;
    }
    if (named.test(index)) {
      carried.culprit = carried.yields[i];
      return;
    }
    named.set(index);
    cycles.join(i, index);
  }
  // What inner loops and branches return must be the other arguments.
  SmallVector<Value> sources;
  if (failed(resolve(dynamic, loop, sources)))
    return;
  for (Value source : sources) {
    int64_t index = carried.find(source);
    if (index < 0 || named.test(index))
      return;
    named.set(index);
    dynamicPositions.push_back(index);
  }
  if (!named.all())
    return;
  for (unsigned position : dynamicPositions)
    cycles.join(dynamicPositions.front(), position);
  cycles.compress();
  carried.cycleSizes.resize(cycles.getNumClasses());
  for (unsigned i = 0; i < size; ++i) {
    carried.cycle.push_back(cycles[i]);
    ++carried.cycleSizes[cycles[i]];
  }
  carried.permutes = true;
  carried.culprit = nullptr;
}

/// Replaces values that are defined in `scope` by inner loops and branches with
/// the values of which they are a permutation. Fails where they are none.
LogicalResult FieldAliasAnalysis::resolve(SmallVector<Value> pending,
                                          Operation *scope,
                                          SmallVectorImpl<Value> &sources) {
  // Takes the values for which `position` is not negative off the list.
  auto take = [&](llvm::function_ref<int64_t(Value)> position) {
    SmallVector<int64_t> positions;
    llvm::erase_if(pending, [&](Value value) {
      int64_t index = position(value);
      if (index >= 0)
        positions.push_back(index);
      return index >= 0;
    });
    return positions;
  };
  auto add = [&](Value value) { pending.push_back(getSource(value)); };
  auto samePermutation = [](SmallVector<Value> a, SmallVector<Value> b) {
    auto less = [](Value x, Value y) {
      return x.getAsOpaquePointer() < y.getAsOpaquePointer();
    };
    llvm::sort(a, less);
    llvm::sort(b, less);
    return a == b;
  };
  while (!pending.empty()) {
    Value latest = *llvm::max_element(
        pending, [](Value a, Value b) { return isLater(b, a); });
    Operation *op = isa<BlockArgument>(latest)
                        ? latest.getParentBlock()->getParentOp()
                        : latest.getDefiningOp();
    bool isOwnArgument = op == scope;
    if (isOwnArgument || !isInside(latest, scope)) {
      llvm::erase(pending, latest);
      sources.push_back(latest);
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      const CarriedFields &carried = getCarriedFields(op);
      SmallVector<int64_t> positions =
          take([&](Value value) { return carried.find(value); });
      if (!carried.permutes)
        return failure();
      llvm::sort(positions);
      for (auto [index, position] : llvm::enumerate(positions)) {
        if (index > 0 && positions[index - 1] == position)
          return failure();
        add(carried.inits[position]);
      }
      // Whole cycles only.
      for (auto [index, cycle] : llvm::enumerate(carried.cycle)) {
        bool taken = llvm::is_contained(positions, static_cast<int64_t>(index));
        bool wanted =
            llvm::any_of(positions, [&, cycle = cycle](int64_t other) {
              return carried.cycle[other] == cycle;
            });
        if (taken != wanted)
          return failure();
      }
    } else if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      SmallVector<int64_t> positions = take([&](Value value) -> int64_t {
        auto result = dyn_cast<OpResult>(value);
        return result && result.getOwner() == op ? result.getResultNumber()
                                                 : -1;
      });
      auto resolveBranch = [&](Block *block, SmallVector<Value> &branch) {
        SmallVector<Value> yielded;
        for (int64_t position : positions)
          yielded.push_back(
              getSource(block->getTerminator()->getOperand(position)));
        return resolve(yielded, op, branch);
      };
      SmallVector<Value> whenTrue, whenFalse;
      if (failed(resolveBranch(ifOp.thenBlock(), whenTrue)) ||
          failed(resolveBranch(ifOp.elseBlock(), whenFalse)) ||
          !samePermutation(whenTrue, whenFalse))
        return failure();
      llvm::for_each(whenTrue, add);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      // What canonicalisation makes of an scf.if that only yields.
      SmallVector<Value> whenTrue, whenFalse;
      take([&](Value value) -> int64_t {
        auto other = value.getDefiningOp<arith::SelectOp>();
        if (!other || other.getCondition() != select.getCondition())
          return -1;
        whenTrue.push_back(getSource(other.getTrueValue()));
        whenFalse.push_back(getSource(other.getFalseValue()));
        return 0;
      });
      if (!samePermutation(whenTrue, whenFalse))
        return failure();
      llvm::for_each(whenTrue, add);
    } else {
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// One step towards the source of `value`; null where there is none.
static Value getNearerSource(FieldAliasAnalysis &analysis, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto apply = dyn_cast_or_null<ApplyOp>(parent))
      return apply.getArgs()[argument.getArgNumber()];
    if (auto whileOp = dyn_cast_or_null<scf::WhileOp>(parent);
        whileOp && argument.getOwner() == whileOp.getAfterBody())
      return whileOp.getConditionOp().getArgs()[argument.getArgNumber()];
    if (isa_and_nonnull<scf::ForOp, scf::WhileOp>(parent)) {
      const CarriedFields &carried = analysis.getCarriedFields(parent);
      if (int64_t index = carried.find(value);
          index >= 0 && carried.isFixed(index))
        return carried.inits[index];
    }
    return {};
  }
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (isa<CastOp, ExternalLoadOp>(op) ||
      (isa<CastOpInterface>(op) && op->getNumOperands() == 1 &&
       op->getNumResults() == 1))
    return op->getOperand(0);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return whileOp.getConditionOp().getArgs()[number];
  if (isa<scf::ForOp>(op)) {
    const CarriedFields &carried = analysis.getCarriedFields(op);
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

Value FieldAliasAnalysis::getSource(Value field, unsigned depth) {
  while (true) {
    Value nearer = getNearerSource(*this, field);
    if (!nearer)
      nearer = getBranchSource(field, depth);
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

/// The loop that carries `value` from iteration to iteration, or null.
static Operation *getCarrier(Value value) {
  Operation *op = isa<BlockArgument>(value)
                      ? value.getParentBlock()->getParentOp()
                      : value.getDefiningOp();
  return isa_and_nonnull<scf::ForOp, scf::WhileOp>(op) ? op : nullptr;
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
