//===- TilePrefetch.cpp - What the next tile reads first ------------------===//
//
//   if this thread's point is the first one of a line, and there is a next
//   tile:
//     for each field that is read ahead, memref.prefetch its farthest row there
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "TileKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace stencil;

/// Bytes between requests: half of what one brings, because rows begin at any
/// multiple of 32 bytes, and end in another line.
static constexpr int64_t kLineBytes = 64;

/// Asks for rows of fields, given with how far ahead they are read, whose lines
/// have as many points.
void TileKernel::prefetchRows(tile::PrefetchOp prefetch, int64_t linePoints,
                              ArrayRef<std::pair<Value, int64_t>> reads) {
  OpBuilder &builder = kernel.body();
  Location loc = prefetch.getLoc();
  Arithmetic math = kernel.math();
  auto axis = static_cast<int64_t>(prefetch.getAlong());
  int64_t row = op.getGrid().getRank() - 1, tile = op.getGrid().getTile(axis);
  BasePoint base = getBase(Value());
  // All of the thread's points lie in the domain there, too.
  int64_t last = tile + schedule.points[axis] - 1;
  Value isNext =
      math.less(math.add(base.coordinates[axis], last),
                kernel.getBound(op.getGrid().getDomain().getUb()[axis], axis));
  if (schedule.points[row] < linePoints && schedule.block[row] > 1) {
    Value first = math.mul(threads[row], schedule.points[row]);
    isNext =
        math.both(isNext, math.less(math.rem(first, math.constant(linePoints)),
                                    math.constant(schedule.points[row])));
  }
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, loc, isNext);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  SmallVector<int64_t> counts(schedule.points), steps(row + 1, 1);
  counts[row] = llvm::divideCeil(counts[row], linePoints);
  steps[row] = linePoints;
  for (auto [input, ahead] : reads) {
    const KernelField &field = fields[input];
    for (const SmallVector<int64_t> &offset : listOffsets(counts, steps)) {
      SmallVector<Value> point;
      for (auto [along, coordinate] : llvm::enumerate(base.coordinates)) {
        int64_t distance = offset[along];
        if (static_cast<int64_t>(along) == axis)
          distance += tile + ahead;
        point.push_back(math.add(coordinate, distance));
      }
      Value position = math.toIndex(field.layout->getPosition(math, point));
      memref::PrefetchOp::create(builder, loc, field.buffer, position,
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
  }
}

LogicalResult TileKernel::emitPrefetch(tile::PrefetchOp prefetch) {
  const TargetInfo &target = kernels.getOptions().target;
  if (!target.hasL2Prefetch)
    return prefetch.emitOpError("expected an NVIDIA GPU, got ") << target.chip;
  std::map<int64_t, SmallVector<std::pair<Value, int64_t>>> byLine;
  for (auto [field, ahead] :
       llvm::zip_equal(prefetch.getFields(), prefetch.getAt())) {
    Type element = cast<FieldType>(field.getType()).getElementType();
    int64_t points = kLineBytes / getElementBytes(element);
    byLine[std::max<int64_t>(points, 1)].emplace_back(field, ahead);
  }
  for (const auto &[points, reads] : byLine)
    prefetchRows(prefetch, points, reads);
  return success();
}
