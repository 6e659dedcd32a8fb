//===- ArrivalOrder.cpp - Ops in the order in which values come -----------===//

#include "TileReads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;

/// What is in registers: a value, or an element of a vector that was loaded.
using Held = std::pair<Value, int64_t>;
using GetPlace = llvm::function_ref<const ReadPlace *(Operation *)>;

static Held getHeld(Value value) {
  if (auto element = value.getDefiningOp<vector::ExtractOp>();
      element && element.getStaticPosition().size() == 1 &&
      !element.hasDynamicPosition())
    return {element.getSource(), element.getStaticPosition().front()};
  return {value, 0};
}

/// Indices are parts of addresses, and constants of instructions.
static int64_t countRegisters(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  Operation *op = value.getDefiningOp();
  return type.isIntOrFloat() && !op->hasTrait<OpTrait::ConstantLike>()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 32)
             : 0;
}

/// The registers that the values of some ops, in their order, take where they
/// take most.
static int64_t countLive(ArrayRef<Operation *> ops) {
  // A value of one of the ops, or an element of it.
  struct Slot {
    int64_t registers = 0;
    std::optional<size_t> lastUse;
  };
  std::vector<Slot> slots;
  // The first slot of a value.
  llvm::DenseMap<Value, size_t> firstSlots;
  // What each op reads, one op after the other, and where it begins.
  std::vector<size_t> reads, readsOf;
  auto countElements = [](Value result) {
    auto vector = dyn_cast<VectorType>(result.getType());
    return vector ? vector.getNumElements() : 1;
  };
  for (auto [number, op] : llvm::enumerate(ops)) {
    readsOf.push_back(reads.size());
    // One that stands for an element takes no registers of its own.
    if (isa<vector::ExtractOp>(op))
      continue;
    for (Value operand : op->getOperands()) {
      auto [value, lane] = getHeld(operand);
      auto known = firstSlots.find(value);
      if (known == firstSlots.end())
        continue;
      size_t slot = known->second + lane;
      slots[slot].lastUse = number;
      reads.push_back(slot);
    }
    for (Value result : op->getResults()) {
      firstSlots[result] = slots.size();
      slots.insert(slots.end(), countElements(result),
                   {countRegisters(result), std::nullopt});
    }
  }
  readsOf.push_back(reads.size());
  int64_t live = 0, most = 0;
  size_t next = 0;
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (isa<vector::ExtractOp>(op))
      continue;
    for (Value result : op->getResults())
      for (int64_t lane = 0, end = countElements(result); lane < end;
           ++lane, ++next)
        if (slots[next].lastUse)
          live += slots[next].registers;
    most = std::max(most, live);
    for (size_t read = readsOf[number]; read < readsOf[number + 1]; ++read) {
      Slot &slot = slots[reads[read]];
      if (slot.lastUse != number)
        continue;
      live -= slot.registers;
      // An op may read it twice.
      slot.registers = 0;
    }
  }
  return most;
}

/// The ops in the other order; none if there is something else among them.
static SmallVector<Operation *> findOrder(ArrayRef<Operation *> ops,
                                          GetPlace getPlace) {
  SmallVector<std::pair<ReadPlace, Operation *>> loads;
  for (Operation *op : ops)
    if (const ReadPlace *place = getPlace(op))
      loads.emplace_back(*place, op);
    else if (op->getNumRegions() > 0 ||
             !(isMemoryEffectFree(op) ||
               isa<memref::StoreOp, vector::StoreOp>(op)))
      return {};
  llvm::sort(loads, llvm::less_first());
  llvm::DenseMap<Operation *, int64_t> numbers;
  for (auto [number, load] : llvm::enumerate(loads))
    numbers[load.second] = static_cast<int64_t>(number);
  // The load after which each op can be; before all of them, -1.
  std::vector<std::tuple<int64_t, bool, size_t>> order;
  llvm::DenseMap<Operation *, int64_t> after;
  int64_t lastStore = -1;
  for (auto [number, op] : llvm::enumerate(ops)) {
    int64_t last = -1;
    for (Value operand : op->getOperands())
      if (auto it = after.find(operand.getDefiningOp()); it != after.end())
        last = std::max(last, it->second);
    bool isLoad = numbers.contains(op);
    if (isLoad) {
      // An address that is loaded itself.
      if (last >= 0)
        return {};
      last = numbers.lookup(op);
    } else if (isa<memref::StoreOp, vector::StoreOp>(op)) {
      last = lastStore = std::max(last, lastStore);
    }
    after[op] = last;
    order.emplace_back(last, !isLoad, number);
  }
  llvm::sort(order);
  SmallVector<Operation *> sorted;
  for (const auto &[load, isRest, number] : order)
    sorted.push_back(ops[number]);
  return sorted;
}

void stencil::orderByArrival(Block::iterator begin, Block::iterator end,
                             GetPlace getPlace, int64_t registers) {
  auto ops =
      llvm::to_vector(llvm::make_pointer_range(llvm::make_range(begin, end)));
  int64_t live = countLive(ops);
  if (live <= registers)
    return;
  SmallVector<Operation *> sorted = findOrder(ops, getPlace);
  if (sorted.empty() || countLive(sorted) >= live)
    return;
  Block *block = ops.front()->getBlock();
  for (Operation *op : sorted)
    op->moveBefore(block, end);
}
