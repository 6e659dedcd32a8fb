//===- PipelineRegisters.cpp - What a thread keeps of planes --------------===//

#include "PipelineKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace mlir;
using namespace stencil;

Value PipelineKernel::readRegisters(WindowOp window, int64_t age,
                                    const PointOffset &offset) const {
  return group->queues.find(window)->second.planes[age].at(offset);
}

/// The offsets from the base point, in a plane, at which stages (of a chain, or
/// all) read a window.
std::vector<PointOffset>
PipelineKernel::listReads(WindowOp window, const StageChain *chain) const {
  std::set<PointOffset> offsets;
  auto add = [&](ArrayRef<int64_t> step) {
    for (PointOffset point : group->points) {
      for (auto [axis, along] : llvm::enumerate(step))
        if (context.getWalk() != static_cast<int64_t>(axis))
          point[axis] += along;
      offsets.insert(point);
    }
  };
  SmallVector<int64_t> here(schedule.block.size(), 0);
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (chain && !chain->ops.contains(use.getOwner()))
      continue;
    if (!stage) {
      add(here);
      continue;
    }
    BlockArgument argument =
        stage.getBodyBlock()->getArgument(use.getOperandNumber());
    for (Operation *user : argument.getUsers())
      if (auto access = dyn_cast<AccessOp>(user))
        add(access.getOffset().getValues());
  }
  return {offsets.begin(), offsets.end()};
}

/// The newest plane of a window of a shared one.
std::map<PointOffset, Value>
PipelineKernel::copyPlane(WindowOp window, PipelineStep &step,
                          SharedReads &reads, const StageChain *chain) {
  OpBuilder &builder = kernel.body();
  auto source = window.getTemp().getDefiningOp<WindowOp>();
  const PlannedValue &from = plan.get(source.getRes());
  int64_t lead = plan.get(window.getRes()).lead;
  int64_t age = context.getWalk() ? from.newest - lead : 0;
  SharedRing &ring = *rings[source];
  Value isDue = this->isDue(window, step);
  auto read = [&](Value condition, const PointOffset &offset) {
    SmallVector<Value> value;
    (void)computeWhere(
        condition, ring.getElementType(),
        [&](SmallVectorImpl<Value> &out) {
          // What is read in a branch is known there only.
          SharedReads own = reads;
          out.push_back(
              (condition ? own : reads).get(builder, ring, age, offset));
          return success();
        },
        value);
    return value.front();
  };
  std::vector<PointOffset> offsets = group->queues[window].offsets;
  bool isShuffled = window.getSpace() == WindowSpace::Shuffle && group->isOwn();
  if (isShuffled)
    offsets = listOwnColumns(offsets);
  std::map<PointOffset, Value> plane;
  for (const PointOffset &offset : offsets) {
    // Where some stages of the chain are not computed, what they would read is
    // not there.
    Value condition = isDue;
    if (chain && !chain->isUniform)
      condition = kernel.math().both(condition, isWithin(offset, from.held));
    plane[offset] = read(condition, offset);
  }
  Value always = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
  if (isShuffled)
    shuffleColumns(window, getBase(step, context.getWalk() ? lead : 0), plane,
                   [&](const PointOffset &offset) {
                     return read(isDue ? isDue : always, offset);
                   });
  return plane;
}

/// Gives a window of a load or of another window its newest plane.
void PipelineKernel::pushCopy(WindowOp window, PipelineStep &step,
                              SharedReads &reads, const StageChain *chain) {
  std::map<PointOffset, Value> newest;
  if (isa<LoadOp>(window.getTemp().getDefiningOp()))
    loadPlane(window, step, newest);
  else
    newest = copyPlane(window, step, reads, chain);
  auto &planes = group->queues[window].planes;
  planes.insert(planes.begin(), std::move(newest));
}

static Value addTerm(OpBuilder &builder, Location loc, Value sum, Value term,
                     MathMode mode) {
  if (isa<IntegerType>(sum.getType()))
    return arith::AddIOp::create(builder, loc, sum, term);
  auto flags = mode == MathMode::Strict ? arith::FastMathFlags::none
                                        : arith::FastMathFlags::contract;
  return arith::AddFOp::create(builder, loc, sum, term, flags);
}

/// Adds the terms of the newest plane: the sum that they begin, those that they
/// go on with, and the one that they complete.
void PipelineKernel::pushSums(AccumulateOp sum, const PointOffset &point) {
  RegisterQueue &queue = group->queues[sum];
  ArrayRef<int64_t> planes = sum.getPlanes();
  std::map<int64_t, Value> terms;
  for (auto [term, plane] : llvm::zip_equal(sum.getTerms(), planes))
    terms[plane] = term;
  Value before;
  for (int64_t plane = planes.front(); plane <= planes.back(); ++plane) {
    Value partial = before;
    if (Value term = terms[plane]) {
      Value value = group->values[term][point].value;
      partial = partial ? addTerm(kernel.body(), sum.getLoc(), partial, value,
                                  kernels.getOptions().math)
                        : value;
    }
    if (plane == planes.back()) {
      group->values[sum.getRes()][point] = {partial, {}};
      return;
    }
    // In its place is the sum that goes on with the next plane's term.
    Value &kept = queue.planes[plane - planes.front()][point];
    before = std::exchange(kept, partial);
  }
}

/// Makes room for the newest planes of what stages make.
void PipelineKernel::openQueues(const StagePhase &phase) {
  for (auto &known : groups)
    for (auto &[window, queue] : known->queues)
      if (isa<WindowOp>(window) && llvm::is_contained(phase.work, window))
        queue.planes.insert(queue.planes.begin(), {{}});
}
