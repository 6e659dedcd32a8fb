//===- StepChains.cpp - Values that a step does not store -----------------===//
//
//   %m = stencil.apply(%x = %u) { ... }
//   %s = stencil.apply(%y = %m) { ... }
//   stencil.store %s to %v
//     ==>
//   stencil.pipeline axis 0 {
//     load; apply; window; apply; store
//   }
//
// What a step in diamonds does not store has no place of its own in time: who
// needs it computes it, on a tile and as far around it as it is read. The step
// is then as far-reaching as all of the chain, and no more phases than one.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeOnCPU.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StepBodies.h"
#include "StepDiamonds.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Which applies are a chain
//===----------------------------------------------------------------------===//

namespace {
class ChainFinder {
public:
  ChainFinder(const TimeLoop &time, FieldAliasAnalysis &aliases,
              NoTimeLoop &why)
      : time(time), aliases(aliases), why(why) {}
  bool run();
  std::vector<StepChain> take() { return std::move(chains); }

private:
  bool fail(Operation *op, const Twine &reason) {
    return why.refuse(op, reason);
  }
  ApplyOp getMaker(Value value) const;
  bool checkUsers(ApplyOp apply);
  bool checkApply(ApplyOp apply);
  bool checkLoad(LoadOp load, const StepChain &chain);
  bool checkRead(const InputRead &read, const StepChain &chain);
  bool checkStores(const StepChain &chain);
  bool changesBetween(Operation *first, Operation *last, unsigned position,
                      const StepChain &chain);
  bool addChain(ApplyOp last);
  std::optional<unsigned> getPosition(Value field) {
    return time.getPosition(field, aliases);
  }

  const TimeLoop &time;
  FieldAliasAnalysis &aliases;
  NoTimeLoop &why;
  std::vector<StepChain> chains;
};
} // namespace

Value stencil::lookThroughBuffers(Value value) {
  while (auto buffer = value.getDefiningOp<BufferOp>())
    value = buffer.getTemp();
  return value;
}

/// Who uses what an apply makes.
static SmallVector<Operation *> getUsers(Operation *apply) {
  SmallVector<Operation *> users;
  for (Operation *user : apply->getUsers())
    if (isa<BufferOp>(user))
      llvm::append_range(users, getUsers(user));
    else
      users.push_back(user);
  return users;
}

/// The apply of the step that makes a value, if one does.
ApplyOp ChainFinder::getMaker(Value value) const {
  scf::ForOp loop = time.loop;
  auto apply = lookThroughBuffers(value).getDefiningOp<ApplyOp>();
  return apply && apply->getBlock() == loop.getBody() ? apply : ApplyOp();
}

/// Whether an op of the loop's body between two others stores to a field, or
/// sets its halo.
bool ChainFinder::changesBetween(Operation *first, Operation *last,
                                 unsigned position, const StepChain &chain) {
  auto isBetween = [&](Operation *op) {
    return (first->getBlock() != op->getBlock() ||
            first->isBeforeInBlock(op)) &&
           op->isBeforeInBlock(last);
  };
  return llvm::any_of(time.stores,
                      [&](StoreOp store) {
                        return !llvm::is_contained(chain.stores, store) &&
                               isBetween(store) &&
                               getPosition(store.getField()) == position;
                      }) ||
         llvm::any_of(time.boundaries, [&](BoundaryOp boundary) {
           return isBetween(boundary) &&
                  getPosition(boundary.getField()) == position;
         });
}

/// All that a chain reads, its pipeline reads where it stores.
bool ChainFinder::checkLoad(LoadOp load, const StepChain &chain) {
  Operation *last = chain.stores.back();
  std::optional<unsigned> position = getPosition(load.getField());
  if (load->getBlock() != last->getBlock()) {
    for (StoreOp store : time.stores)
      if (aliases.mayAlias(load.getField(), store.getField()))
        return fail(load, "a value of before the loop is read of a field that "
                          "it stores to");
    return true;
  }
  if (position && changesBetween(load, last, *position, chain))
    return fail(load, "a field changes between where it is loaded and where "
                      "what is computed of it is stored");
  return true;
}

/// Nothing may be overwritten that neighbours still read.
bool ChainFinder::checkRead(const InputRead &read, const StepChain &chain) {
  auto apply = cast<ApplyOp>(read.input.getOwner()->getParentOp());
  Value value = apply.getInput(read.input);
  auto load = value.getDefiningOp<LoadOp>();
  if (!load)
    return true;
  bool isHere = apply == chain.applies.back() &&
                read.isPointwise(time.interior.getRank());
  for (StoreOp store : chain.stores)
    if (std::optional<unsigned> position = getPosition(load.getField());
        !isHere && position && position == getPosition(store.getField()))
      return fail(store, "a step stores to a field from which neighbours "
                         "compute what it does not store");
  return true;
}

