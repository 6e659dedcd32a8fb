//===- TilePlanes.cpp - When planes come, and how long they stay ----------===//
//
// In the iteration for plane p, a copy brings plane p + k to a ring of N slots,
// in the place of plane p + k - N. So between the copy and that of the next
// iteration the ring has planes p + k - N + 1 to p + k, as far as they have
// come: behind a wait for plane w, those up to p + w. With `delayed` a plane
// takes its place at the wait, not at the copy.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Footprint.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// One ring in one walk.
class RingPlanes {
public:
  RingPlanes(Value ring, WalkOp walk, int64_t axis)
      : ring(ring), type(cast<RingType>(ring.getType())), walk(walk),
        axis(axis) {}

  LogicalResult verify();

private:
  /// Where in the iteration an op is; null for what is outside of the walk.
  Operation *findPlace(Operation *op) {
    return walk.getBodyBlock()->findAncestorOpInBlock(*op);
  }
  LogicalResult verifyDelay();
  LogicalResult verifyReader(SourceOp source, Operation *reader);
  /// The value that is known behind an op: of this iteration if `reader`
  /// comes later, else of the one before.
  int64_t getNewest(Operation *made, int64_t plane, Operation *reader) {
    return findPlace(made)->isBeforeInBlock(findPlace(reader)) ? plane
                                                               : plane - 1;
  }

  Value ring;
  RingType type;
  WalkOp walk;
  int64_t axis;
  CopyOp copy;
  /// The last one in the iteration that waits for the newest plane.
  SmallVector<WaitOp> waits;
};

} // namespace

LogicalResult RingPlanes::verify() {
  for (Operation *user : ring.getUsers()) {
    if (!findPlace(user))
      continue;
    if (auto wait = dyn_cast<WaitOp>(user))
      waits.push_back(wait);
    auto found = dyn_cast<CopyOp>(user);
    if (!found)
      continue;
    if (copy) {
      InFlightDiagnostic diagnostic = found.emitOpError(
          "expected one copy per iteration to a ring, got another one");
      diagnostic.attachNote(copy.getLoc()) << "the other one is here";
      return diagnostic;
    }
    copy = found;
  }
  for (WaitOp wait : waits) {
    int64_t asked = copy ? getNewest(copy, copy.getPlane(), wait) : 0;
    if (!copy || static_cast<int64_t>(wait.getPlane()) > asked) {
      InFlightDiagnostic diagnostic = wait.emitOpError("waits for plane p + ")
                                      << wait.getPlane();
      if (copy)
        return diagnostic << ", but copies up to p + " << asked
                          << " have been asked for";
      return diagnostic << ", but the walk has no copy to this ring";
    }
  }
  if (type.getFill() == Fill::Delayed && failed(verifyDelay()))
    return failure();
  for (Operation *user : ring.getUsers())
    if (auto source = dyn_cast<SourceOp>(user); source && findPlace(source))
      for (Operation *reader : source.getRes().getUsers())
        if (failed(verifyReader(source, reader)))
          return failure();
  return success();
}

/// Planes that wait in registers, all of which a thread has.
LogicalResult RingPlanes::verifyDelay() {
  constexpr int64_t kMaxDelay = 16;
  std::optional<int64_t> newest;
  for (WaitOp wait : waits) {
    auto plane = static_cast<int64_t>(wait.getPlane());
    newest = std::max(newest.value_or(plane), plane);
  }
  auto asked = copy ? static_cast<int64_t>(copy.getPlane()) : 0;
  if (!newest || asked - *newest <= kMaxDelay)
    return success();
  return copy.emitOpError("expected at most ")
         << kMaxDelay
         << " planes of 'fill = delayed' between the copy and the wait for p + "
         << *newest << ", got " << asked - *newest;
}

LogicalResult RingPlanes::verifyReader(SourceOp source, Operation *reader) {
  if (!copy)
    return source.emitOpError(
        "expected a ring that a tile.copy of the walk fills");
  BoundsAttr box = cast<TempType>(source.getRes().getType()).getBounds();
  int64_t oldest = box.getLb()[axis], newest = box.getUb()[axis] - 1;
  int64_t there = getNewest(copy, copy.getPlane(), reader);
  int64_t written = there;
  if (type.isAsynchronous()) {
    std::optional<int64_t> waited;
    for (WaitOp wait : waits) {
      int64_t plane = getNewest(wait, wait.getPlane(), reader);
      waited = std::max(waited.value_or(plane), plane);
    }
    if (!waited)
      return reader->emitOpError("reads a ring that is filled by '")
             << stringifyFill(type.getFill())
             << "' without a tile.wait in the walk";
    there = *waited;
    // Until then it is in registers.
    if (type.getFill() == Fill::Delayed)
      written = *waited;
  }
  int64_t lost = written - type.getSlots();
  if (newest > there)
    return reader->emitOpError("reads plane p + ")
           << newest << " of a ring that has planes up to p + " << there
           << " here";
  if (oldest <= lost)
    return reader->emitOpError("reads plane p + ")
           << oldest << ", which a ring of " << type.getSlots()
           << " slots has lost: the oldest one is p + " << lost + 1;
  if (oldest + static_cast<int64_t>(walk.getLookback()) < 0)
    return reader->emitOpError("reads plane p + ")
           << oldest
           << ", which no copy brings for the first plane that is stored: "
              "expected a lookback of at least "
           << -oldest << ", got " << walk.getLookback();
  return success();
}

