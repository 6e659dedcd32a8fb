//===- MemoryTimeline.cpp - Who touches which field when ------------------===//

#include "MemoryTimeline.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

MemoryTimeline::MemoryTimeline(FunctionOpInterface function,
                               ArrayRef<Value> privateFields)
    : minimalExtents(stencil::minimalExtents(function)) {
  for (Value field : privateFields)
    temporaries.insert(field.getAsOpaquePointer());
  number(function.getFunctionBody());
  groupByAlias();
  for (Block &block : function.getFunctionBody())
    for (Operation *op : listProgram(block))
      addAccesses(op);
}

void MemoryTimeline::number(Region &region) {
  for (Operation &op : region.getOps()) {
    unsigned begin = nextPosition;
    nextPosition += 2;
    if (!op.hasTrait<HasScalarBody>())
      for (Region &inner : op.getRegions())
        number(inner);
    spans[&op] = {begin, nextPosition - 2};
  }
}

unsigned MemoryTimeline::getLastPosition(Operation *user, Block *block) const {
  unsigned last = getPosition(user);
  while (user->getBlock() != block) {
    user = user->getParentOp();
    if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(user))
      last = getSpan(user).end;
  }
  return last;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool isMemory(Value value) {
  return isa<FieldType, BaseMemRefType>(value.getType());
}

/// True if all that the results of `op` can be, if they are memory, is known:
/// new memory, or what `note` is called with.
static bool
noteOrigins(Operation *op,
            llvm::function_ref<void(Value result, Value origin)> note) {
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op)) {
    RegionBranchSuccessorMapping handedOn;
    cast<RegionBranchOpInterface>(op).getSuccessorOperandInputMapping(handedOn);
    for (auto &[operand, inputs] : handedOn)
      for (Value input : inputs)
        note(input, operand->get());
    return true;
  }
  if (op->hasTrait<FieldView>() || isa<arith::SelectOp>(op)) {
    for (Value operand : op->getOperands())
      note(op->getResult(0), operand);
    return true;
  }
  if (!op->hasTrait<HasScalarBody>())
    for (Region &region : op->getRegions())
      if (llvm::any_of(region.getArguments(), isMemory))
        return false;
  return hasEffect<MemoryEffects::Allocate>(op) ||
         llvm::none_of(op->getResults(), isMemory);
}

/// Gives every memory a group such that memory of different groups is distinct.
void MemoryTimeline::groupByAlias() {
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::IntEqClasses classes;
  auto getNumber = [&](Value value) {
    Value &source = sources[value];
    if (!source)
      source = aliases.getSource(value);
    auto [entry, isNew] = numbers.try_emplace(source, numbers.size());
    if (isNew)
      classes.grow(numbers.size());
    return entry->second;
  };
  auto note = [&](Value value, Value origin) {
    if (isMemory(value))
      classes.join(getNumber(value), getNumber(origin));
  };
  for (auto [op, span] : spans) {
    hasViews |= !noteOrigins(op, note);
    for (Value value : op->getOperands())
      note(value, value);
  }
  // What may be anything puts everything in one group.
  for (unsigned i = 1; hasViews && i < numbers.size(); ++i)
    classes.join(0, i);
  classes.compress();
  for (auto [value, source] : sources)
    groups[value] = classes[numbers.lookup(source)] + 1;
  accesses.resize(classes.getNumClasses() + 1);
}

std::multimap<unsigned, MemoryAccess> &
MemoryTimeline::getAccesses(Value memory) {
  return accesses[memory ? groups.lookup(memory) : 0];
}

