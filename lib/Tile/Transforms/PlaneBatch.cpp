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
#include "StencilDialect/IR/OpWalks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// Why the planes of a ring cannot come together; empty: they can.
static std::string checkRing(const BlockProgram &program,
                             const RingProgram &ring, int64_t batch) {
  struct Op {
    int64_t place = 0, plane = 0;
  };
  std::optional<Op> copy, wait, written;
  RingOp self = ring.ring;
  for (auto [number, op] : llvm::enumerate(*program.body)) {
    auto place = static_cast<int64_t>(number);
    if (auto found = dyn_cast<CopyOp>(op);
        found && found.getRing() == self.getRes())
      copy = {place, found.getPlane()};
    if (auto found = dyn_cast<WaitOp>(op);
        found && found.getRing() == self.getRes() &&
        (!wait || wait->plane < found.getPlane()))
      wait = {place, found.getPlane()};
  }
  int64_t last = batch - 1;
  // What is waited for has been asked for.
  if (wait && copy)
    if (int64_t asked =
            wait->place < copy->place ? copy->plane - batch : copy->plane;
        wait->plane > asked)
      return llvm::formatv("of ring {0}, planes up to p + {1} are asked for "
                           "when planes up to p + {2} are waited for",
                           ring.number, asked + last, wait->plane + last);
  for (const RingEvent &event : ring.events)
    if (event.access == RingAccess::Overwrite)
      written = {event.place, event.newest};
  // What is read is there, and not lost.
  for (const RingEvent &read : ring.events) {
    if (!written || read.access != RingAccess::Read)
      continue;
    auto findNewest = [&](const Op &op) {
      return op.place < read.place ? op.plane + last : op.plane - 1;
    };
    int64_t slots = ring.getType().getSlots();
    if (read.oldest <= findNewest(*written) - slots)
      return llvm::formatv("a ring of {0} slots has lost plane p + {1}, which "
                           "is read with p + {2}",
                           slots, read.oldest, read.newest + last);
    if (int64_t newest = findNewest(wait ? *wait : *written);
        read.newest + last > newest)
      return llvm::formatv("plane p + {0} of ring {1} is read when there are "
                           "those up to p + {2}",
                           read.newest + last, ring.number, newest);
  }
  return {};
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
  int64_t batch = walk.getUnroll();
  auto fail = [&](const Twine &reason) {
    why = reason.str();
    return int64_t(1);
  };
  if (anyWithin(walk.getBody(), [](Operation *op) {
        return isa<PatchOp, FringeOp, TakeOp>(op);
      }))
    return fail("what is beside a boundary's box is written plane by plane");
  if (!isCarriedInOrder(walk))
    return fail("what an iteration hands on is read before it is made");
  for (const RingProgram &ring : program.rings) {
    if (RingOp(ring.ring).getOverlay())
      return fail("groups of windows take turns, plane by plane");
    if (std::string reason = checkRing(program, ring, batch); !reason.empty())
      return fail(reason);
  }
  return batch;
}
