//===- ChooseGrid.cpp - Pipelines into tiles and segments -----------------===//

#include "KernelDraft.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/MatrixProduct.h"

#include <numeric>

using namespace mlir;
using namespace stencil;

/// Of a shuffle window of what a stage makes: that a row of threads is in one
/// warp, and that tiles may overlap.
static LogicalResult checkOverlap(const MappedPipeline &pipeline,
                                  WindowOp window) {
  int64_t last = pipeline.getRank() - 1;
  if (pipeline.axis == last)
    return window.emitOpError("has no lowering: neighbours along the axis of "
                              "the walk in other threads");
  int64_t threads = pipeline.schedule.block[last];
  int64_t warp = pipeline.target.warpSize;
  if (warp % threads != 0)
    return window.emitOpError("expected rows of threads that are in one warp, ")
           << warp << " or a part of that along axis " << last
           << ", as it is of what a stage makes, got " << threads;
  for (LoadOp load : pipeline.getOps<LoadOp>())
    if (pipeline.plan.isNeeded(load) && pipeline.isStoredTo(load))
      return load.emitOpError("has no lowering: a field that the pipeline "
                              "stores to, in tiles that overlap");
  return success();
}

/// Points of a tile, of threads that have so many each.
static SmallVector<int64_t> getTile(const GPUSchedule &schedule) {
  SmallVector<int64_t> tile;
  for (auto [threads, points] :
       llvm::zip_equal(schedule.block, schedule.points))
    tile.push_back(threads * points);
  return tile;
}

/// What a block stores of its tile: all, or what is as far from the ends of a
/// row as it takes until nothing follows from what lies beyond.
static FailureOr<BoundsAttr> findInner(const MappedPipeline &pipeline) {
  const GPUSchedule &schedule = pipeline.schedule;
  int64_t rank = pipeline.getRank(), last = rank - 1;
  int64_t before = 0, behind = 0;
  OffsetBox around = OffsetBox::zero(rank);
  for (WindowOp window : pipeline.getOps<WindowOp>()) {
    if (window.getSpace() != Space::Shuffle || !pipeline.isOfStage(window) ||
        !pipeline.plan.isNeeded(window.getRes()))
      continue;
    if (failed(checkOverlap(pipeline, window)))
      return failure();
    const PlannedValue &planned = pipeline.plan.get(window.getRes());
    before = std::max(before, -planned.span.lower[last]);
    behind = std::max(behind, planned.span.upper[last]);
    if (window.getExchange())
      around.join(planned.span);
  }
  int64_t rows = last - 1;
  bool overlapsRows = rows >= 0 && pipeline.axis != rows &&
                      (around.lower[rows] || around.upper[rows]);
  if (pipeline.isRelay()) {
    before = -pipeline.relayNeeds->lower[last];
    behind = pipeline.relayNeeds->upper[last];
  }
  if (before == 0 && behind == 0 && !overlapsRows)
    return BoundsAttr();
  SmallVector<int64_t> lower(rank, 0), upper = getTile(schedule);
  int64_t row = upper[last], unit = schedule.points[last];
  // What all threads store need not be whole threads' points, but sectors.
  if (pipeline.isRelay())
    unit = getRowAlignment(pipeline.getOp(), schedule);
  for (WindowOp window : pipeline.getOps<WindowOp>())
    if (window.getPrefetch() == Prefetch::Tma &&
        pipeline.plan.isNeeded(window.getRes()))
      unit = std::lcm(unit, tile::RingType::getTensorMapStep(
                                getElementType(window.getRes())));
  lower[last] = llvm::alignTo(before, unit);
  upper[last] = std::max<int64_t>(0, row - behind) / unit * unit;
  if (overlapsRows) {
    lower[rows] = -around.lower[rows];
    upper[rows] -= around.upper[rows];
  }
  for (int64_t along : {last, rows}) {
    if (along < 0 || pipeline.axis == along || lower[along] < upper[along])
      continue;
    int64_t tile = schedule.block[along] * schedule.points[along];
    return pipeline.getOp().emitOpError("expected tiles of more than ")
           << tile - upper[along] + lower[along] << " points along axis "
           << along << ", by which they overlap, got " << tile;
  }
  return BoundsAttr::get(pipeline.getContext(), lower, upper);
}

/// The layout of products of matrices, which the other stages then have, too.
static tile::LayoutAttr findLayout(const MappedPipeline &pipeline) {
  tile::LayoutAttr layout;
  pipeline.getOp().walk([&](WeightedSumOp sum) {
    auto engine = dyn_cast_or_null<tile::MmaAttr>(
        sum->getDiscardableAttr(kMatrixProductAttr));
    if (!engine)
      return WalkResult::advance();
    const GPUSchedule &schedule = pipeline.schedule;
    if (auto fragments =
            tile::getFragments(engine.getShape(), sum.getRes().getType()))
      layout = tile::getProductLayout(engine, *fragments, getTile(schedule),
                                      llvm::product_of(schedule.block));
    return WalkResult::interrupt();
  });
  return layout;
}

/// How a launch counts segments, if it does. How many blocks a multiprocessor
/// has at once is known of shared memory, threads and launch bounds; without
/// these, a thread is taken to have as many registers as the middle of what
/// kernels of walks have.
static tile::CutAttr findCut(const MappedPipeline &pipeline) {
  const GPUSchedule &schedule = pipeline.schedule;
  const TargetInfo &target = pipeline.target;
  if (!schedule.planes || !pipeline.axis)
    return {};
  constexpr int64_t kRegisters = 128;
  PipelineSize size(pipeline.getOp(), pipeline.plan);
  int64_t threads = llvm::product_of(ArrayRef<int64_t>(schedule.block));
  int64_t blocks = schedule.launchBounds;
  if (blocks == 0)
    blocks = target.registersPerMultiprocessor / (kRegisters * threads);
  blocks = std::min<int64_t>(blocks, target.threadsPerMultiprocessor / threads);
  if (int64_t bytes = size.getSharedBytes(getTile(schedule)))
    blocks = std::min<int64_t>(blocks, target.sharedPerMultiprocessor / bytes);
  // Nobody knows what a round is.
  int64_t tail = schedule.tail.empty() || target.multiprocessors == 0
                     ? 0
                     : schedule.tail.back();
  return tile::CutAttr::get(pipeline.getContext(), *schedule.planes,
                            size.getHalo(), target.multiprocessors,
                            std::max<int64_t>(1, blocks), tail);
}

FailureOr<tile::GridAttr> stencil::chooseGrid(const MappedPipeline &pipeline) {
  FailureOr<BoundsAttr> inner = findInner(pipeline);
  if (failed(inner))
    return failure();
  PipelineOp op = pipeline.getOp();
  const GPUSchedule &schedule = pipeline.schedule;
  tile::GridAttr grid =
      makeGrid(op, op.getDomain(), schedule, schedule.points,
               getRowAlignment(op, schedule), findLayout(pipeline), *inner,
               findCut(pipeline));
  if (!grid)
    return failure();
  return grid;
}