bool ChainFinder::checkApply(ApplyOp apply) {
  // A pipeline walks along the first axis.
  if (apply.getRank() == 1)
    return fail(apply, "a step over a row computes what it does not store");
  if (apply.getRank() != time.interior.getRank())
    return fail(apply, "a value that a step does not store is of another rank "
                       "than the state");
  if (llvm::product_of(apply.getUnrollFactors()) != 1)
    return fail(apply, "the body is unrolled");
  for (Value arg : apply.getArgs())
    if (isa<GridType>(arg.getType()) && !getMaker(arg) &&
        !arg.getDefiningOp<LoadOp>())
      return fail(apply, "a value that is put together from others, or is of "
                         "before the loop, is read beside one that a step does "
                         "not store");
  return true;
}

/// Stores come where the last of them is.
bool ChainFinder::checkStores(const StepChain &chain) {
  StoreOp last = chain.stores.back();
  for (StoreOp store : chain.stores) {
    std::optional<unsigned> position = getPosition(store.getField());
    bool isRead = llvm::any_of(time.loads, [&](LoadOp load) {
      return getPosition(load.getField()) == position &&
             store->isBeforeInBlock(load) && load->isBeforeInBlock(last);
    });
    bool isAgain = llvm::any_of(chain.stores, [&](StoreOp other) {
      return other != store && getPosition(other.getField()) == position;
    });
    if (isRead || isAgain || changesBetween(store, last, *position, chain))
      return fail(store, "what an apply computes is stored at several places "
                         "of a step, and changes in between");
  }
  return true;
}

bool ChainFinder::addChain(ApplyOp last) {
  scf::ForOp loop = time.loop;
  llvm::SmallPtrSet<Operation *, 8> parts{last};
  for (Operation &op : llvm::reverse(loop.getBody()->without_terminator()))
    if (parts.contains(&op))
      for (Value arg : cast<ApplyOp>(op).getArgs())
        if (ApplyOp maker = getMaker(arg))
          parts.insert(maker);
  // What is stored itself, the apply stores.
  if (parts.size() == 1 &&
      llvm::none_of(last->getUsers(), llvm::IsaPred<BufferOp>))
    return true;
  StepChain chain;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (parts.contains(&op))
      chain.applies.push_back(cast<ApplyOp>(op));
    if (auto store = dyn_cast<StoreOp>(op);
        store && lookThroughBuffers(store.getTemp()).getDefiningOp() == last)
      chain.stores.push_back(store);
  }
  // A stage each.
  constexpr size_t kMostStages = 256;
  if (chain.applies.size() > kMostStages)
    return fail(last, "it is computed by more than " + Twine(kMostStages) +
                          " applies");
  if (!checkStores(chain))
    return false;
  for (ApplyOp apply : chain.applies) {
    if (!checkApply(apply))
      return false;
    for (Value arg : apply.getArgs())
      if (auto load = arg.getDefiningOp<LoadOp>();
          load && !checkLoad(load, chain))
        return false;
    bool isFine = true;
    Footprint(apply).forEachRead([&](const InputRead &read) {
      isFine = isFine && checkRead(read, chain);
    });
    if (!isFine)
      return false;
  }
  chains.push_back(std::move(chain));
  return true;
}

bool ChainFinder::checkUsers(ApplyOp apply) {
  scf::ForOp loop = time.loop;
  for (Operation *user : getUsers(apply))
    if (user->getBlock() != loop.getBody() || !isa<StoreOp, ApplyOp>(user))
      return fail(apply, "a step computes a value that is neither stored nor "
                         "read by an apply");
  return true;
}

bool ChainFinder::run() {
  for (ApplyOp apply : time.applies) {
    bool isStored = llvm::any_of(getUsers(apply), llvm::IsaPred<StoreOp>);
    if (!checkUsers(apply) || (isStored && !addChain(apply)))
      return false;
  }
  return true;
}

