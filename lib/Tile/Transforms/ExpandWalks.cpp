//===- ExpandWalks.cpp - Walks to loops -----------------------------------===//
//
//   tile.walk lookback 1 { ... }
//     ==> what copies bring ahead for the first iterations
//         scf.for 0 to lookback           without stores of plane p
//         scf.for lookback to whole       unrolled
//         scf.for whole to count          what is left
//
// A loop of their own for the iterations before the first plane that is stored:
// a test around the stores would let a compiler move the sums into it, and hold
// all of their terms until then. A store of a later plane than p has such a
// test: it begins and ends earlier than the others.
//
// Of a kernel with patches there are two walks, in the branches of a condition
// that all threads of a block decide alike; of one whose stages choose what
// they read next to sides, too (stencil.inner). In both, the planes next to
// sides have loops that are not unrolled, and stages in the others nothing to
// choose:
//
//         scf.for lookback to inner       by plane
//         scf.for inner to whole          unrolled, without choices
//         scf.for whole to count          by plane
//
//===----------------------------------------------------------------------===//

#include "BarrierPlan.h"
#include "EdgeBranch.h"
#include "FirstPlanes.h"
#include "InnerBodies.h"
#include "Rotation.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

namespace stencil {
#define GEN_PASS_DEF_STENCILEXPANDWALKS
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

/// The numbers of a block's iterations, in front of all of its walks.
class WalkNumbers {
public:
  explicit WalkNumbers(WalkOp walk) {
    OpBuilder builder(walk);
    segment = SegmentOp::create(builder, walk.getLoc(), builder.getIndexType(),
                                builder.getIndexType(), walk.getLookbackAttr());
  }

  Value getFirst() { return segment.getFirst(); }
  Value getCount() { return segment.getCount(); }
  Value makeConstant(int64_t value) {
    Value &known = constants[value];
    OpBuilder builder(segment);
    if (!known)
      known = arith::ConstantIndexOp::create(builder, segment.getLoc(), value);
    return known;
  }

private:
  SegmentOp segment;
  llvm::SmallDenseMap<int64_t, Value> constants;
};

/// A box in which stages choose nothing by coordinates.
struct InnerPlanes {
  /// Null: there is none.
  BoundsAttr box;
  /// The block is in it, along the axes that are not walked.
  bool isInnerBlock = false;
};

class WalkExpander {
public:
  WalkExpander(WalkOp walk, BlockProgram &program,
               const FirstPlanes &firstPlanes, int64_t unrolled,
               WalkNumbers &numbers, const InnerPlanes &inner)
      : walk(walk), program(program), firstPlanes(firstPlanes),
        unrolled(unrolled), inner(inner), builder(walk), loc(walk.getLoc()),
        numbers(numbers), first(numbers.getFirst()) {}

  void expand();

private:
  /// What is known of a ring before the first iteration.
  struct Start {
    /// So many planes are there, for the thread that has brought them.
    int64_t planes = 0;
    /// The first one that somebody reads.
    int64_t first = 0;
    /// Its wait for the newest plane, if the ring has one.
    WaitOp wait;
    bool isWaitedFor = false;
  };

  Value makeConstant(int64_t value) { return numbers.makeConstant(value); }
  Start findStart(const RingProgram &ring);
  bool isReadBefore(const RingProgram &ring, const Start &start, int64_t limit);
  int64_t findBarrier(int64_t place);
  void bringFirstPlanes();
  void emitAt(Operation *op, int64_t plane);
  bool isLastForStores() const;
  scf::ForOp emitLoop(Value begin, Value end, int64_t count, bool stores);
  void decideWithin(scf::ForOp loop, bool isInnerPlane) const;
  std::pair<Value, Value> findInnerPlanes(Value begin, Value end);
  Value findLeft(Value count);
  void emitAroundInner(Value begin, Value end);
  void emitIteration(Value number, bool stores);
  void emitBatch(Value begin, int64_t offset);
  void handOn(Value made, size_t index, MutableArrayRef<IRMapping> planes);
  void inlineWheres(ArrayRef<Operation *> cloned);

