//===- PipelinePlan.cpp - What the windows of a pipeline hold -------------===//

#include "StencilDialect/IR/PipelinePlan.h"
#include "BodyOps.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Boxes of offsets
//===----------------------------------------------------------------------===//

OffsetBox OffsetBox::zero(int64_t rank) {
  OffsetBox box;
  box.lower.assign(rank, 0);
  box.upper.assign(rank, 0);
  return box;
}

OffsetBox OffsetBox::ofRead(const InputRead &read, int64_t rank) {
  OffsetBox box = zero(rank);
  for (auto [i, along] : llvm::enumerate(read.axes)) {
    box.lower[along] = read.lower[i];
    box.upper[along] = read.upper[i];
  }
  return box;
}

OffsetBox OffsetBox::ofBounds(BoundsAttr bounds) {
  OffsetBox box;
  llvm::append_range(box.lower, bounds.getLb());
  for (int64_t end : bounds.getUb())
    box.upper.push_back(end - 1);
  return box;
}

BoundsAttr OffsetBox::toBounds(MLIRContext *context) const {
  SmallVector<int64_t> end(upper.begin(), upper.end());
  for (int64_t &along : end)
    ++along;
  return BoundsAttr::get(context, lower, end);
}

void OffsetBox::join(const OffsetBox &other) {
  if (isEmpty()) {
    *this = other;
    return;
  }
  if (other.isEmpty())
    return;
  for (auto [a, b] : llvm::zip_equal(lower, other.lower))
    a = std::min(a, b);
  for (auto [a, b] : llvm::zip_equal(upper, other.upper))
    a = std::max(a, b);
}

OffsetBox OffsetBox::shifted(const OffsetBox &by) const {
  if (isEmpty() || by.isEmpty())
    return {};
  OffsetBox result = *this;
  for (auto [a, b] : llvm::zip_equal(result.lower, by.lower))
    a += b;
  for (auto [a, b] : llvm::zip_equal(result.upper, by.upper))
    a += b;
  return result;
}

bool OffsetBox::isZero() const {
  return stencil::isZero(lower) && stencil::isZero(upper);
}

//===----------------------------------------------------------------------===//
// Leads
//===----------------------------------------------------------------------===//

static int64_t getStageLead(ApplyOp stage) {
  auto attr = StageAttr::of(stage);
  return attr ? attr.getLead() : 0;
}

int64_t PipelinePlan::getLead(ApplyOp stage) const {
  return getStageLead(stage);
}

