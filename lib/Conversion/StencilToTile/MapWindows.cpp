//===- MapWindows.cpp - Shared windows to rings ---------------------------===//

#include "PipelineMapper.h"
#include "StencilDialect/IR/Elements.h"

using namespace mlir;
using namespace stencil;

static tile::Fill getFill(WindowOp window, bool walks) {
  switch (window.getPrefetch().value_or(Prefetch::None)) {
  case Prefetch::Registers:
    return walks ? tile::Fill::Delayed : tile::Fill::Threads;
  case Prefetch::Async:
    return tile::Fill::Async;
  case Prefetch::Tma:
    return tile::Fill::Tma;
  case Prefetch::None:
  case Prefetch::L2:
    return tile::Fill::Threads;
  }
  llvm_unreachable("unknown prefetch");
}

/// What the copy engine can do (PTX ISA, cuTensorMapEncodeTiled).
static LogicalResult checkCopyEngine(WindowOp window, const SharedPlane &shape,
                                     Type element, bool hasGaps) {
  constexpr int64_t kMaxBox = 256, kMaxRank = 5, kRowBytes = 16;
  if (!tile::RingType::isOfTensorMap(element))
    return window.emitOpError(
               "expected elements of a tensor map for prefetch "
               "= tma, floats and integers of 1 to 8 bytes, got ")
           << element;
  int64_t rank = shape.shape.size();
  if (rank > kMaxRank)
    return window.emitOpError("expected at most ")
           << kMaxRank << " axes for prefetch = tma, got " << rank;
  // Rows with gaps come in segments (RingType).
  ArrayRef<int64_t> extents(shape.shape);
  for (auto [axis, extent] :
       llvm::enumerate(hasGaps ? extents.drop_back() : extents))
    if (extent > kMaxBox)
      return window.emitOpError("expected at most ")
             << kMaxBox << " points of a tile and its halo along axis " << axis
             << " for prefetch = tma, got " << extent;
  if (int64_t bytes = shape.shape.back() * getElementBytes(element);
      bytes % kRowBytes != 0)
    return window.emitOpError("expected rows of a multiple of ")
           << kRowBytes << " bytes for prefetch = tma, got " << bytes
           << " bytes";
  return success();
}

/// Whether the window can be filled as it says.
LogicalResult PipelineMapper::checkFetch(WindowOp window,
                                         const SharedPlane &shape,
                                         bool hasGaps) {
  Prefetch kind = window.getPrefetch().value_or(Prefetch::None);
  const TargetInfo &target = facts.target;
  if ((kind == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor)) ||
      (kind == Prefetch::Async && !target.hasAsyncCopy(AsyncCopyElements)))
    return window.emitOpError("expected a GPU with ")
           << (kind == Prefetch::Tma ? "the tensor memory accelerator"
                                     : "cp.async")
           << " for prefetch = " << stringifyPrefetch(kind) << ", got "
           << target.chip;
  bool isAsync = kind == Prefetch::Async || kind == Prefetch::Tma;
  const PlannedValue &planned = plan.get(window.getRes());
  if (axis && isAsync && !window.getGroupNumber() &&
      planned.lead <= planned.newest)
    return window.emitOpError("expected a lead beyond plane p + ")
           << planned.newest << ", the newest that is read, for prefetch = "
           << stringifyPrefetch(kind) << ", got " << planned.lead;
  if (kind != Prefetch::Tma)
    return success();
  int64_t last = op.getRank() - 1;
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  bool isStored =
      llvm::any_of(op.getBodyBlock()->getOps<StoreOp>(), [&](StoreOp store) {
        return facts.aliases.mayAlias(store.getField(), load.getField());
      });
  if (isStored && axis != last && shape.shape[last] != grid.getTile(last))
    return window.emitOpError("expected tiles of a multiple of ")
           << shape.rowAlignment << " points along axis " << last
           << " for prefetch = tma of a field that is stored to, got "
           << grid.getTile(last);
  return checkCopyEngine(window, shape, getElementType(window.getRes()),
                         hasGaps);
}

/// How the rows of a ring lie.
struct RingRows {
  /// Elements from one to the next, but for gaps within.
  int64_t pitch;
  /// Of these, what engines ask for beyond whole sectors.
  int64_t pad = 0;
  int64_t segment = 1, gap = 0;
};

