//===- MapPipeline.cpp - Pipelines to kernels -----------------------------===//
//
//   stencil.pipeline axis 0 { windows, stages, stores }
//     ==> tile.kernel @pipeline0(...) grid <..., walk = 0> {
//           rings
//           tile.walk lookback n plane %p cursors(...) carry(...) {
//             waits, and copies of what is read in the same iteration
//             copies of later planes
//             stages, in order; queues are joined, and shifted for the next
//             tile.where { the stages that only stores follow; stores }
//           }
//         }
//
// All copies stand before all stages: one barrier between the waits and the
// copies is enough, as far as rings have a slot to spare.
//
// First all is decided that a kernel depends on, each part by a function of its
// own (KernelDraft.h). Then it is written, each part by a class that has what
// only it keeps (KernelWriter.h).
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"

using namespace mlir;
using namespace stencil;

/// The walk is one by single planes, whose loop takes so many at a time. Of
/// these, rings have the planes that windows keep for the ones to come.
static int64_t takeStep(PipelineOp op) {
  auto step = static_cast<int64_t>(op.getStep());
  if (step == 1)
    return step;
  Builder builder(op.getContext());
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    window.setDepthAttr(
        builder.getIndexAttr(window.getDepth()->getSExtValue() - (step - 1)));
  op.setStep(1);
  return step;
}

FailureOr<MappedPipeline> MappedPipeline::create(PipelineOp op,
                                                 const TargetInfo &target,
                                                 FieldAliasAnalysis &aliases) {
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    if (StageAttr when = StageAttr::of(stage); when && when.isSkewed())
      return stage.emitOpError(
          "expected stencil-skew-stages before, for its skew");
  int64_t step = takeStep(op);
  std::optional<OffsetBox> relayNeeds;
  if (ScheduleAttr given = ScheduleAttr::of(op); given && given.getRelay()) {
    FailureOr<OffsetBox> needs = cutLegs(op, *given.getRelay());
    if (failed(needs))
      return failure();
    relayNeeds = *needs;
  }
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  FailureOr<GPUSchedule> schedule = readPipelineSchedule(op, target);
  if (failed(plan) || failed(schedule))
    return failure();
  return MappedPipeline{op,
                        target,
                        aliases,
                        step,
                        relayNeeds,
                        std::move(*plan),
                        std::move(*schedule)};
}

/// What a pipeline may say and no kernel can do: blocks run in any order, and
/// what one stores, no other may read.
static LogicalResult checkSupported(const MappedPipeline &pipeline) {
  const PipelinePlan &plan = pipeline.plan;
  FieldAliasAnalysis &aliases = pipeline.aliases;
  for (WindowOp window : pipeline.getOps<WindowOp>())
    if (window.hasBoundary() && !window.isOfLoad() &&
        plan.isNeeded(window.getRes()))
      return window.emitOpError("has no lowering here: a boundary of what a "
                                "stage makes; run stencil-expand-boundaries");
  auto stores = pipeline.getOps<StoreOp>();
  for (LoadOp load : pipeline.getOps<LoadOp>()) {
    auto isSame = [&](StoreOp store) {
      return aliases.mayAlias(store.getField(), load.getField());
    };
    if (plan.isNeeded(load) && !plan.get(load).needs.isZero() &&
        llvm::any_of(stores, isSame))
      return load.emitOpError("has no lowering: neighbours are read of a field "
                              "that the pipeline stores to");
    for (StoreOp store : stores)
      if (pipeline.axis && plan.isNeeded(load) && isSame(store) &&
          plan.get(load).oldest < pipeline.getLead(store))
        return withNote(load.emitOpError("has no lowering: plane p + ")
                            << plan.get(load).oldest
                            << " is read of a field whose plane p + "
                            << pipeline.getLead(store)
                            << " the pipeline stores in the same iteration",
                        store.getLoc(), "it is stored to here");
  }
  for (StoreOp store : stores)
    for (StoreOp later : stores)
      if (store->isBeforeInBlock(later) &&
          pipeline.getLead(later) > pipeline.getLead(store) &&
          aliases.mayAlias(store.getField(), later.getField()))
        return later.emitOpError("has no lowering: its plane p + ")
               << pipeline.getLead(later)
               << " is stored before that of another store to the same memory, "
                  "p + "
               << pipeline.getLead(store);
  return success();
}

/// The first iteration brings the first plane of each ring that is needed, or
/// the copies ahead of it have.
static int64_t findLookback(const TiledPipeline &pipeline, const RingMap &rings,
                            const LanePlan &lanes) {
  if (!pipeline.axis)
    return 0;
  const PipelinePlan &plan = pipeline.plan;
  int64_t lookback = plan.getLookback();
  for (const auto &[window, ring] : rings) {
    if (!ring.load)
      continue;
    const PlannedValue &planned = plan.get(window->getResult(0));
    // The first leg begins with the first plane that is needed, and takes it in
    // the iteration that is as far ahead of it.
    if (pipeline.isRelay())
      return planned.newest + ring.relayLead -
             pipeline.relayNeeds->lower[*pipeline.axis];
    int64_t copied = planned.lead + ring.countDelayed();
    // No plane of a group comes ahead of the walk.
    if (!isFetchedAtOnce(pipeline, ring.window))
      copied = std::min<int64_t>(copied, 0);
    lookback = std::max(lookback, copied - planned.span.lower[*pipeline.axis]);
  }
  // What is read of a ring is put an iteration before, or more.
  for (const auto &[key, columns] : lanes.lanes)
    if (lanes.exchanges.contains(key.first))
      lookback = std::max(lookback, plan.get(key.first->getResult(0)).lead -
                                        columns.given);
  return lookback;
}