void MemoryTimeline::addAccesses(Operation *op) {
  unsigned position = getPosition(op);
  auto read = [&](Value memory, BoundsAttr box) {
    add(position, {memory, box, op, /*isWrite=*/false});
  };
  auto write = [&](Value memory, BoundsAttr box) {
    add(position, {memory, box, op, /*isWrite=*/true});
  };
  if (auto store = dyn_cast<StoreOp>(op)) {
    write(store.getField(), store.getBounds());
  } else if (auto apply = dyn_cast<ApplyOp>(op)) {
    // Inputs that are fields are read where it runs: noted by who knows where.
    for (Value dest : apply.getDest())
      write(dest, apply.getDomain());
  } else if (auto pipeline = dyn_cast<PipelineOp>(op)) {
    for (LoadOp load : pipeline.getBodyBlock()->getOps<LoadOp>())
      read(load.getField(), {});
    for (StoreOp store : pipeline.getBodyBlock()->getOps<StoreOp>())
      write(store.getField(), store.getBounds());
  } else if (op->hasTrait<FieldView>() || isa<LoadOp, FoldOp, AllocOp>(op)) {
    // Loads read nothing by themselves, folds as applies.
  } else if (auto external = dyn_cast<ExternalStoreOp>(op)) {
    read(external.getTemp(), {});
    if (isMemory(external.getField()))
      write(external.getField(), {});
  } else if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    // Noted for the ops inside.
  } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances) {
      Value value = instance.getValue();
      if (value && !isMemory(value))
        continue;
      if (isa<MemoryEffects::Read>(instance.getEffect()))
        read(value, {});
      else if (isa<MemoryEffects::Write, MemoryEffects::Free>(
                   instance.getEffect()))
        write(value, {});
    }
  } else {
    read({}, {});
    write({}, {});
  }
}

void MemoryTimeline::add(unsigned position, MemoryAccess access) {
  getAccesses(access.memory).emplace(position, access);
}

void MemoryTimeline::move(Operation *op, Value memory, unsigned position) {
  std::multimap<unsigned, MemoryAccess> &map = getAccesses(memory);
  // Where they are put may be in front of the range's end, which would meet
  // them again, for ever.
  SmallVector<std::multimap<unsigned, MemoryAccess>::iterator> moved;
  auto [it, end] = map.equal_range(getPosition(op));
  for (; it != end; ++it)
    if (it->second.op == op && it->second.memory == memory)
      moved.push_back(it);
  for (auto access : moved) {
    auto node = map.extract(access);
    node.key() = position;
    map.insert(std::move(node));
  }
}

bool MemoryTimeline::haveSamePlaces(Value a, Value b) {
  auto typeA = dyn_cast<FieldType>(a.getType());
  auto typeB = dyn_cast<FieldType>(b.getType());
  return typeA && typeB && typeA.getBounds() &&
         typeA.getBounds() == typeB.getBounds() &&
         (!hasViews || aliases.mustAlias(a, b));
}

bool MemoryTimeline::mayTouch(Value memory, BoundsAttr box,
                              const MemoryAccess &access) {
  if (!access.memory)
    return !temporaries.contains(memory.getAsOpaquePointer());
  if (!aliases.mayAlias(sources.lookup(memory), sources.lookup(access.memory)))
    return false;
  return !box || !access.box || !haveSamePlaces(memory, access.memory) ||
         !areDisjoint(GridBox(box), GridBox(access.box), minimalExtents);
}

bool MemoryTimeline::any(
    Value memory, BoundsAttr box, unsigned first, unsigned last,
    llvm::function_ref<bool(const MemoryAccess &)> counts) {
  if (first > last)
    return false;
  for (auto *map : {&accesses.front(), &getAccesses(memory)})
    for (auto it = map->lower_bound(first), end = map->upper_bound(last);
         it != end; ++it)
      if (counts(it->second) && mayTouch(memory, box, it->second))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Memory for what does not live together
//===----------------------------------------------------------------------===//

/// True if a field of type `slot` can stand for one of type `type`.
static bool canHold(FieldType slot, FieldType type) {
  return slot.getElementType() == type.getElementType() &&
         isSurelyWithin(type.getBounds(), slot.getBounds());
}

BufferSlots stencil::shareBuffers(ArrayRef<LiveInterval> intervals) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, intervals.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(intervals[a].first, a) <
           std::make_pair(intervals[b].first, b);
  });
  BufferSlots slots;
  slots.slotOf.resize(intervals.size());
  SmallVector<unsigned> lastUse;
  for (unsigned index : order) {
    const LiveInterval &interval = intervals[index];
    unsigned slot = 0;
    while (slot < lastUse.size() &&
           (lastUse[slot] >= interval.first ||
            !canHold(slots.types[slot], interval.type)))
      ++slot;
    if (slot == lastUse.size()) {
      slots.types.push_back(interval.type);
      lastUse.push_back(0);
    }
    lastUse[slot] = interval.last;
    slots.slotOf[index] = slot;
  }
  return slots;
}

