//===- ChainStages.cpp - Stages that feed each other ----------------------===//
//
//   %l = ... %x ...
//   %e = weighted_sum %l offsets [[0, 1]]
//   %f = ... %e ... %l ...
//   return %f
//
// becomes a stage that computes %l, at lead 1, a window of it, and a stage that
// computes %f, at lead 0, and reads the window at [0, 1] and at [0, 0].
//
// A value that the body reads at neighbouring points is a part: it is computed
// by a stage of its own, together with those that are needed at the same points
// at the same time. What it follows from is computed in its stage, up to other
// parts, which are read. A part that the body returns is stored as its stage
// has made it.
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "MakePipeline.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace stencil;

namespace {

/// A value that is read at neighbouring points, or the results of the apply.
struct Part {
  /// Null: the results.
  Value value;
  /// In program order.
  unsigned number = 0;
  /// What it is computed by, up to other parts; and where it reads these.
  llvm::SetVector<Operation *> slice;
  llvm::MapVector<Value, OffsetBox> reads;
  /// Where it is needed, from the points that are stored; empty: nowhere.
  OffsetBox needs;
  /// The least lead of a stage that has it in time, and how many windows there
  /// are between it and the results, at most.
  int64_t lead = 0, level = 0;
  /// What its stage makes.
  Value made;
};

/// Parts that one stage computes.
using PartGroup = SmallVector<Part *>;

class ChainBuilder {
public:
  ChainBuilder(PipelineDraft &draft, ApplyOp apply)
      : draft(draft), apply(apply), body(*apply.getBodyBlock()),
        axis(draft.axis), chain(*draft.schedule.getChain()) {}

  LogicalResult run();

private:
  void findParts();
  Part *findReturned(OpOperand &operand);
  void findSlice(Part &part);
  LogicalResult plan(Part &reader);
  SmallVector<PartGroup> groupParts();
  void dropReturned(stencil::ReturnOp end);
  SmallVector<Value> listResults(ApplyOp last);
  void fillStage(ApplyOp stage, const PartGroup &group, ArrayRef<Part *> read);
  void addStage(const PartGroup &group);

  PipelineDraft &draft;
  /// The stage that is cut.
  ApplyOp apply;
  Block &body;
  std::optional<int64_t> axis;
  Space chain;
  /// In program order; the results are last.
  std::vector<std::unique_ptr<Part>> parts;
  llvm::DenseMap<Value, Part *> partOf;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The hull of the taps of a sum; empty if it has none.
static OffsetBox getTaps(WeightedSumOp sum, int64_t rank) {
  InputRead taps;
  llvm::append_range(taps.axes, sum.getAxes());
  return getTapHull(sum, taps.lower, taps.upper) ? OffsetBox::ofRead(taps, rank)
                                                 : OffsetBox();
}

void ChainBuilder::findParts() {
  llvm::DenseSet<Value> isRead;
  apply.getRegion().walk([&](WeightedSumOp sum) {
    OffsetBox taps = getTaps(sum, apply.getRank());
    if (!sum.isOverInput() && sum.getInput().getDefiningOp() &&
        !taps.isEmpty() && !taps.isZero())
      isRead.insert(sum.getInput());
  });
  for (Operation &op : body)
    for (Value result : op.getResults())
      if (isRead.contains(result)) {
        parts.push_back(std::make_unique<Part>());
        parts.back()->value = result;
        partOf[result] = parts.back().get();
      }
  parts.push_back(std::make_unique<Part>());
  for (auto [number, part] : llvm::enumerate(parts)) {
    part->number = number;
    findSlice(*part);
  }
}

/// The part whose stage makes what the body returns; null if it is no part, or
/// has to be stored with the other results.
Part *ChainBuilder::findReturned(OpOperand &operand) {
  if (!isa<stencil::ReturnOp>(operand.getOwner()) ||
      operand.getOwner()->getBlock() != &body ||
      !draft.isStoredAlone(apply.getRes()[operand.getOperandNumber()]))
    return nullptr;
  return partOf.lookup(operand.get());
}

/// Finds what a part follows from.
void ChainBuilder::findSlice(Part &part) {
  OffsetBox here = OffsetBox::zero(apply.getRank());
  SmallVector<Operation *> rest;
  auto visit = [&](Value value, const OffsetBox &at) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != &body)
      return; // An input, or a value of a region.
    if (partOf.contains(value) && value != part.value)
      part.reads[value].join(at);
    else if (part.slice.insert(def))
      rest.push_back(def);
  };
  rest.push_back(part.value ? part.value.getDefiningOp()
                            : body.getTerminator());
  part.slice.insert(rest.front());
  while (!rest.empty())
    rest.pop_back_val()->walk([&](Operation *op) {
      auto sum = dyn_cast<WeightedSumOp>(op);
      for (OpOperand &operand : op->getOpOperands())
        if (!findReturned(operand))
          visit(operand.get(), sum && operand.get() == sum.getInput()
                                   ? getTaps(sum, apply.getRank())
                                   : here);
    });
}

