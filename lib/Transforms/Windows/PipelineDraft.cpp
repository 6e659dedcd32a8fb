//===- PipelineDraft.cpp - A pipeline that is being made ------------------===//

#include "PipelineDraft.h"
#include "Bodies/BodyPruning.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "Sums/SumBodies.h"

using namespace mlir;
using namespace stencil;

SmallVector<Type> PipelineDraft::getTempTypes(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) -> Type {
    auto result = dyn_cast<ResultType>(value.getType());
    return TempType::get(apply.getRank(),
                         result ? result.getElem() : value.getType());
  });
}

ScheduleAttr stencil::getScheduleOfPipeline(ScheduleAttr schedule) {
  ScheduleKeys keys(schedule);
  ScheduleKeys::forEach(keys,
                        [](const ScheduleAttr::KeyInfo &info, auto &value) {
                          if (info.isSaidByOps)
                            value = std::decay_t<decltype(value)>();
                        });
  return keys.get(schedule.getContext());
}

PipelineDraft::PipelineDraft(ApplyOp apply, ScheduleAttr schedule,
                             Prefetch prefetch)
    : apply(apply), schedule(schedule), prefetch(prefetch),
      axis(schedule.getStream()), step(schedule.getStep().value_or(1)),
      builder(apply) {
  Location loc = apply.getLoc();
  pipeline = PipelineOp::create(
      builder, loc, axis ? builder.getIndexAttr(*axis) : IntegerAttr(), step);
  pipeline->setDiscardableAttr(ScheduleAttr::kAttrName,
                               getScheduleOfPipeline(schedule));
  for (StringRef name : {StringRef(kStepsAttr), StringRef(kNarrowAttr)})
    if (Attribute value = apply->getDiscardableAttr(name))
      pipeline->setDiscardableAttr(name, value);
  copyChoice(apply, pipeline);
  builder.createBlock(&pipeline.getBody());
  unsigned number = 0;
  for (Value operand : apply.getArgs()) {
    auto field = dyn_cast<FieldType>(operand.getType());
    windows.push_back(field ? schedule.getWindowOf(number++) : Space::Cache);
    inputs.push_back(field ? LoadOp::create(builder, loc, operand).getRes()
                           : operand);
  }
  auto whole = ApplyOp::create(builder, loc, apply.getTempTypes(), inputs);
  if (Attribute name = apply->getDiscardableAttr(kApplyNameAttr))
    whole->setDiscardableAttr(kApplyNameAttr, name);
  Block &from = *apply.getBodyBlock(), &to = *whole.getBodyBlock();
  for (auto [old, argument] :
       llvm::zip_equal(from.getArguments(), to.getArguments()))
    old.replaceAllUsesWith(argument);
  to.getOperations().splice(to.end(), from.getOperations());
  stages.push_back(whole);
  builder.setInsertionPointToEnd(pipeline.getBodyBlock());
  for (auto [result, field] : llvm::zip_equal(whole.getRes(), apply.getDest()))
    StoreOp::create(builder, loc, result, field, *apply.getBounds());
}

ApplyOp PipelineDraft::addStage(ApplyOp of, TypeRange results,
                                ValueRange more) {
  SmallVector<Value> operands(of.getArgs());
  llvm::append_range(operands, more);
  builder.setInsertionPoint(of);
  auto stage = ApplyOp::create(builder, of.getLoc(), results, operands);
  stage->setDiscardableAttrs(of->getDiscardableAttrDictionary());
  // The block gets its ops from whoever adds the stage.
  builder.setInsertionPoint(of);
  stages.insert(llvm::find(stages, of), stage);
  return stage;
}

