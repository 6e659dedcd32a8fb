//===- PipelineLeads.cpp - When stages compute, and what is kept ----------===//

#include "PipelineDraft.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"

using namespace mlir;
using namespace stencil;

/// Who reads a value at which planes, once the leads of all readers are known.
PipelineDraft::Reader PipelineDraft::getReader(OpOperand &use) {
  Operation *owner = use.getOwner();
  int64_t lead = getLead(owner);
  Reader reader{&use, lead, lead, /*isHere=*/true};
  if (auto sum = dyn_cast<AccumulateOp>(owner)) {
    reader.needed = lead + std::max<int64_t>(0, sum.getPlanes().back());
    reader.oldest = reader.needed;
    return reader;
  }
  auto stage = dyn_cast<ApplyOp>(owner);
  if (!stage)
    return reader; // A store.
  OffsetBox reads;
  Footprint(stage).forEachRead(
      use.getOperandNumber(), [&](const InputRead &read) {
        OffsetBox one = OffsetBox::zero(stage.getRank());
        for (auto [i, along] : llvm::enumerate(read.axes)) {
          one.lower[along] = read.lower[i];
          one.upper[along] = read.upper[i];
        }
        reads.join(one);
      });
  reader.isHere = reads.isEmpty() || reads.isZero();
  if (reader.isHere || !axis)
    return reader;
  reader.oldest += reads.lower[*axis];
  reader.needed += std::max<int64_t>(0, reads.upper[*axis]);
  if (spaces.lookup_or(use.get(), Space::Registers) == Space::Shared)
    ++reader.needed;
  return reader;
}

void PipelineDraft::assignLeads() {
  leads.clear();
  if (!axis)
    return;
  // Readers come after what they read.
  for (Operation &op : llvm::reverse(*pipeline.getBodyBlock())) {
    if (!isa<ApplyOp, AccumulateOp>(op))
      continue;
    int64_t lead = 0;
    for (OpOperand &use : op.getUses())
      lead = std::max(lead, getReader(use).needed);
    leads[&op] = lead;
    if (isa<ApplyOp>(op))
      op.setDiscardableAttr(StageAttr::kAttrName,
                            StageAttr::get(builder.getContext(), lead));
  }
  // A sum is complete with the last plane of its terms.
  for (auto sum : pipeline.getBodyBlock()->getOps<AccumulateOp>())
    leads[sum] = getLead(sum.getTerms().front().getDefiningOp()) -
                 sum.getPlanes().back();
}

/// Puts windows between stages and those who read them at other points, or
/// later.
void PipelineDraft::keepResults() {
  Block &block = *pipeline.getBodyBlock();
  Operation *firstStore = *block.getOps<StoreOp>().begin();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa<ApplyOp, AccumulateOp>(op))
      continue;
    int64_t lead = getLead(&op);
    for (Value made : op.getResults()) {
      SmallVector<OpOperand *> late;
      int64_t oldest = lead;
      Operation *first = nullptr;
      for (OpOperand &use : made.getUses()) {
        if (isa<AccumulateOp>(use.getOwner()))
          continue;
        Reader reader = getReader(use);
        oldest = std::min(oldest, reader.oldest);
        if (reader.isHere && reader.oldest == lead)
          continue;
        late.push_back(&use);
        Operation *owner =
            isa<StoreOp>(use.getOwner()) ? firstStore : use.getOwner();
        if (!first || owner->isBeforeInBlock(first))
          first = owner;
      }
      if (late.empty())
        continue;
      builder.setInsertionPoint(first);
      WindowOp window = addWindow(spaces.lookup_or(made, Space::Registers),
                                  made, lead - oldest + 1, lead);
      for (OpOperand *use : late)
        use->set(window);
    }
  }
}
