//===- WalkIterations.cpp - The iterations of a walk ----------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "WalkExpander.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

WalkNumbers::WalkNumbers(WalkOp walk) {
  OpBuilder builder(walk);
  segment = SegmentOp::create(builder, walk.getLoc(), builder.getIndexType(),
                              builder.getIndexType(), walk.getLookbackAttr());
}

Value WalkNumbers::makeConstant(int64_t value) {
  Value &known = constants[value];
  OpBuilder builder(segment);
  if (!known)
    known = arith::ConstantIndexOp::create(builder, segment.getLoc(), value);
  return known;
}

/// Erases an op, and those in its tile.where, if nobody needs them. Values that
/// are yielded have no use yet.
static void eraseUnused(Operation *op, ArrayRef<Value> yielded) {
  if (auto where = dyn_cast<WhereOp>(op))
    for (Operation &inner :
         llvm::make_early_inc_range(llvm::reverse(*where.getBodyBlock())))
      eraseUnused(&inner, yielded);
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
static bool touchesRings(Operation &op) { return anyWithin(op, isRingOp); }

/// Whether the last barrier of an iteration is for nothing if it is left out of
/// an iteration in which nothing comes behind it: what the next one writes and
/// reads, it does behind its first one.
bool WalkIterations::isLastForStores() const {
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
void WalkIterations::inlineWheres(ArrayRef<Operation *> cloned) {
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
void WalkIterations::handOn(Value made, size_t index,
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

void WalkIterations::emitBatch(Value begin, int64_t offset) {
  Block *body = walk.getBodyBlock();
  size_t cursors = walk.getCursors().size();
  SmallVector<IRMapping> planes(program.batch);
  SmallVector<Value> next = state;
  for (auto [index, mapping] : llvm::enumerate(planes)) {
    Value own = begin;
    if (int64_t behind = offset + static_cast<int64_t>(index))
      own = arith::AddIOp::create(builder, loc, begin,
                                  numbers.makeConstant(behind));
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

void WalkIterations::emit(Value number, bool stores) {
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
