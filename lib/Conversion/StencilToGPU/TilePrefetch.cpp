//===- TilePrefetch.cpp - What the next tile reads first ------------------===//

#include "RowPrefetch.h"
#include "TileKernel.h"

using namespace mlir;
using namespace stencil;

LogicalResult TileKernel::emitPrefetch(tile::PrefetchOp prefetch) {
  const TargetInfo &target = kernels.getOptions().target;
  if (!target.hasL2Prefetch)
    return prefetch.emitOpError("expected an NVIDIA GPU, got ") << target.chip;
  SmallVector<ReadAhead> reads;
  for (auto [field, ahead] :
       llvm::zip_equal(prefetch.getFields(), prefetch.getAt()))
    reads.emplace_back(&fields[field], ahead);
  prefetchNextTile(kernel, grid, prefetch.getLoc(), getBase(Value()),
                   static_cast<int64_t>(prefetch.getAlong()), reads);
  return success();
}