IRMapping PipelineDraft::mapInto(ApplyOp of, ApplyOp stage, ValueRange values) {
  Block &from = *of.getBodyBlock(), &to = *stage.getBodyBlock();
  IRMapping mapping;
  for (BlockArgument argument : from.getArguments()) {
    BlockArgument copy = to.getArgument(argument.getArgNumber());
    mapping.map(argument, copy);
    if (queues.contains(argument))
      queues.insert(copy);
    if (direct.contains(argument))
      direct.insert(copy);
  }
  for (auto [i, value] : llvm::enumerate(values))
    mapping.map(value,
                AccessOp::create(builder, value.getLoc(),
                                 to.getArgument(from.getNumArguments() + i))
                    .getRes());
  return mapping;
}

void PipelineDraft::replaceStage(ApplyOp stage, ValueRange results) {
  for (auto [old, result] : llvm::zip_equal(stage.getRes(), results))
    if (auto known = spaces.find(old); known != spaces.end()) {
      Space space = known->second;
      spaces.erase(known);
      spaces[result] = space;
    }
  stage->replaceAllUsesWith(results);
  if (builder.getInsertionPoint() == Block::iterator(stage))
    builder.setInsertionPointAfter(stage);
  llvm::erase(stages, stage);
  leads.erase(stage);
  stage.erase();
}

std::optional<unsigned> PipelineDraft::getQueued(BlockArgument argument) const {
  if (!queues.contains(argument))
    return std::nullopt;
  auto stage = cast<ApplyOp>(argument.getOwner()->getParentOp());
  return llvm::find(inputs, stage.getInput(argument)) - inputs.begin();
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

/// True for an access to the column of the point along the axis.
static bool isInColumn(AccessOp access, int64_t axis) {
  for (auto [along, offset] :
       llvm::zip_equal(access.getAxes(), access.getOffset().getValues()))
    if (along != axis && offset != 0)
      return false;
  return true;
}

/// Gives the accesses to an input that are `taken` an argument of their own,
/// one of `arguments`.
void PipelineDraft::readApart(ApplyOp stage, unsigned input,
                              llvm::DenseSet<Value> &arguments,
                              llvm::function_ref<bool(AccessOp)> taken) {
  BlockArgument argument = stage.getBodyBlock()->getArgument(input), own;
  for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
    auto access = dyn_cast<AccessOp>(use.getOwner());
    if (!access || !taken(access))
      continue;
    if (!own) {
      own = stage.addInput(inputs[input], argument.getLoc());
      arguments.insert(own);
    }
    use.set(own);
  }
}

LogicalResult
PipelineDraft::readQueues(ApplyOp stage,
                          llvm::function_ref<bool(unsigned)> isQueued) {
  if (failed(expandWeightedSums(stage)))
    return failure();
  for (unsigned input = 0, end = inputs.size(); input < end; ++input) {
    auto type = dyn_cast<TempType>(inputs[input].getType());
    if (!type || type.getRank() != apply.getRank() || !isQueued(input))
      continue;
    readApart(stage, input, queues,
              [&](AccessOp access) { return isInColumn(access, *axis); });
  }
  return success();
}

LogicalResult PipelineDraft::readBranches(ApplyOp stage) {
  if (failed(expandWeightedSums(stage)))
    return failure();
  Block *body = stage.getBodyBlock();
  for (unsigned input = 0, end = inputs.size(); input < end; ++input) {
    if (!isShared(input) || !isReadAhead(stage, input))
      continue;
    // Those at neighbours.
    readApart(stage, input, direct, [&](AccessOp access) {
      return access->getBlock() != body && !access.getOffset().isZero();
    });
  }
  return success();
}

/// True if a stage reads several planes of its own column of an input.
static bool readsColumn(ApplyOp stage, unsigned input, int64_t axis) {
  llvm::SmallSetVector<int64_t, 4> planes;
  Footprint(stage).forEachRead(input, [&](const InputRead &read) {
    if (!isa<AccessOp>(read.op))
      return;
    std::optional<int64_t> plane;
    for (auto [along, offset] : llvm::zip_equal(read.axes, read.lower)) {
      if (along == axis)
        plane = offset;
      else if (offset != 0)
        return;
    }
    if (plane)
      planes.insert(*plane);
  });
  return planes.size() > 1;
}

