//===- TileMemory.cpp - Rings, copies, and what is read of them -----------===//

#include "Evaluator.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

/// The box of a type, which is static.
static Box getBox(BoundsAttr bounds) {
  return {SmallVector<int64_t, 4>(bounds.getLb()),
          SmallVector<int64_t, 4>(bounds.getUb())};
}

static int64_t getSlot(const Ring &ring, int64_t iteration) {
  return llvm::mod(iteration, static_cast<int64_t>(ring.slots.size()));
}

void interp::specify(const ArrayView &states, const Box &region) {
  int64_t n = region.getExtent(region.getRank() - 1);
  forEachRow(region, [&](ArrayRef<int64_t> point) {
    std::memset(states.at(point), PointState::Set, n);
  });
}

LogicalResult Evaluator::evaluateRing(tile::RingOp op) {
  auto ring = std::make_shared<Ring>();
  ring->op = op;
  ring->slots.resize(ring->getType().getSlots());
  block->rings.push_back(ring);
  get(op.getRes()) = std::move(ring);
  return success();
}

LogicalResult Evaluator::evaluateCopy(tile::CopyOp op, int64_t plane,
                                      int64_t iteration) {
  RingValue ring = std::get<RingValue>(get(op.getRing()));
  FieldValue field = getField(op.getField());
  auto ahead = static_cast<int64_t>(op.getPlane());
  FailureOr<TempValue> values =
      makeTemp(op, field.storage->kind, getBox(ring->getType().getBox()),
               /*isMasked=*/true);
  if (failed(values))
    return failure();
  clear(*values);
  ArrayView view = values->getView();
  view.box = block->place(view.box, plane + ahead);
  Box region = view.box.intersect(field.box);
  if (std::optional<BoundsAttr> needs = op.getNeeds()) {
    FailureOr<Box> needed = getNeeded(op, *needs);
    if (failed(needed))
      return failure();
    region = region.intersect(*needed);
  }
  ArrayView states = {values->mask.get(), Kind::I1, view.box};
  if (op.getBoundary()) {
    if (failed(copyInside(op, field, view, states, plane + ahead)))
      return failure();
  } else if (!region.isEmpty()) {
    copyRegion(view, field.getView(), region);
    specify(states, region);
  }
  // What lies at the same place is lost.
  for (RingValue &other : block->rings)
    if (std::optional<uint64_t> overlay = ring->op.getOverlay())
      if (other->op.getOverlay() && other->op.getOverlay() != overlay) {
        other->slots.assign(other->slots.size(), std::nullopt);
        other->loaded.clear();
        other->takenBy = op;
      }
  ring->takenBy = {};
  ring->firstPlane =
      std::min(ring->firstPlane.value_or(plane + ahead), plane + ahead);
  Ring::Plane copied = {plane + ahead, std::move(*values), op,
                        !ring->getType().isAsynchronous()};
  if (ring->getType().getFill() == tile::Fill::Delayed)
    ring->loaded.push_back(std::move(copied));
  else
    ring->slots[getSlot(*ring, iteration + ahead)] = std::move(copied);
  return success();
}

LogicalResult Evaluator::evaluateWait(tile::WaitOp op) {
  RingValue ring = std::get<RingValue>(get(op.getRing()));
  int64_t newest = static_cast<int64_t>(op.getPlane());
  if (op.getCursor())
    newest +=
        block->first + std::get<CursorValue>(get(op.getCursor())).iteration;
  for (Ring::Plane &loaded : ring->loaded)
    if (loaded.plane <= newest) {
      int64_t slot = getSlot(*ring, loaded.plane - block->first);
      ring->slots[slot] = std::move(loaded);
      ring->slots[slot]->isThere = true;
    }
  llvm::erase_if(ring->loaded, [&](const Ring::Plane &loaded) {
    return loaded.plane <= newest;
  });
  bool isAsked = false;
  for (std::optional<Ring::Plane> &slot : ring->slots) {
    if (!slot)
      continue;
    slot->isThere |= slot->plane <= newest;
    isAsked |= slot->plane >= newest;
  }
  if (isAsked || newest < block->first)
    return success();
  InFlightDiagnostic diag = op.emitError("waits for ");
  if (op.getCursor())
    diag << "plane " << newest << ", which";
  else
    diag << "what";
  return diag << " no tile.copy has asked for" << block->describe();
}

LogicalResult Evaluator::evaluateSource(tile::SourceOp op) {
  SourceValue source;
  source.op = op;
  if (auto *ring = std::get_if<RingValue>(&get(op.getMemory()))) {
    source.ring = *ring;
    source.box = getBox(cast<TempType>(op.getRes().getType()).getBounds());
    if (op.getIteration())
      source.plane = block->first +
                     std::get<CursorValue>(get(op.getIteration())).iteration;
  } else {
    source.field = getField(op.getMemory());
    if (op.getIteration())
      source.plane = getInteger(op.getIteration());
  }
  get(op.getRes()) = std::move(source);
  return success();
}

