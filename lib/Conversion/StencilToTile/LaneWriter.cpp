//===- LaneWriter.cpp - What threads get from each other ------------------===//
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
// lies in a margin, which is not stored. With `exchange`, a thread has its own
// rows in registers, as it has its columns, and reads those beside them in a
// ring:
//
//   %e = tile.ring : <2 x ..., fill = stage, edges = 1 of 4>
//   ...
//   tile.put %n to %e[%c] plane 1           // the rows at the edges
//   %x = tile.source %e[%c]                 // plane p, put before the barrier
//   %u, %d, %l, %r = stencil.apply(%t = %x, %q = %carried) {#tile.lanes}
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"

using namespace mlir;
using namespace stencil;

/// A plane of what a stage makes, and beside the tile nothing that is
/// specified.
Value LaneWriter::widen(WindowOp window, Value values) {
  auto type = cast<TempType>(values.getType());
  int64_t last = type.getRank() - 1;
  int64_t lower = type.getBounds().getLb()[last];
  int64_t end = type.getBounds().getUb()[last], upper = end;
  for (const auto &[key, columns] : draft.lanes.lanes)
    if (key.first == window) {
      lower = std::min(lower, key.second.second);
      upper = std::max(upper, end + key.second.second);
    }
  return tile::JoinOp::create(
      builder, window.getLoc(),
      TempType::get(type.getBounds().withAxis(last, lower, upper),
                    type.getElementType()),
      values);
}

/// What lanes read a plane in, of which a thread has `values`.
Value LaneWriter::makeSource(WindowOp window, int64_t plane, Value values) {
  if (const MappedRing *ring = findRing(draft.lanes.exchanges, window))
    return rings.makeSource(*ring, plane, plane);
  return pipeline.isOfStage(window) ? widen(window, values)
                                    : inputs.getSourceOf(window, plane, plane);
}

/// Keeps what others have given of a plane as long as somebody reads it.
void LaneWriter::keep(const MappedLanes &columns, Location loc, int64_t plane,
                      Value value) {
  planes[{&columns, plane}] = value;
  Value before = value;
  ArrayRef<Value> carried = walk.getCarried(columns.queue);
  for (auto [number, type] : llvm::enumerate(columns.queue.types)) {
    walk.push(columns.queue, loc, before, type);
    before = carried[number];
    planes[{&columns, plane - 1 - static_cast<int64_t>(number)}] = before;
  }
}

void LaneWriter::add(WindowOp window, int64_t plane, Value values) {
  SmallVector<const MappedLanes *> wanted;
  OffsetBox needs;
  for (const auto &[key, columns] : draft.lanes.lanes)
    if (key.first == window && columns.given == plane) {
      wanted.push_back(&columns);
      needs.join(columns.needs);
    }
  if (wanted.empty())
    return;
  Location loc = window.getLoc();
  Value source = makeSource(window, plane, values);
  SmallVector<Type> types(
      wanted.size(),
      pipeline.getTileType(getElementType(window.getRes()), plane));
  auto make = [&]() -> ValueRange {
    auto stage = ApplyOp::create(builder, loc, types, {source, values});
    stage->setDiscardableAttr(tile::TileDialect::kEngineAttrName,
                              tile::LanesAttr::get(stage.getContext()));
    stage.returnInput(
        llvm::map_to_vector(wanted, [](const MappedLanes *columns) {
          return columns->queue.offsets.front();
        }));
    return stage.getRes();
  };
  bool isMadeHere = pipeline.isOfStage(window);
  SmallVector<Value> results = writer.makeWhere(
      loc, types, needs, /*isGuarded=*/!isMadeHere,
      isMadeHere ? std::nullopt : draft.guards.findPlanesOf(window), make);
  for (auto [columns, value] : llvm::zip_equal(wanted, results))
    keep(*columns, loc, plane, value);
}

/// What a stage is given for a point of a window beside its own. `memory` is
/// what it reads other rows in, once it has been made.
StageExtra LaneWriter::getExtra(ApplyOp stage, WindowOp window,
                                ArrayRef<int64_t> offset, StageExtra &memory) {
  if (!isOtherRow(offset, pipeline.axis) || window.getExchange()) {
    int64_t plane = pipeline.axis
                        ? pipeline.plan.getLead(stage) + offset[*pipeline.axis]
                        : 0;
    const MappedLanes &columns =
        draft.lanes.lanes.find({window, getLaneOffset(offset, pipeline.axis)})
            ->second;
    return {planes.lookup({&columns, plane})};
  }
  if (!memory.value) {
    const PlannedValue &planned = pipeline.plan.get(window.getRes());
    memory.value = inputs.getSourceOf(window, planned.oldest, planned.newest);
    memory.ring = findRing(draft.rings, window.getTemp().getDefiningOp());
  }
  return memory;
}

void LaneWriter::split(ApplyOp stage, SmallVectorImpl<StageExtra> &extras) {
  const std::optional<int64_t> &axis = pipeline.axis;
  Block *body = stage.getBodyBlock();
  for (auto [index, value] : llvm::enumerate(stage.getArgs())) {
    auto window = value.getDefiningOp<WindowOp>();
    if (!window || !pipeline.hasLanes(window))
      continue;
    llvm::SmallDenseMap<Value, BlockArgument> given;
    auto addInput = [&](const StageExtra &extra) {
      BlockArgument &argument = given[extra.value];
      if (!argument) {
        argument = body->addArgument(extra.value.getType(), window.getLoc());
        extras.push_back(extra);
      }
      return argument;
    };
    StageExtra memory;
    for (Operation *user :
         llvm::to_vector(body->getArgument(index).getUsers())) {
      auto access = dyn_cast<AccessOp>(user);
      if (!access)
        continue;
      SmallVector<int64_t> offset(access.getOffset().getValues());
      bool isOther = isOtherRow(offset, axis);
      if (!isOther && offset.back() == 0)
        continue;
      StageExtra extra = getExtra(stage, window, offset, memory);
      // In lanes, all but the plane is that of the thread's own point.
      if (!isOther || window.getExchange())
        for (auto [along, at] : llvm::enumerate(offset))
          at = axis == static_cast<int64_t>(along) ? at : 0;
      OpBuilder here(access);
      access.replaceAllUsesWith(
          AccessOp::create(here, access.getLoc(), addInput(extra), offset)
              .getRes());
      access.erase();
    }
  }
}
