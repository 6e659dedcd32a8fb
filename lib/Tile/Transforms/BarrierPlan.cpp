//===- BarrierPlan.cpp - Where a block's threads have to meet -------------===//
//
// Each need is an arc of the circle of a walk's ops, from one of them to
// another one, perhaps by way of the next iteration. The fewest points that
// meet all arcs of a circle: where one of them is known, the circle is a line,
// on which the last possible point for the arc that ends first is never wrong.
// So all ends of arcs are tried as that one.
//
//===----------------------------------------------------------------------===//

#include "RingEvents.h"
#include "StencilDialect/Tile/Barriers.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// What needs a barrier
//===----------------------------------------------------------------------===//

/// The iterations from one op to another one that has several planes, too: of
/// the pairs of their planes, between the closest ones.
static std::optional<int64_t> countOfBatches(const RingEvent &first,
                                             const RingEvent &second,
                                             int64_t slots, int64_t batch) {
  bool isRead = second.access == RingAccess::Read;
  const RingEvent &read = isRead ? second : first;
  const RingEvent &written = isRead ? first : second;
  // By so many planes each plane that is read is behind the one that the other
  // op has of the same slot, or ahead of it.
  int64_t least = isRead ? written.newest - read.newest
                         : read.oldest + slots - written.newest;
  int64_t most = isRead ? written.newest - read.oldest
                        : read.newest + slots - written.newest;
  for (int64_t iterations = first.place < second.place ? 0 : 1;
       iterations * batch - (batch - 1) <= most; ++iterations)
    if (least <= iterations * batch + (batch - 1))
      return iterations;
  return std::nullopt;
}

/// After how many iterations an op reads the plane that another one has
/// written, or writes its successor in the same slot; none if it does not.
static std::optional<int64_t> countIterations(const BlockProgram &program,
                                              const RingProgram &ring,
                                              const RingEvent &first,
                                              const RingEvent &second) {
  bool isRead = second.access == RingAccess::Read;
  if (isRead ? first.access != RingAccess::Publish
             : first.access != RingAccess::Read ||
                   second.access != RingAccess::Overwrite)
    return std::nullopt;
  if (!program.isWalk)
    return first.place < second.place ? std::optional<int64_t>(0)
                                      : std::nullopt;
  int64_t slots = ring.getType().getSlots();
  if (program.batch > 1)
    return countOfBatches(first, second, slots, program.batch);
  // The pair that is closest counts: the newest plane that is read of what was
  // written, the oldest one that is replaced.
  int64_t step = isRead ? -1 : 1;
  const RingEvent &read = isRead ? second : first;
  int64_t plane = isRead ? std::min(first.newest, read.newest)
                         : std::max(second.oldest - slots, read.oldest);
  for (; plane >= read.oldest && plane <= read.newest; plane += step) {
    int64_t iterations =
        isRead ? first.newest - plane : plane + slots - second.newest;
    if (iterations == 0 && first.place >= second.place)
      continue; // The one of the next iteration, then.
    return iterations;
  }
  return std::nullopt;
}

std::vector<BarrierNeed> tile::findNeeds(const BlockProgram &program) {
  std::vector<BarrierNeed> needs;
  auto add = [&](const BarrierNeed &need) {
    if (llvm::none_of(program.barriers,
                      [&](int64_t place) { return need.isMetBy(place); }))
      needs.push_back(need);
  };
  for (const RingProgram &ring : program.rings) {
    for (const RingEvent &first : ring.events)
      for (const RingEvent &second : ring.events)
        if (auto iterations = countIterations(program, ring, first, second))
          add({&ring, &ring, &first, &second, *iterations});
    for (const RingProgram &other : program.rings) {
      std::optional<int64_t> own = RingOp(ring.ring).getOverlay();
      std::optional<int64_t> others = RingOp(other.ring).getOverlay();
      if (!own || !others || *own == *others)
        continue;
      // Rings at the same place. In a walk, the first one comes after the last
      // one, an iteration later.
      for (const RingEvent &first : ring.events)
        for (const RingEvent &second : other.events)
          if (bool isLater = first.place >= second.place;
              second.access == RingAccess::Overwrite &&
              (!isLater || program.isWalk))
            add({&ring, &other, &first, &second, isLater ? 1 : 0});
    }
  }
  return needs;
}

