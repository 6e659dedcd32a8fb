//===- RingWriter.cpp - What is brought to shared memory ------------------===//

#include "KernelWriter.h"

using namespace mlir;
using namespace stencil;

void RingWriter::make() {
  for (const RingMap *rings : {&draft.rings, &draft.lanes.exchanges})
    for (const auto &[op, ring] : *rings) {
      auto window = cast<WindowOp>(op);
      auto group = window.getGroupAttr()
                       ? builder.getI64IntegerAttr(*window.getGroupNumber())
                       : IntegerAttr();
      auto created =
          tile::RingOp::create(builder, window.getLoc(), ring.type, group);
      created.setRelay(pipeline.isRelay() && !ring.load);
      made[&ring] = created.getRes();
    }
}

tile::SourceOp RingWriter::makeSource(const MappedRing &ring, int64_t oldest,
                                      int64_t newest) {
  BoundsAttr box = ring.type.getBox();
  if (pipeline.axis)
    box = box.withAxis(*pipeline.axis, oldest, newest + 1);
  return tile::SourceOp::create(builder, ring.window->getLoc(),
                                TempType::get(box, ring.type.getElementType()),
                                getRing(ring), getCursor(ring));
}

void RingWriter::put(const MappedRing &ring, Value values) {
  tile::PutOp::create(builder, ring.window->getLoc(), values, getRing(ring),
                      getCursor(ring), pipeline.getLead(ring.window));
}

//===----------------------------------------------------------------------===//
// Copies and waits
//===----------------------------------------------------------------------===//

static const PlannedValue &getPlanned(const TiledPipeline &pipeline,
                                      const MappedRing &ring) {
  return pipeline.plan.get(ring.window->getResult(0));
}

void RingWriter::copy(const MappedRing &ring) {
  int64_t lead = pipeline.axis ? getPlanned(pipeline, ring).lead +
                                     ring.countDelayed() + ring.relayLead
                               : 0;
  tile::CopyOp::create(
      builder, ring.window->getLoc(), writer.getArgument(ring.getField()),
      writer.plane, getRing(ring), getCursor(ring), lead,
      ring.brought.toBounds(pipeline.getContext()), ring.boundary);
}

/// What is written to the plane that is patched in the next iteration, or at
/// once.
void RingWriter::loadHalo(const MappedRing &ring) {
  int64_t read = pipeline.axis ? getPlanned(pipeline, ring).newest : 0;
  tile::FringeOp::create(
      builder, ring.window->getLoc(), writer.getArgument(ring.getField()),
      writer.plane, getRing(ring),
      isFetchedAtOnce(pipeline, ring.window) ? read : read + 1,
      ring.brought.toBounds(pipeline.getContext()), ring.boundary);
}

void RingWriter::patch(const MappedRing &ring) {
  tile::PatchOp::create(
      builder, ring.window->getLoc(), getRing(ring), getCursor(ring),
      writer.getArgument(ring.getField()), writer.plane,
      pipeline.axis ? getPlanned(pipeline, ring).newest : 0,
      ring.brought.toBounds(pipeline.getContext()), ring.boundary);
}

void RingWriter::wait(const MappedRing &ring) {
  if (!ring.type.isAsynchronous())
    return;
  const PlannedValue &planned = getPlanned(pipeline, ring);
  int64_t there = ring.type.getFill() == tile::Fill::Delayed ? planned.lead
                                                             : planned.newest;
  tile::WaitOp::create(builder, ring.window->getLoc(), getRing(ring),
                       getCursor(ring),
                       pipeline.axis ? there + ring.relayLead : 0);
}

/// What is read after the barrier comes first, then what is read later. Planes
/// that have come are patched, with what has been loaded in the iteration
/// before.
void RingWriter::fetchGroup(std::optional<int64_t> group) {
  SmallVector<const MappedRing *> now;
  for (const auto &[window, ring] : draft.rings)
    if (ring.load && cast<WindowOp>(window).getGroupNumber() == group)
      now.push_back(&ring);
  bool isAtOnce = !pipeline.axis || group;
  auto isBehind = [&](const MappedRing *ring) {
    return !isAtOnce && (ring->ahead > 0 || ring->type.isAsynchronous());
  };
  auto patchAll = [&](auto step) {
    for (const MappedRing *ring : now)
      if (ring->boundary)
        (this->*step)(*ring);
  };
  for (const MappedRing *ring : now) {
    if (!isAtOnce)
      wait(*ring);
    if (!isBehind(ring))
      copy(*ring);
  }
  patchAll(!isAtOnce ? &RingWriter::patch : &RingWriter::loadHalo);
  for (const MappedRing *ring : now) {
    if (isBehind(ring))
      copy(*ring);
    if (isAtOnce)
      wait(*ring);
  }
  patchAll(!isAtOnce ? &RingWriter::loadHalo : &RingWriter::patch);
}

void RingWriter::fetchUpTo(Operation *reader) {
  std::optional<int64_t> wanted;
  if (reader)
    for (Value operand : reader->getOperands())
      if (auto window = operand.getDefiningOp<WindowOp>())
        if (auto group = window.getGroupNumber())
          wanted = group;
  while (!pendingGroups.empty() &&
         (!reader || (wanted && pendingGroups.front() <= *wanted))) {
    fetchGroup(pendingGroups.front());
    pendingGroups.erase(pendingGroups.begin());
  }
}