/// The lead of a value that is not a load.
static int64_t findLead(Value value) {
  Operation *def = value.getDefiningOp();
  return llvm::TypeSwitch<Operation *, int64_t>(def)
      .Case([](ApplyOp stage) { return getStageLead(stage); })
      .Case([](WindowOp window) {
        return static_cast<int64_t>(
            window.getLead().value_or(APInt(64, 0)).getSExtValue());
      })
      .Case([](AccumulateOp sum) {
        auto stage = sum.getTerms().front().getDefiningOp<ApplyOp>();
        return getStageLead(stage) - sum.getPlanes().back();
      })
      .Default([](Operation *) { return int64_t(0); });
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

static int64_t getDepth(WindowOp window) {
  return window.getDepth().value_or(APInt(64, 1)).getSExtValue();
}

/// Checks that what is read has been made and is still kept.
LogicalResult PipelinePlan::checkRead(Operation *reader, Value value,
                                      int64_t lead, const OffsetBox &reads) {
  Operation *def = value.getDefiningOp();
  auto fail = [&](const Twine &message) -> InFlightDiagnostic {
    return withNote(reader->emitOpError(message), def->getLoc(),
                    "what it reads is made here");
  };
  auto window = dyn_cast<WindowOp>(def);
  if (!window && !reads.isZero())
    return fail("expected a result of a stage to be read at offset zero; a "
                "window in between keeps what other offsets read");
  if (!axis)
    return success();
  int64_t made = findLead(value);
  int64_t newest = lead + reads.upper[*axis];
  int64_t oldest = lead + reads.lower[*axis];
  if (!window && newest != made)
    return fail("expected the lead of the stage that makes what it reads, ")
           << made << ", got " << newest;
  if (newest > made)
    return fail("reads ahead of its producer: plane p + ")
           << newest << ", of which there is p + " << made;
  // The last of the planes that an iteration handles.
  int64_t last = made + step - 1;
  if (int64_t depth = window ? getDepth(window) : step; oldest <= last - depth)
    return fail("reads plane p + ")
           << oldest << ", which a window of depth " << depth << " and lead "
           << made << " has lost: the oldest one is p + " << last - depth + 1;
  return success();
}

/// Checks that what is needed of a load, on these axes of the pipeline, is in
/// its field.
LogicalResult PipelinePlan::checkInField(Operation *reader, LoadOp load,
                                         ArrayRef<int64_t> axes,
                                         const OffsetBox &needs) {
  auto type = cast<GridType>(load.getField().getType());
  BoundsAttr bounds = type.getBounds(), domain = op.getDomain();
  for (auto [i, along] : llvm::enumerate(axes)) {
    int64_t first = domain.getLb()[along] + needs.lower[along];
    int64_t end = domain.getUb()[along] + needs.upper[along];
    if (first >= bounds.getLb()[i] && end <= bounds.getUb()[i])
      continue;
    InFlightDiagnostic diag = emitBeyond(reader, first, end, i, type);
    diag.attachNote(op.getLoc())
        << "for what is stored on " << domain << " here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

OffsetBox stencil::getHaloReach(BoundsAttr domain, BoundsAttr box,
                                const OffsetBox &needs) {
  OffsetBox reach = OffsetBox::zero(domain.getRank());
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    int64_t first = domain.getLb()[axis] + needs.lower[axis];
    int64_t end = domain.getUb()[axis] + needs.upper[axis];
    reach.lower[axis] = std::max<int64_t>(0, box.getLb()[axis] - first);
    reach.upper[axis] = std::max<int64_t>(0, end - box.getUb()[axis]);
  }
  return reach;
}

BoundsAttr stencil::getWithin(WindowOp window) {
  return window->getAttrOfType<BoundsAttr>(kWithinAttr);
}

OffsetBox PipelinePlan::getReach(WindowOp window) const {
  return getHaloReach(domain, *window.getBounds(), get(window.getRes()).needs);
}

/// Checks that what the conditions read of a load is in its field, and that
/// there is as much of it as they need.
LogicalResult PipelinePlan::checkBoundary(WindowOp window, LoadOp load,
                                          const OffsetBox &needs) {
  BoundsAttr box = *window.getBounds();
  auto type = cast<GridType>(load.getField().getType());
  if (!type.getBounds().contains(box))
    return window.emitOpError("expected the box ")
           << box << " to lie in the field " << Type(type);
  OffsetBox reach = getHaloReach(domain, box, needs);
  bool keeps = false;
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    for (bool upper : {false, true}) {
      int64_t halo = upper ? reach.upper[axis] : reach.lower[axis];
      if (isSymbolic(halo))
        return window.emitOpError("expected a halo of constant width on axis ")
               << axis;
      Attribute condition = window.getCondition(axis, upper);
      keeps |= halo > 0 && getHaloRule(condition).isKept();
      if (failed(verifyInterior(window, box, axis, condition, halo)))
        return failure();
    }
  // Corners of a halo that is kept are kept where the field has them.
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, box.getRank()));
  return keeps ? checkInField(window, load, axes, needs) : success();
}

OffsetBox stencil::clipNeeds(const OffsetBox &needs, const OffsetBox &reach) {
  OffsetBox clipped = needs;
  for (size_t axis = 0; axis < needs.lower.size(); ++axis)
    if (reach.lower[axis] > 0 || reach.upper[axis] > 0)
      clipped.lower[axis] = clipped.upper[axis] = 0;
  return clipped;
}

/// Whether readers reach beyond a box along an axis; then it has the ends of
/// the box of the stores.
FailureOr<bool> PipelinePlan::checkEnds(WindowOp window, BoundsAttr box,
                                        const OffsetBox &reach, int64_t along) {
  if (isSymbolic(reach.lower[along]) || isSymbolic(reach.upper[along]))
    return window.emitOpError("expected a halo of constant width on axis ")
           << along;
  if (reach.lower[along] == 0 && reach.upper[along] == 0)
    return false;
  if (box.getLb()[along] != domain.getLb()[along] ||
      box.getUb()[along] != domain.getUb()[along])
    return window.emitOpError("expected the ends of the box of the stores, ")
           << domain << ", on axis " << along
           << ", where its readers reach beyond the box, got " << box;
  return true;
}

