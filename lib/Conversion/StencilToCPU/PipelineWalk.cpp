//===- PipelineWalk.cpp - How a CPU goes through a pipeline ---------------===//

#include "PipelineWalk.h"
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
    if (isa<AccumulateOp>(inner))
      return inner.emitOpError("has no CPU lowering: partial sums of planes "
                               "are for the registers of a GPU's threads");
    if (auto window = dyn_cast<WindowOp>(inner); window && window.hasBoundary())
      return window.emitOpError("has no CPU lowering: expected no 'boundary', "
                                "but stencil.boundary before the pipeline");
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

LogicalResult PipelineWalk::plan(PipelineOp op) {
  llvm::MapVector<Value, StageResult> results;
  OffsetBox here = OffsetBox::zero(domain.getRank());
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
    for (Value value : apply.getRes()) {
      StageResult &result = results[value];
      result.planes = stage.lead - result.oldest + 1;
      stage.results.push_back(result);
    }
    Footprint(apply).forEachRead([&](const InputRead &read) {
      Value value = getSource(apply.getArgs()[read.input.getArgNumber()]);
      if (value.getDefiningOp<LoadOp>())
        return;
      OffsetBox box = here;
      for (auto [i, along] : llvm::enumerate(read.axes)) {
        box.lower[along] = read.lower[i];
        box.upper[along] = read.upper[i];
      }
      auto [known, isNew] = results.try_emplace(value);
      StageResult &result = known->second;
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
