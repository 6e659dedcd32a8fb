//===- TileFilled.cpp - When a ring without a walk may be read ------------===//

#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// Whether an op has run when another one does.
static bool isBefore(Operation *op, Operation *other) {
  Operation *place = op->getBlock()->findAncestorOpInBlock(*other);
  return place && op->isBeforeInBlock(place);
}

/// What has been done to a ring when an op runs.
template <typename Op> static Op findBefore(RingOp ring, Operation *other) {
  for (Operation *user : ring.getRes().getUsers())
    if (auto found = dyn_cast<Op>(user); found && isBefore(found, other))
      return found;
  return {};
}

static bool needsWait(RingOp ring) {
  return cast<RingType>(ring.getType()).isAsynchronous();
}

/// The copy that has filled a ring for a reader.
static CopyOp findCopy(RingOp ring, Operation *reader) {
  if (!needsWait(ring))
    return findBefore<CopyOp>(ring, reader);
  for (Operation *wait : ring.getRes().getUsers())
    if (isa<WaitOp>(wait) && isBefore(wait, reader))
      if (auto copy = findBefore<CopyOp>(ring, wait))
        return copy;
  return {};
}

static LogicalResult verifyReader(RingOp ring, Operation *reader) {
  bool isPut = cast<RingType>(ring.getType()).getFill() == Fill::Stage;
  CopyOp copy = findCopy(ring, reader);
  if (isPut ? !findBefore<PutOp>(ring, reader) : !copy)
    return reader->emitOpError(
               "reads a ring that nothing has filled: expected a ")
           << (isPut             ? "tile.put"
               : needsWait(ring) ? "tile.copy and a tile.wait"
                                 : "tile.copy")
           << " in front of it";
  if (isPut || !copy.getBoundary() || isa<PatchOp>(reader))
    return success();
  if (!findBefore<PatchOp>(ring, reader))
    return reader->emitOpError("reads a ring whose boundary nothing has "
                               "applied: expected a tile.patch in front of it");
  return success();
}

/// In a kernel without a walk.
static LogicalResult verifyRing(RingOp ring) {
  for (Operation *user : ring.getRes().getUsers()) {
    if (auto wait = dyn_cast<WaitOp>(user);
        wait && !findBefore<CopyOp>(ring, wait))
      return wait.emitOpError(
          "waits for what no tile.copy in front of it has asked for");
    if (auto patch = dyn_cast<PatchOp>(user)) {
      if (failed(verifyReader(ring, patch)))
        return failure();
      if (!findBefore<FringeOp>(ring, patch))
        return patch.emitOpError("expected a tile.fringe in front of it");
    }
    if (auto source = dyn_cast<SourceOp>(user))
      for (Operation *reader : source.getRes().getUsers())
        if (failed(verifyReader(ring, reader)))
          return failure();
  }
  return success();
}

LogicalResult tile::verifyFilled(KernelOp kernel) {
  if (kernel.getGrid().getWalk())
    return success();
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    if (failed(verifyRing(ring)))
      return failure();
  return success();
}
