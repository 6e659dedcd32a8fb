//===- BodyGraph.cpp - What the ops of a body need of each other ----------===//

#include "BodyGraph.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// Registers of 32 bits for the results.
static int64_t countRegisters(Operation *op) {
  if (isa<IndexOp>(op) || matchPattern(op, m_Constant()))
    return 0;
  int64_t count = 0;
  for (Type type : op->getResultTypes()) {
    type = unwrapResult(type);
    count += type.isIntOrFloat()
                 ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 32)
                 : 1;
  }
  return count;
}

BodyGraph::BodyGraph(ApplyOp apply) {
  addOps(apply);
  addItems();
  connect();
}

void BodyGraph::addOps(ApplyOp apply) {
  Block &block = *apply.getBodyBlock();
  llvm::DenseMap<Operation *, unsigned> numbers;
  auto listSources = [&](Operation *op) {
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
    llvm::SetVector<unsigned> sources;
    for (Value value : values)
      if (auto it = numbers.find(value.getDefiningOp()); it != numbers.end())
        sources.insert(it->second);
    return sources.takeVector();
  };
  std::set<unsigned> loaded;
  for (Operation &inner : block.without_terminator()) {
    Op op;
    op.op = &inner;
    op.registers = countRegisters(&inner);
    op.isLoad = isa<AccessOp>(inner);
    if (auto access = dyn_cast<AccessOp>(inner)) {
      op.input = cast<BlockArgument>(access.getTemp()).getArgNumber();
      loaded.insert(op.input);
    } else if (readsComputedPoints(&inner)) {
      op.input = kSeveralInputs;
    }
    llvm::append_range(op.sources, listSources(&inner));
    for (unsigned source : op.sources) {
      ++ops[source].uses;
      op.input = joinInputs(op.input, ops[source].input);
    }
    numbers[&inner] = ops.size();
    ops.push_back(std::move(op));
  }
  for (unsigned source : listSources(block.getTerminator()))
    ops[source].isReturned = true;
  inputs.assign(loaded.begin(), loaded.end());
}

void BodyGraph::addItems() {
  // Backwards: the last op of the item that each one goes with.
  std::vector<unsigned> user(ops.size(), 0), last(ops.size(), 0);
  for (auto [number, op] : llvm::enumerate(ops))
    for (unsigned source : op.sources)
      user[source] = number;
  for (unsigned number = ops.size(); number-- > 0;) {
    const Op &op = ops[number];
    last[number] = number;
    if (op.isLoad || op.isReturned || op.uses != 1)
      continue;
    unsigned input = ops[user[number]].input;
    if (input != kSeveralInputs && (op.input == input || op.input == kNoInput))
      last[number] = last[user[number]];
  }
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (last[number] != number)
      continue;
    op.item = items.size();
    BodyItem &item = items.emplace_back();
    item.registers = op.registers;
    item.isReturned = op.isReturned;
    if (op.isLoad) {
      item.input = op.input;
      loads[op.input].push_back(op.item);
    }
  }
  for (auto [number, op] : llvm::enumerate(ops)) {
    op.item = ops[last[number]].item;
    items[op.item].ops.push_back(number);
  }
}

void BodyGraph::connect() {
  for (auto [number, item] : llvm::enumerate(items)) {
    llvm::SetVector<unsigned> operands;
    for (unsigned op : item.ops)
      for (unsigned source : ops[op].sources)
        if (ops[source].item != number)
          operands.insert(ops[source].item);
    item.operands.assign(operands.begin(), operands.end());
    for (unsigned operand : operands)
      items[operand].users.push_back(number);
  }
}

std::vector<unsigned> BodyGraph::getWritten() const {
  auto numbers = llvm::seq<unsigned>(0, ops.size());
  return {numbers.begin(), numbers.end()};
}

std::vector<unsigned> BodyGraph::listOps(ArrayRef<unsigned> order) const {
  std::vector<unsigned> result;
  std::vector<bool> isThere(ops.size(), false);
  auto add = [&](unsigned number) {
    if (!isThere[number])
      result.push_back(number);
    isThere[number] = true;
  };
  for (unsigned item : order)
    for (unsigned number : items[item].ops) {
      for (unsigned source : ops[number].sources)
        if (ops[source].isLoad)
          add(source);
      add(number);
    }
  // What is loaded and returned, or not used.
  for (unsigned number = 0; number < ops.size(); ++number)
    if (ops[number].isLoad)
      add(number);
  return result;
}

LiveRegisters BodyGraph::measure(ArrayRef<unsigned> order) const {
  std::vector<unsigned> left;
  for (const Op &op : ops)
    left.push_back(op.uses + op.isReturned);
  std::vector<bool> isLoaded(ops.size(), false);
  int64_t live = 0;
  LiveRegisters result;
  for (unsigned number : order) {
    const Op &op = ops[number];
    if (op.isLoad)
      continue;
    for (unsigned source : op.sources)
      if (ops[source].isLoad && !isLoaded[source]) {
        isLoaded[source] = true;
        live += ops[source].registers;
      }
    result.most = std::max(result.most, live);
    for (unsigned source : op.sources)
      if (--left[source] == 0)
        live -= ops[source].registers;
    if (left[number] > 0)
      live += op.registers;
    result.most = std::max(result.most, live);
    result.sum += live;
  }
  return result;
}

OpOrder BodyGraph::getOps(ArrayRef<unsigned> order) const {
  OpOrder result;
  for (unsigned number : order)
    result.push_back(ops[number].op);
  return result;
}