LogicalResult PipelineDraft::readColumns(ApplyOp stage) {
  return readQueues(
      stage, [&](unsigned input) { return readsColumn(stage, input, *axis); });
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static void join(std::optional<PlaneRange> &all, const PlaneRange &planes) {
  all = all ? all->hull(planes) : planes;
}

void PipelineDraft::Reads::addQueueSource() {
  if (!queued)
    return;
  // The window need not keep a plane for the queue alone.
  if (others)
    queued->last = std::max(queued->last, others->first);
  join(others, {queued->last, queued->last});
}

PipelineDraft::Reads PipelineDraft::collectReads(unsigned input) {
  Reads reads;
  for (OpOperand &use : inputs[input].getUses()) {
    auto stage = cast<ApplyOp>(use.getOwner());
    unsigned number = use.getOperandNumber();
    if (direct.contains(stage.getBodyBlock()->getArgument(number)))
      continue;
    int64_t lead = getLead(stage);
    bool isQueue = queues.contains(stage.getBodyBlock()->getArgument(number));
    Footprint(stage).forEachRead(number, [&](const InputRead &read) {
      PlaneRange planes{0, 0};
      if (axis)
        planes = getPlanes(read, *axis).value_or(planes);
      join(isQueue ? reads.queued : reads.others,
           {lead + planes.first, lead + planes.last});
    });
  }
  return reads;
}

bool PipelineDraft::isReadAhead(ApplyOp stage, unsigned input) {
  Reads reads = collectReads(input);
  auto isAhead = [&](const std::optional<PlaneRange> &planes) {
    return planes && planes->last > getLead(stage);
  };
  return isShared(input) && (isAhead(reads.others) || isAhead(reads.queued));
}

/// Planes of copies that are on their way while one is computed.
static constexpr int64_t kPlanesAhead = 2;

FailureOr<PipelineDraft::Ring> PipelineDraft::planRing(ArrayRef<Reads> reads) {
  int64_t span = 0;
  unsigned widest = 0;
  bool isInGroup = false, isApart = false;
  for (auto [input, planes] : llvm::enumerate(reads)) {
    if (!isShared(input) || !planes.others)
      continue;
    if (isInGroupOfWalk(input)) {
      isInGroup = true;
      continue;
    }
    isApart = true;
    if (planes.getSpan() > span) {
      span = planes.getSpan();
      widest = input;
    }
  }
  bool isAsync = prefetch == Prefetch::Async || prefetch == Prefetch::Tma;
  // All planes of the next iteration are on their way.
  int64_t ahead = std::max<int64_t>(kPlanesAhead, step);
  if (!schedule.getStages())
    return isAsync ? Ring{span + 1 + ahead, ahead} : Ring{0, 0};
  int64_t depth = *schedule.getStages();
  if (isInGroup && !isApart && depth != 1)
    return stages.back().emitOpError("expected 'stages = 1': the windows are "
                                     "all in groups, which have one plane of "
                                     "each input at a time; got ")
           << depth;
  int64_t least = span + (isAsync ? 2 : 1);
  if (depth >= least)
    return Ring{depth, depth - span - 1};
  InFlightDiagnostic diagnostic =
      stages.back().emitOpError("expected 'stages' of at least ")
      << least << ": planes " << reads[widest].others->first << " to "
      << reads[widest].others->last << " of input " << widest << " are read";
  if (isAsync)
    diagnostic << ", and one is on its way";
  return diagnostic << "; got " << depth;
}

WindowOp PipelineDraft::addWindow(Space space, Value value, int64_t depth,
                                  int64_t lead) {
  std::optional<int64_t> planes, ahead;
  if (axis) {
    planes = depth + step - 1;
    ahead = lead;
  }
  std::optional<Prefetch> how;
  if (space == Space::Shared && prefetch != Prefetch::None &&
      value.getDefiningOp<LoadOp>())
    how = prefetch;
  return WindowOp::create(builder, apply.getLoc(), value, space, planes, ahead,
                          how);
}

/// Makes those who read input number `input`, or its queue, read `value`.
void PipelineDraft::replaceReads(unsigned input, Value value, bool isQueue) {
  for (OpOperand &use : llvm::make_early_inc_range(inputs[input].getUses())) {
    auto stage = dyn_cast<ApplyOp>(use.getOwner());
    if (!stage)
      continue;
    Value argument = stage.getBodyBlock()->getArgument(use.getOperandNumber());
    if (!direct.contains(argument) && isQueue == queues.contains(argument))
      use.set(value);
  }
}

/// The first op of the pipeline that reads a value.
static Operation *findFirstReader(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers())
    if (!first || user->isBeforeInBlock(first))
      first = user;
  return first;
}

