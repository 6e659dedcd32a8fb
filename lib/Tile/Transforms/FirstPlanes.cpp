//===- FirstPlanes.cpp - What the first iterations of a walk read ---------===//

#include "WalkExpander.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// The ops of a walk's body whose results are carried on, by values or by rings
/// of stages, or needed for it.
static llvm::SmallPtrSet<Operation *, 16> findCarried(Block &body) {
  llvm::SmallPtrSet<Operation *, 16> carried;
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (llvm::any_of(op.getUsers(), [&](Operation *user) {
          Operation *own = body.findAncestorOpInBlock(*user);
          return own == body.getTerminator() || isa<PutOp>(own) ||
                 carried.contains(own);
        }))
      carried.insert(&op);
  return carried;
}

/// Whether what is read is for planes that somebody needs only.
static bool isOfNeededPlanes(Operation *reader) {
  for (auto where = reader->getParentOfType<WhereOp>(); where;
       where = where->getParentOfType<WhereOp>())
    if (where.getIteration())
      return true;
  return false;
}

/// Iterations before the first plane that is stored may read more than stores
/// need: for what they carry. A patch writes its plane, needed or not, and in
/// each iteration.
FirstPlanes tile::findFirstPlanes(WalkOp walk, const BlockProgram &program) {
  Block &body = *program.body;
  llvm::SmallPtrSet<Operation *, 16> carried = findCarried(body);
  int64_t axis = *walk->getParentOfType<KernelOp>().getGrid().getWalk();
  int64_t lookback = walk.getLookback();
  FirstPlanes firsts;
  for (auto copy : body.getOps<CopyOp>()) {
    BoundsAttr needs = copy.getNeedsAttr();
    int64_t first = needs ? lookback + needs.getLb()[axis] : 0;
    auto [known, isNew] = firsts.try_emplace(copy.getRing(), first);
    known->second = std::min(known->second, first);
  }
  for (const RingProgram &ring : program.rings) {
    auto known = firsts.find(RingOp(ring.ring).getRes());
    if (known == firsts.end())
      continue;
    for (const RingEvent &event : ring.events)
      if (event.access == RingAccess::Read && !isOfNeededPlanes(event.op) &&
          (lookback == 0 || isa<PatchOp>(event.op) ||
           carried.contains(body.findAncestorOpInBlock(*event.op))))
        known->second = std::min(known->second, event.oldest);
    known->second = std::max<int64_t>(known->second, 0);
  }
  return firsts;
}

namespace {

/// What is known of a ring before the first iteration.
struct RingStart {
  /// So many planes are there, for the thread that has brought them.
  int64_t planes = 0;
  /// The first one that somebody reads.
  int64_t first = 0;
  /// Its wait for the newest plane, if the ring has one.
  WaitOp wait;
  bool isWaitedFor = false;
};

} // namespace

/// The first barrier behind an op of the first iteration, as a number of ops
/// from the beginning of that.
static int64_t findBarrier(const BlockProgram &program, int64_t place) {
  auto length = static_cast<int64_t>(program.body->getOperations().size());
  for (int64_t barrier : program.barriers)
    if (barrier > place)
      return barrier;
  return program.barriers.empty() ? length : length + program.barriers.front();
}

/// Whether one of the first planes is read before so many ops have passed.
static bool isReadBefore(const BlockProgram &program, const RingProgram &ring,
                         const RingStart &start, int64_t limit) {
  auto length = static_cast<int64_t>(program.body->getOperations().size());
  auto isRead = [&](const RingEvent &event, int64_t iteration) {
    return event.access == RingAccess::Read &&
           event.place + iteration * length < limit &&
           event.newest + iteration + program.batch > start.first &&
           event.oldest + iteration < start.planes;
  };
  return llvm::any_of(ring.events, [&](const RingEvent &event) {
    return isRead(event, 0) || isRead(event, 1);
  });
}

/// In front of an iteration, what the one before has waited for is there.
static RingStart findStart(const BlockProgram &program,
                           const FirstPlanes &firstPlanes,
                           const RingProgram &ring) {
  RingStart start;
  start.first = firstPlanes.lookup(RingOp(ring.ring).getRes());
  Fill fill = ring.getType().getFill();
  for (Operation &op : *program.body) {
    if (auto copy = dyn_cast<CopyOp>(op);
        copy && copy.getRing().getDefiningOp() == ring.ring &&
        fill == Fill::Threads)
      start.planes = copy.getPlane();
    auto wait = dyn_cast<WaitOp>(op);
    if (!wait || wait.getRing().getDefiningOp() != ring.ring)
      continue;
    if (!start.wait || wait.getPlane() > start.wait.getPlane())
      start.wait = wait;
  }
  if (!start.wait)
    return start;
  start.planes = start.wait.getPlane();
  // What is waited for has been asked for; of delayed copies, a plane before
  // the first one, too, as the wait stores what has been loaded.
  start.first = std::min(start.first, fill == Fill::Delayed
                                          ? start.planes
                                          : std::max<int64_t>(start.planes, 0));
  Operation *op = start.wait;
  auto place = static_cast<int64_t>(
      std::distance(program.body->begin(), op->getIterator()));
  // The first wait is for all planes until then: what threads have written is
  // read behind a barrier that is behind it.
  int64_t limit = fill == Fill::Tma ? place : findBarrier(program, place);
  start.isWaitedFor =
      start.planes > start.first &&
      (fill == Fill::Delayed || isReadBefore(program, ring, start, limit));
  return start;
}

