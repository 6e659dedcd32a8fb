//===- TileMemory.cpp - Rings, copies, and what is read of them -----------===//

#include "TileOps.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

Box interp::getStaticBox(BoundsAttr bounds) {
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

/// A plane comes to the slot of its number, or, with `fill = delayed`, into
/// registers.
static void fillRing(TileBlock &block, Ring &ring, int64_t number,
                     Ring::Plane filled) {
  // What lies at the same place is lost.
  for (RingValue &other : block.rings)
    if (std::optional<uint64_t> overlay = ring.op.getOverlay())
      if (other->op.getOverlay() && other->op.getOverlay() != overlay) {
        other->slots.assign(other->slots.size(), std::nullopt);
        other->loaded.clear();
        other->takenBy = filled.filler;
      }
  ring.takenBy = nullptr;
  ring.firstPlane =
      std::min(ring.firstPlane.value_or(filled.plane), filled.plane);
  if (ring.getType().getFill() == tile::Fill::Delayed) {
    ring.loaded.push_back(std::move(filled));
    return;
  }
  ring.slots[getSlot(ring, number)] = std::move(filled);
}

/// The first plane that a block brings to a ring.
static int64_t findFirstPlane(const Ring &ring, int64_t first) {
  std::optional<int64_t> ahead;
  for (Operation *user : tile::RingOp(ring.op).getRes().getUsers())
    if (auto put = dyn_cast<tile::PutOp>(user)) {
      auto plane = static_cast<int64_t>(put.getPlane());
      ahead = std::min(ahead.value_or(plane), plane);
    }
  return first + ahead.value_or(0);
}

/// The slot with a plane that somebody reads; null if it is one before the
/// first that has been asked for.
static FailureOr<Ring::Plane *> findPlane(TileBlock &block, Operation *reader,
                                          const SourceValue &source,
                                          int64_t plane) {
  Ring &ring = *source.ring;
  std::optional<Ring::Plane> &slot =
      ring.slots[getSlot(ring, plane - block.first)];
  bool holds = slot && slot->plane == plane;
  if (holds && slot->isThere)
    return &*slot;
  bool isLoaded = llvm::any_of(ring.loaded, [&](const Ring::Plane &loaded) {
    return loaded.plane == plane;
  });
  bool isEarly = plane < findFirstPlane(ring, block.first) ||
                 (!slot && ring.firstPlane && plane < *ring.firstPlane);
  if (isEarly && !holds && !isLoaded)
    return nullptr;
  InFlightDiagnostic diag = reader->emitOpError("reads ");
  if (block.walkAxis)
    diag << "plane " << plane << " (p + " << plane - source.plane << ") of ";
  diag << "a ring ";
  Operation *filler = nullptr;
  if (holds || isLoaded) {
    diag << "before a tile.wait";
    filler = holds ? slot->filler : ring.loaded.front().filler;
  } else if (ring.takenBy) {
    diag << "whose memory that of another overlay has taken";
    filler = ring.takenBy;
  } else if (!slot) {
    diag << "for which there was no "
         << (ring.getType().getFill() == tile::Fill::Stage ? "tile.put"
                                                           : "tile.copy");
  } else {
    diag << "in a slot that holds plane " << slot->plane;
    filler = slot->filler;
  }
  diag << block.describe();
  if (source.op)
    diag.attachNote(tile::SourceOp(source.op).getLoc()) << "it is read as this";
  if (filler)
    diag.attachNote(filler->getLoc())
        << (isa<tile::PutOp>(filler) ? "put here" : "copied here");
  return diag;
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::RingOp op) {
  auto ring = std::make_shared<Ring>();
  ring->op = op;
  ring->slots.resize(ring->getType().getSlots());
  block.rings.push_back(ring);
  state.get(op.getRes()) = std::move(ring);
  return success();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::CopyOp op, int64_t plane,
                               int64_t iteration) {
  RingValue ring = state.getRing(op.getRing());
  FieldValue field = state.getField(op.getField());
  auto ahead = static_cast<int64_t>(op.getPlane());
  FailureOr<TempValue> values = makeUnspecified(
      state, op, field.storage->kind, getStaticBox(ring->getType().getBox()));
  if (failed(values))
    return failure();
  TempValue placed = values->in(block.place(values->box, plane + ahead));
  Box region = placed.box.intersect(field.box);
  if (std::optional<BoundsAttr> needs = op.getNeeds()) {
    FailureOr<Box> needed = getNeeded(state, block, op, *needs);
    if (failed(needed))
      return failure();
    region = region.intersect(*needed);
  }
  if (op.getBoundary()) {
    if (failed(copyInside(state, block, op, field, placed, plane + ahead)))
      return failure();
  } else if (!region.isEmpty()) {
    copyRegion(placed.getView(), field.getView(), region);
    specify(placed.getStates(), region);
  }
  fillRing(block, *ring, iteration + ahead,
           {plane + ahead, std::move(*values), op,
            !ring->getType().isAsynchronous()});
  return success();
}

/// The values that threads write; what they do not is not specified.
LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::PutOp op) {
  RingValue ring = state.getRing(op.getRing());
  TileValue *values = getTileValue(state, op, op.getValues());
  if (!values)
    return failure();
  int64_t plane = static_cast<int64_t>(op.getPlane());
  FailureOr<TempValue> written = makeUnspecified(
      state, op, values->values.kind, getStaticBox(ring->getType().getBox()));
  if (failed(written))
    return failure();
  // A slot is plane 0.
  Box slot = written->box;
  if (block.walkAxis)
    slot.move(*block.walkAxis, plane);
  copyCommon(written->in(slot), values->values);
  int64_t iteration = 0, own = 0;
  if (op.getCursor()) {
    iteration = state.getIteration(op.getCursor());
    own = block.first + iteration;
    if (values->plane && *values->plane != own)
      return op.emitError("puts values for plane ")
             << *values->plane << " as those for plane " << own
             << block.describe();
  }
  if (tile::RingOp(ring->op).getRelay())
    block.put[{ring->op.getOperation(), own + plane}] = *written;
  fillRing(block, *ring, iteration + plane,
           {own + plane, std::move(*written), op, /*isThere=*/true});
  return success();
}

