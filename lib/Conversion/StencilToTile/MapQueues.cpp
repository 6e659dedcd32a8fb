//===- MapQueues.cpp - What threads keep from plane to plane --------------===//
//
// A window in registers of depth 3 and lead 1:
//
//   tile.walk ... carry(%q0 : [0,1], %q1 : [-1,0]) {
//     %n = ...                         // plane p + 1
//     %w = tile.join %q1, %q0, %n      // planes p - 1 to p + 1
//     tile.yield tile.shift %n, tile.shift %q0
//   }
//
// Partial sums of the terms %a, %b, %c at [-1, 0, 1], of a stage of lead 1: the
// number of a partial sum is that of its last term.
//
//   tile.walk ... carry(%s0 : [1,2], %s1 : [0,1]) {
//     %t0 = %a, for plane p + 2
//     %t1 = %s0 + %b, for plane p + 1
//     %t2 = %s1 + %c, for plane p: complete
//     tile.yield tile.shift %t0, tile.shift %t1
//   }
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

/// Whether a window in registers is kept as values: each thread has what its
/// own points read. Neighbours that are read in registers are read where these
/// come from.
bool PipelineMapper::isQueue(WindowOp window) const {
  if (window.getSpace() == WindowSpace::Shared ||
      !plan.isNeeded(window.getRes()))
    return false;
  if (!isa<LoadOp, WindowOp>(window.getTemp().getDefiningOp()) ||
      hasLanes(window))
    return true;
  const PlannedValue &planned = plan.get(window.getRes());
  if (!axis || planned.oldest == planned.lead)
    return false;
  for (int64_t i = 0; i < grid.getRank(); ++i)
    if (i != *axis &&
        (planned.reads.lower[i] != 0 || planned.reads.upper[i] != 0))
      return false;
  return true;
}

void PipelineMapper::findQueues() {
  if (!axis)
    return;
  for (Operation &inner : *op.getBodyBlock()) {
    if (auto window = dyn_cast<WindowOp>(inner); window && isQueue(window)) {
      const PlannedValue &planned = plan.get(window.getRes());
      MappedQueue &queue = queues[window];
      for (int64_t at = planned.lead - 1; at >= planned.oldest; --at)
        queue.types.push_back(getTileType(getElementType(window.getRes()), at));
    }
    if (auto sum = dyn_cast<AccumulateOp>(inner);
        sum && plan.isNeeded(sum.getRes())) {
      MappedQueue &queue = queues[sum];
      ArrayRef<int64_t> planes = sum.getPlanes();
      int64_t lead = plan.get(sum.getTerms().front()).lead;
      for (int64_t at = planes.front(); at < planes.back(); ++at)
        queue.types.push_back(
            getTileType(getElementType(sum.getRes()), lead - at - 1));
    }
  }
}

static Value shift(OpBuilder &builder, Location loc, Value value, Type type) {
  return tile::ShiftOp::create(builder, loc, type, value);
}

/// A stage that reads nothing but the points of the tile, where it is known.
Value PipelineMapper::copyColumn(WindowOp window) {
  Location loc = window.getLoc();
  const PlannedValue &planned = plan.get(window.getRes());
  bool isOfRing = window.getTemp().getDefiningOp<WindowOp>() != nullptr;
  Value source = getWindowSource(window, planned.lead, planned.lead);
  Type type = getTileType(getElementType(window.getRes()), planned.lead);
  OpBuilder::InsertionGuard guard(builder);
  tile::WhereOp where;
  if (!isOfRing)
    where = openWhere(loc, type, planned.needs);
  auto stage = ApplyOp::create(builder, loc, TypeRange(type), source);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToEnd(stage.getBodyBlock());
    SmallVector<int64_t> here(grid.getRank(), 0);
    Value value = AccessOp::create(builder, loc,
                                   stage.getBodyBlock()->getArgument(0), here);
    ReturnOp::create(builder, loc, value, stencil::IndexAttr());
  }
  if (!where)
    return stage.getRes().front();
  tile::YieldOp::create(builder, loc, stage.getRes());
  return where.getRes().front();
}

