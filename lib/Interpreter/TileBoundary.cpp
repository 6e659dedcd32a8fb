//===- TileBoundary.cpp - What rings have around a box --------------------===//
//
// The judge is the same code that fills halos elsewhere: a patch takes the
// values of a window with this boundary. What a copy brings, it brings itself:
// the points that are in the box along the axes of the plane.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

/// What is needed of a ring, and around the box of its boundary.
static FailureOr<Box> getNeededAround(RunState &state, const TileBlock &block,
                                      Operation *op, BoundsAttr needs,
                                      tile::BoundaryAttr boundary) {
  FailureOr<Box> needed = getNeeded(state, block, op, needs);
  std::optional<Box> box = state.resolve(boundary.getBox(), op);
  if (failed(needed) || !box)
    return failure();
  if (BoundsAttr reach = boundary.getReach())
    for (unsigned axis = 0; axis < box->getRank(); ++axis) {
      box->lb[axis] += reach.getLb()[axis];
      box->ub[axis] += reach.getUb()[axis] - 1;
    }
  return boundary.getReach() ? needed->intersect(*box) : *needed;
}

LogicalResult interp::copyInside(RunState &state, TileBlock &block,
                                 tile::CopyOp op, const FieldValue &field,
                                 const TempValue &target, int64_t plane) {
  tile::BoundaryAttr boundary = *op.getBoundary();
  std::optional<Box> box = state.resolve(boundary.getBox(), op);
  FailureOr<Box> needed =
      getNeededAround(state, block, op, *op.getNeeds(), boundary);
  if (!box || failed(needed))
    return failure();
  Box region = target.box.intersect(*needed), inside = *box;
  int64_t distance = 0;
  if (std::optional<unsigned> walk = block.walkAxis) {
    inside.lb[*walk] = plane;
    inside.ub[*walk] = plane + 1;
    bool upper = plane >= box->ub[*walk];
    HaloRule rule = getHaloRule(boundary.getCondition(*walk, upper));
    if ((upper || plane < box->lb[*walk]) && !rule.isKept()) {
      if (!rule.isCopy())
        return success(); // All of it comes with the patch.
      distance =
          findHaloSource(rule, upper, box->lb[*walk], box->ub[*walk], plane) -
          plane;
    }
  }
  region = region.intersect(inside);
  if (region.isEmpty())
    return success();
  Box source = region;
  ArrayView moved = target.getView();
  if (block.walkAxis)
    for (Box *each : {&source, &moved.box})
      each->move(*block.walkAxis, distance);
  if (!field.box.contains(source))
    return op.emitError("expected the box of the boundary to lie in the field")
           << block.describe();
  copyRegion(moved, field.getView(), source);
  specify(target.getStates(), region);
  return success();
}

LogicalResult interp::evaluate(RunState &state, tile::FringeOp op,
                               int64_t plane) {
  RingValue ring = state.getRing(op.getRing());
  ring->halos.push_back(plane + static_cast<int64_t>(op.getPlane()));
  return success();
}

/// What a field is with the boundary of a patch, where it is needed.
static FailureOr<const TempValue *>
getBoundaryWindow(RunState &state, TileBlock &block, tile::PatchOp op) {
  const FieldValue &field = state.getField(op.getField());
  tile::BoundaryAttr boundary = op.getBoundary();
  auto [known, isNew] = block.windows->try_emplace(
      {field.storage.get(), op.getNeeds().getAsOpaquePointer(),
       boundary.getAsOpaquePointer()});
  if (!isNew)
    return &known->second;
  std::optional<Box> interior = state.resolve(boundary.getBox(), op);
  FailureOr<Box> box =
      getNeededAround(state, block, op, op.getNeeds(), boundary);
  if (!interior || failed(box))
    return failure();
  box->include(*interior);
  FailureOr<TempValue> window = fillWindow(
      state, op, field.getView(), *box, *interior, boundary.getSides(),
      cast<tile::RingType>(op.getRing().getType()).getElementType());
  if (failed(window))
    return failure();
  known->second = std::move(*window);
  return &known->second;
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::PatchOp op, int64_t plane,
                               int64_t iteration) {
  RingValue ring = state.getRing(op.getRing());
  plane += static_cast<int64_t>(op.getPlane());
  iteration += static_cast<int64_t>(op.getPlane());
  auto refuse = [&] {
    InFlightDiagnostic diag = op.emitOpError("patches ");
    if (op.getCursor())
      return std::move(diag << "plane " << plane << ", ");
    return std::move(diag << "a ring, ");
  };
  if (ring->halos.empty())
    return refuse() << "but no tile.fringe has loaded anything"
                    << block.describe();
  int64_t loaded = ring->halos.front();
  ring->halos.pop_front();
  if (loaded != plane)
    return refuse() << "but the next fringe is that of plane " << loaded
                    << block.describe();
  std::optional<Ring::Plane> &slot = ring->slots[llvm::mod(
      iteration, static_cast<int64_t>(ring->slots.size()))];
  bool holds = slot && slot->plane == plane;
  if (iteration < 0 && !holds)
    return success(); // No iteration's.
  if (!holds)
    return refuse() << "which no tile.copy has brought" << block.describe();
  if (!slot->isThere)
    return refuse() << "which no tile.wait has waited for" << block.describe();
  FailureOr<Box> needed =
      getNeededAround(state, block, op, op.getNeeds(), op.getBoundary());
  FailureOr<const TempValue *> window = getBoundaryWindow(state, block, op);
  if (failed(needed) || failed(window))
    return failure();
  TempValue values = slot->values.in(block.place(slot->values.box, plane));
  ArrayView view = values.getView(), states = values.getStates();
  Box region = values.box.intersect(*needed);
  if (region.isEmpty())
    return success();
  // What has come stays.
  forEachRow(region, [&](ArrayRef<int64_t> row) {
    SmallVector<int64_t, 4> point(row);
    unsigned last = region.getRank() - 1;
    for (; point[last] < region.ub[last]; ++point[last]) {
      if (*states.at(point) != PointState::Unspecified)
        continue;
      Box one = {point, point};
      for (int64_t &end : one.ub)
        ++end;
      copyRegion(view, (*window)->getView(), one);
      *states.at(point) = PointState::Set;
    }
  });
  return success();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::AtEdgeOp op) {
  tile::BoundaryAttr boundary = op.getBoundary();
  std::optional<Box> box = state.resolve(boundary.getBox(), op);
  std::optional<Box> needs = state.resolve(op.getNeeds(), op);
  if (!box || !needs)
    return failure();
  tile::GridAttr grid = block.kernel.getGrid();
  bool isAtEdge = false;
  for (int64_t axis = 0; axis < grid.getRank(); ++axis) {
    bool isWalk = block.walkAxis == axis;
    int64_t first = isWalk ? block.segmentBegin : block.origin[axis];
    int64_t end =
        isWalk ? block.segmentEnd
               : std::min(first + grid.getTile(axis), block.domain.ub[axis]);
    auto isChanged = [&](bool upper) {
      return !getHaloRule(boundary.getCondition(axis, upper)).isKept();
    };
    isAtEdge |= isChanged(false) && first + needs->lb[axis] < box->lb[axis];
    isAtEdge |= isChanged(true) && end + needs->ub[axis] - 1 > box->ub[axis];
  }
  state.get(op.getRes()) =
      Scalar{Kind::I1, Cell::ofInteger(isAtEdge, Kind::I1)};
  return success();
}
