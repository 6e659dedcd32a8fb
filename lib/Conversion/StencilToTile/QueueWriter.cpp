//===- QueueWriter.cpp - Windows in registers -----------------------------===//
//
// A window in registers of depth 3 and lead 1:
//
//   tile.walk ... carry(%q0 : [0,1], %q1 : [-1,0]) {
//     %n = ...                         // plane p + 1
//     %w = tile.join %q1, %q0, %n      // planes p - 1 to p + 1
//     tile.yield tile.shift %n, tile.shift %q0
//   }
//
//===----------------------------------------------------------------------===//

#include "KernelWriter.h"

using namespace mlir;
using namespace stencil;

/// Of a leg of a relay: a plane of the load, or of what the leg before hands
/// on.
Value QueueWriter::takePlane(WindowOp window) {
  const MappedRing *from = nullptr, *handed = nullptr;
  for (const auto &[op, ring] : draft.rings)
    (ring.load ? from : handed) = &ring;
  Type type = pipeline.getTileType(getElementType(window.getRes()),
                                   pipeline.plan.get(window.getRes()).lead);
  return tile::TakeOp::create(builder, window.getLoc(), type,
                              rings.getRing(*from), rings.getCursor(*from),
                              rings.getRing(*handed), rings.getCursor(*handed));
}

/// What a thread's own points read of the newest plane, where it is known.
SmallVector<Value> QueueWriter::copyColumns(WindowOp window) {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  auto shared = window.getTemp().getDefiningOp<WindowOp>();
  Value source = inputs.getSourceOf(window, planned.lead, planned.lead);
  Type type = draft.chains.getHeldType(window, getElementType(window.getRes()),
                                       planned.lead);
  ArrayRef<SmallVector<int64_t>> offsets =
      draft.queues.find(window)->second.offsets;
  return writer.makeWhere(
      window.getLoc(), SmallVector<Type>(offsets.size(), type),
      pipeline.getGuard(planned), !shared, draft.guards.findPlanesOf(window),
      [&]() -> ValueRange {
        ApplyOp copy = writer.makeCopy(window.getLoc(), source, type, offsets);
        draft.chains.setLayout(window, copy);
        return copy.getRes();
      });
}

/// What a stage has made, as far as the window has it: all, or the tile.
Value QueueWriter::takeHeld(WindowOp window) {
  Value made = inputs.get(window.getTemp());
  Type type = draft.chains.getHeldType(window, getElementType(window.getRes()),
                                       pipeline.getLead(window));
  if (made.getType() == type || !pipeline.hasLanes(window))
    return made;
  SmallVector<int64_t> here(pipeline.getRank(), 0);
  return writer.makeCopy(window.getLoc(), made, type, here).getRes().front();
}

/// The newest plane, offset by offset.
SmallVector<Value> QueueWriter::makeNewest(WindowOp window) {
  if (window.isOfStage())
    return {takeHeld(window)};
  if (pipeline.isRelay())
    return {takePlane(window)};
  return copyColumns(window);
}

/// The planes of a queue that somebody reads, the oldest one first, as one
/// value.
Value QueueWriter::joinPlanes(WindowOp window, ArrayRef<Value> planes) {
  if (planes.size() == 1)
    return planes.front();
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  BoundsAttr box = getBounds(planes.front());
  int64_t oldest = box.getLb()[*pipeline.axis];
  Type type =
      TempType::get(box.withAxis(*pipeline.axis, oldest, planned.newest + 1),
                    getElementType(window.getRes()));
  return tile::JoinOp::create(builder, window.getLoc(), type, planes);
}

/// All stores of one window store the same plane.
static int64_t getStoredPlane(const TiledPipeline &pipeline, WindowOp window) {
  for (Operation *user : window->getUsers())
    if (auto store = dyn_cast<StoreOp>(user))
      return pipeline.getLead(store);
  return 0;
}

/// What readers have of a window at one of its offsets, and the next iteration.
void QueueWriter::keep(WindowOp window, size_t number, Value newest) {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  const MappedQueue &queue = draft.queues.find(window)->second;
  bool isHere = isZero(queue.offsets[number]);
  size_t count = queue.types.size();
  auto carried = walk.getCarried(queue).slice(number * count, count);
  Value before = newest;
  for (auto [value, type] : llvm::zip_equal(carried, queue.types)) {
    walk.push(queue, window.getLoc(), before, type);
    before = value;
  }
  SmallVector<Value> planes;
  if (pipeline.axis) {
    for (int64_t at = planned.oldest; at <= planned.newest; ++at)
      planes.push_back(at == planned.lead ? newest
                                          : carried[planned.lead - 1 - at]);
    if (int64_t lead = getStoredPlane(pipeline, window);
        isHere && planned.oldest <= lead && lead <= planned.newest)
      stored[window] = planes[lead - planned.oldest];
  } else {
    planes.push_back(newest);
    if (isHere)
      stored[window] = newest;
  }
  Value joined = joinPlanes(window, planes);
  if (queue.hasNeighbours())
    neighbours[window].push_back(joined);
  else
    inputs.set(window.getRes(), joined);
}

void QueueWriter::add(WindowOp window) {
  SmallVector<Value> newest = makeNewest(window);
  if (const MappedRing *ring = findRing(draft.lanes.exchanges, window))
    rings.put(*ring, newest.front());
  if (pipeline.hasLanes(window)) {
    const MappedQueue &queue = draft.queues.find(window)->second;
    int64_t lead = pipeline.getLead(window);
    lanes.add(window, lead, newest.front());
    for (auto [number, values] : llvm::enumerate(walk.getCarried(queue)))
      lanes.add(window, lead - 1 - static_cast<int64_t>(number), values);
  }
  for (auto [number, value] : llvm::enumerate(newest))
    keep(window, number, value);
}
