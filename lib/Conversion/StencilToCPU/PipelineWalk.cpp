//===- PipelineWalk.cpp - How a CPU goes through a pipeline ---------------===//

#include "PipelineWalk.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

Value stencil::getSource(Value value) {
  while (auto window = value.getDefiningOp<WindowOp>())
    value = window.getTemp();
  return value;
}

int64_t PipelineWalk::getHalo(int64_t along) const {
  int64_t halo = 0;
  for (const PlannedStage &stage : stages)
    halo =
        std::max({halo, -stage.needs.lower[along], stage.needs.upper[along]});
  return halo;
}

/// What has no form on a CPU.
static LogicalResult checkOps(PipelineOp op) {
  for (Operation &inner : *op.getBodyBlock()) {
    if (auto window = dyn_cast<WindowOp>(inner);
        window && window.hasBoundary() && window.isOfLoad())
      return window.emitOpError(
          "has no CPU lowering: expected no 'boundary' of a load, but "
          "stencil.boundary before the pipeline");
    if (auto window = dyn_cast<WindowOp>(inner); window && getWithin(window))
      return window.emitOpError("has no CPU lowering: expected a boundary "
                                "instead of '")
             << kWithinAttr << '\'';
  }
  return success();
}

/// What is read of a field is what was there before, although tiles that are
/// stored earlier are read around others.
LogicalResult PipelineWalk::checkFields(PipelineOp op) const {
  for (const PlannedStage &stage : stages) {
    LogicalResult result = success();
    ApplyOp apply = stage.op;
    Footprint(apply).forEachRead([&](const InputRead &read) {
      Value value = getSource(apply.getArgs()[read.input.getArgNumber()]);
      auto load = value.getDefiningOp<LoadOp>();
      if (!load || failed(result))
        return;
      bool isHere = read.isPointwise(domain.getRank()) && stage.needs.isZero();
      for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
        if (store.getField() == load.getField() && !isHere) {
          InFlightDiagnostic diag = store.emitOpError(
              "has no CPU lowering: expected another field than one that is "
              "read at other points");
          diag.attachNote(read.op->getLoc()) << "it is read here";
          result = diag;
          return;
        }
    });
    if (failed(result))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

int64_t StageResult::countSources(int64_t axis, bool upper) const {
  if (!hasHalo(axis, upper))
    return 0;
  // What is made of nothing is made with the first point.
  return std::max<int64_t>(
      1, getRule(axis, upper).countSources(getReach(axis, upper)));
}

/// What is around the box is in the memory of the result itself: there is one
/// boundary, and who reads the result without it does so within the box.
static LogicalResult setBoundary(StageResult &result, WindowOp window,
                                 const PipelinePlan &plan) {
  OffsetBox reach = plan.getReach(window);
  if (reach.isZero())
    return success();
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    if ((reach.lower[axis] > 0 || reach.upper[axis] > 0) &&
        getHaloRule(window.getCondition(axis, /*upper=*/false)).wraps())
      return window.emitOpError("has no CPU lowering: expected another "
                                "condition than ")
             << window.getCondition(axis, /*upper=*/false) << " on axis "
             << axis
             << ": what a stage makes at the other end is not there in time";
  WindowOp other = result.boundary;
  if (other && (window.getBounds() != other.getBounds() ||
                window.getConditions() != other.getConditions() ||
                window.getKeep() != other.getKeep())) {
    InFlightDiagnostic diag =
        window.emitOpError("has no CPU lowering: expected the boundary of "
                           "another window of the same value");
    diag.attachNote(other.getLoc()) << "the other one is here";
    return diag;
  }
  const OffsetBox &needs = plan.get(result.value).needs;
  for (size_t axis = 0; axis < reach.lower.size(); ++axis)
    if ((reach.lower[axis] > 0 || reach.upper[axis] > 0) &&
        (needs.lower[axis] != 0 || needs.upper[axis] != 0))
      return window.emitOpError("has no CPU lowering: expected nobody to read "
                                "the same value beyond the box without the "
                                "boundary, on axis ")
             << axis;
  result.boundary = window;
  result.reach.join(reach);
  return success();
}

/// What a reader needs of a result around its points: what it reads, and what
/// the halo is made of that it may read. The reader itself is computed as far
/// as `limits` beyond the box.
static OffsetBox addSources(const OffsetBox &reads, const StageResult &result,
                            const OffsetBox &limits) {
  OffsetBox box = reads;
  for (size_t axis = 0; axis < box.lower.size(); ++axis) {
    int64_t before = std::max<int64_t>(0, -limits.lower[axis]);
    int64_t after = std::max<int64_t>(0, limits.upper[axis]);
    if (int64_t count = result.countSources(axis, /*upper=*/false))
      box.upper[axis] = std::max(box.upper[axis], count - 1 + before);
    if (int64_t count = result.countSources(axis, /*upper=*/true))
      box.lower[axis] = std::min(box.lower[axis], 1 - count - after);
  }
  return box;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

LogicalResult PipelineWalk::plan(PipelineOp op) {
  FailureOr<PipelinePlan> windows = PipelinePlan::create(op);
  if (failed(windows))
    return failure();
  llvm::MapVector<Value, StageResult> results;
  OffsetBox here = OffsetBox::zero(domain.getRank());
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!window.hasBoundary() || !windows->isNeeded(window.getRes()))
      continue;
    StageResult &result = results[window.getTemp()];
    result.value = window.getTemp();
    if (failed(setBoundary(result, window, *windows)))
      return failure();
  }
  for (Operation &inner : llvm::reverse(*op.getBodyBlock())) {
    if (auto store = dyn_cast<StoreOp>(inner))
      results[getSource(store.getTemp())].stores.push_back(store);
    auto apply = dyn_cast<ApplyOp>(inner);
    if (!apply)
      continue;
    PlannedStage stage;
    stage.op = apply;
    bool isNeeded = false;
    for (Value value : apply.getRes()) {
      StageResult &result = results[value];
      result.value = value;
      isNeeded |= result.isKept() || !result.stores.empty();
      stage.needs.join(result.needs);
      if (!result.stores.empty())
        stage.needs.join(here);
      stage.lead = std::max(stage.lead, result.newest);
    }
    if (!isNeeded)
      continue;
    stage.limits = windows->getNeeds(apply);
    for (Value value : apply.getRes()) {
      StageResult &result = results[value];
      result.planes =
          stage.lead - result.oldest + static_cast<int64_t>(op.getStep());
      stage.results.push_back(result);
    }
    Footprint(apply).forEachRead([&](const InputRead &read) {
      Value value = getSource(apply.getArgs()[read.input.getArgNumber()]);
      if (value.getDefiningOp<LoadOp>())
        return;
      OffsetBox box = OffsetBox::ofRead(read, domain.getRank());
      auto [known, isNew] = results.try_emplace(value);
      StageResult &result = known->second;
      box = addSources(box, result, stage.limits);
      int64_t newest = axis ? stage.lead + box.upper[*axis] : 0;
      int64_t oldest = axis ? stage.lead + box.lower[*axis] : 0;
      result.oldest =
          result.isKept() ? std::min(result.oldest, oldest) : oldest;
      result.newest = std::max(result.newest, newest);
      result.needs.join(stage.needs.shifted(box));
    });
    stages.push_back(std::move(stage));
  }
  std::reverse(stages.begin(), stages.end());
  return checkFields(op);
}

FailureOr<PipelineWalk> PipelineWalk::create(PipelineOp op) {
  PipelineWalk walk(op);
  if (failed(checkOps(op)) || failed(walk.plan(op)))
    return failure();
  return walk;
}
