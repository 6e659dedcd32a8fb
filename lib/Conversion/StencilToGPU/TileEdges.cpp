//===- TileEdges.cpp - What is beyond the box of a boundary ---------------===//
//
// Blocks at the edge have a branch of their own, with patches; the others have
// none. What is in registers, loaded and not yet written, is that of a branch.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

HaloFrame TileKernel::makeFrame(BoundsAttr needs, tile::BoundaryAttr boundary) {
  tile::GridAttr gridAttr = op.getGrid();
  HaloTile tile;
  tile.walk = walk;
  tile.domain = gridAttr.getDomain();
  for (int64_t axis = 0; axis < gridAttr.getRank(); ++axis)
    tile.points.push_back(gridAttr.getTile(axis));
  tile.start = tileStart;
  tile.segmentStart = segmentStart;
  tile.segmentEnd = segmentEnd;
  tile.threads = gridAttr.countThreads();
  tile.thread = threadNumber;
  return {kernel, std::move(tile), OffsetBox::ofBounds(needs),
          boundary.getBox(), boundary.getSides()};
}

/// The plane of the field that a copy brings for plane `plane`.
Value TileKernel::getSourcePlane(tile::CopyOp copy, Value plane) {
  if (!walk || !copy.getBoundary())
    return plane;
  return makeFrame(*copy.getNeeds(), *copy.getBoundary())
      .getSourcePlane(rings[copy.getRing()].type.getElementType(), plane);
}

//===----------------------------------------------------------------------===//
// Patches
//===----------------------------------------------------------------------===//

/// Finds out what this thread patches in a region, but for branches in it.
LogicalResult TileKernel::preparePatches(Region &region) {
  auto prepare = [&](tile::FringeOp halo) -> LogicalResult {
    TileRing &ring = rings[halo.getRing()];
    if (ring.patch)
      return success();
    HaloMemory memory;
    memory.field = &fields[halo.getField()];
    memory.elementType = ring.type.getElementType();
    for (int64_t lower : ring.type.getBox().getLb())
      memory.origin.push_back(-lower);
    memory.places = ring.places;
    memory.planeElements = ring.type.getSlotElements();
    memory.elements = ring.elements;
    memory.hasCopyEngine = ring.type.getFill() == tile::Fill::Tma;
    ring.patch = std::make_unique<HaloPatch>(
        kernel, makeFrame(halo.getNeeds(), halo.getBoundary()),
        std::move(memory));
    if (failed(ring.patch->check(halo)))
      return failure();
    ring.patch->prepare();
    return success();
  };
  auto isRight = region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isa<scf::IfOp, ApplyOp>(inner))
      return WalkResult::skip();
    auto halo = dyn_cast<tile::FringeOp>(inner);
    return halo && failed(prepare(halo)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  return failure(isRight.wasInterrupted());
}

void TileKernel::emitFringe(tile::FringeOp halo) {
  Value plane;
  if (walk)
    plane = kernel.math().add(getNumber(halo.getIteration()),
                              static_cast<int64_t>(halo.getPlane()));
  rings[halo.getRing()].patch->load(plane);
}

LogicalResult TileKernel::emitPatch(tile::PatchOp patch) {
  TileRing &ring = rings[patch.getRing()];
  if (!ring.patch || !ring.patch->hasLoaded())
    return patch.emitOpError("expected a tile.fringe for the ring before it");
  auto distance = static_cast<int64_t>(patch.getPlane());
  Value slot = getRingSlot(patch.getCursor(), ring, distance);
  Value plane;
  if (walk)
    plane = kernel.math().add(getNumber(patch.getIteration()), distance);
  ring.patch->store(plane, slot);
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// A block that reads nothing beyond the box is never at the edge.
void TileKernel::emitAtEdge(tile::AtEdgeOp edge) {
  Value here = makeFrame(edge.getNeeds(), edge.getBoundary()).findEdge();
  if (!here)
    here = arith::ConstantIntOp::create(kernel.body(), edge.getLoc(), 0, 1);
  numbers[edge] = here;
}

/// What is on its way in front of a branch is so in both, and behind it.
LogicalResult TileKernel::emitBranch(Region &region) {
  auto saved = openCopies;
  llvm::DenseMap<Value, std::vector<SmallVector<Value>>> loaded;
  for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>())
    loaded[ring] = rings[ring].loaded;
  if (failed(preparePatches(region)) || failed(emitBlock(region.front())))
    return failure();
  openCopies = saved;
  for (auto ring : op.getBodyBlock()->getOps<tile::RingOp>()) {
    rings[ring].loaded = loaded[ring];
    rings[ring].patch.reset();
  }
  return success();
}

/// All threads of a block take the same branch: numbers do not depend on them.
LogicalResult TileKernel::emitIf(scf::IfOp branch) {
  if (branch.getNumResults() != 0)
    return branch.emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel: expected no results");
  OpBuilder &builder = kernel.body();
  bool hasElse = !branch.getElseRegion().empty();
  auto lowered = scf::IfOp::create(builder, branch.getLoc(),
                                   getNumber(branch.getCondition()), hasElse);
  for (auto [region, target] :
       llvm::zip_equal(branch->getRegions(), lowered->getRegions())) {
    if (region.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(target.front().getTerminator());
    if (failed(emitBranch(region)))
      return failure();
  }
  return success();
}