/// Rows as the engines of those who read a window ask for them.
static RingRows getRows(WindowOp window, int64_t points, Type element) {
  int64_t bytes = 1;
  RingRows rows;
  for (OpOperand &use : window.getRes().getUses())
    if (auto stage = dyn_cast<ApplyOp>(use.getOwner()))
      for (tile::EngineAttrInterface engine :
           chooseEngines(stage, use.getOperandNumber())) {
        tile::OperandAccess access =
            engine.getOperandAccess(stage, use.getOperandNumber());
        bytes = std::max(bytes, access.rowBytes);
        rows.pad = std::max(rows.pad, access.rowPad);
        if (access.rowGap != 0) {
          rows.segment = access.rowSegment;
          rows.gap = access.rowGap;
        }
      }
  int64_t unit = std::max<int64_t>(1, bytes / getElementBytes(element));
  rows.pitch = rows.pad + static_cast<int64_t>(llvm::alignTo(points, unit));
  return rows;
}

/// Whether what lies around a field is zero, which is what the copy engine
/// brings of it.
static bool isZeroAround(WindowOp window, LoadOp load) {
  auto isPositiveZero = [](Attribute condition) {
    HaloRule rule = getHaloRule(condition);
    auto value = rule.isConstant() ? dyn_cast<FloatAttr>(rule.value) : nullptr;
    return value && value.getValue().isPosZero();
  };
  return *window.getBounds() ==
             cast<GridType>(load.getField().getType()).getBounds() &&
         llvm::all_of(*window.getConditions(), isPositiveZero);
}

/// Whether different blocks walk through different planes of one tile.
bool PipelineMapper::hasSegments() const {
  return axis && (facts.schedule.segments > 1 || facts.schedule.planes);
}

/// The points of a load that are brought, and that a boundary is for. Around
/// the only segment of a walk, these are the ones around the domain.
OffsetBox PipelineMapper::getBrought(const MappedRing &ring) const {
  Value window = ring.window->getResult(0);
  return ring.boundary && !hasSegments() ? plan.get(window).needs
                                         : getCopied(window);
}

/// That the field has the planes that are kept around its box for all segments.
LogicalResult PipelineMapper::checkKeptPlanes(WindowOp window) {
  const PlannedValue &planned = plan.get(window.getRes());
  if (!hasSegments() || !isCut(planned.needs, planned.span))
    return success();
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  BoundsAttr field = cast<GridType>(load.getField().getType()).getBounds();
  OffsetBox beyond = getHaloReach(op.getDomain(), field, planned.span);
  for (bool upper : {false, true})
    if ((upper ? beyond.upper : beyond.lower)[*axis] > 0 &&
        getHaloRule(window.getCondition(*axis, upper)).isKept())
      return window.emitOpError("has no lowering for 'segments': the field "
                                "does not have as many planes around its box "
                                "as a segment reads around its own");
  return success();
}

/// The boundary of a window, where somebody reads beyond its box on a side that
/// is not kept.
LogicalResult PipelineMapper::findBoundary(MappedRing &ring) {
  WindowOp window = ring.window;
  if (!window.hasBoundary())
    return success();
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  if (llvm::any_of(op.getBodyBlock()->getOps<StoreOp>(), [&](StoreOp store) {
        return facts.aliases.mayAlias(store.getField(), load.getField());
      }))
    return window.emitOpError("has no lowering: a boundary of a field that the "
                              "pipeline stores to");
  if (ring.type.getFill() == tile::Fill::Tma && isZeroAround(window, load))
    return success();
  OffsetBox reach = plan.getReach(window);
  bool isRead = false;
  for (int64_t i = 0; i < grid.getRank(); ++i)
    for (bool upper : {false, true}) {
      if ((upper ? reach.upper : reach.lower)[i] == 0)
        continue;
      Attribute condition = window.getCondition(i, upper);
      if (getHaloRule(condition).isPolynomial())
        return window.emitOpError("has no lowering here: ")
               << condition
               << " takes each value from several points; run "
                  "stencil-expand-boundaries";
      isRead |= !getHaloRule(condition).isKept();
    }
  if (!isRead)
    return success();
  ring.boundary = tile::BoundaryAttr::get(getContext(), *window.getBounds(),
                                          *window.getConditions());
  return checkKeptPlanes(window);
}

