//===- TileBoundary.cpp - What has its values from a boundary -------------===//

#include "StencilDialect/IR/BoundaryConditions.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// Of a halo that is kept, the field must have what is read.
static LogicalResult verifyKept(Operation *op, BoundsAttr domain,
                                const OffsetBox &needs, FieldType field,
                                BoundaryAttr boundary) {
  BoundsAttr box = boundary.getBox();
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    int64_t first = domain.getLb()[axis] + needs.lower[axis];
    int64_t end = domain.getUb()[axis] + needs.upper[axis];
    if (BoundsAttr reach = boundary.getReach()) {
      first = std::max(first, box.getLb()[axis] + reach.getLb()[axis]);
      end = std::min(end, box.getUb()[axis] + reach.getUb()[axis] - 1);
    }
    if (first < field.getBounds().getLb()[axis] ||
        end > field.getBounds().getUb()[axis])
      return op->emitOpError("expected a field that has what is kept around "
                             "the box, 'needs' around each point of ")
             << domain << ", got " << field;
  }
  return success();
}

/// What is needed around the tile, threads write to the ring.
static LogicalResult verifyRoom(Operation *op, BoundsAttr needs,
                                RingType ring) {
  GridAttr grid = op->getParentOfType<KernelOp>().getGrid();
  for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
    int64_t first = needs.getLb()[axis];
    int64_t end = grid.getTile(axis) + needs.getUb()[axis] - 1;
    if (grid.getWalk() != axis && (first < ring.getBox().getLb()[axis] ||
                                   end > ring.getBox().getUb()[axis]))
      return op->emitOpError("expected a ring that has what is needed around "
                             "the tile, [")
             << first << "," << end << "] along axis " << axis << ", got ["
             << ring.getBox().getLb()[axis] << ","
             << ring.getBox().getUb()[axis] << "]";
  }
  return success();
}

LogicalResult tile::verifyBoundary(Operation *op,
                                   std::optional<BoundsAttr> needs,
                                   BoundaryAttr boundary, RingType ring,
                                   FieldType field) {
  BoundsAttr domain = op->getParentOfType<KernelOp>().getGrid().getDomain();
  int64_t rank = domain.getRank();
  if (!needs)
    return op->emitOpError("expected 'needs' of rank ")
           << rank << " with 'boundary'";
  if (failed(verifyNeeds(op, needs, rank)))
    return failure();
  BoundsAttr box = boundary.getBox();
  if (box.getRank() != rank)
    return op->emitOpError("expected a boundary of rank ")
           << rank << ", that of the grid, got " << boundary;
  // Without a ring, nothing is written: the type of values is not known.
  if (!ring && failed(verifyRules(op, boundary.getSides())))
    return failure();
  if (ring && (failed(verifyConditions(op, boundary.getSides(),
                                       cast<GridType>(Type(TempType::get(
                                           rank, ring.getElementType()))))) ||
               failed(verifyRoom(op, *needs, ring))))
    return failure();
  if (field && !field.getBounds().contains(box))
    return op->emitOpError("expected the box ")
           << box << " to lie in the field " << field;
  OffsetBox offsets = OffsetBox::ofBounds(*needs);
  OffsetBox reach = boundary.findReach(domain, offsets);
  bool keeps = false;
  for (int64_t axis = 0; axis < rank; ++axis)
    for (bool upper : {false, true}) {
      int64_t halo = upper ? reach.upper[axis] : reach.lower[axis];
      if (isSymbolic(halo))
        return op->emitOpError("expected a halo of constant width on axis ")
               << axis;
      Attribute condition = boundary.getCondition(axis, upper);
      keeps |= halo > 0 && getHaloRule(condition).isKept();
      if (failed(verifyInterior(op, box, axis, condition, halo)))
        return failure();
    }
  return field && keeps ? verifyKept(op, domain, offsets, field, boundary)
                        : success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

OffsetBox BoundaryAttr::findReach(BoundsAttr domain,
                                  const OffsetBox &needs) const {
  if (!getReach())
    return getHaloReach(domain, getBox(), needs);
  OffsetBox reach = OffsetBox::ofBounds(getReach());
  for (int64_t &lower : reach.lower)
    lower = -lower;
  return reach;
}

LogicalResult
BoundaryAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     BoundsAttr box, ArrayAttr sides, BoundsAttr reach) {
  if (reach && reach.getRank() != box.getRank())
    return emitError() << "expected a reach of " << box.getRank()
                       << " axes, got " << reach;
  auto isAround = [](auto ends) {
    auto [first, end] = ends;
    return first <= 0 && end > 0 && !isSymbolic(end);
  };
  if (reach &&
      !llvm::all_of(llvm::zip_equal(reach.getLb(), reach.getUb()), isAround))
    return emitError() << "expected a reach around the box, got " << reach;
  if (static_cast<int64_t>(sides.size()) == 2 * box.getRank())
    return success();
  return emitError() << "expected a lower and an upper condition for each of "
                     << box.getRank() << " axes, got " << sides.size()
                     << " conditions";
}

int64_t FringeOp::countAhead() {
  for (Operation *user : getRing().getUsers())
    if (auto patch = dyn_cast<PatchOp>(user);
        patch && patch->getBlock() == (*this)->getBlock())
      return getPlane() - patch.getPlane();
  return 0;
}

LogicalResult AtEdgeOp::verify() {
  if (failed(verifyInKernel(*this)))
    return failure();
  return verifyBoundary(*this, getNeeds(), getBoundary(), {}, {});
}
