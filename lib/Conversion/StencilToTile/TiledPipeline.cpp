//===- TiledPipeline.cpp - What is known of a mapped pipeline -------------===//

#include "KernelDraft.h"

using namespace mlir;
using namespace stencil;

bool MappedPipeline::isOfStage(WindowOp window) const {
  return isRelay() || window.isOfStage();
}

SmallVector<std::pair<ApplyOp, unsigned>>
MappedPipeline::listReaders(WindowOp window) const {
  SmallVector<std::pair<ApplyOp, unsigned>> readers;
  for (OpOperand &use : window.getRes().getUses())
    if (auto stage = dyn_cast<ApplyOp>(use.getOwner());
        stage && isNeeded(stage))
      readers.emplace_back(stage, use.getOperandNumber());
  return readers;
}

bool MappedPipeline::isStoredTo(LoadOp load) const {
  return llvm::any_of(getOps<StoreOp>(), [&](StoreOp store) {
    return aliases.mayAlias(store.getField(), load.getField());
  });
}

Type TiledPipeline::getTileType(Type elementType, int64_t lead) const {
  BoundsAttr tile = grid.getTileBox();
  return TempType::get(axis ? tile.withAxis(*axis, lead, lead + 1) : tile,
                       elementType);
}

OffsetBox TiledPipeline::getGuard(const OffsetBox &needs,
                                  const OffsetBox &span) const {
  OffsetBox guard = needs;
  if (axis) {
    guard.lower[*axis] = span.lower[*axis];
    guard.upper[*axis] = span.upper[*axis];
  }
  return guard;
}

bool TiledPipeline::isCut(const OffsetBox &needs, const OffsetBox &span) const {
  return axis && (needs.lower[*axis] != span.lower[*axis] ||
                  needs.upper[*axis] != span.upper[*axis]);
}

bool TiledPipeline::isBesideTile(const OffsetBox &box) const {
  for (int64_t i = 0; i < grid.getRank(); ++i)
    if (axis != i && (box.lower[i] != 0 || box.upper[i] != 0))
      return true;
  return false;
}

bool TiledPipeline::isLost(WindowOp window) const {
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  if (!shared || isRelay())
    return false;
  if (shared.getGroupNumber())
    return true;
  return axis &&
         plan.get(window.getRes()).oldest <=
             plan.get(shared.getRes()).lead - shared.getDepth()->getSExtValue();
}

bool TiledPipeline::hasLanes(WindowOp window) const {
  if (window.getSpace() != Space::Shuffle || axis == grid.getRank() - 1 ||
      isLost(window))
    return false;
  return llvm::none_of(listReaders(window), [&](const auto &reader) {
    return isBesideTile(plan.getHeld(reader.first));
  });
}

bool TiledPipeline::isQueue(WindowOp window) const {
  if (window.getSpace() == Space::Shared || !plan.isNeeded(window.getRes()))
    return false;
  if (window.isOfStage() || hasLanes(window) || isLost(window))
    return true;
  const PlannedValue &planned = plan.get(window.getRes());
  return axis && planned.oldest != planned.lead && !isBesideTile(planned.reads);
}
