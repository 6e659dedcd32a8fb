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
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// Whether the shared window that a window copies does not have any more what
/// is read of the copy.
bool PipelineMapper::isLost(WindowOp window) const {
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  if (!shared || isRelay())
    return false;
  if (shared.getGroupNumber())
    return true;
  return axis &&
         plan.get(window.getRes()).oldest <=
             plan.get(shared.getRes()).lead - shared.getDepth()->getSExtValue();
}

/// Whether a window in registers is kept as values: each thread has what its
/// own points read. Other neighbours that are read in registers are read where
/// these come from.
bool PipelineMapper::isQueue(WindowOp window) const {
  if (window.getSpace() == Space::Shared || !plan.isNeeded(window.getRes()))
    return false;
  if (!isa<LoadOp, WindowOp>(window.getTemp().getDefiningOp()) ||
      hasLanes(window) || isLost(window))
    return true;
  const PlannedValue &planned = plan.get(window.getRes());
  return axis && planned.oldest != planned.lead && !isBesideTile(planned.reads);
}

/// Offsets in the plane at which a window is read.
SmallVector<SmallVector<int64_t>>
PipelineMapper::listOffsets(WindowOp window) const {
  SmallVector<int64_t> here(grid.getRank(), 0);
  if (hasLanes(window) || !isBesideTile(plan.get(window.getRes()).reads))
    return {here};
  std::set<std::vector<int64_t>> found;
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!stage) {
      found.emplace(here.begin(), here.end());
      continue;
    }
    if (plan.getNeeds(stage).isEmpty())
      continue;
    BlockArgument input =
        stage.getBodyBlock()->getArgument(use.getOperandNumber());
    for (Operation *user : input.getUsers()) {
      ArrayRef<int64_t> at = cast<AccessOp>(user).getOffset().getValues();
      std::vector<int64_t> offset(at.begin(), at.end());
      if (axis)
        offset[*axis] = 0;
      found.insert(std::move(offset));
    }
  }
  SmallVector<SmallVector<int64_t>> offsets;
  for (const std::vector<int64_t> &offset : found)
    offsets.emplace_back(offset.begin(), offset.end());
  return offsets;
}

/// That neighbours which a thread keeps are read one by one.
static LogicalResult checkNeighbours(WindowOp window,
                                     const PipelinePlan &plan) {
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!stage || plan.getNeeds(stage).isEmpty())
      continue;
    BlockArgument input =
        stage.getBodyBlock()->getArgument(use.getOperandNumber());
    for (Operation *user : input.getUsers())
      if (!isa<AccessOp>(user))
        return user->emitOpError(
            "has no lowering here; run stencil-expand-weighted-sums");
  }
  return success();
}

/// Whether neighbours are read of what a stage makes that no thread gives.
bool PipelineMapper::isReadBeyond(WindowOp window) const {
  if (isRelay() || !isOfStage(window))
    return false;
  const OffsetBox &reads = plan.get(window.getRes()).reads;
  for (int64_t i = 0; i < grid.getRank(); ++i) {
    bool isGiven =
        axis == i ||
        (hasLanes(window) && (i + 1 == grid.getRank() || window.exchanges(i)));
    if (!isGiven && (reads.lower[i] != 0 || reads.upper[i] != 0))
      return true;
  }
  return false;
}

LogicalResult PipelineMapper::findQueues() {
  for (Operation &inner : *op.getBodyBlock()) {
    if (auto window = dyn_cast<WindowOp>(inner); window && isQueue(window)) {
      if (isReadBeyond(window))
        return window.emitOpError("has no lowering here: neighbours are read "
                                  "that other threads have; run "
                                  "stencil-share-neighbours");
      if (!hasLanes(window) && isBesideTile(plan.get(window.getRes()).reads) &&
          failed(checkNeighbours(window, plan)))
        return failure();
      const PlannedValue &planned = plan.get(window.getRes());
      MappedQueue &queue = queues[window];
      queue.offsets = listOffsets(window);
      for (int64_t at = planned.lead - 1; axis && at >= planned.oldest; --at)
        queue.types.push_back(
            getHeldType(window, getElementType(window.getRes()), at));
    }
    if (auto sum = dyn_cast<AccumulateOp>(inner);
        sum && plan.isNeeded(sum.getRes())) {
      MappedQueue &queue = queues[sum];
      queue.offsets.emplace_back(op.getRank(), 0);
      ArrayRef<int64_t> planes = sum.getPlanes();
      int64_t lead = plan.get(sum.getTerms().front()).lead;
      for (int64_t at = planes.front(); at < planes.back(); ++at)
        queue.types.push_back(
            getHeldType(sum, getElementType(sum.getRes()), lead - at - 1));
    }
  }
  return success();
}

static Value shift(OpBuilder &builder, Location loc, Value value, Type type) {
  return tile::ShiftOp::create(builder, loc, type, value);
}