/// The rings, which take as much memory as the windows' plan says.
LogicalResult PipelineMapper::findRings() {
  SmallVector<int64_t> tile;
  for (int64_t i = 0; i < grid.getRank(); ++i)
    tile.push_back(grid.getTile(i));
  llvm::SmallSetVector<int64_t, 4> groups;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!isSharedWindow(window) || !plan.isNeeded(window.getRes()))
      continue;
    const PlannedValue &planned = plan.get(window.getRes());
    Type element = getElementType(window.getRes());
    // Of a relay, all windows have the tile: what is beside it, lanes compute
    // and nobody stores.
    SharedPlane shape(isRelay() ? OffsetBox::zero(op.getRank()) : planned.held,
                      tile, axis, getElementBytes(element));
    RingRows rows{shape.shape.back()};
    if (axis != op.getRank() - 1)
      rows = getRows(window, shape.shape.back(), element);
    auto load = window.getTemp().getDefiningOp<LoadOp>();
    if (load && failed(checkFetch(window, shape, rows.gap != 0)))
      return failure();
    SmallVector<int64_t> lower, upper;
    for (auto [before, extent] : llvm::zip_equal(shape.origin, shape.shape)) {
      lower.push_back(-before);
      upper.push_back(extent - before);
    }
    tile::Fill fill =
        load ? getFill(window, axis.has_value()) : tile::Fill::Stage;
    // What the copy engine brings is points, or whole segments.
    if (fill == tile::Fill::Tma && rows.gap == 0) {
      upper.back() += rows.pitch - shape.shape.back();
    } else if (fill == tile::Fill::Tma) {
      lower.back() -= llvm::mod(lower.back(), rows.segment);
      upper.back() = llvm::alignTo(upper.back(), rows.segment);
    }
    MappedRing &ring = rings[window];
    ring.window = window;
    ring.load = load;
    // A walk has no more planes in registers on their way, and takes them one
    // by one then.
    constexpr int64_t kMostDelayed = 16;
    ring.step = facts.step <= kMostDelayed ? facts.step : 1;
    ring.ahead = axis ? planned.lead - planned.newest : 0;
    auto box = BoundsAttr::get(getContext(), lower, upper);
    if (rows.gap != 0)
      rows.pitch = rows.pad + tile::RingType::getDefaultPitch(
                                  box, element, fill, rows.segment, rows.gap);
    ring.type = tile::RingType::getChecked(
        [&] { return window.emitOpError("has no ring: "); }, getContext(),
        axis ? window.getDepth()->getSExtValue() + facts.step - 1 : 1, box,
        element, rows.pitch, fill, /*edge=*/int64_t(0),
        /*groupRows=*/int64_t(0), rows.segment, rows.gap);
    if (!ring.type || failed(findBoundary(ring)))
      return failure();
    if (std::optional<int64_t> group = window.getGroupNumber())
      groups.insert(*group);
  }
  pendingGroups = groups.takeVector();
  llvm::sort(pendingGroups);
  int64_t limit = static_cast<int64_t>(facts.target.sharedPerBlock);
  SharedLayout layout(op, [&](WindowOp window) {
    auto *known = rings.find(window);
    int64_t legs = isRelay() && !window.isOfLoad() ? facts.schedule.relay : 1;
    return known == rings.end() ? 0 : legs * known->second.type.getBytes();
  });
  if (layout.bytes > limit)
    return op.emitOpError("expected windows of at most ")
           << limit << " bytes, the shared memory of a block on "
           << facts.target.chip << ", got " << layout.bytes;
  return success();
}

void PipelineMapper::makeRings() {
  auto make = [&](MappedRing &ring) {
    auto made = tile::RingOp::create(
        builder, ring.window.getLoc(), ring.type,
        ring.window.getGroupAttr()
            ? builder.getI64IntegerAttr(*ring.window.getGroupNumber())
            : IntegerAttr());
    made.setRelay(isRelay() && !ring.load);
    ring.ring = made.getRes();
  };
  for (auto &[window, ring] : rings)
    make(ring);
  for (auto &[window, ring] : exchanges)
    make(ring);
}

