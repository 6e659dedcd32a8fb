//===- WrappedValues.cpp - Values of a pipeline in a repeated box ---------===//
//
// A value repeats along an axis if v(c) is v(wrap(c)) for all c: a window of a
// load with a periodic boundary, and what follows from such values alone. Of
// these, nothing is to be done but to compute them beyond the box. Of others,
// v(wrap(c) + s) is a value of its own for each s:
//
//   of a load,   a window of it, periodic around the box that lies s further,
//                or, if it has not all axes, a copy with a halo;
//   of a stage,  its body, where what does not repeat is read so: with the
//                offsets at which it is read added to s. What does, is read at
//                these offsets. Its coordinates are those of wrap(c) + s.
//
// So a chain of stages has as many copies of its first one as there are sums of
// offsets of the others: a few, of stars and in rows.
//
//===----------------------------------------------------------------------===//

#include "WrappedValues.h"
#include "Bodies/BodyPruning.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "Sums/SumBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace stencil;
using llvm::SmallBitVector;

/// Stages, windows and sums beside those that the pipeline has.
static constexpr size_t kMostCopies = 256;

//===----------------------------------------------------------------------===//
// What is wrapped
//===----------------------------------------------------------------------===//

SmallBitVector stencil::findWrappedAxes(WindowOp window,
                                        const PipelinePlan &plan) {
  SmallBitVector axes(plan.getDomain().getRank());
  if (!window.hasBoundary() || window.isOfLoad() ||
      !plan.isNeeded(window.getRes()))
    return axes;
  OffsetBox reach = plan.getReach(window);
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    axes[axis] =
        (reach.lower[axis] > 0 || reach.upper[axis] > 0) &&
        getHaloRule(window.getCondition(axis, /*upper=*/false)).wraps();
  return axes;
}

WrappedValues::WrappedValues(PipelineOp op, ArrayRef<WindowOp> targets,
                             const PipelinePlan &plan, PlaneLeads &leads)
    : op(op), targets(targets), target(targets.front()), plan(plan),
      leads(leads), inputs(op, plan), domain(plan.getDomain()),
      reach(OffsetBox::zero(domain.getRank())),
      axes(findWrappedAxes(target, plan)), repeated(plan, axes),
      profiles(op, plan, axes, reach) {
  for (WindowOp window : targets) {
    OffsetBox beyond = plan.getReach(window);
    for (unsigned axis = 0; axis < axes.size(); ++axis) {
      reach.lower[axis] = std::max(reach.lower[axis], beyond.lower[axis]);
      reach.upper[axis] = std::max(reach.upper[axis], beyond.upper[axis]);
    }
  }
}

/// The part of a shift that a value does not have by itself.
WrappedValues::Shift WrappedValues::getShift(Value value,
                                             ArrayRef<int64_t> at) {
  SmallBitVector known = repeated.find(value);
  Shift shift(axes.size(), 0);
  for (unsigned axis : axes.set_bits())
    if (!known[axis])
      shift[axis] = at[axis];
  return shift;
}

//===----------------------------------------------------------------------===//
// Loads and windows
//===----------------------------------------------------------------------===//

LogicalResult WrappedValues::fail(Operation *at, const Twine &reason) {
  return withNote(
      target.emitOpError("has no lowering here: what a stage makes around a "
                         "periodic box is computed there, ")
          << reason,
      at->getLoc(), "it reads this");
}

template <typename Op> Op WrappedValues::add(Op made) {
  created.insert(made);
  return made;
}

/// A window may be wrapped if, along this axis, nobody reads what is beyond its
/// own box.
LogicalResult WrappedValues::checkWindow(WindowOp window, int64_t axis) {
  if (getWithin(window))
    return fail(window, "but it reads a window that has no values beyond its "
                        "box");
  if (!window.hasBoundary())
    return success();
  if (repeated.keepsOthers(window, 0))
    return fail(window, "but it reads what a side keeps, which does not repeat "
                        "along axis " +
                            Twine(axis));
  if (repeated.isReached(window, axis))
    return fail(window, "but along axis " + Twine(axis) +
                            ", it reads beyond another boundary");
  return success();
}

