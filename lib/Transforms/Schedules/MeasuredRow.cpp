//===- MeasuredRow.cpp - Tiles of rows as they were measured best ---------===//

#include "MeasuredRow.h"
#include "StencilDialect/IR/TapBoxes.h"

using namespace mlir;
using namespace stencil;

/// What measured best on an H200 (docs/benchmarks.md), the longest first. Sums
/// of 64 taps are loops (stencil-roll-sums).
static constexpr RowTile kDoubleRows[] = {
    {64, 0, 0}, {41, 128, 13}, {17, 128, 5}};
static constexpr RowTile kSingleRows[] = {{64, 0, 0}};
static constexpr RowTile kOtherRows[] = {{200, 0, 0}};

const RowTile *stencil::findRowTile(ApplyOp apply, int64_t &longest) {
  const RowTile *found = nullptr;
  for (WeightedSumOp sum : apply.getBodyBlock()->getOps<WeightedSumOp>()) {
    ArrayRef<RowTile> tiles = kOtherRows;
    if (sum.getRes().getType().isF64())
      tiles = kDoubleRows;
    else if (sum.getRes().getType().isF32())
      tiles = kSingleRows;
    int64_t taps = sum.getNumTaps();
    if (taps > longest && isLongSum(sum, tiles.back().fewestTaps)) {
      longest = taps;
      found = llvm::find_if(
          tiles, [&](const RowTile &tile) { return taps >= tile.fewestTaps; });
    }
  }
  return found;
}

/// The arithmetic of threads is the limit.
SchedulePrediction stencil::predictTapLoops(const KernelProfile &profile,
                                            int64_t taps,
                                            const TargetInfo &target) {
  constexpr double kLaunch = 3e-6;
  double points = profile.countPoints();
  double copy = points * (profile.bytesRead + profile.bytesWritten) /
                target.getCopyBandwidth();
  double arithmetic =
      2 * static_cast<double>(taps) * points / target.measuredFp64;
  SchedulePrediction prediction;
  prediction.launchSeconds = kLaunch;
  prediction.seconds = std::max(copy, arithmetic) + kLaunch;
  prediction.fp64Seconds = arithmetic;
  return prediction;
}
