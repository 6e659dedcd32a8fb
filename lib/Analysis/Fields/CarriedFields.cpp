//===- CarriedFields.cpp - What loops do to fields ------------------------===//

#include "DefinitionOrder.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace stencil;

static bool isStorage(Value value) {
  return isa<FieldType, BaseMemRefType>(value.getType());
}

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
        auto yielded = llvm::map_to_vector(positions, [&](int64_t position) {
          return getSource(block->getTerminator()->getOperand(position));
        });
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