namespace {

/// Writes the kernel of a pipeline.
class PipelineWriter {
public:
  PipelineWriter(const KernelDraft &draft, StringRef name)
      : draft(draft), kernel(draft.pipeline, name) {}

  FailureOr<tile::KernelOp> run();

private:
  LogicalResult addInner(Operation *inner);
  LogicalResult addEnd();

  const KernelDraft &draft;
  KernelWriter kernel;
  WalkWriter walk{draft, kernel};
  RingWriter rings{draft, kernel, walk};
  StageInputs inputs{draft, kernel, rings};
  LaneWriter lanes{draft, kernel, walk, rings, inputs};
  QueueWriter queues{lanes};
  SumWriter sums{draft, kernel, walk, rings, inputs};
  StageWriter stages{lanes, queues};
  StoreWriter stores{queues};
};

} // namespace

/// What becomes of an op ahead of the end of an iteration.
LogicalResult PipelineWriter::addInner(Operation *inner) {
  const PipelinePlan &plan = draft.pipeline.plan;
  if (auto stage = dyn_cast<ApplyOp>(inner))
    return draft.pipeline.isNeeded(stage) ? stages.add(stage) : success();
  if (!plan.isNeeded(inner->getResult(0)))
    return success();
  if (auto sum = dyn_cast<AccumulateOp>(inner)) {
    sums.add(sum);
  } else if (const MappedRing *ring = findRing(draft.rings, inner)) {
    if (!ring->load)
      rings.put(*ring, inputs.get(inner->getOperand(0)));
  } else if (auto window = cast<WindowOp>(inner);
             draft.pipeline.isQueue(window)) {
    queues.add(window);
  }
  return success();
}

/// The stages that only stores follow, and these.
LogicalResult PipelineWriter::addEnd() {
  if (failed(stages.prepareFinals()))
    return failure();
  stores.addShared();
  if (stores.areAllShared())
    return success();
  stores.readEarly();
  OpBuilder::InsertionGuard guard(kernel.builder);
  Location loc = draft.pipeline.getLoc();
  kernel.openWhere(loc, TypeRange(), OffsetBox::zero(draft.pipeline.getRank()));
  stages.addFinals();
  stores.addOwn();
  tile::YieldOp::create(kernel.builder, loc);
  return success();
}

FailureOr<tile::KernelOp> PipelineWriter::run() {
  rings.make();
  walk.open();
  rings.fetchAhead();
  PipelineOp op = draft.pipeline.getOp();
  for (Operation &inner : llvm::make_early_inc_range(*op.getBodyBlock())) {
    if (isa<LoadOp, StoreOp>(inner) || draft.chains.isFinal(&inner))
      continue;
    rings.fetchUpTo(&inner);
    if (failed(addInner(&inner)))
      return failure();
  }
  rings.fetchUpTo(nullptr);
  if (failed(addEnd()))
    return failure();
  walk.close();
  return kernel.kernel;
}

LogicalResult stencil::mapPipeline(PipelineOp op, const TargetInfo &target,
                                   FieldAliasAnalysis &aliases,
                                   StringRef name) {
  FailureOr<MappedPipeline> mapped =
      MappedPipeline::create(op, target, aliases);
  if (failed(mapped) || failed(checkSupported(*mapped)))
    return failure();
  FailureOr<tile::GridAttr> grid = chooseGrid(*mapped);
  if (failed(grid))
    return failure();
  TiledPipeline pipeline{std::move(*mapped), *grid};
  FailureOr<RingMap> rings = planRings(pipeline);
  if (failed(rings))
    return failure();
  MemoryReads reads(pipeline, *rings);
  Chains chains(pipeline, *rings, reads);
  FailureOr<QueueMap> queues = planQueues(pipeline, chains);
  if (failed(queues))
    return failure();
  FailureOr<LanePlan> lanes = planLanes(pipeline, *rings);
  if (failed(lanes))
    return failure();
  int64_t lookback = findLookback(pipeline, *rings, *lanes);
  PlaneGuards guards(pipeline, reads, lookback);
  KernelDraft draft{pipeline, *rings, chains, *queues,
                    *lanes,   reads,  guards, lookback};
  FailureOr<tile::KernelOp> kernel = PipelineWriter(draft, name).run();
  if (failed(kernel))
    return failure();
  return pipeline.schedule.keepsLines() ? keepLines(op, *kernel, aliases)
                                        : success();
}