/// `window` is that of the load, if it has one.
FailureOr<Value> WrappedValues::wrapLoad(LoadOp load, WindowOp window,
                                         const Shift &shift) {
  Value value = window ? window.getRes() : load.getRes();
  SmallBitVector known = repeated.find(value);
  const OffsetBox &needs = plan.get(value).needs;
  SmallVector<int64_t> lower, upper;
  SmallVector<Attribute> conditions;
  MLIRContext *context = op.getContext();
  auto periodic = PeriodicAttr::get(context);
  for (int64_t axis = 0, rank = axes.size(); axis < rank; ++axis) {
    bool isShifted = axes[axis] && !known[axis];
    if (isShifted && window && failed(checkWindow(window, axis)))
      return failure();
    int64_t first = domain.getLb()[axis], end = domain.getUb()[axis];
    if (isShifted) {
      lower.push_back(first + shift[axis]);
      upper.push_back(end + shift[axis]);
      conditions.append(2, periodic);
    } else if (window && window.hasBoundary()) {
      lower.push_back(window.getBounds()->getLb()[axis]);
      upper.push_back(window.getBounds()->getUb()[axis]);
      for (bool isUpper : {false, true})
        conditions.push_back(window.getCondition(axis, isUpper));
    } else {
      // Nobody reads beyond what was read of it.
      lower.push_back(first + needs.lower[axis]);
      upper.push_back(end + needs.upper[axis]);
      conditions.append(2, KeepAttr::get(context));
    }
  }
  OpBuilder builder(context);
  builder.setInsertionPointAfter(window ? window.getOperation() : load);
  // As many planes as are read, once that is known.
  std::optional<int64_t> depth, lead;
  if (op.getWalkAxis()) {
    depth = op.getStep();
    lead = 0;
  }
  bool isShared = window && window.getSpace() == Space::Shared;
  auto made = add(
      WindowOp::create(builder, value.getLoc(), load, Space::Shared, depth,
                       lead, isShared ? window.getPrefetch() : Prefetch::None));
  made.setBoundary(BoundsAttr::get(context, lower, upper),
                   builder.getArrayAttr(conditions));
  if (isShared)
    leads.keepAhead(made, window);
  ++numLoads;
  return made.getRes();
}

/// Of what a stage makes, or a copy of such a window.
FailureOr<Value> WrappedValues::wrapWindow(WindowOp window,
                                           const Shift &shift) {
  SmallBitVector known = repeated.find(window.getRes());
  for (unsigned axis : axes.set_bits())
    if (!known[axis] && failed(checkWindow(window, axis)))
      return failure();
  FailureOr<Value> from =
      wrap(window.getTemp(), getShift(window.getTemp(), shift));
  if (failed(from))
    return failure();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(window);
  auto copy = add(cast<WindowOp>(builder.clone(*window)));
  copy.getTempMutable().assign(*from);
  leads.keepAhead(copy, window);
  if (!window.hasBoundary())
    return copy.getRes();
  // Along the axes, it is there as far as anybody reads it.
  SmallVector<int64_t> lower(window.getBounds()->getLb());
  SmallVector<int64_t> upper(window.getBounds()->getUb());
  SmallVector<Attribute> conditions(window.getConditions()->getValue());
  for (unsigned axis : axes.set_bits()) {
    if (known[axis])
      continue;
    lower[axis] = domain.getLb()[axis] - reach.lower[axis];
    upper[axis] = domain.getUb()[axis] + reach.upper[axis];
    conditions[2 * axis] = conditions[2 * axis + 1] =
        KeepAttr::get(op.getContext());
  }
  copy.setBoundary(BoundsAttr::get(op.getContext(), lower, upper),
                   builder.getArrayAttr(conditions));
  copy.getKeepMutable().clear();
  return copy.getRes();
}

