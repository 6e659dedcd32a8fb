//===- TilePlanes.cpp - When planes come, and how long they stay ----------===//
//
// In the iteration for plane p, a copy brings plane p + k to a ring of N slots,
// in the place of plane p + k - N. So between the copy and that of the next
// iteration the ring has planes p + k - N + 1 to p + k, as far as they have
// come: behind a wait for plane w, those up to p + w. With `delayed` a plane
// takes its place at the wait, not at the copy. A put is as a copy by threads,
// but no iteration before the first one has it.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/OpWalks.h"
#include "TileChecks.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// One ring in one walk.
class RingPlanes {
public:
  RingPlanes(Value ring, WalkOp walk, int64_t axis)
      : ring(ring), type(cast<RingType>(ring.getType())), walk(walk),
        axis(axis) {}

  LogicalResult verify();

private:
  /// Where in the iteration an op is; null for what is outside of the walk.
  Operation *findPlace(Operation *op) {
    return walk.getBodyBlock()->findAncestorOpInBlock(*op);
  }
  LogicalResult verifyDelay();
  LogicalResult verifyReader(Operation *source, Operation *reader,
                             int64_t oldest, int64_t newest);
  LogicalResult verifyPatch();
  template <typename Op> LogicalResult verifyBoundaryOf(Op op, StringRef what);
  LogicalResult verifyHalo();
  /// What the ring has for an op.
  struct Planes {
    /// The newest plane that is there; none without a wait, if it takes one.
    std::optional<int64_t> newest;
    /// The newest one that has been lost.
    int64_t lost = 0;
  };
  Planes findPlanes(Operation *reader);
  CopyOp findOverlay(Operation *reader);
  /// The one op of a kind that the walk has for this ring; an error where it
  /// has another one.
  template <typename Op> LogicalResult findOne(StringRef what, Op &found);
  /// The value that is known behind an op: of this iteration if `reader`
  /// comes later, else of the one before.
  int64_t getNewest(Operation *made, int64_t plane, Operation *reader) {
    return findPlace(made)->isBeforeInBlock(findPlace(reader)) ? plane
                                                               : plane - 1;
  }

  Value ring;
  RingType type;
  WalkOp walk;
  int64_t axis;
  /// The one that fills the ring is a copy or a put.
  CopyOp copy;
  PutOp put;
  FringeOp halo;
  PatchOp patch;
  Operation *filler = nullptr;
  /// The plane that it brings.
  int64_t plane = 0;
  /// The last one in the iteration that waits for the newest plane.
  SmallVector<WaitOp> waits;
};

} // namespace

template <typename Op>
LogicalResult RingPlanes::findOne(StringRef what, Op &known) {
  for (Operation *user : ring.getUsers()) {
    auto found = dyn_cast<Op>(user);
    if (!found || !findPlace(user))
      continue;
    if (known)
      return withNote(found.emitOpError("expected one ")
                          << what
                          << " per iteration to a ring, got "
                             "another one",
                      known.getLoc(), "the other one is here");
    known = found;
  }
  return success();
}

LogicalResult RingPlanes::verify() {
  if (failed(findOne("copy", copy)) || failed(findOne("put", put)) ||
      failed(findOne("fringe", halo)) || failed(findOne("patch", patch)))
    return failure();
  // By its fill, a ring has the one or the other.
  filler = copy ? copy : static_cast<Operation *>(put);
  if (filler)
    plane = copy ? copy.getPlane() : put.getPlane();
  for (Operation *user : ring.getUsers())
    if (auto wait = dyn_cast<WaitOp>(user); wait && findPlace(user))
      waits.push_back(wait);
  for (WaitOp wait : waits) {
    int64_t asked = filler ? getNewest(filler, plane, wait) : 0;
    if (!filler || wait.getPlane() > asked) {
      InFlightDiagnostic diagnostic = wait.emitOpError("waits for plane p + ")
                                      << wait.getPlane();
      if (filler)
        return diagnostic << ", but copies up to p + " << asked
                          << " have been asked for";
      return diagnostic << ", but the walk has no copy to this ring";
    }
  }
  if (failed(verifyHalo()) || failed(verifyPatch()) || failed(verifyDelay()))
    return failure();
  for (Operation *user : ring.getUsers())
    if (auto source = dyn_cast<SourceOp>(user); source && findPlace(source)) {
      BoundsAttr box = getBounds(source.getRes());
      for (Operation *reader : source.getRes().getUsers())
        if (failed(verifyReader(source, reader, box.getLb()[axis],
                                box.getUb()[axis] - 1)))
          return failure();
    }
  for (Operation *user : ring.getUsers())
    if (auto take = dyn_cast<TakeOp>(user); take && findPlace(take)) {
      int64_t plane = take.getRing() == ring ? take.getPlane() : 0;
      if (failed(verifyReader(take, take, plane, plane)))
        return failure();
    }
  return success();
}