std::optional<std::vector<StepChain>>
stencil::findChains(const TimeLoop &time, FieldAliasAnalysis &aliases,
                    NoTimeLoop &why) {
  ChainFinder finder(time, aliases, why);
  if (!finder.run())
    return std::nullopt;
  return finder.take();
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

namespace {
/// When a value of a pipeline is made, and the oldest plane of it that is read.
struct StageTimes {
  int64_t lead = 0, oldest = 0;
  bool isRead = false, isReadAround = false;
};

class ChainWriter {
public:
  explicit ChainWriter(const StepChain &chain)
      : chain(chain), loc(chain.applies.back()->getLoc()),
        builder(chain.stores.back()) {}
  void write();

private:
  void findTimes();
  Value getInput(Value arg);
  void addStage(ApplyOp apply);

  const StepChain &chain;
  Location loc;
  OpBuilder builder;
  PipelineOp pipeline;
  /// By apply; by value that it makes.
  llvm::DenseMap<Operation *, int64_t> leads;
  llvm::DenseMap<Value, StageTimes> times;
  /// Of what stages make: as others read it, and as it is stored.
  IRMapping values, made;
};
} // namespace

/// Each stage is as far ahead as it is read.
void ChainWriter::findTimes() {
  for (ApplyOp apply : llvm::reverse(chain.applies)) {
    int64_t &lead = leads[apply];
    for (Value result : apply.getRes())
      lead = std::max(lead, times[result].lead);
    for (Value result : apply.getRes())
      times[result].lead = lead;
    int64_t rank = apply.getRank();
    Footprint(apply).forEachRead([&](const InputRead &read) {
      Value value = lookThroughBuffers(apply.getInput(read.input));
      if (value.getDefiningOp<LoadOp>())
        return;
      OffsetBox box = OffsetBox::ofRead(read, rank);
      StageTimes &at = times[value];
      at.lead = std::max(at.lead, lead + box.upper.front());
      int64_t oldest = lead + box.lower.front();
      at.oldest =
          std::exchange(at.isRead, true) ? std::min(at.oldest, oldest) : oldest;
      at.isReadAround |= !box.isZero();
    });
  }
}

Value ChainWriter::getInput(Value arg) {
  auto load = arg.getDefiningOp<LoadOp>();
  if (!load)
    return values.lookupOrDefault(lookThroughBuffers(arg));
  // Whether it has been loaded where the program loads it, or again.
  Value field = load.getField();
  if (!values.contains(field)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(pipeline.getBodyBlock());
    values.map(field, LoadOp::create(builder, load.getLoc(), field).getRes());
  }
  return values.lookup(field);
}

void ChainWriter::addStage(ApplyOp apply) {
  auto args = llvm::map_to_vector(apply.getArgs(),
                                  [&](Value arg) { return getInput(arg); });
  ApplyOp stage =
      copyApply(builder, apply.getLoc(), apply, apply.getTempTypes(), args);
  stage->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
  stage->removeAttr(ScheduleAttr::kAttrName);
  int64_t lead = leads[apply];
  StageAttr::give(stage, lead);
  for (auto [result, value] : llvm::zip_equal(apply.getRes(), stage.getRes())) {
    made.map(result, value);
    values.map(result, value);
    const StageTimes &at = times[result];
    if (!at.isRead || (!at.isReadAround && at.oldest == lead))
      continue;
    auto window = WindowOp::create(builder, loc, value, Space::Shared,
                                   lead - at.oldest + 1, lead);
    values.map(result, window.getRes());
  }
}

void ChainWriter::write() {
  findTimes();
  pipeline = PipelineOp::create(builder, loc, builder.getIndexAttr(0));
  builder.createBlock(&pipeline.getBody());
  for (ApplyOp apply : chain.applies)
    addStage(apply);
  for (StoreOp store : chain.stores)
    StoreOp::create(builder, store.getLoc(),
                    made.lookup(lookThroughBuffers(store.getTemp())),
                    store.getField(), store.getBounds());
  walkBySeveral(pipeline, /*asked=*/std::nullopt);
}

void stencil::joinChains(ArrayRef<StepChain> chains) {
  for (const StepChain &chain : chains)
    ChainWriter(chain).write();
  // Who reads a value is gone, or is a stage now.
  for (const StepChain &chain : chains)
    for (StoreOp store : chain.stores)
      store.erase();
  llvm::SetVector<Operation *> makers;
  for (const StepChain &chain : chains)
    for (ApplyOp apply : chain.applies) {
      makers.insert(apply);
      for (Value arg : apply.getArgs())
        if (auto load = arg.getDefiningOp<LoadOp>())
          makers.insert(load);
      for (Operation *user : apply->getUsers())
        if (isa<BufferOp>(user))
          makers.insert(user);
    }
  for (bool isChanged = true; std::exchange(isChanged, false);)
    makers.remove_if([&](Operation *op) {
      if (!op->use_empty())
        return false;
      op->erase();
      return isChanged = true;
    });
}
