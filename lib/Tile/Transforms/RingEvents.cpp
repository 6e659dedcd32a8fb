//===- RingEvents.cpp - What a block's program does to rings --------------===//

#include "RingEvents.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(KernelOp kernel, BlockProgram &program, bool hasPatches)
      : kernel(kernel), program(program), hasPatches(hasPatches) {}

  /// Of the ops in `scope`, a kernel or its walk.
  LogicalResult build(Operation *scope);

private:
  LogicalResult verifyPlace(Operation *op);
  LogicalResult verifyUsers(Value memory);
  void add(CopyOp copy);
  void add(WaitOp wait);
  void add(PatchOp patch);
  void add(PutOp put);
  void add(TakeOp take);
  void add(tile::StoreOp store);
  void add(ApplyOp stage);
  void addRead(ApplyOp stage, unsigned input,
               std::optional<Footprint> &footprint);
  void addReads(ApplyOp stage, Value value);

  /// The ring's program; null for a field.
  RingProgram *find(Value memory) {
    auto known = numbers.find(memory);
    return known == numbers.end() ? nullptr : &program.rings[known->second];
  }
  void addEvent(RingProgram &ring, RingAccess access, Operation *op,
                int64_t oldest, int64_t newest) {
    Operation *place = program.body->findAncestorOpInBlock(*op);
    ring.events.push_back({access, op, places.lookup(place), oldest, newest});
  }

  KernelOp kernel;
  BlockProgram &program;
  bool hasPatches;
  llvm::SmallDenseMap<Value, size_t> numbers;
  llvm::DenseMap<Operation *, int64_t> places;
  /// Per ring, the first wait of an iteration for its newest plane.
  llvm::SmallDenseMap<Value, WaitOp> newestWaits;
};

} // namespace

bool tile::isRingOp(Operation *op) {
  auto store = dyn_cast<tile::StoreOp>(op);
  return isa<ApplyOp>(op) ||
         (op->hasTrait<IsOrdered>() && !isa<BarrierOp>(op)) ||
         (store && store.getValues().getDefiningOp<SourceOp>());
}

LogicalResult ProgramBuilder::verifyPlace(Operation *op) {
  StringRef where = program.isWalk ? "tile.walk" : "tile.kernel";
  if (op->hasTrait<IsOrdered>() && op->getBlock() != program.body &&
      (op->getBlock() != kernel.getBodyBlock() || isRingOp(op)))
    return op->emitOpError("expected in the body of the ")
           << where << " itself, where its place in the order of ops is known";
  if (isRingOp(op) && !program.body->findAncestorOpInBlock(*op))
    return op->emitOpError("expected in the ") << where;
  return success();
}

/// That what reads this ring is a stage or a store, in this iteration.
LogicalResult ProgramBuilder::verifyUsers(Value memory) {
  for (Operation *user : memory.getUsers()) {
    if (user->hasTrait<ValueView>()) {
      if (failed(verifyUsers(user->getResult(0))))
        return failure();
    } else if (!isa<ApplyOp, tile::StoreOp>(user)) {
      return user->emitOpError("expected a tile.source of a ring to be read by "
                               "stages and stores of its iteration only");
    }
  }
  return success();
}

void ProgramBuilder::add(CopyOp copy) {
  int64_t plane = copy.getPlane();
  RingProgram &ring = *find(copy.getRing());
  // What is delayed is written at the wait.
  if (ring.getType().getFill() == Fill::Delayed)
    return;
  addEvent(ring, RingAccess::Overwrite, copy, plane, plane);
  if (ring.getType().getFill() == Fill::Threads)
    addEvent(ring, RingAccess::Publish, copy, plane, plane);
}

void ProgramBuilder::add(WaitOp wait) {
  int64_t plane = wait.getPlane();
  RingProgram &ring = *find(wait.getRing());
  // What an earlier wait waits for, the last one of the iteration before has
  // waited for already.
  auto newest = newestWaits.find(wait.getRing());
  if (program.isWalk && newest->second != wait)
    return;
  Fill fill = ring.getType().getFill();
  if (fill == Fill::Delayed)
    addEvent(ring, RingAccess::Overwrite, wait, plane, plane);
  if (fill != Fill::Tma)
    addEvent(ring, RingAccess::Publish, wait, plane, plane);
}

/// It writes over what others have brought.
void ProgramBuilder::add(PatchOp patch) {
  if (!hasPatches)
    return;
  int64_t plane = patch.getPlane();
  RingProgram &ring = *find(patch.getRing());
  addEvent(ring, RingAccess::Read, patch, plane, plane);
  addEvent(ring, RingAccess::Publish, patch, plane, plane);
}

void ProgramBuilder::add(PutOp put) {
  int64_t plane = put.getPlane();
  RingProgram &ring = *find(put.getRing());
  addEvent(ring, RingAccess::Overwrite, put, plane, plane);
  addEvent(ring, RingAccess::Publish, put, plane, plane);
}

