//===- ApplyPrefetch.cpp - What the next tile reads first -----------------===//
//
// Blocks follow each other along the last axis of `order`: when a block begins,
// most of what it reads is in the second-level cache, where blocks before it
// had it brought. What lies farthest ahead along that axis is not, and a block
// would wait for the memory once for each input, one input after the other. So
// the block before asks for it:
//
//   if this thread's point is the first one of a line, and there is a next
//   tile:
//     for each input that is read ahead, memref.prefetch its farthest row there
//
//===----------------------------------------------------------------------===//

#include "ApplyKernel.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace stencil;

/// Bytes between requests: half of what one brings, because rows begin at any
/// multiple of 32 bytes, and end in another line.
static constexpr int64_t kLineBytes = 64;

/// Asks for rows of inputs, given with how far ahead they are read, whose lines
/// have as many points.
void ApplyKernel::prefetchRows(const BasePoint &base, int64_t linePoints,
                               ArrayRef<std::pair<unsigned, int64_t>> reads) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  int64_t axis = *schedule.prefetchAxis, row = domain.getRank() - 1;
  // All of the thread's points lie in the box there, too.
  int64_t last = grid.tileOf(axis) + pointsOf(axis) - 1;
  Value isNext = math.less(math.add(base.coordinates[axis], last),
                           kernel.getBound(domain.getUb()[axis], axis));
  if (pointsOf(row) < linePoints && schedule.block[row] > 1) {
    Value first = math.mul(kernel.getThread(gpu::Dimension::x), pointsOf(row));
    isNext =
        math.both(isNext, math.less(math.rem(first, math.constant(linePoints)),
                                    math.constant(pointsOf(row))));
  }
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, loc, isNext);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  SmallVector<int64_t> counts = getPoints(), steps(domain.getRank(), 1);
  counts[row] = llvm::divideCeil(counts[row], linePoints);
  steps[row] = linePoints;
  for (auto [input, ahead] : reads) {
    const KernelField &field = inputs[input];
    for (const SmallVector<int64_t> &offset : listOffsets(counts, steps)) {
      SmallVector<Value> point;
      for (int64_t along : field.axes) {
        int64_t distance = offset[along];
        if (along == axis)
          distance += grid.tileOf(axis) + ahead;
        point.push_back(math.add(base.coordinates[along], distance));
      }
      Value position = math.toIndex(field.layout->getPosition(math, point));
      memref::PrefetchOp::create(builder, loc, field.buffer, position,
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
  }
}

void ApplyKernel::emitPrefetches(const BasePoint &base) {
  if (!schedule.prefetchAxis)
    return;
  // How far ahead each input is read.
  std::map<unsigned, int64_t> ahead;
  Footprint(op).forEachRead([&](const InputRead &read) {
    unsigned input = read.input.getArgNumber();
    const auto *along = llvm::find(read.axes, *schedule.prefetchAxis);
    if (isa<DynAccessOp>(read.op) || along == read.axes.end() ||
        inputs[input].axes.back() != domain.getRank() - 1)
      return;
    int64_t upper = read.upper[along - read.axes.begin()];
    int64_t &farthest = ahead.try_emplace(input, upper).first->second;
    farthest = std::max(farthest, upper);
  });
  std::map<int64_t, SmallVector<std::pair<unsigned, int64_t>>> byLine;
  for (auto [input, distance] : ahead) {
    Type element = inputs[input].type.getElementType();
    int64_t points = kLineBytes / getElementBytes(element);
    byLine[std::max<int64_t>(points, 1)].emplace_back(input, distance);
  }
  for (const auto &[points, reads] : byLine)
    prefetchRows(base, points, reads);
}
