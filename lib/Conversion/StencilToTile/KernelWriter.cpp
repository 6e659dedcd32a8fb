//===- KernelWriter.cpp - Where the ops of a kernel go --------------------===//

#include "KernelWriter.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace stencil;

/// The fields and scalars that a kernel is given.
static SmallVector<Value> listOperands(const TiledPipeline &pipeline) {
  SmallVector<Value> operands;
  for (LoadOp load : pipeline.getOps<LoadOp>())
    if (pipeline.plan.isNeeded(load))
      operands.push_back(load.getField());
  for (StoreOp store : pipeline.getOps<StoreOp>())
    operands.push_back(store.getField());
  for (ApplyOp stage : pipeline.getOps<ApplyOp>())
    if (pipeline.isNeeded(stage))
      llvm::copy_if(
          stage.getArgs(), std::back_inserter(operands),
          [](Value value) { return !isa<GridType>(value.getType()); });
  return operands;
}

KernelWriter::KernelWriter(const TiledPipeline &pipeline, StringRef name)
    : pipeline(pipeline),
      kernel(makeKernel(pipeline.getOp(), name, pipeline.grid,
                        listOperands(pipeline))),
      builder(OpBuilder::atBlockEnd(kernel.getBodyBlock())) {}

tile::WhereOp KernelWriter::openWhere(Location loc, TypeRange results,
                                      const OffsetBox &needs, Value plane) {
  // Of tiles that overlap, the threads that store nothing lie in the domain or
  // not: only where all is for stores are they left out anyway.
  bool isOfDomain = needs.isZero() && !plane &&
                    (results.empty() || !pipeline.grid.getInner());
  auto where = tile::WhereOp::create(
      builder, loc, results, plane,
      isOfDomain ? BoundsAttr() : needs.toBounds(pipeline.getContext()));
  builder.createBlock(&where.getBody());
  return where;
}

SmallVector<Value> KernelWriter::makeWhere(Location loc, TypeRange types,
                                           const OffsetBox &needs,
                                           bool isGuarded,
                                           std::optional<WantedPlanes> ofPlanes,
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

ApplyOp KernelWriter::makeCopy(Location loc, Value source, Type type,
                               ArrayRef<SmallVector<int64_t>> offsets) {
  auto stage = ApplyOp::create(builder, loc,
                               SmallVector<Type>(offsets.size(), type), source);
  stage.returnInput(offsets);
  return stage;
}

void KernelWriter::tellPlane(ApplyOp stage) {
  auto knowsPlane = [](Value input) {
    return input.getDefiningOp<tile::SourceOp>();
  };
  if (!pipeline.axis || llvm::any_of(stage.getArgs(), knowsPlane) ||
      !tile::usesCoordinates(stage))
    return;
  stage->setAttr(tile::kPlaneAttrName,
                 builder.getI64IntegerAttr(stage.getArgs().size()));
  stage.getArgsMutable().append(plane);
  stage.getBodyBlock()->addArgument(plane.getType(), stage.getLoc());
}

//===----------------------------------------------------------------------===//
// The walk of a kernel
//===----------------------------------------------------------------------===//

void WalkWriter::open() {
  if (!pipeline.axis)
    return;
  Location loc = pipeline.getLoc();
  llvm::SmallDenseMap<Type, Value> none;
  SmallVector<Value> inits;
  for (const MappedQueue *queue : draft.listCarried())
    for (Type type : queue->listCarried()) {
      Value &poison = none[type];
      if (!poison)
        poison = ub::PoisonOp::create(
            builder, loc, type, ub::PoisonAttr::get(pipeline.getContext()));
      inits.push_back(poison);
    }
  walk = tile::WalkOp::create(builder, loc, ValueRange(inits).getTypes(),
                              draft.lookback, inits, pipeline.step);
  if (ScheduleAttr given = ScheduleAttr::of(pipeline.op);
      given && given.getUnroll())
    walk->setDiscardableAttr(kUnrollAttr,
                             builder.getI64IntegerAttr(*given.getUnroll()));
  Block *body = builder.createBlock(&walk.getBody());
  writer.plane = body->addArgument(builder.getIndexType(), loc);
  for (const RingMap *rings : {&draft.rings, &draft.lanes.exchanges})
    for (const auto &[window, ring] : *rings) {
      int64_t slots = ring.type.getSlots();
      Value &cursor = cursors[slots];
      if (!cursor)
        cursor = body->addArgument(
            tile::CursorType::get(pipeline.getContext(), slots), loc);
    }
  for (const MappedQueue *queue : draft.listCarried())
    for (Type type : queue->listCarried())
      carried[queue].push_back(body->addArgument(type, loc));
}

void WalkWriter::push(const MappedQueue &queue, Location loc, Value value,
                      Type type) {
  next[&queue].push_back(tile::ShiftOp::create(builder, loc, type, value));
}

void WalkWriter::close() {
  if (!walk)
    return;
  SmallVector<Value> all;
  for (const MappedQueue *queue : draft.listCarried())
    llvm::append_range(all, next[queue]);
  tile::YieldOp::create(builder, pipeline.getLoc(), all);
}

//===----------------------------------------------------------------------===//
// What stages are given
//===----------------------------------------------------------------------===//

Value StageInputs::get(Value value) {
  if (!isa<GridType>(value.getType()))
    return writer.getArgument(value);
  if (Value known = values.lookup(value))
    return known;
  Operation *def = value.getDefiningOp();
  Value made;
  if (auto load = dyn_cast<LoadOp>(def)) {
    made = ::stencil::makeSource(builder, load.getLoc(),
                                 writer.getArgument(load.getField()),
                                 writer.plane);
  } else if (auto window = cast<WindowOp>(def);
             const MappedRing *ring = findRing(draft.rings, window)) {
    auto [oldest, newest] = findPlanes(window);
    made = rings.makeSource(*ring, oldest, newest);
  } else {
    // The windows that are no rings and no queues name what they copy.
    const PlannedValue &planned = pipeline.plan.get(value);
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
  std::optional<int64_t> oldest, newest;
  if (!pipeline.axis)
    return {0, 0};
  for (auto [stage, input] : pipeline.listReaders(window)) {
    int64_t lead = pipeline.plan.getLead(stage);
    Footprint(stage).forEachRead(input, [&](const InputRead &read) {
      int64_t first = lead + read.lower[*pipeline.axis];
      int64_t last = lead + read.upper[*pipeline.axis];
      oldest = std::min(oldest.value_or(first), first);
      newest = std::max(newest.value_or(last), last);
    });
  }
  return {oldest.value_or(0), newest.value_or(0)};
}