/// As if iterations with negative numbers had gone before, with the copies of
/// planes from 0 on. A delayed copy is in registers only as long as it is in
/// the loop: those iterations wait, too.
void tile::bringFirstPlanes(WalkOp walk, const BlockProgram &program,
                            const FirstPlanes &firstPlanes, Value first,
                            ValueRange cursors) {
  OpBuilder builder(walk);
  Location loc = walk.getLoc();
  // The same op in front of the walk, for another plane.
  auto emitAt = [&](Operation *op, int64_t plane) {
    IRMapping mapping;
    mapping.map(walk.getPlane(), first);
    mapping.map(walk.getCursors(), cursors);
    Operation *cloned = builder.clone(*op, mapping);
    llvm::TypeSwitch<Operation *>(cloned).Case<CopyOp, WaitOp, FringeOp>(
        [&](auto op) { op.setPlane(plane); });
  };
  llvm::SmallDenseMap<Value, RingStart> starts;
  int64_t ahead = 0;
  for (const RingProgram &ring : program.rings)
    starts[RingOp(ring.ring).getRes()] = findStart(program, firstPlanes, ring);
  for (auto copy : program.body->getOps<CopyOp>())
    ahead = std::max(ahead, copy.getPlane() - starts[copy.getRing()].first);
  for (auto halo : program.body->getOps<FringeOp>())
    ahead = std::max(ahead, halo.countAhead());
  SmallVector<std::pair<WaitOp, int64_t>> engineWaits;
  for (int64_t number = -ahead; number < 0; ++number)
    for (Operation &op : *program.body) {
      if (auto copy = dyn_cast<CopyOp>(op)) {
        int64_t plane = number + copy.getPlane();
        auto type = cast<RingType>(copy.getRing().getType());
        const RingStart &start = starts[copy.getRing()];
        // What would be lost before the first iteration does not come: nobody
        // could wait for it in between.
        bool isLost = type.getFill() == Fill::Async &&
                      plane + type.getSlots() < copy.getPlane();
        // The copy engine's slots have a plane after the other, and all threads
        // have seen that one.
        if (int64_t before = plane - type.getSlots();
            type.getFill() == Fill::Tma && start.wait &&
            before >= start.first) {
          emitAt(start.wait, before);
          BarrierOp::create(builder, loc);
          llvm::erase(engineWaits, std::pair(start.wait, before));
        }
        if (plane >= start.first && !isLost)
          emitAt(copy, plane);
      } else if (auto halo = dyn_cast<FringeOp>(op)) {
        // The first patch is that of the first iteration.
        if (number >= -halo.countAhead())
          emitAt(halo, number + halo.getPlane());
      } else if (auto wait = dyn_cast<WaitOp>(op)) {
        int64_t plane = number + wait.getPlane();
        const RingStart &start = starts[wait.getRing()];
        Fill fill = cast<RingType>(wait.getRing().getType()).getFill();
        if (wait != start.wait)
          continue;
        // Each of the copy engine's planes is waited for on its own, before
        // its slot is filled again.
        if (fill == Fill::Tma && plane >= start.first)
          engineWaits.emplace_back(wait, plane);
        // Other waits are for all planes at once.
        if (fill != Fill::Tma && start.isWaitedFor &&
            (fill == Fill::Delayed ? plane >= start.first : number == -1))
          emitAt(wait, plane);
      }
    }
  for (auto [wait, plane] : engineWaits)
    emitAt(wait, plane);
  int64_t barrier = findBarrier(program, -1);
  bool needsBarrier = llvm::any_of(program.rings, [&](const RingProgram &ring) {
    const RingStart &start = starts[RingOp(ring.ring).getRes()];
    Fill fill = ring.getType().getFill();
    return fill != Fill::Tma && fill != Fill::Stage &&
           (fill == Fill::Threads || start.isWaitedFor) &&
           isReadBefore(program, ring, start, barrier);
  });
  if (needsBarrier)
    BarrierOp::create(builder, loc);
}
