//===- PipelineLeads.cpp - When stages compute, and what is kept ----------===//

#include "PipelineDraft.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

/// The newest plane, counted from that of the stage, of which it reads rows
/// beside its own one; nothing if it reads none.
std::optional<int64_t> PipelineDraft::findNewestBeside(ApplyOp stage,
                                                       unsigned input) const {
  std::optional<int64_t> newest;
  int64_t rows = stage.getRank() - 2;
  if (!axis || rows < 0 || axis == rows)
    return newest;
  auto add = [&](int64_t row, int64_t plane) {
    if (row != 0)
      newest = std::max(newest.value_or(plane), plane);
  };
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    if (auto sum = dyn_cast<WeightedSumOp>(read.op);
        sum && sum.isOverInput() &&
        static_cast<int64_t>(read.axes.size()) == stage.getRank()) {
      SmallVector<int64_t> axes = sum.getAxes();
      forEachTap(sum, [&](int64_t tap, bool) {
        SmallVector<int64_t> at(stage.getRank(), 0);
        for (auto [along, offset] : llvm::zip_equal(axes, sum.getOffset(tap)))
          at[along] = offset;
        add(at[rows], at[*axis]);
      });
      return;
    }
    int64_t plane = 0, row = 0;
    for (auto [i, along] : llvm::enumerate(read.axes)) {
      if (along == *axis)
        plane = read.upper[i];
      if (along == rows)
        row = read.lower[i] != 0 ? read.lower[i] : read.upper[i];
    }
    add(row, plane);
  });
  return newest;
}

bool PipelineDraft::isStoredAlone(Value result) {
  return llvm::all_of(result.getUsers(), [&](Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    return store && stencil::isStoredAlone(store, aliases);
  });
}

/// The hull of what a stage reads of an operand, in points of the program.
OffsetBox PipelineDraft::getReads(ApplyOp stage, unsigned operand) {
  OffsetBox reads;
  Footprint(stage).forEachRead(operand, [&](const InputRead &read) {
    reads.join(OffsetBox::ofRead(read, stage.getRank()));
  });
  return reads;
}

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
  // A plane may be stored when it has been made.
  if (auto store = dyn_cast<StoreOp>(owner);
      store && stencil::isStoredAlone(store, aliases))
    reader.oldest = getLead(store.getTemp().getDefiningOp());
  auto stage = dyn_cast<ApplyOp>(owner);
  if (!stage)
    return reader;
  OffsetBox reads = getReads(stage, use.getOperandNumber());
  // Of another thread, or at another point.
  bool isMoved = schedule.getSkew() &&
                 hops.lookup(stage) != hops.lookup(use.get().getDefiningOp());
  reader.isHere = reads.isEmpty() || (reads.isZero() && !isMoved);
  if (reader.isHere || !axis)
    return reader;
  reader.oldest += reads.lower[*axis];
  reader.needed += std::max<int64_t>(0, reads.upper[*axis]);
  Space space = spaces.lookup_or(use.get(), Space::Registers);
  if (space == Space::Shared)
    ++reader.needed;
  // Rows of others are there an iteration after these have made them.
  if (space == Space::Shuffle)
    if (auto newest = findNewestBeside(stage, use.getOperandNumber())) {
      reader.isBeside = true;
      reader.needed = std::max(reader.needed, lead + *newest + 1);
    }
  return reader;
}

/// Raises one of some numbers; whether it has grown.
static bool raise(llvm::DenseMap<Operation *, int64_t> &numbers, Operation *op,
                  int64_t number) {
  int64_t &known = numbers[op];
  if (number <= known)
    return false;
  known = number;
  return true;
}

/// One pass over the readers of what each op makes. Leads only grow; whether
/// one has.
bool PipelineDraft::raiseLeads() {
  bool isRaised = false;
  // Readers come after what they read.
  for (Operation &op : llvm::reverse(*pipeline.getBodyBlock())) {
    if (!op.hasTrait<StageLike>())
      continue;
    isRaised |= raise(leads, &op, 0);
    for (OpOperand &use : op.getUses())
      isRaised |= raise(leads, &op, getReader(use).needed);
  }
  // The terms of a sum, of one plane, come in one iteration.
  for (auto sum : pipeline.getBodyBlock()->getOps<AccumulateOp>()) {
    int64_t lead = 0;
    for (Value term : sum.getTerms())
      lead = std::max(lead, getLead(term.getDefiningOp()));
    for (Value term : sum.getTerms())
      isRaised |= raise(leads, term.getDefiningOp(), lead);
  }
  return isRaised;
}