/// A stage that reads nothing but single points, one for each result.
ApplyOp PipelineMapper::makeCopy(Location loc, Value source, Type type,
                                 ArrayRef<SmallVector<int64_t>> offsets) {
  auto stage = ApplyOp::create(builder, loc,
                               SmallVector<Type>(offsets.size(), type), source);
  OpBuilder::InsertionGuard inner(builder);
  builder.setInsertionPointToEnd(stage.getBodyBlock());
  SmallVector<Value> read;
  for (ArrayRef<int64_t> offset : offsets)
    read.push_back(AccessOp::create(
        builder, loc, stage.getBodyBlock()->getArgument(0), offset));
  ReturnOp::create(builder, loc, read, stencil::IndexAttr());
  return stage;
}

/// What a thread's own points read of the newest plane, where it is known.
SmallVector<Value> PipelineMapper::copyColumns(WindowOp window) {
  const PlannedValue &planned = plan.get(window.getRes());
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  Value source = getWindowSource(window, planned.lead, planned.lead);
  Type type =
      getHeldType(window, getElementType(window.getRes()), planned.lead);
  ArrayRef<SmallVector<int64_t>> offsets = queues[window].offsets;
  return makeWhere(
      window.getLoc(), SmallVector<Type>(offsets.size(), type),
      getGuard(planned), !shared, findPlanesOf(window), [&]() -> ValueRange {
        ApplyOp copy = makeCopy(window.getLoc(), source, type, offsets);
        setLayout(window, copy);
        return copy.getRes();
      });
}

/// The planes of a queue that somebody reads, the oldest one first, as one
/// value.
Value PipelineMapper::joinPlanes(WindowOp window, ArrayRef<Value> planes) {
  if (planes.size() == 1)
    return planes.front();
  const PlannedValue &planned = plan.get(window.getRes());
  auto first = cast<TempType>(planes.front().getType()).getBounds();
  SmallVector<int64_t> upper(first.getUb());
  upper[*axis] = planned.newest + 1;
  Type type = TempType::get(BoundsAttr::get(getContext(), first.getLb(), upper),
                            getElementType(window.getRes()));
  return tile::JoinOp::create(builder, window.getLoc(), type, planes);
}

/// What readers have of a window at one of its offsets, and the next iteration.
void PipelineMapper::keep(WindowOp window, MappedQueue &queue, size_t number,
                          Value newest) {
  const PlannedValue &planned = plan.get(window.getRes());
  bool isHere =
      llvm::all_of(queue.offsets[number], [](int64_t at) { return at == 0; });
  size_t count = queue.types.size();
  auto carried = ArrayRef(queue.carried).slice(number * count, count);
  Value before = newest;
  for (auto [value, type] : llvm::zip_equal(carried, queue.types)) {
    queue.next.push_back(shift(builder, window.getLoc(), before, type));
    before = value;
  }
  SmallVector<Value> planes;
  if (axis) {
    for (int64_t at = planned.oldest; at <= planned.newest; ++at)
      planes.push_back(at == planned.lead ? newest
                                          : carried[planned.lead - 1 - at]);
    if (int64_t lead = getStoredPlane(window);
        isHere && planned.oldest <= lead && lead <= planned.newest)
      stored[window] = planes[lead - planned.oldest];
  } else {
    planes.push_back(newest);
    if (isHere)
      stored[window] = newest;
  }
  Value joined = joinPlanes(window, planes);
  if (queue.hasNeighbours())
    neighbours[window].push_back(joined);
  else
    values[window.getRes()] = joined;
}

/// What a stage has made, as far as the window has it: all, or the tile.
Value PipelineMapper::takeHeld(WindowOp window) {
  Value made = getInput(window.getTemp());
  int64_t lead = axis ? plan.get(window.getRes()).lead : 0;
  Type type = getHeldType(window, getElementType(window.getRes()), lead);
  if (made.getType() == type || !hasLanes(window))
    return made;
  SmallVector<SmallVector<int64_t>> here = {
      SmallVector<int64_t>(grid.getRank(), 0)};
  return makeCopy(window.getLoc(), made, type, here).getRes().front();
}

/// The newest plane of a window in registers, and what the next iteration has
/// of it.
void PipelineMapper::addWindow(WindowOp window) {
  if (auto *ring = rings.find(window); ring != rings.end()) {
    if (!ring->second.load)
      put(window, ring->second, getInput(window.getTemp()));
    return;
  }
  if (!isQueue(window))
    return;
  bool isCopy = isa<LoadOp, WindowOp>(window.getTemp().getDefiningOp());
  SmallVector<Value> newest;
  if (isCopy && isRelay())
    newest.push_back(takePlane(window));
  else if (isCopy)
    newest = copyColumns(window);
  else
    newest.push_back(takeHeld(window));
  if (auto *ring = exchanges.find(window); ring != exchanges.end())
    put(window, ring->second, newest.front());
  if (hasLanes(window)) {
    const MappedQueue &queue = queues[window];
    int64_t lead = axis ? plan.get(window.getRes()).lead : 0;
    addLanes(window, lead, newest.front());
    for (auto [number, values] : llvm::enumerate(queue.carried))
      addLanes(window, lead - 1 - static_cast<int64_t>(number), values);
  }
  for (auto [number, value] : llvm::enumerate(newest))
    keep(window, queues[window], number, value);
}

