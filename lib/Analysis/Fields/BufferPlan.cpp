//===- BufferPlan.cpp - Where values live ---------------------------------===//
//
// Loads first, then applies in program order. The timeline knows at any moment
// of all accesses that are decided: a store writes where it stands until its
// result is found to be written by the apply; then the write moves there. So a
// result is only written directly if nothing that touches the field lies
// between, and a value is only read from a field if nothing writes to it
// between definition and use.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/BufferPlan.h"
#include "MemoryTimeline.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {

/// The stores that an apply can do itself when it runs at `position`: where it
/// stands, or right before the op `before`.
struct Candidate {
  unsigned position = 0;
  SmallVector<Operation *> stores;
  Operation *before = nullptr;
};

class Planner {
public:
  Planner(FunctionOpInterface function, ArrayRef<Value> temporaries);
  FailureOr<BufferPlan> run();

private:
  LogicalResult check(Operation *op);
  LogicalResult checkControlFlow(Operation *op);

  bool canStoreAt(ApplyOp apply, StoreOp store, unsigned position);
  Candidate findDirectStores(ApplyOp apply, unsigned position);
  SmallVector<Storage> getInputs(ApplyOp apply);
  Candidate sinkToStore(ApplyOp apply);

  void planLoad(LoadOp load);
  LogicalResult planApply(ApplyOp apply);
  LogicalResult planResult(OpResult result, const Candidate &candidate);
  void setHome(Value value, Storage home, ArrayRef<Read> readers);
  Storage addBuffer(Value value);
  void touch(Storage storage, unsigned position);
  void shareBuffers();

  FunctionOpInterface function;
  MemoryTimeline timeline;
  ValueReads reads;
  /// The buffers before sharing.
  SmallVector<LiveInterval> live;
  llvm::DenseMap<Value, unsigned> temporaries;
  BufferPlan plan;
};

} // namespace

static bool isTemp(Value value) { return isa<TempType>(value.getType()); }

