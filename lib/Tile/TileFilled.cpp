//===- TileFilled.cpp - When a ring without a walk may be read ------------===//

#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// One ring of a kernel without a walk.
class FilledRing {
public:
  explicit FilledRing(RingOp ring)
      : ring(ring), needsWait(cast<RingType>(ring.getType()).isAsynchronous()) {
  }

  LogicalResult verify();

private:
  /// Whether an op has run when another one does.
  static bool isBefore(Operation *op, Operation *other) {
    Operation *place = op->getBlock()->findAncestorOpInBlock(*other);
    return place && op->isBeforeInBlock(place);
  }
  template <typename Op>
  Op findBefore(Operation *other, llvm::function_ref<bool(Op)> accepts = {}) {
    for (Operation *user : ring.getRes().getUsers())
      if (auto found = dyn_cast<Op>(user);
          found && isBefore(found, other) && (!accepts || accepts(found)))
        return found;
    return {};
  }
  CopyOp findCopy(Operation *reader);
  LogicalResult verifyReader(Operation *reader);

  RingOp ring;
  bool needsWait;
};

} // namespace

/// The copy that has filled the ring for a reader.
CopyOp FilledRing::findCopy(Operation *reader) {
  if (!needsWait)
    return findBefore<CopyOp>(reader);
  CopyOp copy;
  findBefore<WaitOp>(reader, [&](WaitOp wait) {
    copy = findBefore<CopyOp>(wait);
    return static_cast<bool>(copy);
  });
  return copy;
}

LogicalResult FilledRing::verifyReader(Operation *reader) {
  bool isPut = cast<RingType>(ring.getType()).getFill() == Fill::Stage;
  CopyOp copy = findCopy(reader);
  if (isPut ? !findBefore<PutOp>(reader) : !copy)
    return reader->emitOpError(
               "reads a ring that nothing has filled: expected a ")
           << (isPut       ? "tile.put"
               : needsWait ? "tile.copy and a tile.wait"
                           : "tile.copy")
           << " in front of it";
  if (isPut || !copy.getBoundary() || isa<PatchOp>(reader))
    return success();
  if (!findBefore<PatchOp>(reader))
    return reader->emitOpError("reads a ring whose boundary nothing has "
                               "applied: expected a tile.patch in front of it");
  return success();
}

LogicalResult FilledRing::verify() {
  for (Operation *user : ring.getRes().getUsers()) {
    if (auto wait = dyn_cast<WaitOp>(user); wait && !findBefore<CopyOp>(wait))
      return wait.emitOpError(
          "waits for what no tile.copy in front of it has asked for");
    if (auto patch = dyn_cast<PatchOp>(user)) {
      if (failed(verifyReader(patch)))
        return failure();
      if (!findBefore<FringeOp>(patch))
        return patch.emitOpError("expected a tile.fringe in front of it");
    }
    if (auto source = dyn_cast<SourceOp>(user))
      for (Operation *reader : source.getRes().getUsers())
        if (failed(verifyReader(reader)))
          return failure();
  }
  return success();
}

LogicalResult tile::verifyFilled(KernelOp kernel) {
  if (kernel.getGrid().getWalk())
    return success();
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    if (failed(FilledRing(ring).verify()))
      return failure();
  return success();
}
