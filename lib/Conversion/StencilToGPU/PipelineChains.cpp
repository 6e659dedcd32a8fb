//===- PipelineChains.cpp - Stages whose values other threads read --------===//
//
// When stages are computed, and where: a stage that feeds a shared window is
// computed in the tile and around it, as far as later stages read. Who reads
// planes of earlier iterations needs no barrier but the one that each iteration
// begins with; who reads those of this iteration begins a phase, with a barrier
// of its own.
//
//===----------------------------------------------------------------------===//

#include "PipelineKernel.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace stencil;

bool PipelineKernel::isOfStage(WindowOp window) {
  return !isa<WindowOp, LoadOp>(window.getTemp().getDefiningOp());
}

/// What a pipeline may say and kernels cannot do yet.
LogicalResult PipelineKernel::checkStages() {
  for (Operation &inner : *op.getBodyBlock()) {
    // Blocks run in any order: what one stores, no other may read.
    if (auto load = dyn_cast<LoadOp>(inner); load && plan.isNeeded(load) &&
                                             context.isStored(load) &&
                                             !plan.get(load).needs.isZero())
      return load.emitOpError("has no lowering: neighbours are read of a field "
                              "that the pipeline stores to");
    auto window = dyn_cast<WindowOp>(inner);
    if (window && window.hasBoundary() &&
        context.isStored(window.getTemp().getDefiningOp<LoadOp>()))
      return window.emitOpError("has no lowering: a boundary of a field that "
                                "the pipeline stores to");
    if (window && window.getSpace() == WindowSpace::Shuffle && isWork(window))
      return window.emitOpError("has no lowering: a shuffle window of what a "
                                "stage makes");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Phases: what happens between barriers
//===----------------------------------------------------------------------===//

/// What is computed point by point, ahead of the final stages.
bool PipelineKernel::isWork(Operation *inner) const {
  if (inner->use_empty() || finals.contains(inner))
    return false;
  if (auto window = dyn_cast<WindowOp>(inner))
    return isOfStage(window);
  return isa<ApplyOp, AccumulateOp>(inner);
}

/// The oldest and the newest plane that an op reads of one of its operands,
/// counted from that of the iteration.
std::pair<int64_t, int64_t> PipelineKernel::findPlanes(Operation *reader,
                                                       unsigned operand) const {
  auto stage = dyn_cast<ApplyOp>(reader);
  if (!stage) {
    int64_t lead =
        isa<WindowOp>(reader) ? plan.get(reader->getResult(0)).lead : 0;
    return {lead, lead};
  }
  std::optional<int64_t> oldest, newest;
  Footprint(stage).forEachRead(operand, [&](const InputRead &read) {
    for (auto [i, axis] : llvm::enumerate(read.axes)) {
      if (axis != context.getWalk())
        continue;
      oldest = std::min(oldest.value_or(read.lower[i]), read.lower[i]);
      newest = std::max(newest.value_or(read.upper[i]), read.upper[i]);
    }
  });
  int64_t lead = plan.getLead(stage);
  return {lead + oldest.value_or(0), lead + newest.value_or(0)};
}

/// Deals the ops out to phases: a new one begins where something of this
/// iteration is read that other threads have computed in the phase, or the next
/// group of windows.
void PipelineKernel::findPhases() {
  llvm::DenseSet<Value> written;
  auto hasToWait = [&](Operation &inner) {
    return llvm::any_of(inner.getOpOperands(), [&](OpOperand &use) {
      if (!written.contains(use.get()))
        return false;
      return !context.getWalk() ||
             findPlanes(&inner, use.getOperandNumber()).second >=
                 plan.get(use.get()).lead;
    });
  };
  phases.emplace_back();
  SmallVector<Operation *> last;
  for (Operation &inner : *op.getBodyBlock()) {
    auto window = dyn_cast<WindowOp>(inner);
    if (isa<StoreOp>(inner) || isFinal(&inner)) {
      last.push_back(&inner);
      continue;
    }
    bool isCopy = window && !isOfStage(window) && !inner.use_empty() &&
                  window.getSpace() != WindowSpace::Shared;
    if (!isCopy && !isWork(&inner))
      continue;
    unsigned group =
        std::max(getGroup(&inner).value_or(0), phases.back().group);
    if (hasToWait(inner) || group != phases.back().group) {
      phases.emplace_back().group = group;
      written.clear();
    }
    (isCopy ? phases.back().copies : phases.back().work).push_back(&inner);
    if (window && window.getSpace() == WindowSpace::Shared)
      written.insert(window.getRes());
  }
  finalsWait =
      llvm::any_of(last, [&](Operation *inner) { return hasToWait(*inner); });
}

//===----------------------------------------------------------------------===//
// Chains: what is computed beside the tile
//===----------------------------------------------------------------------===//

const OffsetBox &PipelineKernel::getHeld(Operation *inner) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return plan.getHeld(stage);
  return plan.get(inner->getResult(0)).held;
}

bool PipelineKernel::isBesideTile(const OffsetBox &box) const {
  for (int64_t axis = 0; axis < static_cast<int64_t>(box.lower.size()); ++axis)
    if (context.getWalk() != axis &&
        (box.lower[axis] != 0 || box.upper[axis] != 0))
      return true;
  return false;
}

bool PipelineKernel::isSamePlane(const OffsetBox &a, const OffsetBox &b) const {
  for (int64_t axis = 0; axis < static_cast<int64_t>(a.lower.size()); ++axis)
    if (context.getWalk() != axis &&
        (a.lower[axis] != b.lower[axis] || a.upper[axis] != b.upper[axis]))
      return false;
  return true;
}

void PipelineKernel::collectChain(StageChain &chain,
                                  ArrayRef<Operation *> ops) {
  for (Operation *inner : ops) {
    if (!isBesideTile(getHeld(inner)))
      continue;
    chain.ops.insert(inner);
    chain.box.join(getHeld(inner));
    auto window = dyn_cast<WindowOp>(inner);
    chain.keepsValues |= isa<AccumulateOp>(inner) ||
                         (window && window.getSpace() != WindowSpace::Shared);
    if (!isa<ApplyOp>(inner))
      continue;
    for (Value operand : inner->getOperands()) {
      auto copy = operand.getDefiningOp<WindowOp>();
      if (!copy || copy.getSpace() == WindowSpace::Shared || isOfStage(copy))
        continue;
      chain.copies.insert(copy);
      chain.keepsValues |= copy.getDepth() && copy.getDepth()->ugt(1);
    }
  }
  for (Operation *inner : chain.ops)
    chain.isUniform &= isSamePlane(getHeld(inner), chain.box);
  int64_t count = llvm::count_if(phases, [&](const StagePhase &phase) {
    auto isOfChain = [&](Operation *inner) {
      return chain.ops.contains(inner) || chain.copies.contains(inner);
    };
    return llvm::any_of(phase.work, isOfChain) ||
           llvm::any_of(phase.copies, isOfChain);
  });
  chain.keepsValues |= count > 1;
}

void PipelineKernel::findChains() {
  llvm::EquivalenceClasses<Operation *> classes;
  SmallVector<Operation *> work;
  for (const StagePhase &phase : phases)
    llvm::append_range(work, phase.work);
  for (Operation *inner : work) {
    classes.insert(inner);
    for (Value operand : inner->getOperands()) {
      Operation *def = operand.getDefiningOp();
      auto window = dyn_cast_or_null<WindowOp>(def);
      bool isShared = window && window.getSpace() == WindowSpace::Shared;
      if (def && def->getBlock() == op.getBodyBlock() && isWork(def) &&
          !isShared)
        classes.unionSets(def, inner);
    }
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> members;
  for (Operation *inner : work)
    members[classes.getLeaderValue(inner)].push_back(inner);
  for (auto &[leader, ops] : members) {
    auto chain = std::make_unique<StageChain>();
    collectChain(*chain, ops);
    if (chain->ops.empty())
      continue;
    addHalo(*chain);
    chains.push_back(std::move(chain));
  }
}