/// Along a wrapped walk, the planes that it adds are at the same point: a stage
/// adds them, in the same order.
FailureOr<Value> WrappedValues::wrapSum(AccumulateOp sum, const Shift &shift) {
  int64_t walk = *op.getWalkAxis();
  bool adds = axes[walk] && !repeated.find(sum.getRes())[walk];
  SmallVector<Value> terms;
  for (auto [term, plane] : llvm::zip_equal(sum.getTerms(), sum.getPlanes())) {
    Shift at = shift;
    if (adds)
      at[walk] += plane;
    FailureOr<Value> wrapped = wrap(term, getShift(term, at));
    if (failed(wrapped))
      return failure();
    terms.push_back(*wrapped);
  }
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(sum);
  if (!adds) {
    auto copy = add(cast<AccumulateOp>(builder.clone(*sum)));
    copy.getTermsMutable().assign(terms);
    return copy.getRes();
  }
  auto first = sum.getTerms().front().getDefiningOp<ApplyOp>();
  auto stage = add(
      ApplyOp::create(builder, sum.getLoc(), sum.getRes().getType(), terms));
  stage->setDiscardableAttr(StageAttr::kAttrName, StageAttr::of(first));
  Block *body = stage.getBodyBlock();
  builder.setInsertionPointToStart(body);
  SumArithmetic math(builder, sum.getLoc(), getElementType(sum.getRes()),
                     arith::FastMathFlags::none);
  Value total;
  for (BlockArgument term : body->getArguments()) {
    Value value = AccessOp::create(builder, sum.getLoc(), term);
    total = total ? math.add(total, value) : value;
  }
  stencil::ReturnOp::create(builder, sum.getLoc(), total);
  return stage.getRes().front();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// wrap(c) along an axis: as many steps by the extent as the reach may take. A
/// remainder would be a division, which may fail.
Value WrappedValues::makeCoordinate(ApplyOp copy, int64_t axis) {
  auto builder =
      ImplicitLocOpBuilder::atBlockBegin(copy.getLoc(), copy.getBodyBlock());
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, number);
  };
  int64_t first = domain.getLb()[axis], end = domain.getUb()[axis];
  bool isKnown = isSymbolic(first) == isSymbolic(end);
  Value extent;
  if (isSymbolic(first) || isSymbolic(end))
    extent = copy.addInput(inputs.getExtent(axis), copy.getLoc());
  auto getBound = [&](int64_t bound) -> Value {
    if (!isSymbolic(bound))
      return getConstant(bound);
    return arith::AddIOp::create(builder, extent,
                                 getConstant(symbolicOffset(bound)));
  };
  Value lb = getBound(first), ub = getBound(end);
  Value n = isKnown ? getConstant(end - first)
                    : arith::SubIOp::create(builder, ub, lb).getResult();
  Value at = stencil::IndexOp::create(builder, axis,
                                      SmallVector<int64_t>(axes.size(), 0));
  auto step = [&](arith::CmpIPredicate predicate, Value bound, Value moved) {
    Value isBeyond = arith::CmpIOp::create(builder, predicate, at, bound);
    at = arith::SelectOp::create(builder, isBeyond, moved, at);
  };
  auto countSteps = [&](int64_t points) {
    return isKnown ? (points + end - first - 1) / (end - first) : points;
  };
  for (int64_t i = 0; i < countSteps(reach.lower[axis]); ++i)
    step(arith::CmpIPredicate::slt, lb, arith::AddIOp::create(builder, at, n));
  for (int64_t i = 0; i < countSteps(reach.upper[axis]); ++i)
    step(arith::CmpIPredicate::sge, ub, arith::SubIOp::create(builder, at, n));
  return at;
}

void WrappedValues::read(AccessOp access, ApplyOp copy, Value from,
                         ArrayRef<int64_t> at) {
  access.getTempMutable().assign(copy.getOrAddInput(from, access.getLoc()));
  access.setOffsetAttr(stencil::IndexAttr::get(op.getContext(), at));
}

LogicalResult WrappedValues::wrapAccess(AccessOp access, ApplyOp copy,
                                        ApplyOp stage, const Shift &shift) {
  Value value = stage.getInput(access.getTemp());
  SmallVector<int64_t> own = access.getAxes();
  SmallVector<int64_t> at(access.getOffset().getValues());
  if (own.size() != axes.size()) {
    if (llvm::none_of(own, [&](int64_t axis) { return axes[axis]; }))
      return success();
    auto load = value.getDefiningOp<LoadOp>();
    for (auto [i, axis] : llvm::enumerate(own)) {
      at[i] += shift[axis];
      // A bound of a field is from the extent of its own axis of that number.
      if (static_cast<int64_t>(i) != axis &&
          (isSymbolic(domain.getLb()[axis]) ||
           isSymbolic(domain.getUb()[axis])))
        return fail(load, "but it reads a field that has not all axes, of an "
                          "extent that is not known");
    }
    read(access, copy, profiles.get(load, stage, own, at),
         SmallVector<int64_t>(own.size(), 0));
    return success();
  }
  for (unsigned axis : axes.set_bits())
    at[axis] += shift[axis];
  Shift moved = getShift(value, at);
  FailureOr<Value> from = wrap(value, moved);
  if (failed(from))
    return failure();
  // The window of a load is periodic around the box that it is read in.
  if (!lookThroughWindows(*from).getDefiningOp<LoadOp>())
    for (unsigned axis : axes.set_bits())
      at[axis] -= moved[axis];
  read(access, copy, *from, at);
  return success();
}

