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
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type PipelineMapper::getTileType(Type elementType, int64_t lead) const {
  BoundsAttr tile = grid.getTileBox();
  SmallVector<int64_t> lower(tile.getLb()), upper(tile.getUb());
  if (axis) {
    lower[*axis] = lead;
    upper[*axis] = lead + 1;
  }
  return TempType::get(BoundsAttr::get(getContext(), lower, upper),
                       elementType);
}

SmallVector<Type> PipelineMapper::getResultTypes(ApplyOp stage) const {
  SmallVector<Type> types;
  for (Value result : stage.getRes())
    types.push_back(
        getHeldType(stage, getElementType(result), plan.getLead(stage)));
  return types;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void PipelineMapper::findFinals() {
  // Of tiles that overlap, all threads compute, and some store: what they
  // compute is no branch.
  if (grid.getInner())
    return;
  auto isInTime = [&](Operation &inner) {
    // Of several groups of windows, the last one is there when stores are.
    return llvm::all_of(inner.getOperands(), [&](Value operand) {
      auto window = operand.getDefiningOp<WindowOp>();
      std::optional<int64_t> group =
          window ? window.getGroupNumber() : std::nullopt;
      return !group || pendingGroups.empty() || *group == pendingGroups.back();
    });
  };
  // One that is ahead of plane p is computed for planes beyond the last one.
  auto isHere = [&](Operation &inner) {
    auto stage = dyn_cast<ApplyOp>(inner);
    return stage && (!axis || plan.getLead(stage) == 0);
  };
  for (Operation &inner : llvm::reverse(*op.getBodyBlock()))
    if (isHere(inner) && isInTime(inner) &&
        llvm::all_of(inner.getUsers(), [&](Operation *user) {
          return isa<StoreOp>(user) || finals.contains(user);
        }))
      finals.insert(&inner);
}

/// How many blocks a multiprocessor has at once is known of shared memory,
/// threads and launch bounds; without these, a thread is taken to have as many
/// registers as the middle of what kernels of walks have.
tile::CutAttr PipelineMapper::findCut() {
  const GPUSchedule &schedule = facts.schedule;
  const TargetInfo &target = facts.target;
  if (!schedule.planes || !axis)
    return {};
  constexpr int64_t kRegisters = 128;
  SmallVector<int64_t> tile;
  for (auto [threads, points] :
       llvm::zip_equal(schedule.block, schedule.points))
    tile.push_back(threads * points);
  PipelineSize size(op, plan);
  int64_t threads = llvm::product_of(ArrayRef<int64_t>(schedule.block));
  int64_t blocks = schedule.launchBounds;
  if (blocks == 0)
    blocks = target.registersPerMultiprocessor / (kRegisters * threads);
  blocks = std::min<int64_t>(blocks, target.threadsPerMultiprocessor / threads);
  if (int64_t bytes = size.getSharedBytes(tile))
    blocks = std::min<int64_t>(blocks, target.sharedPerMultiprocessor / bytes);
  return tile::CutAttr::get(op.getContext(), *schedule.planes, size.getHalo(),
                            target.multiprocessors,
                            std::max<int64_t>(1, blocks));
}

tile::WhereOp PipelineMapper::openWhere(Location loc, TypeRange results,
                                        const OffsetBox &needs, Value plane) {
  // Of tiles that overlap, the threads that store nothing lie in the domain or
  // not: only where all is for stores are they left out anyway.
  bool isOfDomain =
      needs.isZero() && !plane && (results.empty() || !grid.getInner());
  auto where = tile::WhereOp::create(builder, loc, results, plane,
                                     isOfDomain ? BoundsAttr()
                                                : needs.toBounds(getContext()));
  builder.createBlock(&where.getBody());
  return where;
}

/// A stage that asks for coordinates knows them from what it reads in memory,
/// or is told.
void PipelineMapper::tellPlane(ApplyOp stage) {
  auto knowsPlane = [](Value input) {
    return input.getDefiningOp<tile::SourceOp>();
  };
  if (!axis || llvm::any_of(stage.getArgs(), knowsPlane) ||
      !tile::usesCoordinates(stage))
    return;
  stage->setAttr(tile::kPlaneAttrName,
                 builder.getI64IntegerAttr(stage.getArgs().size()));
  stage.getArgsMutable().append(plane);
  stage.getBodyBlock()->addArgument(plane.getType(), stage.getLoc());
}

/// Has something made for planes that somebody needs only, and where somebody
/// needs it only.
SmallVector<Value>
PipelineMapper::makeWhere(Location loc, TypeRange types, const OffsetBox &needs,
                          bool isGuarded, std::optional<WantedPlanes> ofPlanes,
                          Make make) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<tile::WhereOp> wheres;
  if (ofPlanes)
    wheres.push_back(openWhere(loc, types, ofPlanes->planes, plane));
  if (ofPlanes && ofPlanes->within)
    wheres.back()->setDiscardableAttr(kWithinAttr, ofPlanes->within);
  if (isGuarded)
    wheres.push_back(openWhere(loc, types, needs));
  SmallVector<Value> made(make());
  for (tile::WhereOp where : llvm::reverse(wheres)) {
    tile::YieldOp::create(builder, loc, made);
    made = where.getRes();
    builder.setInsertionPointAfter(where);
  }
  return made;
}

