//===- PlaneBatch.cpp - Several planes per iteration ----------------------===//
//
// A walk with `unroll S` has S planes in an iteration of its loop: op by op, of
// each of them all planes. Barriers are for all of them then.
//
//   wait p; wait p + 1; barrier; copy p + 4; copy p + 5; stage p; stage p + 1
//
// So rings have S - 1 slots more than plane by plane, and what copies bring is
// S planes ahead of what is read, or there is a barrier in between.
//
//===----------------------------------------------------------------------===//

#include "RingEvents.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// One ring in a batch of planes.
class BatchedRing {
public:
  BatchedRing(const BlockProgram &program, const RingProgram &ring,
              int64_t batch);

  /// Why the planes cannot come together; empty: they can.
  std::string check() const;

private:
  struct Op {
    int64_t place = 0, plane = 0;
  };

  std::string checkWait() const;
  std::string checkRead(const RingEvent &read) const;

  const RingProgram &ring;
  int64_t batch;
  std::optional<Op> copy, wait, written;
};

} // namespace

BatchedRing::BatchedRing(const BlockProgram &program, const RingProgram &ring,
                         int64_t batch)
    : ring(ring), batch(batch) {
  RingOp self = ring.ring;
  for (auto [number, op] : llvm::enumerate(*program.body)) {
    auto place = static_cast<int64_t>(number);
    if (auto found = dyn_cast<CopyOp>(op);
        found && found.getRing() == self.getRes())
      copy = {place, static_cast<int64_t>(found.getPlane())};
    if (auto found = dyn_cast<WaitOp>(op);
        found && found.getRing() == self.getRes() &&
        (!wait || wait->plane < static_cast<int64_t>(found.getPlane())))
      wait = {place, static_cast<int64_t>(found.getPlane())};
  }
  for (const RingEvent &event : ring.events)
    if (event.access == RingAccess::Overwrite)
      written = {event.place, event.newest};
}

/// What is waited for has been asked for.
std::string BatchedRing::checkWait() const {
  if (!wait || !copy)
    return {};
  int64_t asked = wait->place < copy->place ? copy->plane - batch : copy->plane;
  if (wait->plane <= asked)
    return {};
  return llvm::formatv("of ring {0}, planes up to p + {1} are asked for when "
                       "planes up to p + {2} are waited for",
                       ring.number, asked + batch - 1, wait->plane + batch - 1);
}

/// What is read is there, and not lost.
std::string BatchedRing::checkRead(const RingEvent &read) const {
  if (!written)
    return {};
  int64_t last = batch - 1;
  int64_t newest =
      written->place < read.place ? written->plane + last : written->plane - 1;
  int64_t lost = newest - ring.getType().getSlots();
  if (read.oldest <= lost)
    return llvm::formatv("a ring of {0} slots has lost plane p + {1}, which is "
                         "read with p + {2}",
                         ring.getType().getSlots(), read.oldest,
                         read.newest + last);
  if (wait)
    newest = wait->place < read.place ? wait->plane + last : wait->plane - 1;
  if (read.newest + last > newest)
    return llvm::formatv("plane p + {0} of ring {1} is read when there are "
                         "those up to p + {2}",
                         read.newest + last, ring.number, newest);
  return {};
}

std::string BatchedRing::check() const {
  std::string why = checkWait();
  for (const RingEvent &event : ring.events)
    if (why.empty() && event.access == RingAccess::Read)
      why = checkRead(event);
  return why;
}

static int64_t getPlace(Block *body, Operation *op) {
  return static_cast<int64_t>(std::distance(
      body->begin(), body->findAncestorOpInBlock(*op)->getIterator()));
}

/// The number of the op that makes what a carried value becomes, whatever plane
/// it is then called; -1 for what is carried already.
static int64_t findMakerPlace(WalkOp walk, unsigned carried) {
  Value made = walk.getBodyBlock()->getTerminator()->getOperand(carried);
  if (auto shift = made.getDefiningOp<ShiftOp>())
    made = shift.getValues();
  Operation *maker = made.getDefiningOp();
  return maker && walk->isProperAncestor(maker)
             ? getPlace(walk.getBodyBlock(), maker)
             : -1;
}

/// Whether what is carried is made before it is read: an op has its planes one
/// after the other.
static bool isCarriedInOrder(WalkOp walk) {
  for (auto [index, carried] : llvm::enumerate(walk.getCarried())) {
    Value yielded = walk.getBodyBlock()->getTerminator()->getOperand(index);
    if (!walk.getBody().isAncestor(yielded.getParentRegion()))
      return false;
    int64_t made = findMakerPlace(walk, index);
    if (llvm::any_of(carried.getUsers(), [&](Operation *user) {
          return !isa<ShiftOp>(user) &&
                 getPlace(walk.getBodyBlock(), user) < made;
        }))
      return false;
  }
  return true;
}

int64_t tile::findBatch(const BlockProgram &program, std::string &why) {
  auto walk = dyn_cast<WalkOp>(program.body->getParentOp());
  if (!walk || walk.getUnroll() == 1)
    return 1;
  auto batch = static_cast<int64_t>(walk.getUnroll());
  auto fail = [&](const Twine &reason) {
    why = reason.str();
    return int64_t(1);
  };
  bool hasPatches = false;
  walk.getBody().walk(
      [&](Operation *op) { hasPatches |= isa<PatchOp, FringeOp, TakeOp>(op); });
  if (hasPatches)
    return fail("what is beside a boundary's box is written plane by plane");
  if (!isCarriedInOrder(walk))
    return fail("what an iteration hands on is read before it is made");
  for (const RingProgram &ring : program.rings) {
    if (RingOp(ring.ring).getOverlay())
      return fail("groups of windows take turns, plane by plane");
    if (std::string reason = BatchedRing(program, ring, batch).check();
        !reason.empty())
      return fail(reason);
  }
  return batch;
}
