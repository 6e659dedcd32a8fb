//===- PlanRings.cpp - Shared windows to rings ----------------------------===//

#include "KernelDraft.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/Analysis/RelayLegs.h"
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
static LogicalResult checkFetch(const TiledPipeline &pipeline, WindowOp window,
                                const SharedPlane &shape, bool hasGaps) {
  Prefetch kind = window.getPrefetch().value_or(Prefetch::None);
  const TargetInfo &target = pipeline.target;
  if ((kind == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor)) ||
      (kind == Prefetch::Async && !target.hasAsyncCopy(AsyncCopyElements)))
    return window.emitOpError("expected a GPU with ")
           << (kind == Prefetch::Tma ? "the tensor memory accelerator"
                                     : "cp.async")
           << " for prefetch = " << stringifyPrefetch(kind) << ", got "
           << target.chip;
  bool isAsync = kind == Prefetch::Async || kind == Prefetch::Tma;
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  if (pipeline.axis && isAsync && !window.getGroupNumber() &&
      planned.lead <= planned.newest)
    return window.emitOpError("expected a lead beyond plane p + ")
           << planned.newest << ", the newest that is read, for prefetch = "
           << stringifyPrefetch(kind) << ", got " << planned.lead;
  if (kind != Prefetch::Tma)
    return success();
  int64_t last = pipeline.getRank() - 1;
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  if (pipeline.isStoredTo(load) && pipeline.axis != last &&
      shape.shape[last] != pipeline.grid.getTile(last))
    return window.emitOpError("expected tiles of a multiple of ")
           << shape.rowAlignment << " points along axis " << last
           << " for prefetch = tma of a field that is stored to, got "
           << pipeline.grid.getTile(last);
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

/// Whether different blocks walk through different planes of one tile.
static bool hasSegments(const TiledPipeline &pipeline) {
  return pipeline.axis && (pipeline.schedule.segments.value_or(1) > 1 ||
                           pipeline.schedule.planes);
}

/// The points of a load that are brought, and that a boundary is for. Around
/// the only segment of a walk, these are the ones around the domain; tiles have
/// others beside them.
static OffsetBox getBrought(const TiledPipeline &pipeline,
                            const MappedRing &ring) {
  const PlannedValue &planned = pipeline.plan.get(ring.window->getResult(0));
  if (pipeline.isRelay())
    return *pipeline.relayNeeds;
  if (!ring.boundary)
    return pipeline.getGuard(planned);
  OffsetBox brought = planned.span;
  if (pipeline.axis && !hasSegments(pipeline)) {
    brought.lower[*pipeline.axis] = planned.needs.lower[*pipeline.axis];
    brought.upper[*pipeline.axis] = planned.needs.upper[*pipeline.axis];
  }
  return brought;
}

/// At the ends of the domain, others may read less around the box than tiles
/// read around their points.
static void limitReach(const TiledPipeline &pipeline, MappedRing &ring) {
  BoundsAttr domain = pipeline.getOp().getDomain();
  OffsetBox reach = pipeline.plan.getReach(ring.window);
  OffsetBox around = getHaloReach(domain, ring.boundary.getBox(), ring.brought);
  if (reach.lower == around.lower && reach.upper == around.upper)
    return;
  for (int64_t &lower : reach.lower)
    lower = -lower;
  ring.boundary = tile::BoundaryAttr::get(
      pipeline.getContext(), ring.boundary.getBox(), ring.boundary.getSides(),
      reach.toBounds(pipeline.getContext()));
}

/// That the field has the planes that are kept around its box for all segments.
static LogicalResult checkKeptPlanes(const TiledPipeline &pipeline,
                                     WindowOp window) {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  if (!hasSegments(pipeline) || !pipeline.isCut(planned.needs, planned.span))
    return success();
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  BoundsAttr field = getBounds(load.getField());
  OffsetBox beyond =
      getHaloReach(pipeline.getOp().getDomain(), field, planned.span);
  for (bool upper : {false, true})
    if ((upper ? beyond.upper : beyond.lower)[*pipeline.axis] > 0 &&
        getHaloRule(window.getCondition(*pipeline.axis, upper)).isKept())
      return window.emitOpError("has no lowering for 'segments': the field "
                                "does not have as many planes around its box "
                                "as a segment reads around its own");
  return success();
}

/// The boundary of a window, where somebody reads beyond its box on a side that
/// is not kept.
static FailureOr<tile::BoundaryAttr>
findBoundary(const TiledPipeline &pipeline, WindowOp window, tile::Fill fill) {
  tile::BoundaryAttr none;
  if (!window.hasBoundary())
    return none;
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  if (pipeline.isStoredTo(load))
    return window.emitOpError("has no lowering: a boundary of a field that the "
                              "pipeline stores to");
  bool isZeroCopied = fill == tile::Fill::Tma || pipeline.isRelay();
  if (isZeroCopied && isZeroAround(window, load))
    return none;
  OffsetBox reach = pipeline.plan.getReach(window);
  bool isRead = false;
  for (int64_t i = 0; i < pipeline.grid.getRank(); ++i)
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
    return none;
  if (failed(checkKeptPlanes(pipeline, window)))
    return failure();
  return tile::BoundaryAttr::get(pipeline.getContext(), *window.getBounds(),
                                 *window.getConditions(), /*reach=*/{});
}

