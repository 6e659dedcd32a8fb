//===- WalkExpander.cpp - A walk to loops ---------------------------------===//

#include "WalkExpander.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

class WalkExpander {
public:
  WalkExpander(WalkOp walk, const BlockProgram &program, int64_t unrolled,
               WalkNumbers &numbers, const InnerPlanes &inner)
      : walk(walk), program(program), unrolled(unrolled), inner(inner),
        b(walk.getLoc(), walk), numbers(numbers), first(numbers.getFirst()),
        iterations(walk, program, numbers, b) {}

  void expand(const FirstPlanes &firstPlanes);

private:
  scf::ForOp emitLoop(Value begin, Value end, int64_t count, bool stores);
  void decideWithin(scf::ForOp loop, bool isInnerPlane) const;
  std::pair<Value, Value> findInnerPlanes(Value begin, Value end,
                                          bool areStored);
  Value findLeft(Value count);
  bool choosesOften() const;
  void emitLookback(Value end);
  void emitAroundInner(Value begin, Value end);

  WalkOp walk;
  const BlockProgram &program;
  int64_t unrolled;
  InnerPlanes inner;
  ImplicitLocOpBuilder b;
  WalkNumbers &numbers;
  Value first;
  WalkIterations iterations;
  SmallVector<Value> &state = iterations.state;
};

} // namespace

/// Iterations from `begin` to `end`, so many at a time.
scf::ForOp WalkExpander::emitLoop(Value begin, Value end, int64_t count,
                                  bool stores) {
  auto loop =
      scf::ForOp::create(b, begin, end, numbers.makeConstant(count), state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  state.assign(loop.getRegionIterArgs().begin(),
               loop.getRegionIterArgs().end());
  int64_t batch = count > 1 ? program.batch : 1;
  for (int64_t i = 0; i < count; i += batch) {
    Value number = loop.getInductionVar();
    if (batch > 1) {
      iterations.emitBatch(number, i);
      continue;
    }
    if (i > 0)
      number = arith::AddIOp::create(b, number, numbers.makeConstant(i));
    iterations.emit(number, stores);
  }
  if (!state.empty())
    scf::YieldOp::create(b, state);
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

/// Of these iterations, those of which all stages have a plane in the box, in
/// all legs of a relay.
std::pair<Value, Value> WalkExpander::findInnerPlanes(Value begin, Value end,
                                                      bool areStored) {
  auto kernel = walk->getParentOfType<KernelOp>();
  int64_t axis = *kernel.getGrid().getWalk();
  std::optional<int64_t> least, most;
  walk->walk([&](ApplyOp stage) {
    int64_t lead = stage.getDomain().getLb()[axis];
    least = std::min(least.value_or(lead), lead);
    most = std::max(most.value_or(lead), lead);
  });
  if (!least)
    return {begin, end};
  *most += (kernel.getGrid().getRelay() - 1) * getLag(kernel);
  auto clamp = [&](int64_t plane, Value from) -> Value {
    Value number = arith::SubIOp::create(b, numbers.makeConstant(plane), first);
    number = arith::MaxSIOp::create(b, number, from);
    return arith::MinSIOp::create(b, number, end);
  };
  int64_t innerFirst = inner.box.getLb()[axis] - *least;
  // What is ahead of the first plane that is stored is in the box by then.
  bool isInside =
      areStored && innerFirst <= kernel.getGrid().getDomain().getLb()[axis];
  Value innerBegin = isInside ? begin : clamp(innerFirst, begin);
  return {innerBegin, clamp(inner.box.getUb()[axis] - *most, innerBegin)};
}

/// Iterations that do not fill the last round of those that are unrolled.
Value WalkExpander::findLeft(Value count) {
  return arith::RemUIOp::create(b, count, numbers.makeConstant(unrolled));
}

/// Iterations that store, with loops of their own for those that have planes
/// next to sides.
void WalkExpander::emitAroundInner(Value begin, Value end) {
  auto [innerBegin, innerEnd] = findInnerPlanes(begin, end, /*areStored=*/true);
  if (innerBegin != begin)
    decideWithin(emitLoop(begin, innerBegin, 1, /*stores=*/true),
                 /*isInnerPlane=*/false);
  Value whole = innerEnd;
  if (unrolled > 1) {
    Value length = arith::SubIOp::create(b, innerEnd, innerBegin);
    whole = arith::SubIOp::create(b, innerEnd, findLeft(length));
  }
  decideWithin(emitLoop(innerBegin, whole, unrolled, /*stores=*/true),
               /*isInnerPlane=*/true);
  decideWithin(emitLoop(whole, end, 1, /*stores=*/true),
               /*isInnerPlane=*/false);
}

/// Whether legs choose much beside what they compute.
bool WalkExpander::choosesOften() const {
  if (walk->getParentOfType<KernelOp>().getGrid().getRelay() == 1)
    return false;
  int64_t operations = 0, choices = 0;
  walk->walk([&](Operation *op) {
    if (isa<arith::SelectOp>(op))
      ++choices;
    else if (isa<arith::ArithFastMathInterface>(op))
      ++operations;
  });
  // Measured: a third, of scattered sums of 5 points, and not a fifth.
  return 4 * choices > operations;
}

/// Iterations before the first plane that is stored. Where one leg follows the
/// other there are many, which most segments have in the box. Few choices are
/// faster than what another loop takes of registers.
void WalkExpander::emitLookback(Value end) {
  Value zero = numbers.makeConstant(0), innerBegin = end;
  bool isCut = inner.box && choosesOften();
  if (isCut) {
    auto [from, to] = findInnerPlanes(zero, end, /*areStored=*/false);
    // Short segments at the upper side have planes beyond the box.
    Value areAll = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, to, end);
    innerBegin = arith::SelectOp::create(b, areAll, from, end);
  }
  decideWithin(emitLoop(zero, innerBegin, 1, /*stores=*/false),
               /*isInnerPlane=*/false);
  if (isCut)
    decideWithin(emitLoop(innerBegin, end, 1, /*stores=*/false),
                 /*isInnerPlane=*/true);
}

void WalkExpander::expand(const FirstPlanes &firstPlanes) {
  int64_t lookback = walk.getLookback();
  Value zero = numbers.makeConstant(0);
  for (BlockArgument cursor : walk.getCursors())
    state.push_back(CursorOp::create(b, cursor.getType(), zero));
  bringFirstPlanes(walk, program, firstPlanes, first, state);
  llvm::append_range(state, walk.getInits());
  Value begin = zero, count = numbers.getCount(), isEmpty;
  auto unlessEmpty = [&](Value number) -> Value {
    if (!isEmpty)
      isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, count, zero);
    return arith::SelectOp::create(b, isEmpty, count, number);
  };
  // A segment without planes has no iterations at all; others have more than
  // these.
  if (lookback > 0) {
    begin = unlessEmpty(numbers.makeConstant(lookback));
    emitLookback(begin);
  }
  if (inner.box) {
    emitAroundInner(begin, count);
  } else {
    Value whole = count;
    if (unrolled > 1) {
      Value stored = count;
      if (lookback > 0)
        stored =
            arith::SubIOp::create(b, count, numbers.makeConstant(lookback));
      whole = arith::SubIOp::create(b, count, findLeft(stored));
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

void tile::expandWalk(WalkOp walk, const BlockProgram &program,
                      const FirstPlanes &firstPlanes, int64_t unrolled,
                      WalkNumbers &numbers, const InnerPlanes &inner) {
  WalkExpander(walk, program, unrolled, numbers, inner).expand(firstPlanes);
}