LogicalResult WrappedValues::wrapBody(ApplyOp copy, ApplyOp stage,
                                      const Shift &shift) {
  if (failed(expandWeightedSums(copy)))
    return failure();
  // What nobody uses is not read.
  eraseUnusedOps(copy.getRegion());
  SmallVector<AccessOp> accesses;
  SmallVector<stencil::IndexOp> coordinates;
  auto note = [&](Operation *inner) -> LogicalResult {
    if (auto access = dyn_cast<AccessOp>(inner)) {
      accesses.push_back(access);
    } else if (auto index = dyn_cast<stencil::IndexOp>(inner)) {
      if (axes[index.getDim().getSExtValue()])
        coordinates.push_back(index);
    } else if (isa<PlacedOpInterface>(inner)) {
      return fail(inner, "but it reads what is not next to its points");
    }
    return success();
  };
  if (failed(checkWithin(*copy.getBodyBlock(), note)))
    return failure();
  for (AccessOp access : accesses)
    if (failed(wrapAccess(access, copy, stage, shift)))
      return failure();
  DenseMap<int64_t, Value> known;
  for (stencil::IndexOp index : coordinates) {
    int64_t axis = index.getDim().getSExtValue();
    Value &coordinate = known[axis];
    if (!coordinate)
      coordinate = makeCoordinate(copy, axis);
    OpBuilder builder(index);
    int64_t moved = index.getOffset().getValues()[axis] + shift[axis];
    Value at = coordinate;
    if (moved != 0)
      at = arith::AddIOp::create(
          builder, index.getLoc(), at,
          arith::ConstantIndexOp::create(builder, index.getLoc(), moved));
    index.getIdx().replaceAllUsesWith(at);
    index.erase();
  }
  dropUnusedOperands(copy);
  return success();
}

FailureOr<Value> WrappedValues::wrapStage(OpResult result, const Shift &shift) {
  auto stage = cast<ApplyOp>(result.getOwner());
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(stage);
  auto copy = add(cast<ApplyOp>(builder.clone(*stage)));
  if (failed(wrapBody(copy, stage, shift)))
    return failure();
  return copy->getResult(result.getResultNumber());
}

FailureOr<Value> WrappedValues::wrap(Value value, const Shift &shift) {
  if (repeated.find(value) == axes)
    return value;
  Operation *def = value.getDefiningOp();
  if (auto window = dyn_cast<WindowOp>(def))
    if (auto from = window.getTemp().getDefiningOp<WindowOp>();
        from && from.isOfLoad())
      return wrap(from.getRes(), shift);
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto known = made.find({def, shift}); known != made.end())
    return known->second->getResult(number);
  if (made.size() >= kMostCopies) {
    (void)fail(def, "with at most " + Twine(kMostCopies) +
                        " values at other offsets");
    return failure();
  }
  FailureOr<Value> result = failure();
  if (auto load = dyn_cast<LoadOp>(def)) {
    result = wrapLoad(load, {}, shift);
  } else if (auto window = dyn_cast<WindowOp>(def)) {
    auto load = window.getTemp().getDefiningOp<LoadOp>();
    result = load ? wrapLoad(load, window, shift) : wrapWindow(window, shift);
  } else if (auto sum = dyn_cast<AccumulateOp>(def)) {
    result = wrapSum(sum, shift);
  } else {
    result = wrapStage(cast<OpResult>(value), shift);
  }
  if (failed(result))
    return failure();
  Operation *copy = result->getDefiningOp();
  made[{def, shift}] = copy;
  // Windows may be read at other offsets.
  if (isZero(shift) && def->hasTrait<StageLike>())
    for (auto [before, after] :
         llvm::zip_equal(def->getResults(), copy->getResults()))
      same.push_back({before, after});
  return result;
}

FailureOr<Value> WrappedValues::run() {
  // What is kept is wrapped along the axes of conditions that come later.
  for (WindowOp window : targets)
    for (int64_t before = 0; before < axes.find_last(); ++before)
      for (bool upper : {false, true})
        if (repeated.isReached(window, before, upper) &&
            getHaloRule(window.getCondition(before, upper)).isKept())
          return window.emitOpError("has no lowering here: expected no side "
                                    "that keeps what does not repeat, on axis ")
                 << before << ", before a periodic one, axis "
                 << axes.find_last();
  return wrap(target.getTemp(), Shift(axes.size(), 0));
}
