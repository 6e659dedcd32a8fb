//===- MapLanes.cpp - Windows whose neighbours are in other lanes ---------===//
//
// A shuffle window is kept as one in registers is: each thread has its own
// points. When a plane comes, each thread gets the columns beside its own:
//
//   %n = ...                       // plane p + 1, the thread's own points
//   %l, %r = stencil.apply(%t = %x, %q = %n) attributes {#tile.lanes} {
//     %t[1, 0, -1], %t[1, 0, 1]
//   }
//
// They are carried like %n as long as somebody reads them. Who reads the window
// at [d, 0, -1] is given what has come of %l as an input of its own, to be read
// at [d, 0, 0]. Rows beside the thread's own are read in memory.
//
// What a stage makes is in no memory. So %x is a tile.join of %n that is wider
// than it, and the tiles overlap: what is computed of values that nobody has
// lies in a margin, which is not stored. With `exchange`, %x is a tile.source
// of a ring instead, for the rows that other threads have (MapExchanges.cpp).
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"

#include <numeric>

using namespace mlir;
using namespace stencil;

bool PipelineMapper::isOfStage(WindowOp window) const {
  return isRelay() || !isa<LoadOp, WindowOp>(window.getTemp().getDefiningOp());
}

/// Of a shuffle window of what a stage makes: that a row of threads is in one
/// warp, and that tiles may overlap.
LogicalResult PipelineMapper::checkOverlap(WindowOp window) {
  int64_t last = op.getRank() - 1;
  if (axis == last)
    return window.emitOpError("has no lowering: neighbours along the axis of "
                              "the walk in other threads");
  int64_t threads = facts.schedule.block[last], warp = facts.target.warpSize;
  if (warp % threads != 0)
    return window.emitOpError("expected rows of threads that are in one warp, ")
           << warp << " or a part of that along axis " << last
           << ", as it is of what a stage makes, got " << threads;
  for (LoadOp load : op.getBodyBlock()->getOps<LoadOp>())
    for (StoreOp store : op.getBodyBlock()->getOps<StoreOp>())
      if (plan.isNeeded(load) &&
          facts.aliases.mayAlias(store.getField(), load.getField()))
        return load.emitOpError("has no lowering: a field that the pipeline "
                                "stores to, in tiles that overlap");
  return success();
}

/// What a block stores of its tile: all, or what is as far from the ends of a
/// row as it takes until nothing follows from what lies beyond.
FailureOr<BoundsAttr> PipelineMapper::findInner() {
  int64_t last = op.getRank() - 1, before = 0, behind = 0;
  OffsetBox around = OffsetBox::zero(op.getRank());
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (window.getSpace() != Space::Shuffle || !isOfStage(window) ||
        !plan.isNeeded(window.getRes()))
      continue;
    if (failed(checkOverlap(window)))
      return failure();
    const PlannedValue &planned = plan.get(window.getRes());
    before = std::max(before, -planned.span.lower[last]);
    behind = std::max(behind, planned.span.upper[last]);
    if (isExchanged(window))
      around.join(planned.span);
  }
  int64_t rows = last - 1;
  bool overlapsRows =
      rows >= 0 && axis != rows && (around.lower[rows] || around.upper[rows]);
  if (isRelay()) {
    before = -facts.relayNeeds->lower[last];
    behind = facts.relayNeeds->upper[last];
  }
  if (before == 0 && behind == 0 && !overlapsRows)
    return BoundsAttr();
  SmallVector<int64_t> lower(op.getRank(), 0), upper;
  for (auto [threads, points] :
       llvm::zip_equal(facts.schedule.block, facts.schedule.points))
    upper.push_back(threads * points);
  int64_t row = upper[last], unit = facts.schedule.points[last];
  // What all threads store need not be whole threads' points, but sectors.
  if (isRelay())
    unit = getRowAlignment(op, facts.schedule);
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>())
    if (window.getPrefetch() == Prefetch::Tma && plan.isNeeded(window.getRes()))
      unit = std::lcm(unit, tile::RingType::getTensorMapStep(
                                getElementType(window.getRes())));
  lower[last] = llvm::alignTo(before, unit);
  upper[last] = std::max<int64_t>(0, row - behind) / unit * unit;
  if (overlapsRows) {
    lower[rows] = -around.lower[rows];
    upper[rows] -= around.upper[rows];
  }
  for (int64_t along : {last, rows}) {
    if (along < 0 || axis == along || lower[along] < upper[along])
      continue;
    int64_t tile = facts.schedule.block[along] * facts.schedule.points[along];
    return op.emitOpError("expected tiles of more than ")
           << tile - upper[along] + lower[along] << " points along axis "
           << along << ", by which they overlap, got " << tile;
  }
  return BoundsAttr::get(getContext(), lower, upper);
}

