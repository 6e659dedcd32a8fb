//===- ApplyPrefetch.cpp - What the next tile reads first -----------------===//
//
// Blocks follow each other along the last axis of `order`: when a block begins,
// most of what it reads is in the second-level cache, where blocks before it
// had it brought. What lies farthest ahead along that axis is not, and a block
// would wait for the memory once for each input, one input after the other. So
// the block before asks for it.
//
//===----------------------------------------------------------------------===//

#include "ApplyKernel.h"
#include "RowPrefetch.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

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
  SmallVector<ReadAhead> reads;
  for (auto [input, distance] : ahead)
    reads.emplace_back(&inputs[input], distance);
  prefetchNextTile(kernel, grid, op.getLoc(), base, *schedule.prefetchAxis,
                   reads);
}
