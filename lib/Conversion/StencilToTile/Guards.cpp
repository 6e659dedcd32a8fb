//===- Guards.cpp - Where and when something is made ----------------------===//

#include "KernelDraft.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

bool MemoryReads::isGuarded(Operation *inner,
                            ArrayRef<StageExtra> extras) const {
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return mayBodyFail(stage) || readsField(stage, extras);
  auto window = dyn_cast<WindowOp>(inner);
  return window && window.isOfLoad();
}

/// What is read for a window: a ring, a queue, or the load that it stands for.
Operation *MemoryReads::findRead(Value value) const {
  Operation *def = value.getDefiningOp();
  auto window = dyn_cast_or_null<WindowOp>(def);
  while (window && !rings.contains(window) && !pipeline.isQueue(window)) {
    def = window.getTemp().getDefiningOp();
    window = dyn_cast<WindowOp>(def);
  }
  return def;
}

bool MemoryReads::readsField(ApplyOp stage, ArrayRef<StageExtra> extras) const {
  auto isLoad = [&](Value value) {
    return isa<GridType>(value.getType()) && pipeline.plan.isNeeded(value) &&
           isa<LoadOp>(findRead(value));
  };
  return llvm::any_of(stage.getArgs(), isLoad) ||
         llvm::any_of(extras, [](const StageExtra &extra) {
           return tile::isFieldSource(extra.value);
         });
}

/// The oldest plane that a stage reads of an input, or of what it is given
/// beside its inputs, counted from that of the iteration.
int64_t MemoryReads::findOldest(ApplyOp stage, unsigned input) const {
  int64_t oldest = 0;
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    oldest = std::min(oldest, read.lower[*pipeline.axis]);
  });
  return pipeline.plan.getLead(stage) + oldest;
}

int64_t MemoryReads::findOldest(OpOperand &use) const {
  if (auto stage = dyn_cast<ApplyOp>(use.getOwner()))
    return findOldest(stage, use.getOperandNumber());
  return pipeline.plan.get(use.getOwner()->getResult(0)).lead;
}

int64_t MemoryReads::findFirst(const MappedRing &ring) const {
  const PlannedValue &planned = pipeline.plan.get(ring.window->getResult(0));
  return ring.load ? std::max<int64_t>(planned.newest, 0) : planned.lead;
}

bool MemoryReads::readsUnwritten(Operation *reader,
                                 ArrayRef<StageExtra> extras) const {
  if (auto stage = dyn_cast<ApplyOp>(reader); stage && pipeline.axis)
    for (auto [index, extra] : llvm::enumerate(extras))
      if (extra.ring && findOldest(stage, stage.getArgs().size() + index) <
                            findFirst(*extra.ring))
        return true;
  return llvm::any_of(reader->getOpOperands(), [&](OpOperand &use) {
    auto window = dyn_cast_or_null<WindowOp>(findRead(use.get()));
    const MappedRing *ring = window ? findRing(rings, window) : nullptr;
    return ring && findOldest(use) < findFirst(*ring);
  });
}

//===----------------------------------------------------------------------===//
// For which planes
//===----------------------------------------------------------------------===//

/// Whether the first iterations are for planes that nobody needs.
bool PlaneGuards::isEarly(int64_t lead, const OffsetBox &needs) const {
  return pipeline.axis && lead - lookback < needs.lower[*pipeline.axis];
}

/// A stage would fail, or read what is not there. The last planes do no harm,
/// unless it fails.
std::optional<WantedPlanes>
PlaneGuards::findPlanesOf(ApplyOp stage, ArrayRef<StageExtra> extras) const {
  const PipelinePlan &plan = pipeline.plan;
  OffsetBox needs = plan.getSpan(stage);
  if (pipeline.isCut(plan.getNeeds(stage), needs))
    return WantedPlanes{needs,
                        plan.getNeeds(stage).toBounds(pipeline.getContext())};
  int64_t lead = plan.getLead(stage);
  bool fails = mayBodyFail(stage);
  bool isLate = pipeline.axis && lead > needs.upper[*pipeline.axis];
  if (fails && isLate)
    return WantedPlanes{needs};
  if (!isEarly(lead, needs) || (!fails && !reads.readsField(stage, extras) &&
                                !reads.readsUnwritten(stage, extras)))
    return std::nullopt;
  needs.upper[*pipeline.axis] = std::max(needs.upper[*pipeline.axis], lead);
  return WantedPlanes{needs};
}

/// The planes that are copied to a window.
std::optional<WantedPlanes> PlaneGuards::findPlanesOf(WindowOp window) const {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  if (pipeline.isCut(planned.needs, planned.span))
    return WantedPlanes{planned.span,
                        planned.needs.toBounds(pipeline.getContext())};
  bool isShared = window.getTemp().getDefiningOp<WindowOp>() != nullptr;
  if (!isEarly(planned.lead, planned.span) ||
      (isShared && !reads.readsUnwritten(window)))
    return std::nullopt;
  OffsetBox needs = planned.span;
  needs.upper[*pipeline.axis] =
      std::max(needs.upper[*pipeline.axis], planned.lead);
  return WantedPlanes{needs};
}

/// Of a store that is ahead of the walk the first iterations would read planes
/// that are not there.
std::optional<WantedPlanes>
PlaneGuards::findPlanesOf(StoreOp store, const MappedRing &ring) const {
  int64_t lead = pipeline.getLead(store);
  OffsetBox needs = OffsetBox::zero(pipeline.grid.getRank());
  if (!pipeline.axis || lead == 0 || !isEarly(lead, needs) ||
      lead >= reads.findFirst(ring))
    return std::nullopt;
  needs.upper[*pipeline.axis] = lead;
  return WantedPlanes{needs};
}