LogicalResult PipelinePlan::checkWithin(WindowOp window, BoundsAttr box,
                                        const OffsetBox &needs) {
  OffsetBox reach = getHaloReach(domain, box, needs);
  for (int64_t along = 0; along < box.getRank(); ++along)
    if (failed(checkEnds(window, box, reach, along)))
      return failure();
  return success();
}

/// Checks that what the conditions read of a stage is within the box of the
/// stores, and that there is as much of it as they need.
LogicalResult PipelinePlan::checkStageBoundary(WindowOp window,
                                               const OffsetBox &needs) {
  BoundsAttr box = *window.getBounds();
  OffsetBox reach = getHaloReach(domain, box, needs), kept = needs;
  bool keeps = false;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    FailureOr<bool> isBeyond = checkEnds(window, box, reach, axis);
    if (failed(isBeyond))
      return failure();
    if (!*isBeyond)
      continue;
    // A condition may take a corner from what is kept next to any point.
    kept.lower[axis] = std::min<int64_t>(kept.lower[axis], 0);
    kept.upper[axis] = std::max<int64_t>(kept.upper[axis], 0);
    for (bool upper : {false, true}) {
      int64_t halo = upper ? reach.upper[axis] : reach.lower[axis];
      Attribute condition = window.getCondition(axis, upper);
      HaloRule rule = getHaloRule(condition);
      keeps |= halo > 0 && rule.isKept();
      if (failed(verifyInterior(window, box, axis, condition, halo)))
        return failure();
    }
  }
  if (!keeps)
    return success();
  if (!window.getKeep())
    return window.emitOpError("expected a load for 'keep', of whose values it "
                              "has those outside of the box");
  auto load = window.getKeep().getDefiningOp<LoadOp>();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, box.getRank()));
  OffsetBox here = OffsetBox::zero(box.getRank());
  return success(succeeded(checkInField(window, load, axes, kept)) &&
                 succeeded(read(window, load, 0, here, kept, kept, kept)));
}

LogicalResult PipelinePlan::read(Operation *reader, Value value, int64_t lead,
                                 const OffsetBox &reads, const OffsetBox &needs,
                                 const OffsetBox &span, const OffsetBox &held) {
  if (!value.getDefiningOp<LoadOp>() &&
      failed(checkRead(reader, value, lead, reads)))
    return failure();
  PlannedValue &planned = values[value];
  int64_t newest = axis ? lead + reads.upper[*axis] + step - 1 : 0;
  int64_t oldest = axis ? lead + reads.lower[*axis] : 0;
  if (planned.reads.isEmpty()) {
    planned.newest = newest;
    planned.oldest = oldest;
  }
  planned.newest = std::max(planned.newest, newest);
  planned.oldest = std::min(planned.oldest, oldest);
  planned.reads.join(reads);
  planned.needs.join(needs);
  planned.span.join(span);
  planned.held.join(held);
  return success();
}

/// Makes the pipeline begin early enough for work that is ahead by `lead`.
void PipelinePlan::addWork(int64_t lead, const OffsetBox &span) {
  if (axis && !span.isEmpty())
    lookback = std::max(lookback, lead - span.lower[*axis]);
}

//===----------------------------------------------------------------------===//
// Ops, from the last to the first
//===----------------------------------------------------------------------===//

/// Plane p, if there is a choice: that is stored in all iterations behind the
/// lookback.
int64_t PipelinePlan::getLead(StoreOp store) const {
  Value stored = store.getTemp();
  int64_t newest = findLead(stored), oldest = newest;
  if (auto window = stored.getDefiningOp<WindowOp>(); window && axis)
    oldest = newest + step - getDepth(window);
  return std::clamp<int64_t>(0, std::min(oldest, newest), newest);
}

LogicalResult PipelinePlan::visit(StoreOp store) {
  OffsetBox here = OffsetBox::zero(op.getRank());
  int64_t lead = getLead(store);
  if (lead < 0)
    return store.emitOpError("expected no negative lead of what is stored, "
                             "got ")
           << lead << ": a walk ends with the last plane that is stored";
  return read(store, store.getTemp(), lead, here, here, here, here);
}