/// The newest plane of a window in registers, and what the next iteration has
/// of it.
void PipelineMapper::addWindow(WindowOp window) {
  if (!isQueue(window))
    return;
  Location loc = window.getLoc();
  bool isCopy = isa<LoadOp, WindowOp>(window.getTemp().getDefiningOp());
  Value newest = isCopy ? copyColumn(window) : getInput(window.getTemp());
  if (hasLanes(window))
    addLanes(window, newest);
  if (!axis) {
    values[window.getRes()] = newest;
    return;
  }
  const PlannedValue &planned = plan.get(window.getRes());
  MappedQueue &queue = queues[window];
  Value before = newest;
  for (auto [carried, type] : llvm::zip_equal(queue.carried, queue.types)) {
    queue.next.push_back(shift(builder, loc, before, type));
    before = carried;
  }
  // The planes that somebody reads, the oldest one first.
  SmallVector<Value> planes;
  for (int64_t at = planned.oldest; at <= planned.newest; ++at)
    planes.push_back(at == planned.lead ? newest
                                        : queue.carried[planned.lead - 1 - at]);
  if (planes.size() == 1) {
    values[window.getRes()] = planes.front();
    return;
  }
  auto first = cast<TempType>(planes.front().getType()).getBounds();
  SmallVector<int64_t> upper(first.getUb());
  upper[*axis] = planned.newest + 1;
  Type type = TempType::get(BoundsAttr::get(getContext(), first.getLb(), upper),
                            getElementType(window.getRes()));
  values[window.getRes()] = tile::JoinOp::create(builder, loc, type, planes);
}

/// The stage that adds a term of plane p + `lead` to a partial sum (null:
/// begins one) for the plane `plane` planes before.
Value PipelineMapper::addTerm(Location loc, Value sum, Value term, int64_t lead,
                              int64_t plane) {
  Type element = getElementType(term);
  SmallVector<Value> inputs;
  if (sum)
    inputs.push_back(sum);
  inputs.push_back(term);
  auto stage = ApplyOp::create(
      builder, loc, TypeRange(getTileType(element, lead - plane)), inputs);
  Block *body = stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<int64_t> here(grid.getRank(), 0), there = here;
  there[*axis] = plane;
  Value result =
      AccessOp::create(builder, loc, body->getArguments().back(), there);
  if (sum) {
    Value before = AccessOp::create(builder, loc, body->getArgument(0), here);
    if (isa<IntegerType, IndexType>(element))
      result = arith::AddIOp::create(builder, loc, before, result);
    else
      result = arith::AddFOp::create(builder, loc, before, result);
  }
  ReturnOp::create(builder, loc, result, stencil::IndexAttr());
  return stage.getRes().front();
}

void PipelineMapper::addSum(AccumulateOp sum) {
  Location loc = sum.getLoc();
  ArrayRef<int64_t> planes = sum.getPlanes();
  int64_t lead = plan.get(sum.getTerms().front()).lead;
  llvm::SmallDenseMap<int64_t, Value> terms;
  for (auto [term, at] : llvm::zip_equal(sum.getTerms(), planes))
    terms[at] = getInput(term);
  MappedQueue &queue = queues[sum];
  Value partial;
  for (int64_t at = planes.front(); at <= planes.back(); ++at) {
    // What the iteration before has for the same plane.
    if (at != planes.front())
      partial = queue.carried[at - planes.front() - 1];
    if (Value term = terms.lookup(at))
      partial = addTerm(loc, partial, term, lead, at);
    if (at != planes.back())
      queue.next.push_back(
          shift(builder, loc, partial, queue.types[at - planes.front()]));
  }
  values[sum.getRes()] = partial;
}
