//===- StageInputs.cpp - What stages are given ----------------------------===//

#include "KernelWriter.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

Value StageInputs::get(Value value) {
  if (!isa<GridType>(value.getType()))
    return writer.getArgument(value);
  if (Value known = values.lookup(value))
    return known;
  Operation *def = value.getDefiningOp();
  Value made;
  if (auto load = dyn_cast<LoadOp>(def)) {
    made = ::stencil::makeSource(writer.builder, load.getLoc(),
                                 writer.getArgument(load.getField()),
                                 writer.plane);
  } else if (auto window = cast<WindowOp>(def);
             const MappedRing *ring = findRing(draft.rings, window)) {
    auto [oldest, newest] = findPlanes(window);
    made = rings.makeSource(*ring, oldest, newest);
  } else {
    // The windows that are no rings and no queues name what they copy.
    const PlannedValue &planned = draft.pipeline.plan.get(value);
    made = getSourceOf(window, planned.oldest, planned.newest);
  }
  return values[value] = made;
}

Value StageInputs::getSourceOf(WindowOp window, int64_t oldest,
                               int64_t newest) {
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  return shared ? rings.makeSource(draft.rings.find(shared)->second, oldest,
                                   newest)
                : get(window.getTemp());
}

/// The oldest and the newest plane of a window that stages read themselves.
std::pair<int64_t, int64_t> StageInputs::findPlanes(WindowOp window) {
  const TiledPipeline &pipeline = draft.pipeline;
  std::optional<int64_t> oldest, newest;
  for (OpOperand &use : window.getRes().getUses()) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!pipeline.axis || !stage || pipeline.plan.getNeeds(stage).isEmpty())
      continue;
    int64_t lead = pipeline.plan.getLead(stage);
    Footprint(stage).forEachRead(
        use.getOperandNumber(), [&](const InputRead &read) {
          int64_t first = lead + read.lower[*pipeline.axis];
          int64_t last = lead + read.upper[*pipeline.axis];
          oldest = std::min(oldest.value_or(first), first);
          newest = std::max(newest.value_or(last), last);
        });
  }
  return {oldest.value_or(0), newest.value_or(0)};
}