/// Legs are run one after the other: what the one before has put is there, of
/// all planes.
LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::TakeOp op) {
  FailureOr<TileValue> taken = makeTileValue(state, op, op.getRes().getType());
  if (failed(taken))
    return failure();
  Value cursor = block.leg == 0 ? op.getCursor() : op.getHandedCursor();
  int64_t own = block.first + state.getIteration(cursor);
  taken->plane = own;
  auto copy = [&](const TempValue &from, int64_t plane) {
    // As planes of the leg that takes them.
    Box box = from.box;
    box.lb[*block.walkAxis] = plane;
    box.ub[*block.walkAxis] = plane + 1;
    copyCommon(taken->values, from.in(box));
  };
  RingValue ring =
      state.getRing(block.leg == 0 ? op.getRing() : op.getHanded());
  if (block.leg == 0) {
    SourceValue source;
    source.ring = ring;
    source.plane = own;
    FailureOr<Ring::Plane *> found =
        findPlane(block, op, source, own + op.getPlane());
    if (failed(found))
      return failure();
    if (*found)
      copy((*found)->values, op.getLag());
  } else if (auto known = block.handed.find({ring->op.getOperation(), own});
             known != block.handed.end()) {
    copy(known->second, op.getLag());
  }
  state.get(op.getRes()) = std::move(*taken);
  return success();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::WaitOp op) {
  RingValue ring = state.getRing(op.getRing());
  int64_t newest = static_cast<int64_t>(op.getPlane());
  if (op.getCursor())
    newest += block.first + state.getIteration(op.getCursor());
  for (Ring::Plane &loaded : ring->loaded)
    if (loaded.plane <= newest) {
      int64_t slot = getSlot(*ring, loaded.plane - block.first);
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
  if (isAsked || newest < block.first)
    return success();
  InFlightDiagnostic diag = op.emitError("waits for ");
  if (op.getCursor())
    diag << "plane " << newest << ", which";
  else
    diag << "what";
  return diag << " no tile.copy has asked for" << block.describe();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::SourceOp op) {
  SourceValue source;
  source.op = op;
  if (auto *ring = std::get_if<RingValue>(&state.get(op.getMemory()))) {
    source.ring = *ring;
    source.box =
        getStaticBox(cast<TempType>(op.getRes().getType()).getBounds());
    if (op.getIteration())
      source.plane = block.first + state.getIteration(op.getIteration());
  } else {
    source.field = state.getField(op.getMemory());
    if (op.getIteration())
      source.plane = state.getInteger(op.getIteration());
  }
  state.get(op.getRes()) = std::move(source);
  return success();
}

FailureOr<TempValue> interp::readRing(RunState &state, TileBlock &block,
                                      Operation *reader,
                                      const SourceValue &source, int64_t lower,
                                      int64_t upper) {
  Box box = block.place(source.box, source.plane);
  const Ring &ring = *source.ring;
  FailureOr<Kind> kind =
      state.requireKind(reader, ring.getType().getElementType());
  if (failed(kind))
    return failure();
  FailureOr<TempValue> read = makeUnspecified(state, reader, *kind, box);
  if (failed(read))
    return failure();
  for (int64_t plane = lower; plane < upper; ++plane) {
    FailureOr<Ring::Plane *> found = findPlane(block, reader, source, plane);
    if (failed(found))
      return failure();
    if (!*found)
      continue;
    const TempValue &slot = (*found)->values;
    copyCommon(*read, slot.in(block.place(slot.box, plane)));
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

/// What a ring has of the plane that is stored; nothing of a plane that is not.
static FailureOr<TileValue> readStored(RunState &state, TileBlock &block,
                                       tile::StoreOp op,
                                       const SourceValue &source) {
  FailureOr<TileValue> stored =
      makeTileValue(state, op, op.getValues().getType());
  if (failed(stored))
    return failure();
  stored->plane = source.plane;
  int64_t plane = source.plane + op.getLead();
  if (block.walkAxis &&
      (plane < block.segmentBegin || plane >= block.segmentEnd))
    return stored;
  FailureOr<TempValue> read =
      readRing(state, block, op, source, plane, plane + 1);
  if (failed(read))
    return failure();
  read->box = stored->values.box;
  stored->values = std::move(*read);
  return stored;
}

/// What has just been stored in `region`, in the halo: for each set of axes,
/// the points near one side or the other of all of these.
static void storeImages(tile::StoreOp op, const ArrayView &field,
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
      moved.box.move(axis, image.by[axis]);
      target.move(axis, image.by[axis]);
    }
    copyRegion(field, moved, target);
  }
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::StoreOp op) {
  if (block.list)
    return evaluateListStore(state, block, op);
  // What is stored is the last leg's.
  if (block.leg + 1 < block.kernel.getGrid().getRelay())
    return success();
  TileValue *values = nullptr;
  FailureOr<TileValue> stored;
  if (auto *source = std::get_if<SourceValue>(&state.get(op.getValues()))) {
    stored = readStored(state, block, op, *source);
    if (failed(stored))
      return failure();
    values = &*stored;
  } else {
    values = getTileValue(state, op, op.getValues());
  }
  if (!values)
    return failure();
  FieldValue &field = state.getField(op.getField());
  // Tile coordinates are relative to the plane of the iteration.
  int64_t iteration = 0, plane = 0;
  if (op.getIteration()) {
    iteration = state.getInteger(op.getIteration());
    if (values->plane && *values->plane != iteration) {
      return op.emitError("stores values for plane ")
             << *values->plane << " as plane " << iteration << block.describe();
    }
    plane = iteration + op.getLead();
    if (plane < block.segmentBegin || plane >= block.segmentEnd)
      return success();
  }
  ArrayView view = values->values.getView();
  view.box = block.place(view.box, iteration);
  tile::GridAttr grid = block.kernel.getGrid();
  Box tile = block.place(
      getStaticBox(grid.getInner() ? grid.getInner() : grid.getTileBox()),
      plane);
  Box region = view.box.intersect(tile).intersect(block.domain);
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
    result = diag << ']' << block.describe();
  });
  if (failed(result))
    return failure();
  copyRegion(field.getView(), view, region, states);
  storeImages(op, field.getView(), region);
  return success();
}
