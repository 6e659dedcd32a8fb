//===- RingFills.cpp - What brings planes into rings ----------------------===//

#include "RingFills.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

LogicalResult RingFills::prepare() {
  block.op.getBody().walk([&](tile::CopyOp copy) {
    if (block.rings[copy.getRing()].type.getFill() != tile::Fill::Tma ||
        tma.isCopiedByThreads(copy.getRing()))
      threads.prepare(copy);
  });
  return preparePatches(block.op.getBody());
}

LogicalResult RingFills::copy(tile::CopyOp copy) {
  switch (block.rings[copy.getRing()].type.getFill()) {
  case tile::Fill::Threads:
    threads.copy(copy);
    return success();
  case tile::Fill::Delayed:
    threads.load(copy);
    return success();
  case tile::Fill::Async:
    return threads.copyAsync(copy);
  case tile::Fill::Tma:
    tma.copy(copy);
    return success();
  case tile::Fill::Stage:
    break;
  }
  llvm_unreachable("a copy has no such ring");
}

LogicalResult RingFills::wait(tile::WaitOp wait) {
  switch (block.rings[wait.getRing()].type.getFill()) {
  case tile::Fill::Threads:
  case tile::Fill::Stage:
    break;
  case tile::Fill::Delayed:
    return threads.store(wait);
  case tile::Fill::Async:
    threads.waitAsync(wait);
    break;
  case tile::Fill::Tma:
    tma.wait(wait);
    break;
  }
  return success();
}

LogicalResult RingFills::preparePatch(tile::FringeOp halo) {
  std::unique_ptr<HaloPatch> &patch = patches[halo.getRing()];
  if (patch)
    return success();
  patch = std::make_unique<HaloPatch>(
      HaloFrame(block, halo.getNeeds(), halo.getBoundary()),
      block.rings[halo.getRing()], block.fields[halo.getField()]);
  if (failed(patch->check(halo)))
    return failure();
  patch->prepare();
  return success();
}

LogicalResult RingFills::preparePatches(Region &region) {
  return checkWithin<WalkOrder::PreOrder>(region, [&](Operation *inner) {
    if (isa<scf::IfOp, ApplyOp>(inner))
      return WalkResult::skip();
    auto halo = dyn_cast<tile::FringeOp>(inner);
    return halo ? WalkResult(preparePatch(halo)) : WalkResult::advance();
  });
}

void RingFills::load(tile::FringeOp halo) {
  Value plane;
  if (block.walk)
    plane =
        block.math.add(block.getNumber(halo.getIteration()), halo.getPlane());
  patches[halo.getRing()]->load(plane);
}

LogicalResult RingFills::store(tile::PatchOp op) {
  auto found = patches.find(op.getRing());
  if (found == patches.end() || found->second->loaded.empty())
    return op.emitOpError("expected a tile.fringe for the ring before it");
  int64_t distance = op.getPlane();
  Value slot =
      block.getRingSlot(op.getCursor(), block.rings[op.getRing()], distance);
  Value plane;
  if (block.walk)
    plane = block.math.add(block.getNumber(op.getIteration()), distance);
  found->second->store(plane, slot);
  return success();
}

void RingFills::forEachLoaded(Value ring, function_ref<void(Value &)> visit) {
  for (SmallVector<Value> &plane : threads.state.loaded[ring])
    llvm::for_each(plane, visit);
  if (auto found = patches.find(ring); found != patches.end())
    for (SmallVector<Value> &plane : found->second->loaded)
      llvm::for_each(plane, visit);
}

LogicalResult RingFills::inBranch(Region &region,
                                  function_ref<LogicalResult()> emit) {
  ThreadCopies::State saved = threads.state;
  if (failed(preparePatches(region)) || failed(emit()))
    return failure();
  threads.state = std::move(saved);
  patches.clear();
  return success();
}