/// The stage that adds a term of plane p + `lead` to a partial sum (null:
/// begins one) for the plane `plane` planes before.
Value PipelineMapper::addTerm(AccumulateOp sum, Value partial, Value term,
                              int64_t lead, int64_t plane) {
  Location loc = sum.getLoc();
  Type element = getElementType(term);
  SmallVector<Value> inputs;
  if (partial)
    inputs.push_back(partial);
  inputs.push_back(term);
  auto stage = ApplyOp::create(
      builder, loc, TypeRange(getHeldType(sum, element, lead - plane)), inputs);
  setLayout(sum, stage);
  Block *body = stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<int64_t> here(grid.getRank(), 0), there = here;
  there[*axis] = plane;
  Value result =
      AccessOp::create(builder, loc, body->getArguments().back(), there);
  if (partial) {
    Value before = AccessOp::create(builder, loc, body->getArgument(0), here);
    if (isa<IntegerType, IndexType>(element))
      result = arith::AddIOp::create(builder, loc, before, result);
    else
      result = arith::AddFOp::create(builder, loc, before, result);
  }
  ReturnOp::create(builder, loc, result, stencil::IndexAttr());
  return stage.getRes().front();
}

/// The first summand of a sum of a body: `(a + b) + c` begins with a.
static OpOperand *findFirstSummand(Value sum) {
  OpOperand *first = nullptr;
  while (auto add = sum.getDefiningOp<arith::AddFOp>()) {
    if (first && !sum.hasOneUse())
      break;
    first = &add->getOpOperand(0);
    sum = first->get();
  }
  return first;
}

/// As addTerm, of a sum in any order: the partial sum is the first summand of
/// the term, so that each product is added as it is made, and no term is held.
/// Null if the term is not made by a stage here.
Value PipelineMapper::fuseTerm(AccumulateOp sum, Value partial, Value term,
                               int64_t lead, int64_t plane) {
  auto made = term.getDefiningOp<ApplyOp>();
  Type element = getElementType(term);
  if (!sum->hasAttr(kAnyOrderAttr) || !made || !isa<FloatType>(element) ||
      layouts.contains(sum))
    return {};
  Location loc = sum.getLoc();
  SmallVector<Value> inputs(made.getArgs());
  if (partial)
    inputs.push_back(partial);
  // In the coordinates of the stage: plane p + lead.
  auto stage = ApplyOp::create(
      builder, loc, TypeRange(getTileType(element, lead - plane)), inputs);
  Block *body = stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  auto arguments = body->getArguments().take_front(made.getArgs().size());
  mapping.map(made.getBodyBlock()->getArguments(), arguments);
  for (Operation &inner : made.getBodyBlock()->without_terminator())
    builder.clone(inner, mapping);
  // A stage is computed at the points of its results: its reads are moved.
  for (AccessOp access : body->getOps<AccessOp>()) {
    SmallVector<int64_t> offset(access.getOffset().getValues());
    offset[*axis] += plane;
    access.setOffsetAttr(stencil::IndexAttr::get(getContext(), offset));
  }
  Value result =
      mapping.lookupOrDefault(made.getBodyBlock()->getTerminator()->getOperand(
          cast<OpResult>(term).getResultNumber()));
  if (partial) {
    SmallVector<int64_t> here(grid.getRank(), 0);
    OpOperand *first = findFirstSummand(result);
    if (first)
      builder.setInsertionPoint(first->getOwner());
    Value before =
        AccessOp::create(builder, loc, body->getArguments().back(), here);
    Value added = arith::AddFOp::create(builder, loc, before,
                                        first ? first->get() : result);
    if (first)
      first->set(added);
    else
      result = added;
  }
  builder.setInsertionPointToEnd(body);
  ReturnOp::create(builder, loc, result, stencil::IndexAttr());
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
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
    if (Value term = terms.lookup(at)) {
      Value fused = fuseTerm(sum, partial, term, lead, at);
      partial = fused ? fused : addTerm(sum, partial, term, lead, at);
    }
    if (at != planes.back())
      queue.next.push_back(
          shift(builder, loc, partial, queue.types[at - planes.front()]));
  }
  values[sum.getRes()] = partial;
  llvm::SmallSetVector<Operation *, 2> fused;
  for (auto &[at, term] : terms)
    if (auto made = term.getDefiningOp<ApplyOp>(); made && made.use_empty())
      fused.insert(made);
  for (Operation *made : fused)
    made->erase();
}
