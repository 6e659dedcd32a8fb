//===- TileRings.cpp - What rings ask of the target -----------------------===//

#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/RingPlaces.h"
#include "TileChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

static LogicalResult verifyHasFill(RingOp ring, const TargetInfo &target) {
  Fill fill = cast<RingType>(ring.getRes().getType()).getFill();
  bool isTma = fill == Fill::Tma;
  if ((isTma && !target.hasAsyncCopy(AsyncCopyTensor)) ||
      (fill == Fill::Async && !target.hasAsyncCopy(AsyncCopyElements)))
    return ring.emitOpError("expected a GPU with ")
           << (isTma ? "the tensor memory accelerator" : "cp.async")
           << " for 'fill = " << stringifyFill(fill) << "', got "
           << target.chip;
  return success();
}

/// A block may not end while the copy engine writes to its memory. Without a
/// walk each of its copies has mbarriers that are in their first phase.
static LogicalResult verifyTma(RingOp ring, bool hasWalk) {
  SmallVector<CopyOp> copies;
  bool hasWait = false;
  for (Operation *user : ring.getRes().getUsers()) {
    hasWait |= isa<WaitOp>(user);
    auto found = dyn_cast<CopyOp>(user);
    if (!found)
      continue;
    // At the edge of a domain, and elsewhere, blocks copy in branches.
    auto *other = llvm::find_if(copies, [&](CopyOp copy) {
      return !insideMutuallyExclusiveRegions(copy, found);
    });
    if (other != copies.end() && !hasWalk)
      return withNote(
          found.emitOpError("expected one copy to a ring of 'fill = tma' in a "
                            "kernel that does not walk, got another one"),
          other->getLoc(), "the other one is here");
    copies.push_back(found);
  }
  if (!copies.empty() && !hasWait)
    return copies.back().emitOpError(
        "expected a tile.wait for the ring: the copy "
        "engine writes to it until then");
  return success();
}

/// Only threads that have the other rows themselves read a ring with edges.
static LogicalResult verifyEdges(RingOp ring) {
  if (!cast<RingType>(ring.getRes().getType()).hasEdges())
    return success();
  for (Operation *user : ring.getRes().getUsers()) {
    if (!isa<SourceOp>(user))
      continue;
    for (OpOperand &use : user->getResult(0).getUses()) {
      auto stage = dyn_cast<ApplyOp>(use.getOwner());
      if (stage && use.getOperandNumber() == 0 &&
          isa<LanesAttr>(getEngine(stage)))
        continue;
      return withNote(
          use.getOwner()->emitOpError("reads a ring with 'edges', which lacks "
                                      "rows: expected the source of "
                                      "a stage with '#tile.lanes'"),
          ring.getLoc(), "the ring is here");
    }
  }
  return success();
}

LogicalResult tile::verifyRings(KernelOp kernel) {
  const TargetInfo *target = findTarget(kernel);
  bool hasRings = false;
  for (auto ring : kernel.getBodyBlock()->getOps<RingOp>()) {
    hasRings = true;
    if (target && failed(verifyHasFill(ring, *target)))
      return failure();
    if (failed(verifyEdges(ring)))
      return failure();
    bool isTma = cast<RingType>(ring.getRes().getType()).getFill() == Fill::Tma;
    if (isTma &&
        failed(verifyTma(ring, kernel.getGrid().getWalk().has_value())))
      return failure();
  }
  if (!target || !hasRings)
    return success();
  int64_t bytes = kernel.getSharedBytes();
  if (bytes > static_cast<int64_t>(target->sharedPerBlock))
    return kernel.emitOpError("expected rings of at most ")
           << target->sharedPerBlock
           << " bytes, the shared memory of a block on " << target->chip
           << ", got " << bytes;
  return success();
}

//===----------------------------------------------------------------------===//
// Where points are in a ring
//===----------------------------------------------------------------------===//

int64_t RingPlaces::getRow(int64_t first, int64_t end) const {
  int64_t gaps = gap == 0 ? 0
                          : llvm::divideFloorSigned(end - 1, segment) -
                                llvm::divideFloorSigned(first, segment);
  return end - first + gap * gaps;
}

int64_t RingPlaces::getDistance(llvm::ArrayRef<int64_t> offset,
                                std::optional<int64_t> walk) const {
  auto last = static_cast<int64_t>(strides.size()) - 1;
  int64_t distance = 0;
  for (auto [axis, along] : llvm::enumerate(offset))
    if (walk != static_cast<int64_t>(axis))
      distance += along * strides[axis];
  if (walk != last)
    distance += gap * llvm::divideFloorSigned(offset.back(), segment);
  return distance;
}

Value RingPlaces::findPlace(const Arithmetic &math, int64_t axis, Value along,
                            int64_t first) const {
  Value place = math.mul(along, strides[axis]);
  if (gap == 0 || axis != static_cast<int64_t>(strides.size()) - 1)
    return place;
  Value segments = math.div(math.add(along, llvm::mod(first, segment)),
                            math.constant(segment));
  return math.add(place, math.mul(segments, gap));
}
