//===- EdgePatches.cpp - What is beyond the box of a boundary -------------===//

#include "EdgePatches.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

LogicalResult EdgePatches::prepare(tile::FringeOp halo) {
  std::unique_ptr<HaloPatch> &patch = patches[halo.getRing()];
  if (patch)
    return success();
  const TileRing &ring = block.rings[halo.getRing()];
  HaloMemory memory;
  memory.field = &block.fields[halo.getField()];
  memory.elementType = ring.type.getElementType();
  for (int64_t lower : ring.type.getBox().getLb())
    memory.origin.push_back(-lower);
  memory.places = ring.places;
  memory.planeElements = ring.type.getSlotElements();
  memory.elements = ring.elements;
  memory.hasCopyEngine = ring.type.getFill() == tile::Fill::Tma;
  patch = std::make_unique<HaloPatch>(
      block.kernel, block.makeFrame(halo.getNeeds(), halo.getBoundary()),
      std::move(memory));
  if (failed(patch->check(halo)))
    return failure();
  patch->prepare();
  return success();
}

LogicalResult EdgePatches::prepare(Region &region) {
  auto isRight = region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<scf::IfOp, ApplyOp>(inner))
      return WalkResult::skip();
    auto halo = dyn_cast<tile::FringeOp>(inner);
    return halo && failed(prepare(halo)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  return failure(isRight.wasInterrupted());
}

void EdgePatches::load(tile::FringeOp halo) {
  Value plane;
  if (block.walk)
    plane = block.kernel.math().add(block.getNumber(halo.getIteration()),
                                    static_cast<int64_t>(halo.getPlane()));
  patches[halo.getRing()]->load(plane);
}

LogicalResult EdgePatches::store(tile::PatchOp op) {
  auto found = patches.find(op.getRing());
  if (found == patches.end() || !found->second->hasLoaded())
    return op.emitOpError("expected a tile.fringe for the ring before it");
  auto distance = static_cast<int64_t>(op.getPlane());
  Value slot =
      block.getRingSlot(op.getCursor(), block.rings[op.getRing()], distance);
  Value plane;
  if (block.walk)
    plane =
        block.kernel.math().add(block.getNumber(op.getIteration()), distance);
  found->second->store(plane, slot);
  return success();
}

void EdgePatches::appendState(Value ring, SmallVectorImpl<Value> &state) const {
  if (auto found = patches.find(ring); found != patches.end())
    found->second->appendState(state);
}

void EdgePatches::restoreState(Value ring, ValueRange &from) {
  if (auto found = patches.find(ring); found != patches.end())
    found->second->restoreState(from);
}