/// What is read for a window: a ring, a queue, or the load that it stands for.
Operation *PipelineMapper::findRead(Value value) const {
  Operation *def = value.getDefiningOp();
  auto window = dyn_cast_or_null<WindowOp>(def);
  while (window && !rings.contains(window) && !isQueue(window)) {
    def = window.getTemp().getDefiningOp();
    window = dyn_cast<WindowOp>(def);
  }
  return def;
}

bool PipelineMapper::readsField(ApplyOp stage) const {
  auto isLoad = [&](Value value) {
    return isa<GridType>(value.getType()) && plan.isNeeded(value) &&
           isa<LoadOp>(findRead(value));
  };
  auto found = extras.find(stage);
  return llvm::any_of(stage.getArgs(), isLoad) ||
         (found != extras.end() &&
          llvm::any_of(found->second, tile::isFieldSource));
}

/// Whether the first iterations are for planes that nobody needs.
bool PipelineMapper::isEarly(int64_t lead, const OffsetBox &needs) const {
  return axis && lead - lookback < needs.lower[*axis];
}

/// Whether the walk has planes around a segment, for the points that a block
/// stores, which no one needs at the ends of the domain.
bool PipelineMapper::isCut(const OffsetBox &needs,
                           const OffsetBox &span) const {
  return axis && (needs.lower[*axis] != span.lower[*axis] ||
                  needs.upper[*axis] != span.upper[*axis]);
}

/// The points that somebody needs, around the domain; along the walk, around a
/// segment.
OffsetBox PipelineMapper::getGuard(const OffsetBox &needs,
                                   const OffsetBox &span) const {
  OffsetBox guard = needs;
  if (axis) {
    guard.lower[*axis] = span.lower[*axis];
    guard.upper[*axis] = span.upper[*axis];
  }
  return guard;
}

/// The planes for which a stage is computed if it may not be for any: it would
/// fail, or read what is not there. The last ones do no harm, unless it fails.
std::optional<WantedPlanes> PipelineMapper::findPlanesOf(ApplyOp stage) const {
  OffsetBox needs = plan.getSpan(stage);
  if (isCut(plan.getNeeds(stage), needs))
    return WantedPlanes{needs, plan.getNeeds(stage).toBounds(getContext())};
  int64_t lead = plan.getLead(stage);
  bool fails = mayBodyFail(stage);
  bool isLate = axis && lead > needs.upper[*axis];
  if (fails && isLate)
    return WantedPlanes{needs};
  if (!isEarly(lead, needs) ||
      (!fails && !readsField(stage) && !readsUnwritten(stage)))
    return std::nullopt;
  needs.upper[*axis] = std::max(needs.upper[*axis], lead);
  return WantedPlanes{needs};
}

/// The planes that are copied to a window if it may not be any.
std::optional<WantedPlanes>
PipelineMapper::findPlanesOf(WindowOp window) const {
  const PlannedValue &planned = plan.get(window.getRes());
  if (isCut(planned.needs, planned.span))
    return WantedPlanes{planned.span, planned.needs.toBounds(getContext())};
  bool isShared = window.getTemp().getDefiningOp<WindowOp>() != nullptr;
  if (!isEarly(planned.lead, planned.span) ||
      (isShared && !readsUnwritten(window)))
    return std::nullopt;
  OffsetBox needs = planned.span;
  needs.upper[*axis] = std::max(needs.upper[*axis], planned.lead);
  return WantedPlanes{needs};
}

/// A stage that others follow. What it reads in a field is read where somebody
/// needs it, and what nobody needs does not fail.
LogicalResult PipelineMapper::addStage(ApplyOp stage) {
  if (failed(addExtras(stage)))
    return failure();
  if (isMade(stage))
    return success();
  std::optional<WantedPlanes> planes = findPlanesOf(stage);
  SmallVector<Value> inputs = getInputs(stage);
  SmallVector<Type> types = getResultTypes(stage);
  SmallVector<Value> results(stage.getRes());
  SmallVector<Value> made =
      makeWhere(stage.getLoc(), types,
                getGuard(plan.getNeeds(stage), plan.getSpan(stage)),
                isGuarded(stage), planes, [&]() -> ValueRange {
                  ApplyOp moved = moveStage(builder, stage, types, inputs);
                  setLayout(stage, moved);
                  tellPlane(moved);
                  return moved.getRes();
                });
  for (auto [result, value] : llvm::zip_equal(results, made))
    values[result] = value;
  return success();
}