//===----------------------------------------------------------------------===//
// When they are computed
//===----------------------------------------------------------------------===//

/// Makes what a part reads be there in time. What other threads write to shared
/// memory is there one iteration later, without a barrier in between.
LogicalResult ChainBuilder::plan(Part &reader) {
  for (auto &[value, taps] : reader.reads) {
    Part &read = *partOf[value];
    if (taps.isEmpty())
      continue; // A sum without taps reads nothing.
    read.needs.join(reader.needs.shifted(taps));
    if (taps.isZero()) {
      read.lead = std::max(read.lead, reader.lead);
      read.level = std::max(read.level, reader.level);
      continue;
    }
    int64_t last = apply.getRank() - 1;
    if (chain == Space::Shuffle && axis == last)
      return apply.emitOpError("expected another axis of 'stream' than ")
             << last << ", that of rows, for 'chain = shuffle'";
    for (int64_t along = 0; along < apply.getRank(); ++along) {
      // Rows beside those of a thread are exchanged, plane by plane.
      bool isHeld =
          along == axis || (chain == Space::Shuffle &&
                            (along == last || (axis && along == last - 1)));
      if (chain != Space::Shared && !isHeld &&
          (taps.lower[along] != 0 || taps.upper[along] != 0))
        return apply.emitOpError("expected 'chain = shared': with 'chain = ")
               << stringifySpace(chain) << "' a thread has what "
               << (chain == Space::Shuffle ? "the threads of its row compute"
                                           : "it computes at its own points")
               << " only, and neighbours along axis " << along
               << " are read of what this body computes";
    }
    int64_t ahead = axis ? std::max<int64_t>(0, taps.upper[*axis]) : 0;
    bool isExchanged = chain == Space::Shuffle && axis && axis != last - 1 &&
                       (taps.lower[last - 1] != 0 || taps.upper[last - 1] != 0);
    if (axis && (chain == Space::Shared || isExchanged))
      ++ahead;
    read.lead = std::max(read.lead, reader.lead + ahead);
    read.level = std::max(read.level, reader.level + 1);
  }
  return success();
}

