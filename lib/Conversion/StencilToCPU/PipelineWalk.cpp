//===- PipelineWalk.cpp - How a CPU goes through a pipeline ---------------===//

#include "PipelineWalk.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

static bool isLoadWithBoundary(WindowOp window) {
  return window && window.hasBoundary() && window.isOfLoad();
}

Value stencil::getSource(Value value) {
  for (auto window = value.getDefiningOp<WindowOp>();
       window && !isLoadWithBoundary(window);
       window = value.getDefiningOp<WindowOp>())
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
  auto check = [&](Value value, Operation *reader) -> LogicalResult {
    auto load = value.getDefiningOp<LoadOp>();
    for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
      if (load && store.getField() == load.getField())
        return withNote(
            store.emitOpError(
                "has no CPU lowering: expected another field than one that is "
                "read at other points"),
            reader->getLoc(), "it is read here");
    return success();
  };
  for (const PlannedStage &stage : stages) {
    LogicalResult result = success();
    ApplyOp apply = stage.op;
    if (!apply) {
      WindowOp window = stage.results.front().boundary;
      result = check(window.getTemp(), window);
    } else {
      Footprint(apply).forEachRead([&](const InputRead &read) {
        if (!read.isPointwise(domain.getRank()) || !stage.needs.isZero())
          result = success(
              succeeded(result) &&
              succeeded(check(getSource(apply.getInput(read.input)), read.op)));
      });
    }
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

/// What is around the box is in the memory of the result, or of a copy of the
/// load, itself: there is one boundary, and who reads a result without it does
/// so within the box (separateBoundaries).
static LogicalResult setBoundary(StageResult &result, WindowOp window,
                                 const PipelinePlan &plan) {
  OffsetBox reach = plan.getReach(window);
  if (reach.isZero() && !window.isOfLoad())
    return success();
  BoundsAttr box = *window.getBounds(), domain = plan.getDomain();
  result.boundary = window;
  result.reach.join(reach);
  result.ends = OffsetBox::zero(domain.getRank());
  for (int64_t axis = 0; axis < domain.getRank(); ++axis) {
    bool isReached = reach.lower[axis] > 0 || reach.upper[axis] > 0;
    if (isReached && result.repeats(axis) && !window.isOfLoad())
      return window.emitOpError(
                 "has no CPU lowering: a periodic boundary of what a stage "
                 "makes, on axis ")
             << axis << "; run stencil-wrap-stages";
    if (result.hasHalo(axis, /*upper=*/false))
      result.ends.lower[axis] = box.getLb()[axis] - domain.getLb()[axis];
    if (result.hasHalo(axis, /*upper=*/true))
      result.ends.upper[axis] = box.getUb()[axis] - domain.getUb()[axis];
  }
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
      box.upper[axis] = std::max(box.upper[axis],
                                 result.ends.lower[axis] + count - 1 + before);
    if (int64_t count = result.countSources(axis, /*upper=*/true))
      box.lower[axis] = std::min(box.lower[axis],
                                 result.ends.upper[axis] + 1 - count - after);
  }
  return box;
}

/// Where a load is copied: within its box, or where that repeats.
static OffsetBox getLimits(const StageResult &result,
                           const PipelinePlan &plan) {
  OffsetBox limits = plan.get(result.value).needs;
  for (size_t axis = 0; axis < limits.lower.size(); ++axis) {
    if (result.hasHalo(axis, /*upper=*/false))
      limits.lower[axis] = result.ends.lower[axis];
    if (result.hasHalo(axis, /*upper=*/true))
      limits.upper[axis] = result.ends.upper[axis];
  }
  return limits;
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
    StageResult &result = results[getSource(window.getRes())];
    result.value = getSource(window.getRes());
    if (failed(setBoundary(result, window, *windows)))
      return failure();
  }
  for (Operation &inner : llvm::reverse(*op.getBodyBlock())) {
    if (auto store = dyn_cast<StoreOp>(inner))
      results[getSource(store.getTemp())].stores.push_back(store);
    auto apply = dyn_cast<ApplyOp>(inner);
    if (!apply && !isLoadWithBoundary(dyn_cast<WindowOp>(inner)))
      continue;
    PlannedStage stage;
    stage.op = apply;
    bool isNeeded = false;
    for (Value value : inner.getResults()) {
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
    stage.limits = apply ? windows->getNeeds(apply)
                         : getLimits(results[inner.getResult(0)], *windows);
    for (Value value : inner.getResults()) {
      StageResult &result = results[value];
      result.planes =
          stage.lead - result.oldest + static_cast<int64_t>(op.getStep());
      stage.results.push_back(result);
    }
    auto addRead = [&](const InputRead &read) {
      Value value = getSource(apply.getInput(read.input));
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
    };
    if (apply)
      Footprint(apply).forEachRead(addRead);
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