Planner::Planner(FunctionOpInterface function, ArrayRef<Value> fields)
    : function(function), timeline(function, fields), reads(timeline) {
  for (Value field : fields) {
    temporaries[field] = live.size();
    live.push_back({cast<FieldType>(field.getType()), ~0u, 0});
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The form that the plan is made for; what else there is, is an error here.
LogicalResult Planner::check(Operation *op) {
  bool usesTemps = false;
  for (Value value :
       llvm::concat<Value>(ValueRange(op->getOperands()), op->getResults())) {
    if (!isTemp(value))
      continue;
    usesTemps = true;
    if (!getBounds(value))
      return op->emitOpError("expected values of known box, got ")
             << value.getType() << "; run stencil-infer-shapes first";
  }
  return usesTemps ? checkControlFlow(op) : success();
}

LogicalResult Planner::checkControlFlow(Operation *op) {
  for (Operation *inner = op; inner != function; inner = inner->getParentOp()) {
    if (!inner->getParentRegion()->hasOneBlock())
      return op->emitOpError("expected structured control flow (scf) around "
                             "it, got several blocks");
    Operation *parent = inner->getParentOp();
    if (parent == function ||
        isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp,
            scf::ExecuteRegionOp>(parent))
      continue;
    return withNote(op->emitOpError("expected sequential control "
                                    "flow (scf.for, scf.while, "
                                    "scf.if) around it, got ")
                        << parent->getName(),
                    parent->getLoc(), "around it here");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void Planner::planLoad(LoadOp load) {
  ArrayRef<Read> readers = reads.get(load.getRes());
  unsigned position = timeline.getPosition(load);
  Value field = load.getField();
  // A result that is stored later must not be there already.
  timeline.add(position, {field, getBounds(load.getRes()), load});
  bool isOld = llvm::any_of(readers, [&](const Read &read) {
    return reads.isOverwritten(field, load->getBlock(), read, position,
                               nullptr) ||
           reads.storesInPartTo(field, read);
  });
  Storage home = isOld ? addBuffer(load.getRes()) : Storage{field};
  touch(home, position);
  setHome(load.getRes(), home, readers);
}

void Planner::setHome(Value value, Storage home, ArrayRef<Read> readers) {
  plan.homes[value] = home;
  for (const Read &read : readers) {
    touch(home, timeline.getLastPosition(read.op, value.getParentBlock()));
    if (home.field)
      timeline.add(
          timeline.getPosition(read.op),
          {home.field, read.box, read.op, /*isWrite=*/false, read.isPointwise});
  }
}

//===----------------------------------------------------------------------===//
// Applies
//===----------------------------------------------------------------------===//

/// True if `apply`, run at `position`, may write to the field of `store` at
/// once.
bool Planner::canStoreAt(ApplyOp apply, StoreOp store, unsigned position) {
  Value field = store.getField();
  BoundsAttr box = store.getBounds();
  if (store->getBlock() != apply->getBlock() || box != apply.getDomain())
    return false;
  if (Operation *definition = field.getDefiningOp())
    if (timeline.getPosition(definition) > position)
      return false;
  // The points of an apply are evaluated in any order. The verifier of apply
  // does not look at boxes.
  unsigned own = timeline.getPosition(apply);
  auto isUnsafe = [&](const MemoryAccess &access) {
    return !access.isPointwise ||
           !timeline.haveSamePlaces(field, access.memory);
  };
  auto isAny = [](const MemoryAccess &) { return true; };
  return !timeline.any(field, {}, own, own, isUnsafe) &&
         !timeline.any(field, box, position + 1,
                       timeline.getPosition(store) - 1, isAny);
}

Candidate Planner::findDirectStores(ApplyOp apply, unsigned position) {
  Candidate candidate;
  candidate.position = position;
  for (OpResult result : apply->getResults())
    for (const Read &read : reads.get(result)) {
      auto store = dyn_cast<StoreOp>(read.op);
      if (!store || !canStoreAt(apply, store, position))
        continue;
      bool isDistinct = llvm::none_of(candidate.stores, [&](Operation *other) {
        return timeline.getAliases().mayAlias(store.getField(),
                                              cast<StoreOp>(other).getField());
      });
      if (isDistinct)
        candidate.stores.push_back(store);
    }
  return candidate;
}

/// The memory that `apply` reads.
SmallVector<Storage> Planner::getInputs(ApplyOp apply) {
  SmallVector<Storage> inputs;
  for (Value input : apply.getArgs())
    if (isa<FieldType>(input.getType()))
      inputs.push_back({input});
    else if (auto home = plan.homes.find(input); home != plan.homes.end())
      inputs.push_back(home->second);
  return inputs;
}

/// What `apply` could store if it ran right before its first use, a store;
/// nothing if its inputs are overwritten until then.
Candidate Planner::sinkToStore(ApplyOp apply) {
  Operation *first = nullptr;
  for (Operation *user : apply->getUsers()) {
    Operation *ancestor = apply->getBlock()->findAncestorOpInBlock(*user);
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
  }
  if (!isa_and_nonnull<StoreOp>(first))
    return {};
  unsigned own = timeline.getPosition(apply);
  unsigned position = timeline.getPosition(first) - 1;
  for (const Storage &storage : getInputs(apply)) {
    auto isWrite = [](const MemoryAccess &access) { return access.isWrite; };
    if (storage.field &&
        timeline.any(storage.field, {}, own + 1, position, isWrite))
      return {};
  }
  Candidate candidate = findDirectStores(apply, position);
  candidate.before = first;
  return candidate;
}

LogicalResult Planner::planApply(ApplyOp apply) {
  Candidate candidate = findDirectStores(apply, timeline.getPosition(apply));
  unsigned wanted = llvm::count_if(apply->getUsers(), [&](Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    return store && store.getBounds() == apply.getDomain();
  });
  if (candidate.stores.size() < wanted) {
    Candidate later = sinkToStore(apply);
    if (later.stores.size() > candidate.stores.size()) {
      candidate = later;
      plan.sunk[apply] = later.before;
      for (const Storage &storage : getInputs(apply)) {
        touch(storage, later.position);
        if (storage.field)
          timeline.move(apply, storage.field, later.position);
      }
    }
  }
  for (OpResult result : apply->getResults())
    if (failed(planResult(result, candidate)))
      return failure();
  // An apply without use is still here for the effects of its body.
  if (llvm::all_of(apply->getResults(), [&](OpResult result) {
        return plan.destinations[result].empty();
      })) {
    Storage unused = addBuffer(apply->getResult(0));
    touch(unused, candidate.position);
    plan.destinations[apply->getResult(0)].push_back(unused);
  }
  return success();
}

LogicalResult Planner::planResult(OpResult result, const Candidate &candidate) {
  SmallVector<Storage, 1> &destinations = plan.destinations[result];
  SmallVector<Operation *> stores;
  SmallVector<Read> others;
  for (const Read &read : reads.get(result)) {
    if (!llvm::is_contained(candidate.stores, read.op)) {
      others.push_back(read);
      continue;
    }
    auto store = cast<StoreOp>(read.op);
    stores.push_back(store);
    plan.direct.insert(store);
    destinations.push_back({store.getField()});
    timeline.move(store, store.getField(), candidate.position);
    touch(destinations.back(), candidate.position);
  }
  if (mayBeEmpty(result) && !others.empty()) {
    // checkProgram lets such results be stored only.
    return withNote(result.getOwner()->emitOpError("result #")
                        << result.getResultNumber()
                        << " stores nothing at some points: expected it to "
                           "be stored on all of "
                           "its box "
                        << cast<ApplyOp>(result.getOwner()).getDomain()
                        << ", to a field that is not touched in between "
                           "nor read at an offset",
                    others.front().op->getLoc(),
                    "this store would need a copy");
  }
  if (others.empty())
    return success();
  for (auto [store, destination] : llvm::zip_equal(stores, destinations))
    if (llvm::none_of(others, [&, store = store,
                               destination = destination](const Read &read) {
          return reads.isOverwritten(destination.field, result.getParentBlock(),
                                     read, candidate.position, store) ||
                 reads.storesInPartTo(destination.field, read);
        })) {
      setHome(result, destination, others);
      return success();
    }
  destinations.push_back(addBuffer(result));
  touch(destinations.back(), candidate.position);
  setHome(result, destinations.back(), others);
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Storage Planner::addBuffer(Value value) {
  auto type = cast<GridType>(value.getType());
  live.push_back(
      {FieldType::get(type.getBounds(), type.getElementType()), ~0u, 0});
  return {{}, static_cast<unsigned>(live.size() - 1)};
}

void Planner::touch(Storage storage, unsigned position) {
  unsigned index = storage.buffer;
  if (storage.field) {
    auto it = temporaries.find(storage.field);
    if (it == temporaries.end())
      return;
    index = it->second;
  }
  live[index].first = std::min(live[index].first, position);
  live[index].last = std::max(live[index].last, position);
}

/// Puts the numbers of shared buffers in the place of the planned ones.
void Planner::shareBuffers() {
  auto ops = llvm::to_vector(
      llvm::make_pointer_range(function.getFunctionBody().front()));
  BufferSlots slots = stencil::shareBuffers(live);
  for (FieldType type : slots.types)
    plan.buffers.push_back({type});
  for (auto [interval, slot] : llvm::zip_equal(live, slots.slotOf)) {
    unsigned first = interval.first;
    Operation **next = llvm::partition_point(
        ops, [&](Operation *op) { return timeline.getPosition(op) <= first; });
    Operation *user = *std::prev(next);
    Operation *&firstUser = plan.buffers[slot].firstUser;
    if (!firstUser || user->isBeforeInBlock(firstUser))
      firstUser = user;
  }
  for (auto [field, index] : temporaries)
    plan.temporaries[field] = slots.slotOf[index];
  auto update = [&](Storage &storage) {
    auto temporary = temporaries.find(storage.field);
    if (temporary != temporaries.end())
      storage = {{}, temporary->second};
    if (!storage.field)
      storage.buffer = slots.slotOf[storage.buffer];
  };
  for (auto &[value, home] : plan.homes)
    update(home);
  for (auto &[value, destinations] : plan.destinations)
    llvm::for_each(destinations, update);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

FailureOr<BufferPlan> Planner::run() {
  SmallVector<Operation *> ops;
  for (Operation *op : listProgram(function.getFunctionBody())) {
    if (failed(check(op)))
      return failure();
    if (isa<LoadOp, ApplyOp, StoreOp, FoldOp>(op))
      ops.push_back(op);
  }
  for (Operation *op : ops)
    if (failed(reads.note(op)))
      return failure();
  // The timeline has the stores' writes, so that loads can be decided before
  // the results that are stored.
  for (Operation *op : ops)
    if (auto load = dyn_cast<LoadOp>(op))
      planLoad(load);
  for (Operation *op : ops) {
    if (auto apply = dyn_cast<ApplyOp>(op); apply && !apply.isBufferised())
      if (failed(planApply(apply)))
        return failure();
    if (auto store = dyn_cast<StoreOp>(op))
      touch({store.getField()}, timeline.getPosition(store));
  }
  shareBuffers();
  return std::move(plan);
}

FailureOr<BufferPlan> stencil::planBuffers(FunctionOpInterface function,
                                           ArrayRef<Value> temporaries) {
  return Planner(function, temporaries).run();
}