/// One pass over what stages and sums are made of. Their numbers only grow;
/// whether one has.
bool PipelineDraft::raiseHops() {
  bool isRaised = false;
  for (Operation &op : *pipeline.getBodyBlock()) {
    if (auto sum = dyn_cast<AccumulateOp>(op)) {
      // A thread adds terms at its own point.
      for (Value term : sum.getTerms())
        isRaised |= raise(hops, sum, hops.lookup(term.getDefiningOp()));
      for (Value term : sum.getTerms())
        isRaised |= raise(hops, term.getDefiningOp(), hops.lookup(sum));
    }
    auto stage = dyn_cast<ApplyOp>(op);
    if (!stage)
      continue;
    for (OpOperand &operand : stage.getArgsMutable()) {
      Operation *maker = operand.get().getDefiningOp();
      if (!hasTrait<StageLike>(maker) ||
          maker->getBlock() != pipeline.getBodyBlock())
        continue;
      OffsetBox reads = getReads(stage, operand.getOperandNumber());
      bool isBeside = !reads.isEmpty() &&
                      (reads.lower.back() != 0 || reads.upper.back() != 0);
      isRaised |= raise(hops, stage, hops.lookup(maker) + (isBeside ? 1 : 0));
    }
  }
  return isRaised;
}

LogicalResult PipelineDraft::assignSkews() {
  hops.clear();
  std::optional<int64_t> skew = schedule.getSkew();
  if (!skew)
    return success();
  Block &block = *pipeline.getBodyBlock();
  // What stands in the place of a stage has what that had.
  for (ApplyOp stage : block.getOps<ApplyOp>())
    stage->removeDiscardableAttr(StageAttr::kAttrName);
  int64_t last = pipeline.getRank() - 1;
  if (axis == last)
    return apply.emitOpError("expected another axis of 'stream' than ")
           << last << ", the last one, for 'skew'";
  // A term of a sum that reads another one has no place.
  size_t rounds = block.getOperations().size();
  while (raiseHops())
    if (rounds-- == 0)
      return apply.emitOpError("expected no 'skew' for sums over planes whose "
                               "terms read each other");
  // Each leg of a relay begins where the one before does.
  SmallVector<ApplyOp> stages(block.getOps<ApplyOp>());
  size_t length = stages.size();
  if (int64_t legs = schedule.getRelay().value_or(1); length % legs == 0)
    length /= legs;
  for (auto [number, stage] : llvm::enumerate(stages)) {
    ApplyOp first = stages[number / length * length];
    SmallVector<int64_t> by(pipeline.getRank(), 0);
    by.back() = *skew * (hops.lookup(stage) - hops.lookup(first));
    if (by.back() != 0)
      StageAttr::give(stage, /*lead=*/0, builder.getDenseI64ArrayAttr(by));
  }
  return success();
}

LogicalResult PipelineDraft::assignLeads() {
  leads.clear();
  if (failed(assignSkews()))
    return failure();
  if (!axis)
    return success();
  while (raiseLeads()) {
  }
  for (ApplyOp stage : pipeline.getBodyBlock()->getOps<ApplyOp>()) {
    auto skewed = StageAttr::of(stage);
    StageAttr::give(stage, getLead(stage),
                    skewed ? skewed.getSkew() : DenseI64ArrayAttr());
  }
  // A sum is complete with the last plane of its terms.
  for (auto sum : pipeline.getBodyBlock()->getOps<AccumulateOp>())
    leads[sum] = getLead(sum.getTerms().front().getDefiningOp()) -
                 sum.getPlanes().back();
  return success();
}

/// Puts windows between stages and those who read them at other points, or
/// later.
void PipelineDraft::keepResults() {
  Block &block = *pipeline.getBodyBlock();
  Operation *firstStore = *block.getOps<StoreOp>().begin();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!op.hasTrait<StageLike>())
      continue;
    int64_t lead = getLead(&op);
    for (Value made : op.getResults()) {
      SmallVector<OpOperand *> late;
      int64_t oldest = lead;
      Operation *first = nullptr;
      bool isBeside = false;
      for (OpOperand &use : made.getUses()) {
        if (isa<AccumulateOp>(use.getOwner()))
          continue;
        Reader reader = getReader(use);
        oldest = std::min(oldest, reader.oldest);
        isBeside |= reader.isBeside;
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
      if (isBeside)
        window.setExchange(ArrayRef<int64_t>(pipeline.getRank() - 2));
      for (OpOperand *use : late)
        use->set(window);
    }
  }
}