/// Whether a window is read through lanes: along the walk a thread has all
/// planes. What is computed beside the tile has no such neighbours, and what a
/// shared window has lost is in registers, as it is read.
bool PipelineMapper::hasLanes(WindowOp window) const {
  if (window.getSpace() != Space::Shuffle || axis == grid.getRank() - 1 ||
      isLost(window))
    return false;
  return llvm::none_of(window.getRes().getUsers(), [&](Operation *user) {
    auto stage = dyn_cast<ApplyOp>(user);
    return stage && !plan.getNeeds(stage).isEmpty() &&
           isBesideTile(plan.getHeld(stage));
  });
}

/// True for what is beside a thread's own rows.
static bool isOtherRow(ArrayRef<int64_t> offset, std::optional<int64_t> walk) {
  for (auto [axis, along] : llvm::enumerate(offset.drop_back()))
    if (walk != static_cast<int64_t>(axis) && along != 0)
      return true;
  return false;
}

/// Where a point is from the thread's own, in the plane.
LaneOffset PipelineMapper::getLaneOffset(ArrayRef<int64_t> offset) const {
  size_t rows = offset.size() - 2;
  bool hasRows = offset.size() > 1 && axis != static_cast<int64_t>(rows);
  return {hasRows ? offset[rows] : 0, offset.back()};
}

static SmallVector<AccessOp> getAccesses(BlockArgument input) {
  SmallVector<AccessOp> accesses;
  for (Operation *user : input.getUsers())
    if (auto access = dyn_cast<AccessOp>(user))
      accesses.push_back(access);
  return accesses;
}

/// The columns that stages read beside their own, and for how long.
LogicalResult PipelineMapper::findLanes() {
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!plan.isNeeded(window.getRes()) || !hasLanes(window))
      continue;
    int64_t lead = axis ? plan.get(window.getRes()).lead : 0;
    for (OpOperand &use : window.getRes().getUses()) {
      auto stage = dyn_cast<ApplyOp>(use.getOwner());
      if (!stage || plan.getNeeds(stage).isEmpty())
        continue;
      BlockArgument input =
          stage.getBodyBlock()->getArgument(use.getOperandNumber());
      for (Operation *user : input.getUsers())
        if (!isa<AccessOp>(user))
          return user->emitOpError(
              "has no lowering here; run stencil-expand-weighted-sums");
      for (AccessOp access : getAccesses(input)) {
        ArrayRef<int64_t> offset = access.getOffset().getValues();
        bool isOther = isOtherRow(offset, axis);
        if (isOther ? !isExchanged(window) : offset.back() == 0)
          continue;
        int64_t plane = axis ? plan.getLead(stage) + offset[*axis] : 0;
        LaneOffset at = getLaneOffset(offset);
        auto [known, isNew] = lanes.try_emplace({window, at});
        MappedLanes &columns = known->second;
        if (isNew) {
          SmallVector<int64_t> &own =
              columns.queue.offsets.emplace_back(offset);
          if (axis)
            own[*axis] = 0;
        }
        columns.oldest = isNew ? plane : std::min(columns.oldest, plane);
        columns.newest = isNew ? plane : std::max(columns.newest, plane);
        OffsetBox along = OffsetBox::zero(grid.getRank());
        if (axis)
          along.lower[*axis] = along.upper[*axis] = offset[*axis];
        columns.needs.join(
            getGuard(plan.getNeeds(stage), plan.getSpan(stage)).shifted(along));
      }
    }
    for (auto &[key, columns] : lanes) {
      if (key.first != window)
        continue;
      // Memory is asked early; registers are kept no longer than they have to.
      columns.given = isOfStage(window) ? columns.newest : lead;
      for (int64_t at = columns.given - 1; at >= columns.oldest; --at)
        columns.queue.types.push_back(
            getTileType(getElementType(window.getRes()), at));
    }
  }
  return findExchanges();
}

/// What a window is filled from, as a source of these planes.
Value PipelineMapper::getWindowSource(WindowOp window, int64_t oldest,
                                      int64_t newest) {
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  return shared ? makeRingSource(shared, oldest, newest)
                : getInput(window.getTemp());
}