/// The stages that only stores follow, and these.
LogicalResult PipelineMapper::addFinals() {
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    if (isFinal(stage) && !plan.getNeeds(stage).isEmpty() &&
        failed(addExtras(stage)))
      return failure();
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    if (isFinal(stage) && !plan.getNeeds(stage).isEmpty())
      for (Value input : stage.getArgs()) {
        auto maker = input.getDefiningOp<ApplyOp>();
        auto window = input.getDefiningOp<WindowOp>();
        bool isRead = !isa<GridType>(input.getType()) || plan.isNeeded(input);
        if (isRead && !(maker && isFinal(maker)) &&
            !(window && neighbours.contains(window)))
          getInput(input);
      }
  addSharedStores();
  if (llvm::all_of(op.getBodyBlock()->getOps<StoreOp>(),
                   [&](StoreOp store) { return isShared(store); }))
    return success();
  llvm::DenseMap<Operation *, Value> early = readEarlyStores();
  OpBuilder::InsertionGuard guard(builder);
  openWhere(op.getLoc(), TypeRange(), OffsetBox::zero(op.getRank()));
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>()) {
    if (!isFinal(stage) || plan.getNeeds(stage).isEmpty() || isMade(stage))
      continue;
    SmallVector<Value> results(stage.getRes());
    ApplyOp moved =
        moveStage(builder, stage, getResultTypes(stage), getInputs(stage));
    tellPlane(moved);
    for (auto [result, value] : llvm::zip_equal(results, moved.getRes()))
      values[result] = value;
  }
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    if (!isShared(store)) {
      Value read = early.lookup(store);
      tile::StoreOp::create(builder, store.getLoc(),
                            read ? read : getStored(store),
                            (*frame)[store.getField()], plane);
    }
  tile::YieldOp::create(builder, op.getLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// The first iteration brings the first plane of each ring that is needed, or
/// the copies ahead of it have.
int64_t PipelineMapper::getLookback() const {
  int64_t lookback = plan.getLookback();
  // The first leg begins with the first plane that is needed, and takes it in
  // the iteration that is as far ahead of it.
  if (isRelay())
    return getTakenPlane() + getRelayLead() - facts.relayNeeds->lower[*axis];
  for (auto &[window, ring] : rings) {
    if (!ring.load)
      continue;
    const PlannedValue &planned = plan.get(window->getResult(0));
    int64_t copied = planned.lead + ring.countDelayed();
    // No plane of a group comes ahead of the walk.
    if (!isFetchedAtOnce(ring))
      copied = std::min<int64_t>(copied, 0);
    lookback = std::max(lookback, copied - planned.span.lower[*axis]);
  }
  // What is read of a ring is put an iteration before, or more.
  for (auto &[key, columns] : lanes)
    if (exchanges.contains(key.first))
      lookback = std::max(lookback, plan.get(key.first->getResult(0)).lead -
                                        columns.given);
  return lookback;
}

/// All that a walk carries.
SmallVector<MappedQueue *> PipelineMapper::listQueues() {
  SmallVector<MappedQueue *> all;
  for (auto &[inner, queue] : queues)
    all.push_back(&queue);
  for (auto &[key, columns] : lanes)
    all.push_back(&columns.queue);
  return all;
}

void PipelineMapper::openWalk() {
  if (!axis)
    return;
  Location loc = op.getLoc();
  llvm::SmallDenseMap<Type, Value> none;
  SmallVector<Value> inits;
  SmallVector<MappedQueue *> carried = listQueues();
  for (MappedQueue *queue : carried)
    for (Type type : queue->listCarried()) {
      Value &poison = none[type];
      if (!poison)
        poison = ub::PoisonOp::create(builder, loc, type,
                                      ub::PoisonAttr::get(getContext()));
      inits.push_back(poison);
    }
  walk = tile::WalkOp::create(builder, loc, ValueRange(inits).getTypes(),
                              lookback, inits, facts.step);
  Block *body = builder.createBlock(&walk.getBody());
  plane = body->addArgument(builder.getIndexType(), loc);
  llvm::SmallDenseMap<int64_t, Value> cursors;
  auto addCursor = [&](MappedRing &ring) {
    Value &cursor = cursors[ring.type.getSlots()];
    if (!cursor)
      cursor = body->addArgument(
          tile::CursorType::get(getContext(), ring.type.getSlots()), loc);
    ring.cursor = cursor;
  };
  for (auto &[window, ring] : rings)
    addCursor(ring);
  for (auto &[window, ring] : exchanges)
    addCursor(ring);
  for (MappedQueue *queue : carried)
    for (Type type : queue->listCarried())
      queue->carried.push_back(body->addArgument(type, loc));
}

void PipelineMapper::closeWalk() {
  if (!walk)
    return;
  SmallVector<Value> next;
  for (MappedQueue *queue : listQueues())
    llvm::append_range(next, queue->next);
  tile::YieldOp::create(builder, op.getLoc(), next);
}

/// What a pipeline may say and no kernel can do: blocks run in any order, and
/// what one stores, no other may read.
LogicalResult PipelineMapper::checkSupported() {
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (window.hasBoundary() && !window.isOfLoad() &&
        plan.isNeeded(window.getRes()))
      return window.emitOpError("has no lowering here: a boundary of what a "
                                "stage makes; run stencil-expand-boundaries");
  auto stores = op.getBodyBlock()->getOps<StoreOp>();
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>()) {
    auto isSame = [&](StoreOp store) {
      return facts.aliases.mayAlias(store.getField(), load.getField());
    };
    if (plan.isNeeded(load) && !plan.get(load).needs.isZero() &&
        llvm::any_of(stores, isSame))
      return load.emitOpError("has no lowering: neighbours are read of a field "
                              "that the pipeline stores to");
    for (StoreOp store : stores)
      if (axis && plan.isNeeded(load) && isSame(store) &&
          plan.get(load).oldest < getLead(store)) {
        InFlightDiagnostic diag =
            load.emitOpError("has no lowering: plane p + ")
            << plan.get(load).oldest << " is read of a field whose plane p + "
            << getLead(store) << " the pipeline stores in the same iteration";
        diag.attachNote(store.getLoc()) << "it is stored to here";
        return diag;
      }
  }
  for (StoreOp store : stores)
    for (StoreOp later : stores)
      if (store->isBeforeInBlock(later) && getLead(later) > getLead(store) &&
          facts.aliases.mayAlias(store.getField(), later.getField()))
        return later.emitOpError("has no lowering: its plane p + ")
               << getLead(later)
               << " is stored before that of another store to the same memory, "
                  "p + "
               << getLead(store);
  return success();
}

