//===- PlanLanes.cpp - Windows whose neighbours are in other lanes --------===//

#include "KernelDraft.h"

using namespace mlir;
using namespace stencil;

LogicalResult stencil::checkAccesses(ApplyOp stage, unsigned input) {
  for (Operation *user : stage.getBodyBlock()->getArgument(input).getUsers())
    if (!isa<AccessOp>(user))
      return user->emitOpError(
          "has no lowering here; run stencil-expand-weighted-sums");
  return success();
}

bool stencil::isOtherRow(ArrayRef<int64_t> offset,
                         std::optional<int64_t> walk) {
  for (auto [axis, along] : llvm::enumerate(offset.drop_back()))
    if (walk != static_cast<int64_t>(axis) && along != 0)
      return true;
  return false;
}

LaneOffset stencil::getLaneOffset(ArrayRef<int64_t> offset,
                                  std::optional<int64_t> walk) {
  size_t rows = offset.size() - 2;
  bool hasRows = offset.size() > 1 && walk != static_cast<int64_t>(rows);
  return {hasRows ? offset[rows] : 0, offset.back()};
}

static void addRead(const TiledPipeline &pipeline, WindowOp window,
                    ApplyOp stage, ArrayRef<int64_t> offset, LanePlan &found) {
  int64_t plane =
      pipeline.axis ? pipeline.plan.getLead(stage) + offset[*pipeline.axis] : 0;
  auto [known, isNew] =
      found.lanes.try_emplace({window, getLaneOffset(offset, pipeline.axis)});
  MappedLanes &columns = known->second;
  if (isNew) {
    SmallVector<int64_t> &own = columns.queue.offsets.emplace_back(offset);
    if (pipeline.axis)
      own[*pipeline.axis] = 0;
  }
  columns.oldest = isNew ? plane : std::min(columns.oldest, plane);
  columns.newest = isNew ? plane : std::max(columns.newest, plane);
  OffsetBox along = OffsetBox::zero(pipeline.grid.getRank());
  if (pipeline.axis)
    along.lower[*pipeline.axis] = along.upper[*pipeline.axis] =
        offset[*pipeline.axis];
  columns.needs.join(pipeline.getGuard(stage).shifted(along));
}

/// What a stage reads of a window beside a thread's own points.
static LogicalResult addReads(const TiledPipeline &pipeline, WindowOp window,
                              ApplyOp stage, unsigned index, LanePlan &found) {
  if (failed(checkAccesses(stage, index)))
    return failure();
  for (Operation *user : stage.getBodyBlock()->getArgument(index).getUsers()) {
    ArrayRef<int64_t> offset = cast<AccessOp>(user).getOffset().getValues();
    bool isRead = isOtherRow(offset, pipeline.axis)
                      ? window.getExchange().has_value()
                      : offset.back() != 0;
    if (isRead)
      addRead(pipeline, window, stage, offset, found);
  }
  return success();
}

/// The columns that stages read beside their own, and for how long.
static LogicalResult addWindow(const TiledPipeline &pipeline, WindowOp window,
                               LanePlan &found) {
  for (auto [stage, input] : pipeline.listReaders(window))
    if (failed(addReads(pipeline, window, stage, input, found)))
      return failure();
  for (auto &[key, columns] : found.lanes) {
    if (key.first != window)
      continue;
    // Memory is asked early; registers are kept no longer than they have to.
    columns.given =
        pipeline.isOfStage(window) ? columns.newest : pipeline.getLead(window);
    for (int64_t at = columns.given - 1; at >= columns.oldest; --at)
      columns.queue.types.push_back(
          pipeline.getTileType(getElementType(window.getRes()), at));
  }
  return success();
}

/// The ring of a window of which somebody reads other rows.
static LogicalResult addExchange(const TiledPipeline &pipeline, WindowOp window,
                                 LanePlan &found) {
  int64_t last = pipeline.getRank() - 1, rows = last - 1;
  int64_t edge = 0, before = 0, behind = 0;
  int64_t lead = pipeline.plan.get(window.getRes()).lead, oldest = lead;
  for (const auto &[key, columns] : found.lanes) {
    if (key.first != window)
      continue;
    auto [row, column] = key.second;
    edge = std::max(edge, std::abs(row));
    before = std::max(before, -column);
    behind = std::max(behind, column);
    oldest = std::min(oldest, columns.given);
  }
  // Columns alone are in other lanes.
  if (edge == 0)
    return success();
  BoundsAttr tile = pipeline.grid.getTileBox();
  // Columns beside the tile are nowhere: whole threads, for vectors' sake.
  int64_t unit = pipeline.grid.getPoints()[last];
  int64_t left = tile.getLb()[last] - llvm::alignTo(before, unit);
  int64_t right = tile.getUb()[last] + llvm::alignTo(behind, unit);
  BoundsAttr box =
      tile.withAxis(rows, tile.getLb()[rows] - edge, tile.getUb()[rows] + edge)
          .withAxis(last, left, right);
  Type element = getElementType(window.getRes());
  MappedRing &ring = found.exchanges[window];
  ring.window = window;
  ring.type = tile::RingType::getChecked(
      [&] { return window.emitOpError("has no ring: "); },
      pipeline.getContext(), lead - oldest + 1, box, element,
      tile::RingType::getDefaultPitch(box, element, tile::Fill::Stage),
      tile::Fill::Stage, edge, pipeline.grid.getPoints()[rows]);
  return success(bool(ring.type));
}

FailureOr<LanePlan> stencil::planLanes(const TiledPipeline &pipeline,
                                       const RingMap &rings) {
  LanePlan found;
  auto hasOwn = [&](WindowOp window) {
    return pipeline.plan.isNeeded(window.getRes()) && pipeline.hasLanes(window);
  };
  for (WindowOp window : pipeline.getOps<WindowOp>())
    if (hasOwn(window) && failed(addWindow(pipeline, window, found)))
      return failure();
  for (WindowOp window : pipeline.getOps<WindowOp>())
    if (window.getExchange() && hasOwn(window) &&
        failed(addExchange(pipeline, window, found)))
      return failure();
  if (failed(checkSharedMemory(pipeline, rings, found.exchanges)))
    return failure();
  return found;
}
