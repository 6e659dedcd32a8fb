//===- MapExchanges.cpp - Rows that threads give each other ---------------===//
//
// Of a shuffle window with `exchange`, a thread has its own rows in registers,
// as it has its columns, and reads those beside them in a ring:
//
//   %e = tile.ring : <2 x ..., fill = stage, edges = 1 of 4>
//   ...
//   tile.put %n to %e[%c] plane 1           // the rows at the edges
//   %x = tile.source %e[%c]                 // plane p, put before the barrier
//   %u, %d, %l, %r = stencil.apply(%t = %x, %q = %carried) {#tile.lanes}
//
//===----------------------------------------------------------------------===//

#include "PipelineMapper.h"

using namespace mlir;
using namespace stencil;

bool PipelineMapper::isExchanged(WindowOp window) const {
  return window.getExchange().has_value();
}

/// The rings of windows of which somebody reads other rows.
LogicalResult PipelineMapper::findExchanges() {
  int64_t last = op.getRank() - 1, rows = last - 1;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!isExchanged(window) || !plan.isNeeded(window.getRes()) ||
        !hasLanes(window))
      continue;
    int64_t edge = 0, before = 0, behind = 0;
    int64_t lead = plan.get(window.getRes()).lead, oldest = lead;
    for (auto &[key, columns] : lanes) {
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
      continue;
    BoundsAttr tile = grid.getTileBox();
    SmallVector<int64_t> lower(tile.getLb()), upper(tile.getUb());
    lower[rows] -= edge;
    upper[rows] += edge;
    // Columns beside the tile are nowhere: whole threads, for vectors' sake.
    int64_t unit = grid.getPoints()[last];
    lower[last] -= llvm::alignTo(before, unit);
    upper[last] += llvm::alignTo(behind, unit);
    BoundsAttr box = BoundsAttr::get(getContext(), lower, upper);
    Type element = getElementType(window.getRes());
    MappedRing &ring = exchanges[window];
    ring.window = window;
    ring.type = tile::RingType::getChecked(
        [&] { return window.emitOpError("has no ring: "); }, getContext(),
        lead - oldest + 1, box, element,
        tile::RingType::getDefaultPitch(box, element, tile::Fill::Stage),
        tile::Fill::Stage, edge, grid.getPoints()[rows]);
    if (!ring.type)
      return failure();
  }
  return checkSharedMemory();
}

/// One plane of what threads have put.
Value PipelineMapper::makeExchangeSource(WindowOp window, int64_t plane) {
  const MappedRing &ring = exchanges.find(window)->second;
  BoundsAttr box = ring.type.getBox();
  SmallVector<int64_t> lower(box.getLb()), upper(box.getUb());
  lower[*axis] = plane;
  upper[*axis] = plane + 1;
  return tile::SourceOp::create(
      builder, window.getLoc(),
      TempType::get(BoundsAttr::get(getContext(), lower, upper),
                    ring.type.getElementType()),
      ring.ring, ring.cursor);
}

/// That all rings have room in the memory of a block.
LogicalResult PipelineMapper::checkSharedMemory() {
  if (exchanges.empty())
    return success();
  SharedLayout layout(op, [&](WindowOp window) {
    auto *known = rings.find(window);
    return known == rings.end() ? 0 : known->second.type.getBytes();
  });
  int64_t bytes = layout.bytes;
  for (auto &[window, ring] : exchanges)
    bytes += ring.type.getBytes();
  auto limit = static_cast<int64_t>(facts.target.sharedPerBlock);
  if (bytes > limit)
    return op.emitOpError("expected windows and exchanged rows of at most ")
           << limit << " bytes, the shared memory of a block on "
           << facts.target.chip << ", got " << bytes;
  return success();
}