RingPlanes::Planes RingPlanes::findPlanes(Operation *reader) {
  int64_t written = getNewest(filler, plane, reader);
  Planes planes = {written, written - type.getSlots()};
  if (!type.isAsynchronous())
    return planes;
  planes.newest.reset();
  for (WaitOp wait : waits) {
    int64_t plane = getNewest(wait, wait.getPlane(), reader);
    planes.newest = std::max(planes.newest.value_or(plane), plane);
  }
  // Until then it is in registers.
  if (type.getFill() == Fill::Delayed && planes.newest)
    planes.lost = *planes.newest - type.getSlots();
  return planes;
}

/// The copy to a ring at the same place that comes between the copy to this one
/// and its reader; null if there is none.
CopyOp RingPlanes::findOverlay(Operation *reader) {
  std::optional<int64_t> own = ring.getDefiningOp<RingOp>().getOverlay();
  if (!own || !filler)
    return {};
  Operation *place = findPlace(reader);
  bool isLater = filler->isBeforeInBlock(place);
  for (auto other : walk.getBodyBlock()->getOps<CopyOp>()) {
    auto taken = other.getRing().getDefiningOp<RingOp>().getOverlay();
    if (!taken || taken == own)
      continue;
    bool isBehind = filler->isBeforeInBlock(other);
    bool isBefore = other->isBeforeInBlock(place);
    // The copy may be that of the iteration before.
    if (isLater ? isBehind && isBefore : isBehind || isBefore)
      return other;
  }
  return {};
}

/// Planes that wait in registers, all of which a thread has.
LogicalResult RingPlanes::verifyDelay() {
  constexpr int64_t kMaxDelay = 16;
  if (type.getFill() != Fill::Delayed)
    return success();
  std::optional<int64_t> newest;
  for (WaitOp wait : waits) {
    int64_t plane = wait.getPlane();
    newest = std::max(newest.value_or(plane), plane);
  }
  int64_t asked = copy ? copy.getPlane() : 0;
  if (!newest || asked - *newest <= kMaxDelay)
    return success();
  return copy.emitOpError("expected at most ")
         << kMaxDelay
         << " planes of 'fill = delayed' between the copy and the wait for p + "
         << *newest << ", got " << asked - *newest;
}