//===----------------------------------------------------------------------===//
// Copies, puts and waits
//===----------------------------------------------------------------------===//

/// What a stage has made of a plane, for others.
void PipelineMapper::put(WindowOp window, const MappedRing &ring, Value made) {
  tile::PutOp::create(builder, window.getLoc(), made, ring.ring, ring.cursor,
                      axis ? plan.get(window.getRes()).lead : 0);
}

void PipelineMapper::copy(const MappedRing &ring) {
  const PlannedValue &planned = plan.get(ring.window->getResult(0));
  LoadOp load = ring.load;
  tile::CopyOp::create(
      builder, ring.window->getLoc(), (*frame)[load.getField()], plane,
      ring.ring, ring.cursor,
      axis ? planned.lead + ring.countDelayed() + getRelayLead() : 0,
      getBrought(ring).toBounds(getContext()), ring.boundary);
}

/// Without a walk, and in groups, whatever is read comes right before.
bool PipelineMapper::isFetchedAtOnce(const MappedRing &ring) const {
  WindowOp window = ring.window;
  return !axis || window.getGroupNumber();
}

/// What is written to the plane that is patched in the next iteration, or at
/// once.
void PipelineMapper::loadHalo(const MappedRing &ring) {
  const PlannedValue &planned = plan.get(ring.window->getResult(0));
  auto load = cast<LoadOp>(ring.window->getOperand(0).getDefiningOp());
  int64_t read = axis ? planned.newest : 0;
  tile::FringeOp::create(
      builder, ring.window->getLoc(), (*frame)[load.getField()], plane,
      ring.ring, isFetchedAtOnce(ring) ? read : read + 1,
      getBrought(ring).toBounds(getContext()), ring.boundary);
}

void PipelineMapper::patch(const MappedRing &ring) {
  const PlannedValue &planned = plan.get(ring.window->getResult(0));
  auto load = cast<LoadOp>(ring.window->getOperand(0).getDefiningOp());
  tile::PatchOp::create(builder, ring.window->getLoc(), ring.ring, ring.cursor,
                        (*frame)[load.getField()], plane,
                        axis ? planned.newest : 0,
                        getBrought(ring).toBounds(getContext()), ring.boundary);
}

void PipelineMapper::wait(const MappedRing &ring) {
  const PlannedValue &planned = plan.get(ring.window->getResult(0));
  int64_t there = ring.type.getFill() == tile::Fill::Delayed ? planned.lead
                                                             : planned.newest;
  if (ring.type.isAsynchronous())
    tile::WaitOp::create(builder, ring.window->getLoc(), ring.ring, ring.cursor,
                         axis ? there + getRelayLead() : 0);
}

/// What is read after the barrier comes first, then what is read later. Planes
/// that have come are patched, with what has been loaded in the iteration
/// before.
void PipelineMapper::fetchGroup(std::optional<int64_t> group) {
  SmallVector<const MappedRing *> now;
  for (auto &[window, ring] : rings)
    if (ring.load && ring.window.getGroupNumber() == group)
      now.push_back(&ring);
  bool isAtOnce = !axis || group;
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
  patchAll(!isAtOnce ? &PipelineMapper::patch : &PipelineMapper::loadHalo);
  for (const MappedRing *ring : now) {
    if (isBehind(ring))
      copy(*ring);
    if (isAtOnce)
      wait(*ring);
  }
  patchAll(!isAtOnce ? &PipelineMapper::loadHalo : &PipelineMapper::patch);
}

/// Fetches the groups that an op reads; null: all.
void PipelineMapper::fetchUpTo(Operation *reader) {
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

Value PipelineMapper::makeRingSource(WindowOp window, int64_t oldest,
                                     int64_t newest) {
  const MappedRing &ring = rings.find(window)->second;
  BoundsAttr box = ring.type.getBox();
  SmallVector<int64_t> lower(box.getLb()), upper(box.getUb());
  if (axis) {
    lower[*axis] = oldest;
    upper[*axis] = newest + 1;
  }
  return tile::SourceOp::create(
      builder, window.getLoc(),
      TempType::get(BoundsAttr::get(getContext(), lower, upper),
                    ring.type.getElementType()),
      ring.ring, ring.cursor);
}
