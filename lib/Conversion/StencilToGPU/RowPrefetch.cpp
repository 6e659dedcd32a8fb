//===- RowPrefetch.cpp - What the next tile reads first -------------------===//
//
//   if this thread's point is the first one of a line, and there is a next
//   tile:
//     for each field that is read ahead, memref.prefetch its farthest row there
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

/// Bytes between requests: half of what one brings, because rows begin at any
/// multiple of 32 bytes, and end in another line.
static constexpr int64_t kLineBytes = 64;

/// A field, and how far ahead of a point it is read.
using ReadAhead = std::pair<const KernelField *, int64_t>;

/// Asks for rows of fields whose lines have as many points.
static void prefetchRows(TileBlock &block, tile::PrefetchOp prefetch,
                         const BasePoint &base, int64_t linePoints,
                         ArrayRef<ReadAhead> reads) {
  KernelBuilder &kernel = block.kernel;
  tile::GridAttr grid = block.tiles;
  Location loc = prefetch.getLoc();
  int64_t axis = prefetch.getAlong();
  OpBuilder &builder = kernel.body();
  const Arithmetic &math = block.math;
  ArrayRef<int64_t> points = grid.getPoints();
  int64_t row = grid.getRank() - 1, tile = grid.getStep(axis);
  // All of the thread's points lie in the box there, too.
  int64_t last = tile + points[axis] - 1;
  Value isNext =
      math.less(math.add(base.coordinates[axis], last), block.grid.getUb(axis));
  if (points[row] < linePoints && grid.getBlock()[row] > 1) {
    Value first = math.mul(kernel.getThread(gpu::Dimension::x), points[row]);
    isNext =
        math.both(isNext, math.less(math.rem(first, linePoints), points[row]));
  }
  OpBuilder::InsertionGuard guard(builder);
  openIf(builder, loc, isNext);
  SmallVector<int64_t> counts(points), steps(points.size(), 1);
  counts[row] = llvm::divideCeil(counts[row], linePoints);
  steps[row] = linePoints;
  for (auto [field, ahead] : reads)
    for (const SmallVector<int64_t> &offset : listOffsets(counts, steps)) {
      SmallVector<Value> point;
      for (int64_t along : field->axes) {
        int64_t distance = offset[along];
        if (along == axis)
          distance += tile + ahead;
        point.push_back(math.add(base.coordinates[along], distance));
      }
      Value position = math.toIndex(field->layout->getPosition(math, point));
      memref::PrefetchOp::create(builder, loc, field->buffer, position,
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
}

LogicalResult stencil::emitPrefetch(ThreadValues &held,
                                    tile::PrefetchOp prefetch) {
  const TargetInfo &target = held.block.kernels.getOptions().target;
  if (!target.hasL2Prefetch)
    return prefetch.emitOpError("expected an NVIDIA GPU, got ") << target.chip;
  std::map<int64_t, SmallVector<ReadAhead>> byLine;
  for (auto [value, ahead] :
       llvm::zip_equal(prefetch.getFields(), prefetch.getAt())) {
    const KernelField &field = held.block.fields[value];
    int64_t points = kLineBytes / getElementBytes(field.type.getElementType());
    byLine[std::max<int64_t>(points, 1)].emplace_back(&field, ahead);
  }
  BasePoint base = held.getBase(Value());
  for (const auto &[points, alike] : byLine)
    prefetchRows(held.block, prefetch, base, points, alike);
  return success();
}