/// A plane of what a stage makes, and beside the tile nothing that is
/// specified.
Value PipelineMapper::widen(WindowOp window, Value values) {
  auto type = cast<TempType>(values.getType());
  SmallVector<int64_t> lower(type.getBounds().getLb());
  SmallVector<int64_t> upper(type.getBounds().getUb());
  int64_t end = upper.back();
  for (auto &[key, columns] : lanes)
    if (key.first == window) {
      lower.back() = std::min(lower.back(), key.second.second);
      upper.back() = std::max(upper.back(), end + key.second.second);
    }
  return tile::JoinOp::create(
      builder, window.getLoc(),
      TempType::get(BoundsAttr::get(getContext(), lower, upper),
                    type.getElementType()),
      values);
}

/// Of a plane of a window, the columns that threads give each other.
void PipelineMapper::addLanes(WindowOp window, int64_t plane, Value values) {
  SmallVector<MappedLanes *> wanted;
  OffsetBox needs;
  for (auto &[key, columns] : lanes)
    if (key.first == window && columns.given == plane) {
      wanted.push_back(&columns);
      needs.join(columns.needs);
    }
  if (wanted.empty())
    return;
  Location loc = window.getLoc();
  bool isMadeHere = isOfStage(window);
  Value source = exchanges.contains(window) ? makeExchangeSource(window, plane)
                 : isMadeHere ? widen(window, values)
                              : getWindowSource(window, plane, plane);
  SmallVector<Type> types(wanted.size(),
                          getTileType(getElementType(window.getRes()), plane));
  auto make = [&]() -> ValueRange {
    auto stage = ApplyOp::create(builder, loc, types, {source, values});
    stage->setDiscardableAttr(tile::TileDialect::kEngineAttrName,
                              tile::LanesAttr::get(getContext()));
    OpBuilder inside = OpBuilder::atBlockEnd(stage.getBodyBlock());
    SmallVector<Value> read;
    for (MappedLanes *columns : wanted)
      read.push_back(AccessOp::create(inside, loc,
                                      stage.getBodyBlock()->getArgument(0),
                                      columns->queue.offsets.front()));
    ReturnOp::create(inside, loc, read, stencil::IndexAttr());
    return stage.getRes();
  };
  SmallVector<Value> results =
      makeWhere(loc, types, needs, /*isGuarded=*/!isMadeHere,
                isMadeHere ? std::nullopt : findPlanesOf(window), make);
  for (auto [entry, value] : llvm::zip_equal(wanted, results)) {
    MappedLanes &columns = *entry;
    columns.planes[plane] = value;
    Value before = value;
    for (auto [number, type] : llvm::enumerate(columns.queue.types)) {
      columns.queue.next.push_back(
          tile::ShiftOp::create(builder, loc, type, before));
      before = columns.queue.carried[number];
      columns.planes[plane - 1 - static_cast<int64_t>(number)] = before;
    }
  }
}

/// Gives a stage inputs of their own for what it reads beside its points.
void PipelineMapper::splitLanes(ApplyOp stage) {
  Block *body = stage.getBodyBlock();
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    auto window = value.getDefiningOp<WindowOp>();
    if (!window || !hasLanes(window))
      continue;
    llvm::SmallDenseMap<Value, BlockArgument> inputs;
    auto addInput = [&](Value input) {
      BlockArgument &argument = inputs[input];
      if (!argument) {
        argument = body->addArgument(input.getType(), window.getLoc());
        extras[stage].push_back(input);
      }
      return argument;
    };
    const PlannedValue &planned = plan.get(value);
    Value memory;
    for (AccessOp access : getAccesses(body->getArgument(index))) {
      ArrayRef<int64_t> offset = access.getOffset().getValues();
      bool isOther = isOtherRow(offset, axis);
      if (!isOther && offset.back() == 0)
        continue;
      SmallVector<int64_t> own(offset);
      Value input;
      if (isOther && !isExchanged(window)) {
        if (!memory)
          memory = getWindowSource(window, planned.oldest, planned.newest);
        input = memory;
      } else {
        for (auto [along, at] : llvm::enumerate(own))
          at = axis == static_cast<int64_t>(along) ? at : 0;
        int64_t plane = axis ? plan.getLead(stage) + offset[*axis] : 0;
        input =
            lanes.find({window, getLaneOffset(offset)})->second.planes[plane];
      }
      OpBuilder here(access);
      access.replaceAllUsesWith(
          AccessOp::create(here, access.getLoc(), addInput(input), own)
              .getRes());
      access.erase();
    }
  }
}