void PipelineDraft::addWindows(unsigned input, const Reads &reads, Ring ring) {
  Value load = inputs[input];
  builder.setInsertionPointAfterValue(load);
  auto addOfAll = [&](Space space, Value value, const PlaneRange &planes) {
    return addWindow(space, value, planes.last - planes.first + 1, planes.last);
  };
  Value source = load;
  switch (windows[input]) {
  case Space::Cache:
    break;
  case Space::Shared: {
    // One plane more than is read: what is written is not what others may
    // still be reading, and one barrier per plane is enough.
    int64_t depth = ring.depth ? ring.depth : reads.getSpan() + 2;
    // The next group has the memory in the same iteration.
    if (isInGroupOfWalk(input))
      ring = {depth = 1, 0};
    WindowOp window =
        addWindow(Space::Shared, load, depth, reads.others->last + ring.ahead);
    if (auto group = groups.find(input); group != groups.end())
      window.setGroupAttr(builder.getIndexAttr(group->second));
    source = window;
    builder.setInsertionPointAfter(window);
    replaceReads(input, source, /*isQueue=*/false);
    break;
  }
  case Space::Registers:
  case Space::Shuffle: {
    Value window = addOfAll(windows[input], load, *reads.others);
    replaceReads(input, window, /*isQueue=*/false);
    replaceReads(input, window, /*isQueue=*/true);
    return;
  }
  }
  if (!reads.queued)
    return;
  // The plane of a group is there for its stages.
  if (isInGroupOfWalk(input))
    builder.setInsertionPoint(findFirstReader(source));
  Value queue = addOfAll(Space::Registers, source, *reads.queued);
  replaceReads(input, queue, /*isQueue=*/true);
}

LogicalResult PipelineDraft::finish() {
  if (step > 1 && axis && !groups.empty())
    return apply.emitOpError(
               "expected 'step = 1' for 'groups' in a walk, whose "
               "windows have one plane at a time, got ")
           << step;
  for (ApplyOp stage : stages)
    dropUnusedOperands(stage);
  if (failed(assignLeads()))
    return failure();
  keepResults();
  SmallVector<Reads> reads(inputs.size());
  for (unsigned input = 0, end = inputs.size(); input < end; ++input) {
    if (!isa<TempType>(inputs[input].getType()))
      continue;
    reads[input] = collectReads(input);
    if (isShared(input))
      reads[input].addQueueSource();
    else if (windows[input] != Space::Cache && reads[input].queued)
      join(reads[input].others, *reads[input].queued);
  }
  auto ring = planRing(reads);
  if (failed(ring))
    return failure();
  for (unsigned input = 0, end = inputs.size(); input < end; ++input) {
    if (!isa<TempType>(inputs[input].getType()))
      continue;
    if (reads[input].others || reads[input].queued)
      addWindows(input, reads[input], *ring);
    else if (inputs[input].use_empty())
      inputs[input].getDefiningOp()->erase();
  }
  apply.erase();
  return success();
}