std::string BarrierNeed::describe() const {
  auto walk = second->op->getParentOfType<WalkOp>();
  bool isWalk = static_cast<bool>(walk);
  if (firstRing != secondRing)
    return llvm::formatv("ring {0} takes the place of ring {1}",
                         secondRing->number, firstRing->number);
  if (second->access == RingAccess::Read) {
    StringRef reads = isa<PatchOp>(second->op)         ? "a patch changes"
                      : isa<tile::StoreOp>(second->op) ? "a store reads"
                                                       : "a stage reads";
    if (!isWalk)
      return llvm::formatv("{0} ring {1}, which threads have written", reads,
                           secondRing->number);
    if (walk.getUnroll() > 1)
      return llvm::formatv("{0} planes of ring {1}, which threads have written",
                           reads, secondRing->number);
    return llvm::formatv("{0} plane p + {1} of ring {2}, which threads have "
                         "written",
                         reads, first->newest - iterations, secondRing->number);
  }
  StringRef has = isa<PatchOp>(first->op)         ? "a patch has changed"
                  : isa<tile::StoreOp>(first->op) ? "a store has read"
                                                  : "a stage has read";
  if (!isWalk)
    return llvm::formatv("ring {0} is filled again, which {1}",
                         secondRing->number, has);
  int64_t slots = secondRing->getType().getSlots();
  return llvm::formatv("plane p + {0} of ring {1} takes the place of plane "
                       "p + {2}, which {3}",
                       second->newest, secondRing->number,
                       second->newest - slots, has);
}

/// Threads that do not meet would go wrong quietly.
LogicalResult tile::verifyBarriers(const BlockProgram &program) {
  std::vector<BarrierNeed> needs = findNeeds(program);
  if (needs.empty())
    return success();
  const BarrierNeed &need = needs.front();
  return withNote(
      need.second->op->emitOpError(
          "expected a tile.barrier before it (stencil-place-barriers): ")
          << need.describe(),
      need.first->op->getLoc(), "and behind this op");
}

LogicalResult tile::verifyBarriers(KernelOp kernel) {
  auto program = BlockProgram::create(kernel);
  return failed(program) ? failure() : verifyBarriers(*program);
}

//===----------------------------------------------------------------------===//
// Where barriers are put
//===----------------------------------------------------------------------===//

/// The best gaps of which `start` is one.
static std::vector<int64_t> chooseFrom(ArrayRef<BarrierNeed> needs,
                                       int64_t start) {
  // On the line that begins and ends at `start`, the arc that ends first.
  auto getKey = [&](const BarrierNeed *need) {
    return std::make_pair(need->getDeadline() < start, need->getDeadline());
  };
  std::vector<const BarrierNeed *> sorted;
  for (const BarrierNeed &need : needs)
    if (!need.isMetBy(start))
      sorted.push_back(&need);
  llvm::sort(sorted, [&](auto *one, auto *other) {
    return getKey(one) < getKey(other);
  });
  std::vector<int64_t> chosen = {start};
  for (const BarrierNeed *need : sorted)
    if (!need->isMetBy(chosen.back()))
      chosen.push_back(need->getDeadline());
  llvm::sort(chosen);
  return chosen;
}

static std::vector<int64_t> chooseFewest(ArrayRef<BarrierNeed> needs) {
  std::set<int64_t> starts;
  for (const BarrierNeed &need : needs)
    starts.insert(need.getDeadline());
  std::vector<int64_t> best;
  for (int64_t start : starts) {
    std::vector<int64_t> chosen = chooseFrom(needs, start);
    if (best.empty() || std::make_pair(chosen.size(), chosen) <
                            std::make_pair(best.size(), best))
      best = std::move(chosen);
  }
  return best;
}

std::vector<int64_t> tile::chooseGaps(const BlockProgram &program,
                                      ArrayRef<BarrierNeed> needs) {
  std::vector<int64_t> gaps = chooseFewest(needs);
  auto areMet = [&] {
    return llvm::all_of(needs, [&](const BarrierNeed &need) {
      return llvm::any_of(gaps, [&](int64_t gap) { return need.isMetBy(gap); });
    });
  };
  int64_t begin = 0;
  for (int64_t &gap : gaps) {
    int64_t last = gap;
    for (gap = begin; gap < last; ++gap)
      if (isa<CopyOp>(*std::next(program.body->begin(), gap)) && areMet())
        break;
    begin = gap + 1;
  }
  return gaps;
}