/// Parts of one stage have the same lead, and are needed at the same points.
/// Producers come first.
SmallVector<PartGroup> ChainBuilder::groupParts() {
  auto getSize = [](const Part &part) {
    return llvm::sum_of(part.needs.upper) - llvm::sum_of(part.needs.lower);
  };
  SmallVector<PartGroup> groups = {{parts.back().get()}};
  for (auto &part : parts) {
    if (!part->value || part->needs.isEmpty())
      continue;
    auto isSame = [&](const PartGroup &group) {
      const Part &first = *group.front();
      return first.lead == part->lead && first.level == part->level &&
             first.needs.lower == part->needs.lower &&
             first.needs.upper == part->needs.upper;
    };
    PartGroup *group = llvm::find_if(groups, isSame);
    if (group == groups.end())
      groups.push_back({part.get()});
    else
      group->push_back(part.get());
  }
  auto getKey = [&](const PartGroup &group) {
    const Part &part = *group.front();
    return std::tuple(-part.level, -part.lead, -getSize(part), part.number);
  };
  llvm::sort(groups, [&](const PartGroup &a, const PartGroup &b) {
    return getKey(a) < getKey(b);
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Gives a stage the ops that its parts follow from. `read` are the parts that
/// its last operands are.
void ChainBuilder::fillStage(ApplyOp stage, const PartGroup &group,
                             ArrayRef<Part *> read) {
  OpBuilder &builder = draft.builder;
  Block &block = *stage.getBodyBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> values = llvm::map_to_vector(
      read, [](Part *part) -> Value { return part->value; });
  IRMapping mapping = draft.mapInto(apply, stage, values);
  // Where sums read neighbours of a part, they do so of its window.
  llvm::DenseMap<Value, Value> sources;
  for (auto [i, value] : llvm::enumerate(values))
    sources[mapping.lookup(value)] =
        block.getArgument(body.getNumArguments() + i);
  auto isOfGroup = [&](Operation *op) {
    return llvm::any_of(group,
                        [&](Part *part) { return part->slice.contains(op); });
  };
  for (Operation &op : body)
    if (isOfGroup(&op))
      builder.clone(op, mapping)->walk([&](WeightedSumOp sum) {
        if (Value source = sources.lookup(sum.getInput()))
          sum.getInputMutable().assign(source);
      });
  // The results have their own return.
  if (!group.front()->value)
    dropReturned(cast<stencil::ReturnOp>(block.getTerminator()));
  else
    stencil::ReturnOp::create(builder, apply.getLoc(),
                              llvm::map_to_vector(group, [&](Part *part) {
                                return mapping.lookup(part->value);
                              }));
  eraseUnusedOps(stage.getRegion());
}

/// Of the last stage: what others have made is not among its results.
void ChainBuilder::dropReturned(stencil::ReturnOp end) {
  llvm::BitVector dropped(end->getNumOperands());
  for (OpOperand &operand : body.getTerminator()->getOpOperands())
    if (findReturned(operand))
      dropped.set(operand.getOperandNumber());
  end->eraseOperands(dropped);
}

/// What is stored for each result of the apply; `last` makes those that no
/// other stage does.
SmallVector<Value> ChainBuilder::listResults(ApplyOp last) {
  SmallVector<Value> results;
  unsigned number = 0;
  for (OpOperand &operand : body.getTerminator()->getOpOperands()) {
    Part *part = findReturned(operand);
    results.push_back(part ? part->made : last.getRes()[number++]);
  }
  return results;
}

void ChainBuilder::addStage(const PartGroup &group) {
  SmallVector<Part *> read;
  for (Part *part : group)
    for (auto &[value, taps] : part->reads)
      if (Part *other = partOf[value];
          !llvm::is_contained(group, other) && !llvm::is_contained(read, other))
        read.push_back(other);
  auto more = llvm::map_to_vector(read, [](Part *part) { return part->made; });
  bool isLast = !group.front()->value;
  SmallVector<Type> types;
  if (isLast)
    for (OpOperand &operand : body.getTerminator()->getOpOperands()) {
      if (!findReturned(operand))
        types.push_back(apply.getResultTypes()[operand.getOperandNumber()]);
    }
  else
    types = draft.getTempTypes(llvm::map_to_vector(
        group, [](Part *part) -> Value { return part->value; }));
  // All that is stored may have been made.
  if (isLast && types.empty())
    return draft.replaceStage(apply, listResults({}));
  ApplyOp stage = draft.addStage(apply, types, more);
  fillStage(stage, group, read);
  if (isLast)
    return draft.replaceStage(apply, listResults(stage));
  for (auto [part, result] : llvm::zip_equal(group, stage.getRes())) {
    part->made = result;
    draft.setSpace(result, chain);
  }
}

LogicalResult ChainBuilder::run() {
  findParts();
  OffsetBox here = OffsetBox::zero(apply.getRank());
  parts.back()->needs = here;
  for (OpOperand &operand : body.getTerminator()->getOpOperands())
    if (Part *part = findReturned(operand)) {
      part->needs.join(here);
      part->level = std::max<int64_t>(part->level, 1);
    }
  for (auto &part : llvm::reverse(parts))
    if (!part->needs.isEmpty() && failed(plan(*part)))
      return failure();
  for (const PartGroup &group : groupParts())
    addStage(group);
  return success();
}

LogicalResult stencil::chainStage(PipelineDraft &draft, ApplyOp stage) {
  return ChainBuilder(draft, stage).run();
}