//===----------------------------------------------------------------------===//
// Who reads which value
//===----------------------------------------------------------------------===//

/// Notes what the owner of `use` reads of the grid.
LogicalResult ValueReads::note(OpOperand &use, OperandDemands &needs) {
  Value grid = use.get();
  Operation *op = use.getOwner();
  GridBox box;
  bool isRead = false, isPointwise = !isa<FoldOp>(op);
  auto boxOf = [](Value value) { return getBounds(value); };
  needs.forEach(
      use, boxOf,
      [&](Operation *by, const GridBox &needed, const InputRead *read) {
        isRead = true;
        box.join(needed);
        if (read)
          isPointwise &= read->isPointwise(cast<ApplyOp>(op).getRank());
        else
          isPointwise &= by == op;
      });
  if (!isRead)
    return success();
  BoundsAttr bounds = box.get(op->getContext());
  if (!isa<TempType>(grid.getType())) {
    timeline.add(timeline.getPosition(op),
                 {grid, bounds, op, /*isWrite=*/false, isPointwise});
    return success();
  }
  BoundsAttr known = boxOf(grid);
  if (!known.contains(bounds))
    return withNote(op->emitOpError("reads ")
                        << bounds << " of a value that is known on " << known
                        << " only",
                    grid.getLoc(), "it is defined here");
  reads[grid].push_back({op, bounds, isPointwise});
  return success();
}

ArrayRef<Read> ValueReads::get(Value value) const {
  auto found = reads.find(value);
  return found == reads.end() ? ArrayRef<Read>() : found->second;
}

LogicalResult ValueReads::note(Operation *op) {
  auto apply = dyn_cast<ApplyOp>(op);
  MutableArrayRef<OpOperand> inputs = op->getOpOperands();
  if (isa<LoadOp, StoreOp>(op))
    inputs = inputs.take_front(isa<StoreOp>(op) ? 1 : 0);
  else if (apply)
    inputs = inputs.take_front(apply.getArgs().size());
  OperandDemands needs(op);
  for (OpOperand &input : inputs)
    if (isa<GridType>(input.get().getType()) && failed(note(input, needs)))
      return failure();
  return success();
}

bool ValueReads::isOverwritten(Value memory, Block *home, const Read &read,
                               unsigned from, Operation *except) {
  unsigned last = timeline.getLastPosition(read.op, home);
  bool isRepeated = last != timeline.getPosition(read.op);
  return timeline.any(
      memory, read.box, from + 1, last, [&](const MemoryAccess &access) {
        if (!access.isWrite || access.op == except)
          return false;
        // What an op reads of a point before it writes there is intact.
        bool isSafe = access.op == read.op && !isRepeated && read.isPointwise &&
                      timeline.haveSamePlaces(memory, access.memory);
        return !isSafe;
      });
}

bool ValueReads::storesInPartTo(Value memory, const Read &read) {
  auto apply = dyn_cast<ApplyOp>(read.op);
  if (!apply)
    return false;
  auto isInTheWay = [&](const Read &use) {
    auto store = dyn_cast<StoreOp>(use.op);
    return store && timeline.getAliases().mayAlias(store.getField(), memory) &&
           !(read.isPointwise &&
             timeline.haveSamePlaces(store.getField(), memory));
  };
  return llvm::any_of(apply->getResults(), [&](OpResult result) {
    return mayBeEmpty(result) && llvm::any_of(get(result), isInTheWay);
  });
}