static LogicalResult addRing(const TiledPipeline &pipeline, WindowOp window,
                             ArrayRef<int64_t> tile, RingMap &rings) {
  const PlannedValue &planned = pipeline.plan.get(window.getRes());
  Type element = getElementType(window.getRes());
  auto load = window.getTemp().getDefiningOp<LoadOp>();
  tile::Fill fill =
      load ? getFill(window, pipeline.axis.has_value()) : tile::Fill::Stage;
  FailureOr<tile::BoundaryAttr> boundary = findBoundary(pipeline, window, fill);
  if (failed(boundary))
    return failure();
  // Of a relay, all windows have the tile: what is beside it, lanes compute
  // and nobody stores.
  OffsetBox held =
      pipeline.isRelay() ? OffsetBox::zero(pipeline.getRank()) : planned.held;
  // Where tiles overlap, a block has no more than its points; but what threads
  // write beside a box is all that is needed there.
  if (*boundary) {
    held.join(planned.needs);
    held.join(planned.span);
  }
  SharedPlane shape(held, tile, pipeline.axis, getElementBytes(element));
  RingRows rows{shape.shape.back()};
  if (pipeline.axis != pipeline.getRank() - 1)
    rows = getRows(window, shape.shape.back(), element);
  if (load && failed(checkFetch(pipeline, window, shape, rows.gap != 0)))
    return failure();
  SmallVector<int64_t> lower, upper;
  for (auto [before, extent] : llvm::zip_equal(shape.origin, shape.shape)) {
    lower.push_back(-before);
    upper.push_back(extent - before);
  }
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
  ring.boundary = *boundary;
  // A walk has no more planes in registers on their way, and takes them one
  // by one then.
  constexpr int64_t kMostDelayed = 16;
  ring.step = pipeline.step <= kMostDelayed ? pipeline.step : 1;
  if (pipeline.isRelay() && load)
    ring.relayLead = (pipeline.schedule.getRelay() - 1) * planned.newest;
  ring.ahead = pipeline.axis ? planned.lead - planned.newest : 0;
  auto box = BoundsAttr::get(pipeline.getContext(), lower, upper);
  if (rows.gap != 0)
    rows.pitch = rows.pad + tile::RingType::getDefaultPitch(
                                box, element, fill, rows.segment, rows.gap);
  ring.type = tile::RingType::getChecked(
      [&] { return window.emitOpError("has no ring: "); },
      pipeline.getContext(),
      pipeline.axis ? window.getDepth()->getSExtValue() + pipeline.step - 1 : 1,
      box, element, rows.pitch, fill, /*edge=*/int64_t(0),
      /*groupRows=*/int64_t(0), rows.segment, rows.gap);
  if (!ring.type)
    return failure();
  ring.brought = getBrought(pipeline, ring);
  if (ring.boundary)
    limitReach(pipeline, ring);
  return success();
}

LogicalResult stencil::checkSharedMemory(const TiledPipeline &pipeline,
                                         const RingMap &rings,
                                         const RingMap &exchanges) {
  auto limit = static_cast<int64_t>(pipeline.target.sharedPerBlock);
  SharedLayout layout(pipeline.getOp(), [&](WindowOp window) {
    const MappedRing *known = findRing(rings, window);
    int64_t legs = pipeline.isRelay() && !window.isOfLoad()
                       ? pipeline.schedule.getRelay()
                       : 1;
    return known ? legs * known->type.getBytes() : 0;
  });
  int64_t bytes = layout.bytes;
  for (const auto &[window, ring] : exchanges)
    bytes += ring.type.getBytes();
  if (bytes > limit)
    return pipeline.getOp().emitOpError("expected windows ")
           << (exchanges.empty() ? "" : "and exchanged rows ") << "of at most "
           << limit << " bytes, the shared memory of a block on "
           << pipeline.target.chip << ", got " << bytes;
  return success();
}

FailureOr<RingMap> stencil::planRings(const TiledPipeline &pipeline) {
  RingMap rings;
  SmallVector<int64_t> tile;
  for (int64_t i = 0; i < pipeline.getRank(); ++i)
    tile.push_back(pipeline.grid.getTile(i));
  for (WindowOp window : pipeline.getOps<WindowOp>())
    if (isSharedWindow(window) && pipeline.plan.isNeeded(window.getRes()) &&
        failed(addRing(pipeline, window, tile, rings)))
      return failure();
  if (failed(checkSharedMemory(pipeline, rings)))
    return failure();
  return rings;
}

SmallVector<int64_t> stencil::listGroups(const RingMap &rings) {
  llvm::SmallSetVector<int64_t, 4> groups;
  for (const auto &[window, ring] : rings)
    if (std::optional<int64_t> group = MappedRing(ring).window.getGroupNumber())
      groups.insert(*group);
  SmallVector<int64_t> sorted = groups.takeVector();
  llvm::sort(sorted);
  return sorted;
}