/// `source` says that `reader` reads these planes.
LogicalResult RingPlanes::verifyReader(Operation *source, Operation *reader,
                                       int64_t oldest, int64_t newest) {
  if (!filler)
    return source->emitOpError("expected a ring that a ")
           << (type.getFill() == Fill::Stage ? "tile.put" : "tile.copy")
           << " of the walk fills";
  auto [there, lost] = findPlanes(reader);
  if (!there)
    return reader->emitOpError("reads a ring that is filled by '")
           << stringifyFill(type.getFill())
           << "' without a tile.wait in the walk";
  if (newest > *there)
    return reader->emitOpError("reads plane p + ")
           << newest << " of a ring that has planes up to p + " << *there
           << " here";
  if (patch)
    if (int64_t patched = getNewest(patch, patch.getPlane(), reader);
        newest > patched)
      return reader->emitOpError("reads plane p + ")
             << newest << " of a ring that is patched up to p + " << patched
             << " here";
  if (CopyOp other = findOverlay(reader))
    return withNote(
        reader->emitOpError(
            "reads a ring whose memory that of another overlay has taken"),
        other.getLoc(), "by this copy");
  if (oldest <= lost)
    return reader->emitOpError("reads plane p + ")
           << oldest << ", which a ring of " << type.getSlots()
           << " slots has lost: the oldest one is p + " << lost + 1;
  // Copies bring the planes from that of the first iteration on, or from an
  // older one, which they begin with; a put those from its own first one on.
  bool hasOverlay = ring.getDefiningOp<RingOp>().getOverlay().has_value();
  int64_t first = put || hasOverlay ? plane : std::min<int64_t>(plane, 0);
  if (oldest + walk.getLookback() < first)
    return reader->emitOpError("reads plane p + ")
           << oldest << ", which no " << (put ? "put" : "copy")
           << " brings for the first plane that is stored: expected a lookback "
              "of at least "
           << first - oldest << ", got " << walk.getLookback();
  return success();
}

/// A patch writes what a halo has loaded, in this iteration or an earlier one.
LogicalResult RingPlanes::verifyHalo() {
  // What has been loaded is in registers.
  constexpr int64_t kMaxAhead = 32;
  if (!halo || !patch)
    return success();
  int64_t loaded = halo.getPlane();
  int64_t written = patch.getPlane();
  int64_t there = getNewest(halo, loaded, patch);
  if (written > there)
    return patch.emitOpError("patches plane p + ")
           << written << ", but fringes up to p + " << there
           << " have been loaded";
  if (loaded - written > kMaxAhead)
    return halo.emitOpError("expected a plane at most ")
           << kMaxAhead << " ahead of the one that is patched, p + " << written
           << ", got p + " << loaded;
  return success();
}

/// That the halo, or the patch, is there if the copy has a boundary, and says
/// the same of it.
template <typename Op>
LogicalResult RingPlanes::verifyBoundaryOf(Op op, StringRef what) {
  bool isWanted = copy && copy.getBoundary();
  if (!op && !isWanted)
    return success();
  if (!op)
    return copy.emitOpError("expected a ")
           << what << " in the walk for its 'boundary'";
  if (!isWanted)
    return op.emitOpError("expected a ring whose copy in the walk has a "
                          "'boundary'");
  if (op.getNeeds() == *copy.getNeeds() &&
      op.getBoundary() == *copy.getBoundary() &&
      op.getField() == copy.getField())
    return success();
  return withNote(op.emitOpError("expected the field, the 'needs' and the "
                                 "'boundary' of the ring's copy"),
                  copy.getLoc(), "the copy is here");
}

LogicalResult RingPlanes::verifyPatch() {
  if (failed(verifyBoundaryOf(halo, "tile.fringe")) ||
      failed(verifyBoundaryOf(patch, "tile.patch")))
    return failure();
  if (!patch)
    return success();
  int64_t plane = patch.getPlane();
  auto [there, lost] = findPlanes(patch);
  if (!there)
    return patch.emitOpError("patches a ring that is filled by '")
           << stringifyFill(type.getFill())
           << "' without a tile.wait in the walk";
  if (plane > *there)
    return patch.emitOpError("patches plane p + ")
           << plane << " of a ring that has planes up to p + " << *there
           << " here";
  if (plane <= lost)
    return patch.emitOpError("patches plane p + ")
           << plane << ", which a ring of " << type.getSlots()
           << " slots has lost: the oldest one is p + " << lost + 1;
  int64_t lookback = walk.getLookback();
  int64_t first = patch.getNeeds().getLb()[axis];
  if (plane > lookback + first)
    return patch.emitOpError("patches plane p + ")
           << plane << " first, but planes from p + " << lookback + first
           << " of the first iteration on are needed: expected a lookback of "
              "at least "
           << plane - first << ", got " << lookback;
  return success();
}