/// The slot with a plane that a stage reads; null if it is one before the first
/// that has been asked for.
FailureOr<Ring::Plane *>
Evaluator::findPlane(ApplyOp stage, const SourceValue &source, int64_t plane) {
  Ring &ring = *source.ring;
  std::optional<Ring::Plane> &slot =
      ring.slots[getSlot(ring, plane - block->first)];
  bool holds = slot && slot->plane == plane;
  if (holds && slot->isThere)
    return &*slot;
  bool isLoaded = llvm::any_of(ring.loaded, [&](const Ring::Plane &loaded) {
    return loaded.plane == plane;
  });
  bool isEarly = plane < block->first ||
                 (!slot && ring.firstPlane && plane < *ring.firstPlane);
  if (isEarly && !holds && !isLoaded)
    return nullptr;
  InFlightDiagnostic diag = stage.emitOpError("reads ");
  if (block->walkAxis)
    diag << "plane " << plane << " (p + " << plane - source.plane << ") of ";
  diag << "a ring ";
  tile::CopyOp copy;
  if (holds || isLoaded) {
    diag << "before a tile.wait";
    copy = holds ? slot->copy : ring.loaded.front().copy;
  } else if (ring.takenBy) {
    diag << "whose memory that of another overlay has taken";
    copy = ring.takenBy;
  } else if (!slot) {
    diag << "for which there was no tile.copy";
  } else {
    diag << "in a slot that holds plane " << slot->plane;
    copy = slot->copy;
  }
  diag << block->describe();
  diag.attachNote(tile::SourceOp(source.op).getLoc()) << "it is read as this";
  if (copy)
    diag.attachNote(copy.getLoc()) << "copied here";
  return diag;
}

/// What a stage reads of a ring, planes `lower` to `upper` - 1 of the grid, as
/// one array on the box of the source.
FailureOr<TempValue> Evaluator::readRing(ApplyOp stage,
                                         const SourceValue &source,
                                         int64_t lower, int64_t upper) {
  Box box = block->place(source.box, source.plane);
  const Ring &ring = *source.ring;
  FailureOr<Kind> kind =
      requireKind(stage, ring.getType().getElementType(), options.precision);
  if (failed(kind))
    return failure();
  FailureOr<TempValue> read = makeTemp(stage, *kind, box, /*isMasked=*/true);
  if (failed(read))
    return failure();
  clear(*read);
  ArrayView states = {read->mask.get(), Kind::I1, box};
  for (int64_t plane = lower; plane < upper; ++plane) {
    FailureOr<Ring::Plane *> found = findPlane(stage, source, plane);
    if (failed(found))
      return failure();
    if (!*found)
      continue;
    ArrayView slot = (*found)->values.getView();
    slot.box = block->place(slot.box, plane);
    Box region = slot.box.intersect(box);
    copyRegion(read->getView(), slot, region);
    copyRegion(states, {(*found)->values.mask.get(), Kind::I1, slot.box},
               region);
  }
  return read;
}

/// The first point of a row of `states` that is not specified; nothing if all
/// are.
static std::optional<int64_t> findUnspecified(const char *states, int64_t n) {
  const auto *found = std::find(states, states + n, PointState::Unspecified);
  if (found == states + n)
    return std::nullopt;
  return found - states;
}

LogicalResult Evaluator::evaluateStore(tile::StoreOp op) {
  TileValue *values = getTileValue(op, op.getValues());
  if (!values)
    return failure();
  FieldValue &field = getField(op.getField());
  int64_t plane = 0;
  if (op.getIteration()) {
    plane = getInteger(op.getIteration());
    if (values->plane && *values->plane != plane) {
      return op.emitError("stores values for plane ")
             << *values->plane << " as plane " << plane << block->describe();
    }
    if (plane < block->segmentBegin || plane >= block->segmentEnd)
      return success();
  }
  ArrayView view = values->values.getView();
  view.box = block->place(view.box, plane);
  Box region = view.box.intersect(block->domain);
  if (region.isEmpty())
    return success();
  const char *states = values->values.mask.get();
  int64_t n = region.getExtent(region.getRank() - 1);
  LogicalResult result = success();
  forEachRow(region, [&](ArrayRef<int64_t> point) {
    if (failed(result))
      return;
    std::optional<int64_t> open =
        findUnspecified(states + view.getIndex(point), n);
    if (!open)
      return;
    SmallVector<int64_t, 4> where(point);
    where.back() += *open;
    InFlightDiagnostic diag =
        op.emitError("stores a value that is not specified at [");
    llvm::interleaveComma(where, diag);
    result = diag << ']' << block->describe();
  });
  if (failed(result))
    return failure();
  copyRegion(field.getView(), view, region, states);
  storeImages(op, field.getView(), region);
  return success();
}

/// What has just been stored in `region`, in the halo: for each set of axes,
/// the points near one side or the other of all of these.
void Evaluator::storeImages(tile::StoreOp op, const ArrayView &field,
                            const Box &region) {
  struct Image {
    Box region;
    SmallVector<int64_t, 4> by;
  };
  SmallVector<Image> images = {
      {region, SmallVector<int64_t, 4>(region.getRank(), 0)}};
  for (const tile::StoreOp::ImageAxis &along : op.getImageAxes())
    for (size_t i = 0, end = images.size(); i < end; ++i)
      for (bool isLow : {true, false}) {
        Image image = images[i];
        int64_t &lower = image.region.lb[along.axis];
        int64_t &upper = image.region.ub[along.axis];
        if (isLow)
          upper = std::min(upper, along.low);
        else
          lower = std::max(lower, along.high);
        if (lower >= upper)
          continue;
        image.by[along.axis] = isLow ? along.extent : -along.extent;
        images.push_back(image);
      }
  for (const Image &image : ArrayRef(images).drop_front()) {
    ArrayView moved = field;
    Box target = image.region;
    for (unsigned axis = 0; axis < region.getRank(); ++axis) {
      moved.box.lb[axis] += image.by[axis];
      moved.box.ub[axis] += image.by[axis];
      target.lb[axis] += image.by[axis];
      target.ub[axis] += image.by[axis];
    }
    copyRegion(field, moved, target);
  }
}
