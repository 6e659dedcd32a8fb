//===- NestPrefetches.cpp - What the loops of an apply fetch early --------===//
//
// One core of a large processor waits for memory, and for a last-level cache
// that all cores share, longer than its own prefetchers look ahead: they start
// anew at each page, and do not see where a row goes on. Lines are fetched some
// way ahead of the point that is computed: of each input where a walk reads it
// for the first time, and of the outputs, whose lines a store reads first.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using namespace stencil;

void NestEmitter::findFronts() {
  if (loops.getPrefetch() == 0)
    return;
  std::map<unsigned, SmallVector<int64_t>> found;
  Footprint(op).forEachRead([&](const InputRead &read) {
    // Others are small beside it.
    if (static_cast<int64_t>(read.axes.size()) != op.getRank())
      return;
    SmallVector<int64_t> offset(read.upper.begin(), read.upper.end());
    offset.back() = 0;
    auto [entry, isNew] =
        found.try_emplace(read.input.getArgNumber(), std::move(offset));
    if (!isNew && entry->second < offset)
      entry->second = offset;
  });
  fronts.assign(found.begin(), found.end());
}

/// Lines of `buffer` from `offset` on, for `length` points from `point` on.
/// What is behind the end of a row is, in memory, the next row; what is behind
/// the end of the field is not fetched by the hardware.
void NestEmitter::prefetchLines(Value buffer, GridType type, ValueRange point,
                                ArrayRef<int64_t> offset, int64_t length,
                                bool isWrite) {
  int64_t bytes = getElementBytes(type.getElementType());
  SmallVector<int64_t> position(offset);
  int64_t numLines = std::max<int64_t>(1, length * bytes / loops.getLine());
  for (int64_t line = 0; line < numLines; ++line) {
    position.back() = (loops.getPrefetch() + line * loops.getLine()) / bytes;
    memref::PrefetchOp::create(b, buffer, indicesOf(type, point, position),
                               isWrite, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

/// What the `length` points of each row from `points` on, one per row, read
/// and write some way further along the row.
void NestEmitter::prefetchAhead(ArrayRef<SmallVector<Value>> points,
                                int64_t length, bool stream) {
  if (loops.getPrefetch() == 0)
    return;
  SmallVector<int64_t> here(op.getRank(), 0);
  for (const SmallVector<Value> &point : points) {
    for (const auto &[input, offset] : fronts)
      prefetchLines(args[input], cast<GridType>(op.getArgs()[input].getType()),
                    point, offset, length, /*isWrite=*/false);
    // Streaming stores do not read, and throw lines out of the cache.
    if (stream)
      continue;
    for (auto [index, dest] : llvm::enumerate(dests))
      if (!llvm::is_contained(op.getArgs(), op.getDest()[index]))
        prefetchLines(dest, destType(index), point, here, length,
                      /*isWrite=*/true);
  }
}

/// Fetches the lines at both ends of a later row of the output. They are stored
/// in part, hence read first, and all streaming stores behind such a store wait
/// until its line has come.
void NestEmitter::prefetchRowEnds(const LoopBox &tile, ValueRange row) {
  if (row.empty())
    return;
  constexpr int64_t kRowsAhead = 2;
  Value last = b.subtract(tile.ub[row.size() - 1], b.constant(1));
  SmallVector<Value> point(row);
  point.back() = b.smaller(b.add(point.back(), kRowsAhead), last);
  SmallVector<int64_t> position(row.size() + 1, 0);
  for (Value column :
       {tile.lb.back(), b.subtract(tile.ub.back(), b.constant(1))}) {
    SmallVector<Value> target(point);
    target.push_back(column);
    Place place = findPlaces(0, target, position).front();
    memref::PrefetchOp::create(b, place.memory, place.indices,
                               /*isWrite=*/true, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}