LogicalResult tile::verifyPlanes(WalkOp walk) {
  auto kernel = walk->getParentOfType<KernelOp>();
  std::optional<int64_t> axis = kernel.getGrid().getWalk();
  if (!axis)
    return success(); // The kernel says so.
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    if (failed(RingPlanes(ring.getRes(), walk, *axis).verify()))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Rings without a walk
//===----------------------------------------------------------------------===//

static bool isBefore(Operation *op, Operation *other) {
  return op->getBlock() == other->getBlock() && op->isBeforeInBlock(other);
}

/// Whether a copy to a ring is in front of an op.
static bool isCopied(Value ring, Operation *place) {
  return llvm::any_of(ring.getUsers(), [&](Operation *user) {
    return isa<CopyOp>(user) && isBefore(user, place);
  });
}

/// Whether a ring has been filled in front of an op of the kernel's body.
static bool isFilled(Value ring, Operation *place) {
  if (!cast<RingType>(ring.getType()).isAsynchronous())
    return isCopied(ring, place);
  return llvm::any_of(ring.getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && isBefore(user, place) && isCopied(ring, user);
  });
}

LogicalResult tile::verifyFilled(KernelOp kernel) {
  if (kernel.getGrid().getWalk())
    return success();
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    for (Operation *user : ring.getRes().getUsers()) {
      if (auto wait = dyn_cast<WaitOp>(user);
          wait && !isCopied(ring.getRes(), wait))
        return wait.emitOpError(
            "waits for what no tile.copy in front of it has asked for");
      auto source = dyn_cast<SourceOp>(user);
      if (!source)
        continue;
      for (Operation *reader : source.getRes().getUsers()) {
        Operation *place =
            kernel.getBodyBlock()->findAncestorOpInBlock(*reader);
        if (!isFilled(ring.getRes(), place))
          return reader->emitOpError(
                     "reads a ring that nothing has filled: expected a ")
                 << (cast<RingType>(ring.getRes().getType()).isAsynchronous()
                         ? "tile.copy and a tile.wait"
                         : "tile.copy")
                 << " in front of it";
      }
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Fields that are read and stored
//===----------------------------------------------------------------------===//

/// The read of a stage at another point than its own, of this input.
static Operation *findNeighbour(ApplyOp stage, unsigned input) {
  Operation *found = nullptr;
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    if (!read.isPointwise(stage.getRank()))
      found = read.op;
  });
  return found;
}

static LogicalResult refuse(Operation *reader, tile::StoreOp store) {
  InFlightDiagnostic diagnostic = reader->emitOpError(
      "reads neighbours in a field that the kernel stores to: other blocks may "
      "have stored there, or not");
  diagnostic.attachNote(store.getLoc()) << "it is stored to here";
  return diagnostic;
}

static LogicalResult verifyReads(Value field, tile::StoreOp store) {
  for (Operation *user : field.getUsers()) {
    if (auto copy = dyn_cast<CopyOp>(user)) {
      auto needs = copy.getNeedsAttr();
      auto isZero = [](int64_t offset) { return offset == 0; };
      auto isOne = [](int64_t offset) { return offset == 1; };
      if (!needs || !llvm::all_of(needs.getLb(), isZero) ||
          !llvm::all_of(needs.getUb(), isOne))
        return refuse(copy, store);
    }
    auto source = dyn_cast<SourceOp>(user);
    if (!source)
      continue;
    for (OpOperand &use : source.getRes().getUses())
      if (auto stage = dyn_cast<ApplyOp>(use.getOwner()))
        if (Operation *reader = findNeighbour(stage, use.getOperandNumber()))
          return refuse(reader, store);
  }
  return success();
}

/// The memory that a field of the host names.
static Value findMemory(Value field) {
  while (auto cast = field.getDefiningOp<CastOp>())
    field = cast.getField();
  return field;
}

LogicalResult tile::verifyStored(KernelOp kernel) {
  llvm::SmallDenseMap<Value, tile::StoreOp> stores;
  // There, the loops of a walk all have its stores.
  bool isExpanded = !kernel.getBodyBlock()->getOps<SegmentOp>().empty();
  auto isRight = kernel.getBody().walk([&](tile::StoreOp store) {
    auto [known, isNew] = stores.try_emplace(
        findMemory(kernel.getOperandOf(store.getField())), store);
    if (isNew || isExpanded)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        store.emitOpError("expected one store per field, got another one");
    diagnostic.attachNote(known->second.getLoc()) << "the other one is here";
    return WalkResult::interrupt();
  });
  if (isRight.wasInterrupted())
    return failure();
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.getArgs(), kernel.getBodyBlock()->getArguments()))
    if (auto known = stores.find(findMemory(operand)); known != stores.end())
      if (failed(verifyReads(argument, known->second)))
        return failure();
  return success();
}