LogicalResult tile::verifyPlanes(WalkOp walk) {
  auto kernel = walk->getParentOfType<KernelOp>();
  std::optional<int64_t> axis = kernel.getGrid().getWalk();
  if (!axis)
    return success(); // The kernel says so.
  for (RingOp ring : kernel.getBodyBlock()->getOps<RingOp>())
    if (failed(RingPlanes(ring.getRes(), walk, *axis).verify()))
      return failure();
  return checkWithin(walk.getBody(), [&](tile::StoreOp store) -> LogicalResult {
    if (store.getLead() <= walk.getLookback())
      return success();
    return store.emitOpError("stores plane p + ")
           << store.getLead() << ": expected a lookback of at least "
           << store.getLead() << ", got " << walk.getLookback();
  });
}

//===----------------------------------------------------------------------===//
// Fields that are read and stored
//===----------------------------------------------------------------------===//

/// The read of a stage at another point than its own, of this input.
static Operation *findNeighbour(ApplyOp stage, unsigned input,
                                StageReads &reads) {
  Operation *found = nullptr;
  reads.forEachRead(stage, input, [&](const InputRead &read) {
    if (!read.isPointwise(stage.getRank()))
      found = read.op;
  });
  return found;
}

static LogicalResult refuse(Operation *reader, tile::StoreOp store) {
  return withNote(
      reader->emitOpError("reads neighbours in a field that the kernel stores "
                          "to: other blocks may "
                          "have stored there, or not"),
      store.getLoc(), "it is stored to here");
}

/// What is read of a plane is what was there before it is stored to.
static LogicalResult refuseLate(Operation *reader, int64_t plane,
                                tile::StoreOp store) {
  return withNote(reader->emitOpError("reads plane p + ")
                      << plane << " of a field in which plane p + "
                      << store.getLead() << " is stored in the same iteration",
                  store.getLoc(), "it is stored to here");
}

static LogicalResult verifyReads(Value field, tile::StoreOp store,
                                 StageReads &reads) {
  std::optional<int64_t> walk = getWalkAxis(store);
  for (Operation *user : field.getUsers()) {
    if (isa<FringeOp>(user))
      return refuse(user, store);
    if (auto copy = dyn_cast<CopyOp>(user)) {
      auto needs = copy.getNeedsAttr();
      if (!needs || !OffsetBox::ofBounds(needs).isZero())
        return refuse(copy, store);
      if (int64_t plane = copy.getPlane(); walk && plane < store.getLead())
        return refuseLate(copy, plane, store);
    }
    auto source = dyn_cast<SourceOp>(user);
    if (!source)
      continue;
    for (OpOperand &use : source.getRes().getUses())
      if (auto stage = dyn_cast<ApplyOp>(use.getOwner())) {
        if (Operation *reader =
                findNeighbour(stage, use.getOperandNumber(), reads))
          return refuse(reader, store);
        if (int64_t plane = walk ? stage.getDomain().getLb()[*walk] : 0;
            walk && plane < store.getLead())
          return refuseLate(stage, plane, store);
      }
  }
  return success();
}

LogicalResult tile::verifyStored(KernelOp kernel, StageReads &reads) {
  llvm::SmallDenseMap<Value, tile::StoreOp> stores;
  // There, the loops of a walk all have its stores, and branches have them.
  bool isExpanded = !kernel.getBodyBlock()->getOps<SegmentOp>().empty() ||
                    !kernel.getBodyBlock()->getOps<AtEdgeOp>().empty();
  auto checkStore = [&](tile::StoreOp store) -> LogicalResult {
    auto [known, isNew] = stores.try_emplace(
        lookThroughCasts(kernel.getOperandOf(store.getField())), store);
    if (isNew || isExpanded)
      return success();
    return withNote(
        store.emitOpError("expected one store per field, got another one"),
        known->second.getLoc(), "the other one is here");
  };
  if (failed(checkWithin(kernel.getBody(), checkStore)))
    return failure();
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.getArgs(), kernel.getBodyBlock()->getArguments()))
    if (auto known = stores.find(lookThroughCasts(operand));
        known != stores.end())
      if (failed(verifyReads(argument, known->second, reads)))
        return failure();
  return success();
}
