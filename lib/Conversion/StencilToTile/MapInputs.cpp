//===- MapInputs.cpp - What stages are given ------------------------------===//
//
// A source of a ring or a field, or values that threads hold: for neighbours
// that a thread keeps, one input for each offset. What no result depends on is
// not given.
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace stencil;

/// What a stage is given for a value of the pipeline. Sources are made when
/// they are first asked for.
Value PipelineMapper::getInput(Value value) {
  if (!isa<GridType>(value.getType()))
    return (*frame)[value];
  Value &input = values[value];
  if (input)
    return input;
  Operation *def = value.getDefiningOp();
  if (auto load = dyn_cast<LoadOp>(def))
    return input = makeSource(builder, load.getLoc(), (*frame)[load.getField()],
                              plane);
  // The windows that are no rings and no queues name what they copy.
  auto window = cast<WindowOp>(def);
  const PlannedValue &planned = plan.get(value);
  if (rings.contains(window)) {
    auto [oldest, newest] = findPlanes(window);
    return input = makeRingSource(window, oldest, newest);
  }
  if (auto shared = window.getTemp().getDefiningOp<WindowOp>())
    return input = makeRingSource(shared, planned.oldest, planned.newest);
  // Made with its own entry: the map may grow.
  Value source = getInput(window.getTemp());
  return values[value] = source;
}

/// The oldest and the newest plane of a window that stages read themselves.
std::pair<int64_t, int64_t> PipelineMapper::findPlanes(WindowOp window) {
  std::optional<int64_t> oldest, newest;
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!axis || !stage || plan.getNeeds(stage).isEmpty())
      continue;
    int64_t lead = plan.getLead(stage);
    Footprint(stage).forEachRead(
        use.getOperandNumber(), [&](const InputRead &read) {
          int64_t first = lead + read.lower[*axis];
          int64_t last = lead + read.upper[*axis];
          oldest = std::min(oldest.value_or(first), first);
          newest = std::max(newest.value_or(last), last);
        });
  }
  return {oldest.value_or(0), newest.value_or(0)};
}

/// Erases what no result of a body depends on.
static void eraseDead(Block *body) {
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
}

/// What a stage reads of a window that has neighbours in registers: one input
/// for each offset in the plane.
void PipelineMapper::splitNeighbours(ApplyOp stage, unsigned index,
                                     WindowOp window,
                                     SmallVectorImpl<Value> &inputs) {
  Block *body = stage.getBodyBlock();
  BlockArgument whole = body->getArgument(index);
  ArrayRef<SmallVector<int64_t>> offsets = queues[window].offsets;
  SmallVector<Value> arguments(offsets.size());
  // In the order of the body.
  body->walk([&](AccessOp access) {
    if (access.getTemp() != whole)
      return;
    SmallVector<int64_t> inPlane(access.getOffset().getValues());
    SmallVector<int64_t> along(inPlane.size(), 0);
    if (axis)
      along[*axis] = std::exchange(inPlane[*axis], 0);
    size_t number = llvm::find(offsets, inPlane) - offsets.begin();
    Value &argument = arguments[number];
    if (!argument) {
      argument = body->addArgument(whole.getType(), whole.getLoc());
      inputs.push_back(neighbours[window][number]);
    }
    access.getTempMutable().assign(argument);
    access.setOffsetAttr(stencil::IndexAttr::get(getContext(), along));
  });
}

/// What a stage is given, argument by argument of its body. Those that no
/// result depends on are gone, and what only its sums or lanes have read.
SmallVector<Value> PipelineMapper::getInputs(ApplyOp stage) {
  Block *body = stage.getBodyBlock();
  eraseDead(body);
  auto found = extras.find(stage);
  bool hasExtras = found != extras.end();
  SmallVector<Value> inputs, others;
  llvm::BitVector gone(body->getNumArguments());
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    auto window = value.getDefiningOp<WindowOp>();
    bool isRead = !isa<GridType>(value.getType()) || plan.isNeeded(value);
    if (body->getArgument(index).use_empty() && (!isRead || hasExtras)) {
      gone.set(index);
    } else if (!isRead) {
      inputs.push_back(ub::PoisonOp::create(
          builder, stage.getLoc(),
          getHeldType(stage, getElementType(value), plan.getLead(stage)),
          ub::PoisonAttr::get(getContext())));
    } else if (window && neighbours.contains(window)) {
      splitNeighbours(stage, index, window, others);
      gone.set(index);
    } else {
      inputs.push_back(getInput(value));
    }
  }
  unsigned given = stage.getArgs().size();
  for (auto [index, extra] : llvm::enumerate(hasExtras ? ArrayRef(found->second)
                                                       : ArrayRef<Value>())) {
    if (body->getArgument(given + index).use_empty())
      gone.set(given + index);
    else
      inputs.push_back(extra);
  }
  gone.resize(body->getNumArguments());
  body->eraseArguments(gone);
  llvm::append_range(inputs, others);
  return inputs;
}