LogicalResult PipelinePlan::visit(ApplyOp stage) {
  OffsetBox needs, span, held = OffsetBox::zero(op.getRank());
  for (Value result : stage.getRes()) {
    needs.join(values[result].needs);
    span.join(values[result].span);
    held.join(values[result].held);
  }
  stages[stage] = needs;
  spans[stage] = span;
  heldStages[stage] = held;
  if (needs.isEmpty())
    return success(); // Nobody reads it: it is not run.
  int64_t lead = getStageLead(stage);
  addWork(lead, span);
  llvm::MapVector<Value, OffsetBox> reads;
  Footprint footprint(stage);
  LogicalResult result = success();
  footprint.forEachRead([&](const InputRead &read) {
    if (failed(result))
      return;
    Value value = stage.getInput(read.input);
    auto load = value.getDefiningOp<LoadOp>();
    OffsetBox box = OffsetBox::ofRead(read, op.getRank());
    if (load)
      result = checkInField(read.op, load, read.axes, needs.shifted(box));
    else if (readsComputedPoints(read.op))
      result = read.op->emitOpError(
          "expected to read a load: a window is not read at computed "
          "coordinates");
    else if (static_cast<int64_t>(read.axes.size()) != op.getRank())
      result = read.op->emitOpError("expected an input of all axes: a window "
                                    "has them");
    reads[value].join(box);
  });
  if (failed(result))
    return failure();
  for (auto &[value, box] : reads)
    if (failed(read(stage, value, lead, box, needs.shifted(box),
                    span.shifted(box), held.shifted(box))))
      return failure();
  return success();
}

LogicalResult PipelinePlan::visit(WindowOp window) {
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  // A block keeps all that it computes of a stage.
  if (window.isOfStage() && isNeeded(window.getRes())) {
    OffsetBox &held = values[window.getRes()].held;
    held.join(OffsetBox::zero(op.getRank()));
    // What threads of a row have from each other, none holds besides.
    for (int64_t i = 0; i < op.getRank(); ++i)
      if (window.exchanges(i) ||
          (window.getSpace() == Space::Shuffle && i + 1 == op.getRank()))
        held.lower[i] = held.upper[i] = 0;
  }
  PlannedValue planned = values[window.getRes()];
  if (planned.needs.isEmpty())
    return success();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, op.getRank()));
  if (load && failed(window.hasBoundary()
                         ? checkBoundary(window, load, planned.needs)
                         : checkInField(window, load, axes, planned.needs)))
    return failure();
  if (!load && window.hasBoundary()) {
    if (failed(checkStageBoundary(window, planned.needs)))
      return failure();
    planned.needs = clipNeeds(planned.needs, getReach(window));
  }
  if (BoundsAttr box = getWithin(window)) {
    if (failed(checkWithin(window, box, planned.needs)))
      return failure();
    planned.needs =
        clipNeeds(planned.needs, getHaloReach(domain, box, planned.needs));
  }
  int64_t lead = findLead(window.getRes());
  // What is fetched is not needed before somebody reads it.
  addWork(load ? planned.newest - step + 1 : lead, planned.span);
  OffsetBox reads = OffsetBox::zero(op.getRank());
  // It copies what its readers access, of one plane.
  if (!window.isOfStage()) {
    reads = planned.reads;
    if (axis)
      reads.lower[*axis] = reads.upper[*axis] = 0;
  }
  return read(window, window.getTemp(), lead, reads, planned.needs,
              planned.span, planned.held);
}

LogicalResult PipelinePlan::visit(AccumulateOp sum) {
  PlannedValue planned = values[sum.getRes()];
  if (planned.needs.isEmpty())
    return success();
  int64_t lead = getStageLead(sum.getTerms().front().getDefiningOp<ApplyOp>());
  for (auto [term, plane] : llvm::zip_equal(sum.getTerms(), sum.getPlanes())) {
    OffsetBox shift = OffsetBox::zero(op.getRank());
    OffsetBox here = shift;
    shift.lower[*axis] = shift.upper[*axis] = plane;
    if (failed(read(sum, term, lead, here, planned.needs.shifted(shift),
                    planned.span.shifted(shift), planned.held)))
      return failure();
  }
  return success();
}

FailureOr<PipelinePlan> PipelinePlan::create(PipelineOp op) {
  PipelinePlan plan(op);
  for (Operation &inner : llvm::reverse(*op.getBodyBlock())) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&inner)
            .Case<StoreOp, ApplyOp, WindowOp, AccumulateOp>(
                [&](auto known) { return plan.visit(known); })
            .Default([](Operation *) { return success(); });
    if (failed(result))
      return failure();
  }
  plan.lookback = llvm::alignTo(plan.lookback, plan.step);
  for (auto &[value, planned] : plan.values) {
    planned.value = value;
    planned.lead = findLead(value);
  }
  return plan;
}
