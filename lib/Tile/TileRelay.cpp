//===- TileRelay.cpp - Legs that hand planes on to each other -------------===//
//
// The legs of a relay run the same ops, each for planes of its own. What only
// the block's plane makes sense for is no op of a leg: what fields have, tests
// of planes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Tile/TilePlane.h"
#include "TileChecks.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

int64_t TakeOp::getLag() {
  GridAttr grid = (*this)->getParentOfType<KernelOp>().getGrid();
  return getBounds(getRes()).getLb()[*grid.getWalk()];
}

int64_t tile::getLag(Operation *kernel) {
  int64_t lag = 0;
  kernel->walk([&](TakeOp take) {
    lag = take.getLag();
    return WalkResult::interrupt();
  });
  return lag;
}

int64_t TakeOp::getPlane() {
  return (*this)->getParentOfType<KernelOp>().getGrid().getRelay() * getLag();
}

LogicalResult TakeOp::verify() {
  if (failed(verifyInKernel(*this)) ||
      failed(verifyCursor(*this, getCursor(), getRing())) ||
      failed(verifyCursor(*this, getHandedCursor(), getHanded())))
    return failure();
  GridAttr grid = (*this)->getParentOfType<KernelOp>().getGrid();
  if (grid.getRelay() == 1)
    return emitOpError("expected a grid with a 'relay'");
  auto ring = cast<RingType>(getRing().getType());
  auto handed = cast<RingType>(getHanded().getType());
  auto made = getHanded().getDefiningOp<RingOp>();
  if (ring.getFill() == Fill::Stage || !made || !made.getRelay())
    return emitOpError("expected a ring that copies fill, and one with "
                       "'relay', got ")
           << ring << " and " << handed;
  if (handed.getSlots() < 2)
    return emitOpError("expected two slots or more of the ring with 'relay', "
                       "got ")
           << handed.getSlots();
  if (ring.getBox() != handed.getBox() ||
      ring.getElementType() != handed.getElementType() ||
      ring.getPitch() != handed.getPitch() || ring.getGap() != 0 ||
      handed.getGap() != 0 || ring.hasEdges() || handed.hasEdges())
    return emitOpError("expected rings of one box, one element type and the "
                       "same rows, got ")
           << ring << " and " << handed;
  auto result = cast<TempType>(getRes().getType());
  BoundsAttr box = result.getBounds(), tile = grid.getTileBox();
  bool isRight = box && !box.isSymbolic() && box.getRank() == grid.getRank() &&
                 result.getElementType() == ring.getElementType();
  for (int64_t axis = 0; isRight && axis < grid.getRank(); ++axis)
    isRight = axis == grid.getWalk()
                  ? box.getUb()[axis] == box.getLb()[axis] + 1 &&
                        box.getLb()[axis] >= 1
                  : box.getLb()[axis] == tile.getLb()[axis] &&
                        box.getUb()[axis] == tile.getUb()[axis];
  if (!isRight)
    return emitOpError("expected a plane of the tile, from plane p + 1 on, of "
                       "the element type of the rings, got ")
           << result;
  return success();
}

int64_t RingOp::getBytes() {
  int64_t bytes = cast<RingType>(getRes().getType()).getBytes();
  GridAttr grid = (*this)->getParentOfType<KernelOp>().getGrid();
  return getRelay() ? grid.getRelay() * bytes : bytes;
}

/// One attribute, where there was the overlay alone: a ring has a number, a
/// unit for `relay`, or neither.
LogicalResult RingOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  Attribute known;
  if (failed(reader.readOptionalAttribute(known)))
    return failure();
  properties.relay = dyn_cast_or_null<UnitAttr>(known);
  properties.overlay = dyn_cast_or_null<IntegerAttr>(known);
  if (known && !properties.relay && !properties.overlay)
    return reader.emitError("expected the overlay of a tile.ring, or 'relay'");
  return success();
}

void RingOp::writeProperties(DialectBytecodeWriter &writer) {
  Attribute known = getOverlayAttr();
  writer.writeOptionalAttribute(getRelay() ? getRelayAttr() : known);
}

/// What an op of a relay has to be; null if it is.
static const char *findObstacle(Operation *op) {
  if (isa<WhereOp, FringeOp, PatchOp, PrefetchOp>(op))
    return "expected no conditions and no boundaries in a grid with a 'relay'";
  if (auto put = dyn_cast<PutOp>(op);
      put && (!put.getRing().getDefiningOp<RingOp>().getRelay() ||
              put.getPlane() != 1))
    return "expected plane p + 1, put to a ring with 'relay', in a grid with "
           "one";
  if (auto store = dyn_cast<tile::StoreOp>(op);
      store &&
      (!store.getValues().getDefiningOp<SourceOp>() || store.getLead() != 0))
    return "expected plane p of a tile.source of a ring with 'relay' in a grid "
           "with one";
  if (auto source = dyn_cast<SourceOp>(op)) {
    auto ring = source.getMemory().getDefiningOp<RingOp>();
    bool isStored =
        llvm::all_of(source.getRes().getUsers(), llvm::IsaPred<tile::StoreOp>);
    if (!ring || !ring.getRelay() || !isStored)
      return "expected a ring with 'relay', read by stores, in a grid with one";
  }
  auto stage = dyn_cast<ApplyOp>(op);
  if (stage && stage->hasAttr(TileDialect::kLayoutAttrName))
    return "expected a stage without a layout of its own in a grid with a "
           "'relay'";
  return nullptr;
}

LogicalResult tile::verifyRelay(KernelOp kernel) {
  if (kernel.getGrid().getRelay() == 1)
    return success();
  TakeOp known;
  auto isRight = kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (const char *obstacle = findObstacle(op))
      return WalkResult(op->emitOpError(obstacle));
    auto take = dyn_cast<TakeOp>(op);
    if (!known)
      known = take;
    // Loops that a walk has become have one each.
    if (take && (take.getLag() != known.getLag() ||
                 (take != known && isa<WalkOp>(take->getParentOp()))))
      return WalkResult(withNote(
          take.emitOpError(
              "expected one tile.take, or all of one plane, got another one"),
          known.getLoc(), "the other one is here"));
    return isa<ApplyOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  if (isRight.wasInterrupted())
    return failure();
  if (!known)
    return kernel.emitOpError("expected a tile.take, as its grid has a "
                              "'relay'");
  return success();
}