/// Of the one ring or the other.
void ProgramBuilder::add(TakeOp take) {
  int64_t plane = take.getPlane();
  addEvent(*find(take.getRing()), RingAccess::Read, take, plane, plane);
  addEvent(*find(take.getHanded()), RingAccess::Read, take, 0, 0);
}

/// The one plane that is stored.
void ProgramBuilder::add(tile::StoreOp store) {
  auto source = store.getValues().getDefiningOp<SourceOp>();
  if (source)
    addEvent(*find(source.getMemory()), RingAccess::Read, store,
             store.getLead(), store.getLead());
}

void ProgramBuilder::add(ApplyOp stage) {
  std::optional<Footprint> footprint;
  for (auto [input, value] : llvm::enumerate(stage.getArgs())) {
    if (value.getDefiningOp<SourceOp>())
      addRead(stage, input, footprint);
    else
      addReads(stage, value);
  }
}

/// The planes that the body of a stage reads. What all of it reads is found
/// once.
void ProgramBuilder::addRead(ApplyOp stage, unsigned input,
                             std::optional<Footprint> &footprint) {
  auto source = stage.getArgs()[input].getDefiningOp<SourceOp>();
  RingProgram *ring = find(source.getMemory());
  if (!ring)
    return;
  std::optional<int64_t> axis = kernel.getGrid().getWalk();
  std::optional<int64_t> lower, upper;
  if (!footprint)
    footprint.emplace(stage);
  footprint->forEachRead(input, [&](const InputRead &read) {
    int64_t low = axis ? read.lower[*axis] : 0;
    int64_t high = axis ? read.upper[*axis] : 0;
    lower = std::min(lower.value_or(low), low);
    upper = std::max(upper.value_or(high), high);
  });
  if (!lower)
    return;
  if (!axis)
    return addEvent(*ring, RingAccess::Read, stage, 0, 0);
  // Which all lie in the box of the source.
  BoundsAttr domain = stage.getDomain();
  addEvent(*ring, RingAccess::Read, stage, domain.getLb()[*axis] + *lower,
           domain.getUb()[*axis] - 1 + *upper);
}

/// What comes by way of joins: all planes of each source.
void ProgramBuilder::addReads(ApplyOp stage, Value value) {
  auto source = value.getDefiningOp<SourceOp>();
  if (Operation *made = value.getDefiningOp();
      !source && hasTrait<ValueView>(made))
    for (Value operand : made->getOperands())
      addReads(stage, operand);
  RingProgram *ring = source ? find(source.getMemory()) : nullptr;
  if (!ring)
    return;
  std::optional<int64_t> axis = kernel.getGrid().getWalk();
  BoundsAttr box = getBounds(source.getRes());
  addEvent(*ring, RingAccess::Read, stage, axis ? box.getLb()[*axis] : 0,
           axis ? box.getUb()[*axis] - 1 : 0);
}

LogicalResult ProgramBuilder::build(Operation *scope) {
  auto walk = dyn_cast<WalkOp>(scope);
  for (auto inner : kernel.getBodyBlock()->getOps<WalkOp>())
    if (!walk)
      walk = inner;
  program.isWalk = static_cast<bool>(walk);
  program.body = walk ? walk.getBodyBlock() : kernel.getBodyBlock();
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>()) {
    auto number = static_cast<int64_t>(program.rings.size());
    numbers[ring.getRes()] = program.rings.size();
    program.rings.push_back({ring, number, {}});
  }
  for (auto [place, op] : llvm::enumerate(*program.body)) {
    places[&op] = static_cast<int64_t>(place);
    if (auto barrier = dyn_cast<BarrierOp>(op);
        barrier && (hasPatches || !barrier.getForPatches()))
      program.barriers.push_back(static_cast<int64_t>(place));
  }
  Region &region = scope->getRegion(0);
  region.walk([&](WaitOp wait) {
    auto [known, isFirst] = newestWaits.try_emplace(wait.getRing(), wait);
    if (!isFirst && wait.getPlane() > known->second.getPlane())
      known->second = wait;
  });
  auto isRight = region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto source = dyn_cast<SourceOp>(op);
    if (failed(verifyPlace(op)) || (source && find(source.getMemory()) &&
                                    failed(verifyUsers(source.getRes()))))
      return WalkResult::interrupt();
    llvm::TypeSwitch<Operation *>(op)
        .Case<CopyOp, WaitOp, PatchOp, PutOp, TakeOp, tile::StoreOp, ApplyOp>(
            [&](auto of) { add(of); });
    return isa<ApplyOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  if (isRight.wasInterrupted())
    return failure();
  program.batch = findBatch(program, program.whyNoBatch);
  return success();
}

FailureOr<BlockProgram> BlockProgram::create(Operation *scope,
                                             bool hasPatches) {
  BlockProgram program;
  auto kernel = isa<WalkOp>(scope) ? scope->getParentOfType<KernelOp>()
                                   : cast<KernelOp>(scope);
  if (failed(ProgramBuilder(kernel, program, hasPatches).build(scope)))
    return failure();
  return program;
}
