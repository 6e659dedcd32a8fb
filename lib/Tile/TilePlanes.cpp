//===- TilePlanes.cpp - When planes come, and how long they stay ----------===//
//
// In the iteration for plane p, a copy brings plane p + k to a ring of N slots,
// in the place of plane p + k - N. So between the copy and that of the next
// iteration the ring has planes p + k - N + 1 to p + k, as far as they have
// come: behind a wait for plane w, those up to p + w. With `delayed` a plane
// takes its place at the wait, not at the copy. A put is as a copy by threads,
// but no iteration before the first one has it.
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
  LogicalResult findFiller();
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
  /// The copy or the put, and the plane that it brings.
  Operation *filler = nullptr;
  int64_t plane = 0;
  /// The last one in the iteration that waits for the newest plane.
  SmallVector<WaitOp> waits;
};

} // namespace

LogicalResult RingPlanes::findFiller() {
  for (Operation *user : ring.getUsers()) {
    if (!findPlace(user))
      continue;
    if (auto wait = dyn_cast<WaitOp>(user))
      waits.push_back(wait);
    auto copy = dyn_cast<CopyOp>(user);
    auto put = dyn_cast<PutOp>(user);
    if (!copy && !put)
      continue;
    if (filler) {
      InFlightDiagnostic diagnostic = user->emitOpError(
          "expected one copy per iteration to a ring, got another one");
      diagnostic.attachNote(filler->getLoc()) << "the other one is here";
      return diagnostic;
    }
    filler = user;
    plane = static_cast<int64_t>(copy ? copy.getPlane() : put.getPlane());
  }
  return success();
}

LogicalResult RingPlanes::verify() {
  if (failed(findFiller()))
    return failure();
  for (WaitOp wait : waits) {
    int64_t asked = filler ? getNewest(filler, plane, wait) : 0;
    if (!filler || static_cast<int64_t>(wait.getPlane()) > asked) {
      InFlightDiagnostic diagnostic = wait.emitOpError("waits for plane p + ")
                                      << wait.getPlane();
      if (filler)
        return diagnostic << ", but copies up to p + " << asked
                          << " have been asked for";
      return diagnostic << ", but the walk has no copy to this ring";
    }
  }
  for (Operation *user : ring.getUsers())
    if (auto source = dyn_cast<SourceOp>(user); source && findPlace(source))
      for (Operation *reader : source.getRes().getUsers())
        if (failed(verifyReader(source, reader)))
          return failure();
  return success();
}

LogicalResult RingPlanes::verifyReader(SourceOp source, Operation *reader) {
  if (!filler)
    return source.emitOpError("expected a ring that a ")
           << (type.getFill() == Fill::Stage ? "tile.put" : "tile.copy")
           << " of the walk fills";
  BoundsAttr box = cast<TempType>(source.getRes().getType()).getBounds();
  int64_t oldest = box.getLb()[axis], newest = box.getUb()[axis] - 1;
  int64_t there = getNewest(filler, plane, reader);
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
  // Copies bring the planes from that of the first iteration on, a put those
  // from its own first one on.
  bool isPut = isa<PutOp>(filler);
  int64_t needed = (isPut ? plane : 0) - oldest;
  if (static_cast<int64_t>(walk.getLookback()) < needed)
    return reader->emitOpError("reads plane p + ")
           << oldest << ", which no " << (isPut ? "put" : "copy")
           << " brings for the first plane that is stored: expected a lookback "
              "of at least "
           << needed << ", got " << walk.getLookback();
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

/// Whether a ring has been filled in front of an op of the kernel's body.
static bool isFilled(Value ring, Operation *place) {
  bool needsWait = cast<RingType>(ring.getType()).isAsynchronous();
  auto isBefore = [&](Operation *op, Operation *other) {
    return op->getBlock() == other->getBlock() && op->isBeforeInBlock(other);
  };
  auto isCopied = [&](Operation *other) {
    return llvm::any_of(ring.getUsers(), [&](Operation *user) {
      return isa<CopyOp, PutOp>(user) && isBefore(user, other);
    });
  };
  if (!needsWait)
    return isCopied(place);
  return llvm::any_of(ring.getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && isBefore(user, place) && isCopied(user);
  });
}

LogicalResult tile::verifyFilled(KernelOp kernel) {
  if (kernel.getGrid().getWalk())
    return success();
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    for (Operation *user : ring.getRes().getUsers()) {
      auto source = dyn_cast<SourceOp>(user);
      if (!source)
        continue;
      for (Operation *reader : source.getRes().getUsers()) {
        Operation *place =
            kernel.getBodyBlock()->findAncestorOpInBlock(*reader);
        auto type = cast<RingType>(ring.getRes().getType());
        if (!isFilled(ring.getRes(), place))
          return reader->emitOpError(
                     "reads a ring that nothing has filled: expected a ")
                 << (type.isAsynchronous()          ? "tile.copy and a tile.wait"
                     : type.getFill() == Fill::Stage ? "tile.put"
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

LogicalResult tile::verifyStored(KernelOp kernel) {
  llvm::SmallDenseMap<Value, tile::StoreOp> stores;
  // There, the loops of a walk all have its stores.
  bool isExpanded = !kernel.getBodyBlock()->getOps<SegmentOp>().empty();
  auto isRight = kernel.getBody().walk([&](tile::StoreOp store) {
    auto [known, isNew] =
        stores.try_emplace(kernel.getOperandOf(store.getField()), store);
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
    if (auto known = stores.find(operand); known != stores.end())
      if (failed(verifyReads(argument, known->second)))
        return failure();
  return success();
}