  WalkOp walk;
  BlockProgram &program;
  const FirstPlanes &firstPlanes;
  int64_t unrolled;
  InnerPlanes inner;
  OpBuilder builder;
  Location loc;
  WalkNumbers &numbers;
  Value first;
  /// Cursors and carried values, as the walk has them, of the iteration to
  /// come.
  SmallVector<Value> state;
};

} // namespace

//===----------------------------------------------------------------------===//
// Before the first iteration
//===----------------------------------------------------------------------===//

/// The first barrier behind an op of the first iteration, as a number of ops
/// from the beginning of that.
int64_t WalkExpander::findBarrier(int64_t place) {
  auto length = static_cast<int64_t>(program.body->getOperations().size());
  for (int64_t barrier : program.barriers)
    if (barrier > place)
      return barrier;
  return program.barriers.empty() ? length : length + program.barriers.front();
}

/// Whether one of the first planes is read before so many ops have passed.
bool WalkExpander::isReadBefore(const RingProgram &ring, const Start &start,
                                int64_t limit) {
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
WalkExpander::Start WalkExpander::findStart(const RingProgram &ring) {
  Start start;
  start.first = firstPlanes.lookup(RingOp(ring.ring).getRes());
  Fill fill = ring.getType().getFill();
  for (Operation &op : *program.body) {
    if (auto copy = dyn_cast<CopyOp>(op);
        copy && copy.getRing().getDefiningOp() == ring.ring &&
        fill == Fill::Threads)
      start.planes = static_cast<int64_t>(copy.getPlane());
    auto wait = dyn_cast<WaitOp>(op);
    if (!wait || wait.getRing().getDefiningOp() != ring.ring)
      continue;
    if (!start.wait || wait.getPlane() > start.wait.getPlane())
      start.wait = wait;
  }
  if (!start.wait)
    return start;
  start.planes = static_cast<int64_t>(start.wait.getPlane());
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
  int64_t limit = fill == Fill::Tma ? place : findBarrier(place);
  start.isWaitedFor =
      start.planes > start.first &&
      (fill == Fill::Delayed || isReadBefore(ring, start, limit));
  return start;
}

/// The same op in front of the walk, for another plane.
void WalkExpander::emitAt(Operation *op, int64_t plane) {
  IRMapping mapping;
  mapping.map(walk.getPlane(), first);
  for (auto [cursor, value] : llvm::zip(walk.getCursors(), state))
    mapping.map(cursor, value);
  Operation *cloned = builder.clone(*op, mapping);
  llvm::TypeSwitch<Operation *>(cloned).Case<CopyOp, WaitOp, FringeOp>(
      [&](auto op) { op.setPlane(plane); });
}

/// As if iterations with negative numbers had gone before, with the copies of
/// planes from 0 on. A delayed copy is in registers only as long as it is in
/// the loop: those iterations wait, too.
void WalkExpander::bringFirstPlanes() {
  llvm::SmallDenseMap<Value, Start> starts;
  int64_t ahead = 0;
  for (RingProgram &ring : program.rings)
    starts[ring.ring.getRes()] = findStart(ring);
  for (auto copy : program.body->getOps<CopyOp>())
    ahead = std::max(ahead, static_cast<int64_t>(copy.getPlane()) -
                                starts[copy.getRing()].first);
  for (auto halo : program.body->getOps<FringeOp>())
    ahead = std::max(ahead, halo.countAhead());
  SmallVector<std::pair<WaitOp, int64_t>> engineWaits;
  for (int64_t number = -ahead; number < 0; ++number)
    for (Operation &op : *program.body) {
      if (auto copy = dyn_cast<CopyOp>(op)) {
        int64_t plane = number + static_cast<int64_t>(copy.getPlane());
        auto type = cast<RingType>(copy.getRing().getType());
        const Start &start = starts[copy.getRing()];
        // What would be lost before the first iteration does not come: nobody
        // could wait for it in between.
        bool isLost =
            type.getFill() == Fill::Async &&
            plane + type.getSlots() < static_cast<int64_t>(copy.getPlane());
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
          emitAt(halo, number + static_cast<int64_t>(halo.getPlane()));
      } else if (auto wait = dyn_cast<WaitOp>(op)) {
        int64_t plane = number + static_cast<int64_t>(wait.getPlane());
        const Start &start = starts[wait.getRing()];
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
  int64_t barrier = findBarrier(-1);
  bool needsBarrier = llvm::any_of(program.rings, [&](RingProgram &ring) {
    const Start &start = starts[ring.ring.getRes()];
    Fill fill = ring.getType().getFill();
    return fill != Fill::Tma && fill != Fill::Stage &&
           (fill == Fill::Threads || start.isWaitedFor) &&
           isReadBefore(ring, start, barrier);
  });
  if (needsBarrier)
    BarrierOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

/// Erases an op, and those in its tile.where, if nobody needs them. Values that
/// are yielded have no use yet.
static void eraseUnused(Operation *op, ArrayRef<Value> yielded) {
  if (auto where = dyn_cast<WhereOp>(op)) {
    SmallVector<Operation *> ops;
    for (Operation &inner : where.getBodyBlock()->without_terminator())
      ops.push_back(&inner);
    for (Operation *inner : llvm::reverse(ops))
      eraseUnused(inner, yielded);
  }
  auto isYielded = [&](Value result) {
    return llvm::is_contained(yielded, result);
  };
  if (llvm::any_of(op->getResults(), isYielded))
    return;
  if (isOpTriviallyDead(op) || (isa<ApplyOp>(op) && op->use_empty()))
    op->erase();
}

/// Whether the condition of a tile.where of planes holds in every iteration
/// that stores.
static bool holdsWhereStored(WhereOp where, int64_t axis) {
  bool holds = !where->hasAttr(kWithinAttr);
  where.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto stage = dyn_cast<ApplyOp>(op);
    if (!stage)
      return WalkResult::advance();
    BoundsAttr box = stage.getDomain(), needs = *where.getNeeds();
    holds &= needs.getLb()[axis] <= box.getLb()[axis] &&
             box.getUb()[axis] <= needs.getUb()[axis];
    return WalkResult::skip();
  });
  return holds;
}

/// Puts what is in a tile.where in its place.
static void inlineWhere(WhereOp where) {
  Operation *terminator = where.getBodyBlock()->getTerminator();
  where.replaceAllUsesWith(terminator->getOperands());
  terminator->erase();
  where->getBlock()->getOperations().splice(
      where->getIterator(), where.getBodyBlock()->getOperations());
  where.erase();
}

/// Whether it is in the iterations before the first one that stores plane p,
/// too: its own plane may be stored by then.
static bool isStoredEarly(tile::StoreOp store) { return store.getLead() > 0; }

/// Whether an op, or one in it, does something that a barrier could be for.
static bool touchesRings(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return isRingOp(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the last barrier of an iteration is for nothing if it is left out of
/// an iteration in which nothing comes behind it: what the next one writes and
/// reads, it does behind its first one.
bool WalkExpander::isLastForStores() const {
  if (program.barriers.size() < 2)
    return false;
  int64_t first = program.barriers.front();
  return llvm::none_of(program.rings, [&](const RingProgram &ring) {
    return llvm::any_of(ring.events, [&](const RingEvent &event) {
      return event.access != RingAccess::Publish && event.place < first;
    });
  });
}

/// Where planes are stored, somebody needs what is computed for them.
void WalkExpander::inlineWheres(ArrayRef<Operation *> cloned) {
  int64_t axis = *walk->getParentOfType<KernelOp>().getGrid().getWalk();
  for (Operation *op : cloned)
    if (auto where = dyn_cast<WhereOp>(op);
        where && where.getIteration() && holdsWhereStored(where, axis)) {
      for (auto [result, yielded] : llvm::zip_equal(
               where.getRes(),
               where.getBodyBlock()->getTerminator()->getOperands()))
        llvm::replace(state, Value(result), yielded);
      inlineWhere(where);
    }
}

/// Gives the plane behind it what is carried of a value, as soon as that is
/// made.
void WalkExpander::handOn(Value made, size_t index,
                          MutableArrayRef<IRMapping> planes) {
  Operation *yield = walk.getBodyBlock()->getTerminator();
  for (auto [carried, yielded] :
       llvm::zip_equal(walk.getCarried(), yield->getOperands())) {
    auto shift = yielded.getDefiningOp<ShiftOp>();
    bool isShifted = shift && shift.getValues() == made;
    if (yielded != made && !isShifted)
      continue;
    if (isShifted && !planes[index].contains(yielded))
      builder.clone(*shift, planes[index]);
    if (index + 1 == planes.size())
      continue;
    planes[index + 1].map(carried, planes[index].lookup(yielded));
    handOn(carried, index + 1, planes);
  }
}

/// Several planes, from this one on, that are stored: op by op, of each op all
/// of them. What copies and waits are for comes plane by plane.
void WalkExpander::emitBatch(Value begin, int64_t offset) {
  Block *body = walk.getBodyBlock();
  size_t cursors = walk.getCursors().size();
  SmallVector<IRMapping> planes(program.batch);
  SmallVector<Value> next = state;
  for (auto [index, mapping] : llvm::enumerate(planes)) {
    Value own = begin;
    if (int64_t behind = offset + static_cast<int64_t>(index))
      own = arith::AddIOp::create(builder, loc, begin, makeConstant(behind));
    mapping.map(walk.getPlane(),
                arith::AddIOp::create(builder, loc, first, own).getResult());
    mapping.map(walk.getCursors(), ArrayRef(next).take_front(cursors));
    for (Value &cursor : MutableArrayRef(next).take_front(cursors))
      cursor = AdvanceOp::create(builder, loc, cursor.getType(), cursor);
  }
  planes.front().map(walk.getCarried(), ArrayRef(state).drop_front(cursors));
  for (BlockArgument known : walk.getCarried())
    handOn(known, 0, planes);
  SmallVector<Operation *> cloned;
  auto clone = [&](Operation &op, size_t index) {
    if (isa<ShiftOp>(op) && planes[index].contains(op.getResult(0)))
      return;
    cloned.push_back(builder.clone(op, planes[index]));
    for (Value result : op.getResults())
      handOn(result, index, planes);
  };
  auto isOfRing = [](Operation &op) { return isa<CopyOp, WaitOp>(op); };
  for (auto op = body->begin(), end = std::prev(body->end()); op != end;) {
    auto behind = std::next(op);
    if (isa<BarrierOp>(*op)) {
      clone(*op, 0);
    } else if (isOfRing(*op)) {
      while (behind != end && isOfRing(*behind) &&
             isa<CopyOp>(*behind) == isa<CopyOp>(*op))
        ++behind;
      for (size_t index = 0; index < planes.size(); ++index)
        for (Operation &inner : llvm::make_range(op, behind)) {
          auto wait = dyn_cast<WaitOp>(inner);
          bool isForAll =
              wait &&
              cast<RingType>(wait.getRing().getType()).getFill() == Fill::Async;
          // One wait is for all groups of copies until then.
          if (isForAll && index > 0)
            continue;
          clone(inner, index);
          if (isForAll)
            cast<WaitOp>(cloned.back())
                .setPlane(wait.getPlane() + program.batch - 1);
        }
    } else {
      for (size_t index = 0; index < planes.size(); ++index)
        clone(*op, index);
    }
    op = behind;
  }
  for (auto [i, yielded] :
       llvm::enumerate(body->getTerminator()->getOperands()))
    next[cursors + i] = planes.back().lookupOrDefault(yielded);
  state = std::move(next);
  inlineWheres(cloned);
}

void WalkExpander::emitIteration(Value number, bool stores) {
  Value plane = arith::AddIOp::create(builder, loc, first, number);
  IRMapping mapping;
  mapping.map(walk.getPlane(), plane);
  mapping.map(walk.getBodyBlock()->getArguments().drop_front(), state);
  SmallVector<Operation *> cloned;
  for (Operation &op : walk.getBodyBlock()->without_terminator())
    if (auto store = dyn_cast<tile::StoreOp>(op);
        stores || !store || isStoredEarly(store))
      cloned.push_back(builder.clone(op, mapping));
  SmallVector<Value> next;
  size_t cursors = walk.getCursors().size();
  for (Value cursor : ArrayRef(state).take_front(cursors))
    next.push_back(AdvanceOp::create(builder, loc, cursor.getType(), cursor));
  for (Value yielded : walk.getBodyBlock()->getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(yielded));
  state = std::move(next);
  if (stores)
    return inlineWheres(cloned);
  for (Operation *op : cloned)
    op->walk([](tile::StoreOp store) {
      if (!isStoredEarly(store))
        store.erase();
    });
  for (Operation *op : llvm::reverse(cloned))
    eraseUnused(op, state);
  if (!isLastForStores())
    return;
  for (Operation &op : llvm::reverse(*builder.getBlock())) {
    if (auto barrier = dyn_cast<BarrierOp>(op)) {
      barrier.erase();
      return;
    }
    if (touchesRings(op))
      return;
  }
}

/// Iterations from `begin` to `end`, so many at a time.
scf::ForOp WalkExpander::emitLoop(Value begin, Value end, int64_t count,
                                  bool stores) {
  auto loop =
      scf::ForOp::create(builder, loc, begin, end, makeConstant(count), state);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  state.assign(loop.getRegionIterArgs().begin(),
               loop.getRegionIterArgs().end());
  int64_t batch = count > 1 ? program.batch : 1;
  for (int64_t i = 0; i < count; i += batch) {
    Value number = loop.getInductionVar();
    if (batch > 1) {
      emitBatch(number, i);
      continue;
    }
    if (i > 0)
      number = arith::AddIOp::create(builder, loc, number, makeConstant(i));
    emitIteration(number, stores);
  }
  if (!state.empty())
    scf::YieldOp::create(builder, loc, state);
  state.assign(loop.getResults().begin(), loop.getResults().end());
  return loop;
}

/// Leaves out of the stages of a loop what they do not choose there.
void WalkExpander::decideWithin(scf::ForOp loop, bool isInnerPlane) const {
  if (!inner.box)
    return;
  GridAttr grid = walk->getParentOfType<KernelOp>().getGrid();
  GridBox box(inner.box), domain(grid.getDomain());
  GridBox known = makeOpenBox(box.lb.size());
  for (size_t along = 0; along < box.lb.size(); ++along) {
    bool isWalk = grid.getWalk() == static_cast<int64_t>(along);
    if (!(isWalk ? isInnerPlane : inner.isInnerBlock))
      continue;
    // Tiles reach beyond ends of the domain that nobody has looked at.
    if (isWalk || box.lb[along] > domain.lb[along])
      known.lb[along] = box.lb[along];
    if (isWalk || box.ub[along] < domain.ub[along])
      known.ub[along] = box.ub[along];
  }
  tile::decideWithin(loop, known);
}

/// Of these iterations, those of which all stages have a plane in the box.
std::pair<Value, Value> WalkExpander::findInnerPlanes(Value begin, Value end) {
  int64_t axis = *walk->getParentOfType<KernelOp>().getGrid().getWalk();
  int64_t least = 0, most = 0;
  walk->walk([&](ApplyOp stage) {
    int64_t lead = stage.getDomain().getLb()[axis];
    least = std::min(least, lead);
    most = std::max(most, lead);
  });
  auto clamp = [&](int64_t plane, Value from) -> Value {
    Value number =
        arith::SubIOp::create(builder, loc, numbers.makeConstant(plane), first);
    number = arith::MaxSIOp::create(builder, loc, number, from);
    return arith::MinSIOp::create(builder, loc, number, end);
  };
  Value innerBegin = clamp(inner.box.getLb()[axis] - least, begin);
  return {innerBegin, clamp(inner.box.getUb()[axis] - most, innerBegin)};
}

/// Iterations that do not fill the last round of those that are unrolled.
Value WalkExpander::findLeft(Value count) {
  return arith::RemUIOp::create(builder, loc, count, makeConstant(unrolled));
}

/// Iterations that store, with loops of their own for those that have planes
/// next to sides.
void WalkExpander::emitAroundInner(Value begin, Value end) {
  auto [innerBegin, innerEnd] = findInnerPlanes(begin, end);
  decideWithin(emitLoop(begin, innerBegin, 1, /*stores=*/true),
               /*isInnerPlane=*/false);
  Value whole = innerEnd;
  if (unrolled > 1) {
    Value length = arith::SubIOp::create(builder, loc, innerEnd, innerBegin);
    whole = arith::SubIOp::create(builder, loc, innerEnd, findLeft(length));
  }
  decideWithin(emitLoop(innerBegin, whole, unrolled, /*stores=*/true),
               /*isInnerPlane=*/true);
  decideWithin(emitLoop(whole, end, 1, /*stores=*/true),
               /*isInnerPlane=*/false);
}

void WalkExpander::expand() {
  auto lookback = static_cast<int64_t>(walk.getLookback());
  Value zero = makeConstant(0);
  for (BlockArgument cursor : walk.getCursors())
    state.push_back(CursorOp::create(builder, loc, cursor.getType(), zero));
  bringFirstPlanes();
  llvm::append_range(state, walk.getInits());
  Value begin = zero, count = numbers.getCount(), isEmpty;
  auto unlessEmpty = [&](Value number) -> Value {
    if (!isEmpty)
      isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      count, zero);
    return arith::SelectOp::create(builder, loc, isEmpty, count, number);
  };
  // A segment without planes has no iterations at all; others have more than
  // these.
  if (lookback > 0) {
    begin = unlessEmpty(makeConstant(lookback));
    decideWithin(emitLoop(zero, begin, 1, /*stores=*/false),
                 /*isInnerPlane=*/false);
  }
  if (inner.box) {
    emitAroundInner(begin, count);
  } else {
    Value whole = count;
    if (unrolled > 1) {
      Value stored = count;
      if (lookback > 0)
        stored =
            arith::SubIOp::create(builder, loc, count, makeConstant(lookback));
      whole = arith::SubIOp::create(builder, loc, count, findLeft(stored));
      if (lookback > 0)
        whole = unlessEmpty(whole);
    }
    emitLoop(begin, whole, unrolled, /*stores=*/true);
    if (unrolled > 1)
      emitLoop(whole, count, 1, /*stores=*/true);
  }
  walk->replaceAllUsesWith(ArrayRef(state).take_back(walk.getNumResults()));
  walk.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether a bound of a box is one of an open extent.
static bool isSymbolicBox(BoundsAttr box) {
  return llvm::any_of(box.getLb(), isSymbolic) ||
         llvm::any_of(box.getUb(), isSymbolic);
}

/// Whether blocks and planes in a box may have a program of their own: legs
/// have one, and several planes at a time one loop.
static bool hasInnerPlanes(GridAttr grid, const BlockProgram &program,
                           BoundsAttr box) {
  return grid.getRelay() == 1 && program.batch == 1 && !isSymbolicBox(box) &&
         !isSymbolicBox(grid.getDomain());
}

/// Whether a kernel has a walk, or patches that only some blocks need.
static bool isExpandable(KernelOp kernel) {
  return !kernel.getBodyBlock()->getOps<WalkOp>().empty() ||
         tile::hasPatches(kernel);
}

namespace {

struct ExpandWalks : stencil::impl::StencilExpandWalksBase<ExpandWalks> {
  using StencilExpandWalksBase::StencilExpandWalksBase;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    bool isChanged = false;
    for (KernelOp kernel : kernels) {
      if (!isExpandable(kernel))
        continue;
      isChanged = true;
      if (failed(expand(kernel)))
        return signalPassFailure();
    }
    // What is as it was needs no verification.
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  LogicalResult expand(KernelOp kernel) const;
  void expand(WalkOp walk, BlockProgram &program,
              const FirstPlanes &firstPlanes, WalkNumbers &numbers,
              const InnerPlanes &inner = {}) const;
  LogicalResult expandInBox(KernelOp kernel, BoundsAttr box,
                            const BlockProgram &program,
                            const FirstPlanes &firstPlanes,
                            WalkNumbers &numbers) const;
};

} // namespace

void ExpandWalks::expand(WalkOp walk, BlockProgram &program,
                         const FirstPlanes &firstPlanes, WalkNumbers &numbers,
                         const InnerPlanes &inner) const {
  SmallVector<int64_t> rotations = findRotations(walk);
  if (unrollSlots)
    for (BlockArgument cursor : walk.getCursors())
      rotations.push_back(cast<CursorType>(cursor.getType()).getSlots());
  auto asked = static_cast<int64_t>(walk.getUnroll());
  int64_t unrolled = std::lcm(countUnrolled(rotations), asked);
  if (unrolled > kMaxUnrolled && asked > 1)
    unrolled = asked;
  WalkExpander(walk, program, firstPlanes, unrolled, numbers, inner).expand();
}

/// Blocks in the box have a walk of their own.
LogicalResult ExpandWalks::expandInBox(KernelOp kernel, BoundsAttr box,
                                       const BlockProgram &program,
                                       const FirstPlanes &firstPlanes,
                                       WalkNumbers &numbers) const {
  if (box.getRank() != kernel.getGrid().getRank())
    return kernel.emitOpError("expected a box of ")
           << kernel.getGrid().getRank() << " axes as '" << kInnerAttr
           << "', got " << box;
  scf::IfOp branch = splitAtBox(kernel, box);
  SmallVector<WalkOp> walks;
  kernel.getBody().walk([&](WalkOp walk) { walks.push_back(walk); });
  for (WalkOp walk : walks) {
    auto part = BlockProgram::create(walk);
    if (failed(part))
      return failure();
    part->batch = program.batch;
    bool isInner =
        branch && branch.getElseRegion().isAncestor(walk->getParentRegion());
    expand(walk, *part, firstPlanes, numbers, {box, isInner});
  }
  kernel->removeDiscardableAttr(kInnerAttr);
  return success();
}

LogicalResult ExpandWalks::expand(KernelOp kernel) const {
  bool hasPatches = tile::hasPatches(kernel);
  SmallVector<WalkOp> walks(kernel.getBodyBlock()->getOps<WalkOp>());
  auto program = BlockProgram::create(kernel);
  if (failed(program) || failed(verifyBarriers(*program)))
    return failure();
  std::optional<WalkNumbers> numbers;
  // Those of a kernel with patches are the same in both branches.
  FirstPlanes firstPlanes;
  if (!walks.empty()) {
    numbers.emplace(walks.front());
    firstPlanes = findFirstPlanes(walks.front(), *program);
  }
  auto inner = kernel->getAttrOfType<BoundsAttr>(kInnerAttr);
  if (!hasPatches && inner && hasInnerPlanes(kernel.getGrid(), *program, inner))
    return expandInBox(kernel, inner, *program, firstPlanes, *numbers);
  if (!hasPatches) {
    expand(walks.front(), *program, firstPlanes, *numbers);
    return success();
  }
  splitAtEdge(kernel);
  walks.clear();
  kernel.getBody().walk([&](WalkOp walk) { walks.push_back(walk); });
  for (WalkOp walk : walks) {
    auto part = BlockProgram::create(walk);
    if (failed(part))
      return failure();
    // Barriers are for the walk with patches.
    part->batch = program->batch;
    if (failed(verifyBarriers(*part)))
      return failure();
    expand(walk, *part, firstPlanes, *numbers);
  }
  return success();
}