LogicalResult PipelineMapper::map(StringRef name) {
  if (failed(checkSupported()))
    return failure();
  FailureOr<BoundsAttr> inner = findInner();
  if (failed(inner))
    return failure();
  grid = makeGrid(op, op.getDomain(), facts.schedule, facts.schedule.points,
                  getRowAlignment(op, facts.schedule), findLayout(), *inner,
                  findCut());
  if (!grid || failed(findRings()))
    return failure();
  findFinals();
  findChains();
  if (failed(findQueues()) || failed(findLanes()))
    return failure();
  lookback = axis ? getLookback() : 0;
  SmallVector<Value> operands;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    if (plan.isNeeded(load))
      operands.push_back(load.getField());
  for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
    operands.push_back(store.getField());
  for (ApplyOp stage : op.getBodyBlock()->getOps<ApplyOp>())
    if (!plan.getNeeds(stage).isEmpty())
      llvm::copy_if(
          stage.getArgs(), std::back_inserter(operands),
          [](Value value) { return !isa<GridType>(value.getType()); });
  frame.emplace(op, name, grid, operands);
  tile::KernelOp kernel = frame->get();
  builder.setInsertionPointToEnd(kernel.getBodyBlock());
  makeRings();
  openWalk();
  fetchGroup(std::nullopt);
  for (Operation &inner : llvm::make_early_inc_range(*op.getBodyBlock())) {
    if (isa<LoadOp, StoreOp>(inner) || finals.contains(&inner))
      continue;
    fetchUpTo(&inner);
    if (auto stage = dyn_cast<ApplyOp>(inner);
        stage && !plan.getNeeds(stage).isEmpty()) {
      if (failed(addStage(stage)))
        return failure();
    } else if (auto window = dyn_cast<WindowOp>(inner);
               window && plan.isNeeded(window.getRes())) {
      addWindow(window);
    } else if (auto sum = dyn_cast<AccumulateOp>(inner);
               sum && plan.isNeeded(sum.getRes())) {
      addSum(sum);
    }
  }
  fetchUpTo(nullptr);
  if (failed(addFinals()))
    return failure();
  closeWalk();
  return facts.schedule.keepsLines ? keepLines(op, kernel, facts.aliases)
                                   : success();
}

/// The walk is one by single planes, whose loop takes so many at a time. Of
/// these, rings have the planes that windows keep for the ones to come.
int64_t stencil::takeStep(PipelineOp op) {
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

LogicalResult stencil::mapPipeline(PipelineOp op, KernelFacts &facts,
                                   StringRef name) {
  return PipelineMapper(op, facts).map(name);
}
