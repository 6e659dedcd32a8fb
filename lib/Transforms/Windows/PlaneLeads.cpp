//===- PlaneLeads.cpp - Leads for stages that read other planes -----------===//
//
// What a window has is as far ahead as its readers ask; what a stage makes is
// in its window, and read without one, in the iteration in which it is made.
// The least leads that are no smaller than those of before are found by raising
// those that are too small, again and again.
//
//===----------------------------------------------------------------------===//

#include "PlaneLeads.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/WindowLimits.h"

using namespace mlir;
using namespace stencil;

/// As the ops' verifiers have it.
static constexpr int64_t kMaxLead = kMostStages;

static int64_t getNumber(std::optional<APInt> number) {
  return number ? number->getSExtValue() : 0;
}

PlaneLeads::PlaneLeads(PipelineOp op, const PipelinePlan &plan)
    : op(op), axis(op.getWalkAxis()), step(op.getStep()) {
  if (!axis)
    return;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!plan.isNeeded(window.getRes()))
      continue;
    const PlannedValue &planned = plan.get(window.getRes());
    Spare &spare = spares[window];
    spare.ahead = planned.lead - (planned.newest - step + 1);
    spare.behind =
        planned.oldest - (planned.lead + step - getNumber(window.getDepth()));
  }
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    stored[store] = plan.getLead(store);
}

/// Whether a value has a lead.
bool PlaneLeads::isMade(Value value) const {
  Operation *def = value.getDefiningOp();
  PipelineOp pipeline = op;
  return def && def->getBlock() == pipeline.getBodyBlock() && !isa<LoadOp>(def);
}

int64_t PlaneLeads::getLead(Value value) const {
  Operation *def = value.getDefiningOp();
  if (auto sum = dyn_cast<AccumulateOp>(def))
    return leads.lookup(sum.getTerms().front().getDefiningOp()) -
           sum.getPlanes().back();
  return leads.lookup(def);
}

void PlaneLeads::raiseTo(Value value, int64_t lead) {
  if (getLead(value) >= lead)
    return;
  isRaised = true;
  if (auto sum = value.getDefiningOp<AccumulateOp>())
    leads[sum.getTerms().front().getDefiningOp()] =
        lead + sum.getPlanes().back();
  else
    leads[value.getDefiningOp()] = lead;
}

/// Has what is read made in time.
void PlaneLeads::raiseMaker(OpOperand &use) {
  Value value = use.get();
  Operation *owner = use.getOwner();
  if (auto sum = dyn_cast<AccumulateOp>(owner)) {
    // The terms of one plane come in one iteration.
    Value first = sum.getTerms().front();
    raiseTo(value, getLead(first));
    raiseTo(first, getLead(value));
    return;
  }
  auto window = value.getDefiningOp<WindowOp>();
  if (!window) {
    // What is read in the iteration in which it is made.
    raiseTo(value, leads.lookup(owner));
    raiseTo(owner->getResult(0), getLead(value));
    return;
  }
  auto found = reads.find(&use);
  if (isa<ApplyOp>(owner) && found == reads.end())
    return; // What no result depends on is not read.
  int64_t ahead = spares.lookup(window).ahead;
  int64_t newest = isa<ApplyOp>(owner) ? found->second.second : 0;
  raiseTo(value, leads.lookup(owner) + newest + ahead);
}

void PlaneLeads::findReads() {
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>()) {
    Footprint footprint(stage);
    footprint.forEachRead([&](const InputRead &read) {
      for (auto [i, along] : llvm::enumerate(read.axes)) {
        if (along != *axis)
          continue;
        OpOperand &use = stage->getOpOperand(read.input.getArgNumber());
        auto [known, isNew] =
            reads.try_emplace(&use, read.lower[i], read.upper[i]);
        Planes &planes = known->second;
        planes.first = std::min(planes.first, read.lower[i]);
        planes.second = std::max(planes.second, read.upper[i]);
      }
    });
  }
}

/// The planes down to the oldest one that is read.
LogicalResult PlaneLeads::setDepth(WindowOp window) {
  std::optional<int64_t> oldest;
  for (OpOperand &use : window.getRes().getUses()) {
    Operation *owner = use.getOwner();
    int64_t plane =
        isa<StoreOp>(owner) ? stored.lookup(owner) : leads.lookup(owner);
    if (isa<ApplyOp>(owner)) {
      auto found = reads.find(&use);
      if (found == reads.end())
        continue;
      plane += found->second.first;
    }
    oldest = std::min(oldest.value_or(plane), plane);
  }
  if (!oldest)
    return success();
  int64_t lead = leads.lookup(window);
  int64_t depth = std::max<int64_t>(step, lead + step - *oldest +
                                              spares.lookup(window).behind);
  if (window.getGroupNumber() && depth != 1)
    return window.emitOpError("expected no group for a boundary that is made "
                              "of several planes, got 'group ")
           << *window.getGroupNumber() << '\'';
  Builder make(window);
  window.setLeadAttr(make.getIndexAttr(lead));
  window.setDepthAttr(make.getIndexAttr(depth));
  if (depth <= kMostStages)
    return success();
  return window.emitOpError("expected a boundary for which it keeps at most ")
         << kMostStages << " planes, got " << depth;
}

LogicalResult PlaneLeads::raise() {
  if (!axis)
    return success();
  for (Operation &inner : *op.getBodyBlock()) {
    if (auto stage = dyn_cast<ApplyOp>(inner)) {
      StageAttr known = StageAttr::of(stage);
      leads[stage] = known ? known.getLead() : 0;
    } else if (auto window = dyn_cast<WindowOp>(inner)) {
      leads[window] = getNumber(window.getLead());
    }
  }
  findReads();
  do {
    isRaised = false;
    for (Operation &inner : llvm::reverse(*op.getBodyBlock()))
      for (OpOperand &operand : inner.getOpOperands())
        if (!isa<StoreOp>(inner) && isMade(operand.get()))
          raiseMaker(operand);
    for (auto &[inner, lead] : leads)
      if (lead > kMaxLead)
        return inner->emitOpError("expected a boundary that is made of planes "
                                  "at most ")
               << kMaxLead << " ahead of those that are read";
  } while (isRaised);
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    StageAttr::give(stage, leads.lookup(stage));
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (failed(setDepth(window)))
      return failure();
  return success();
}
