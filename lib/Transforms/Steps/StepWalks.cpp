//===- StepWalks.cpp - Walks through volumes whose steps have their halos -===//
//
// There is no rim, so that tiles and segments are those of the whole volume. Of
// a few measured tiles the one is taken whose blocks compute least in rounds of
// all multiprocessors, at what a point of it costs.
//
//===----------------------------------------------------------------------===//

#include "StepTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

namespace {
/// A warp for each row of threads, and so many rows of points for each; of a
/// row a thread has a vector of 16 bytes.
struct VolumeTile {
  int64_t elementBytes, steps, warps, rows;
  /// The bytes of a copy that take as long as one point in one step, whether it
  /// is stored or not; and where the fields have several GB.
  double bytes, bytesInLarge;

  int64_t columns() const { return 16 / elementBytes; }
  int64_t height() const { return warps * rows; }
};
} // namespace

/// Measured of 7 points on an H200 (docs/notebook.md). Three steps of FP64 wait
/// for memory; four compute more twice.
static constexpr VolumeTile kVolumeTiles[] = {
    {8, 3, 12, 4, 4.8, 5.28},
    {8, 4, 8, 6, 4.1, 4.1},
    {4, 3, 12, 4, 2.31, 2.31},
    {4, 4, 12, 4, 2.08, 2.08},
};

/// Fitted to what ptxas gives 3 steps of FP64 with 4 and 7 rows, 4 steps with 5
/// and 6, and FP32 on sm_90: two planes of each step but the last, and what
/// each point takes while it is computed.
static double countWalkRegisters(const StepShape &shape,
                                 const VolumeTile &tile) {
  constexpr double kRest = 11, kOfStep = 9, kOfPoint = 0.95,
                   kOfStepAndPoint = 0.43;
  auto points = static_cast<double>(tile.rows * tile.columns());
  auto steps = static_cast<double>(tile.steps);
  auto words = static_cast<double>(shape.elementBytes) / 4;
  double kept = 2 * static_cast<double>(shape.rows) * (steps - 1);
  return kRest + kOfStep * steps +
         points * words * (kept + kOfPoint + kOfStepAndPoint * steps);
}

/// Of the ring of the state, and of the rows at the edges of those of threads.
static int64_t countWalkBytes(const StepShape &shape, const VolumeTile &tile,
                              int64_t depth, const TargetInfo &target) {
  constexpr int64_t kSlots = 2, kSectorBytes = 32;
  int64_t beside = kSectorBytes / shape.elementBytes;
  int64_t row = target.warpSize * tile.columns();
  int64_t planes =
      depth * (tile.height() + 2 * shape.rows) * (row + 2 * beside);
  int64_t edges = (tile.steps - 1) * kSlots * 2 * shape.rows *
                  (tile.warps + 1) * (row + beside);
  return (planes + edges) * shape.elementBytes;
}

std::optional<StepWalk> stencil::findStepWalk(const StepShape &shape,
                                              ArrayRef<int64_t> extents,
                                              const TargetInfo &target) {
  // Blocks that begin a few planes apart: with fewer segments they walk through
  // the same places of memory together, which took up to 1.4 times as long.
  constexpr int64_t kFewestSegments = 4, kMostSegments = 16, kAhead = 2;
  // What ptxas does without, where it has to.
  constexpr double kSpared = 1.12, kLarge = 2e9;
  if (shape.rank != 3 || shape.isBox || shape.rows != 1 || shape.columns != 1 ||
      !target.hasMeasuredRegisters || target.multiprocessors == 0 ||
      !target.hasAsyncCopy(AsyncCopyTensor))
    return std::nullopt;
  int64_t depth = 2 * shape.rows + 1 + kAhead;
  double size = static_cast<double>(shape.elementBytes);
  for (int64_t extent : extents)
    size *= static_cast<double>(extent);
  std::optional<StepWalk> best;
  for (const VolumeTile &tile : kVolumeTiles) {
    if (tile.elementBytes != shape.elementBytes || tile.steps != shape.steps)
      continue;
    int64_t margin = tile.steps - 1;
    int64_t height = tile.height() - 2 * margin;
    int64_t row =
        target.warpSize * tile.columns() -
        2 * static_cast<int64_t>(llvm::alignTo(margin, tile.columns()));
    int64_t room = getRegisters(tile.warps / target.issuedWarps, target);
    if (row <= 0 || height <= 0 ||
        countWalkRegisters(shape, tile) > kSpared * static_cast<double>(room) ||
        countWalkBytes(shape, tile, depth, target) >
            static_cast<int64_t>(target.sharedPerBlock))
      continue;
    int64_t strips = llvm::divideCeilSigned(extents[1], height) *
                     llvm::divideCeilSigned(extents[2], row);
    // No shorter than what is computed twice.
    int64_t most =
        std::max<int64_t>(1, extents[0] / (2 * tile.steps * shape.rows));
    for (int64_t segments = std::min(kFewestSegments, most);
         segments <= std::min(kMostSegments, most); ++segments) {
      int64_t rounds =
          llvm::divideCeilSigned(strips * segments, target.multiprocessors);
      int64_t planes = llvm::divideCeilSigned(extents[0], segments) +
                       2 * tile.steps * shape.rows;
      double computed =
          static_cast<double>(rounds * planes) *
          static_cast<double>(target.multiprocessors) *
          static_cast<double>(tile.height() * target.warpSize * tile.columns());
      double seconds = computed *
                       (size < kLarge ? tile.bytes : tile.bytesInLarge) /
                       target.getCopyBandwidth();
      if (best && best->seconds <= seconds)
        continue;
      StepWalk walk;
      walk.seconds = seconds;
      walk.keys.stream = 0;
      walk.keys.window = {Space::Shared};
      walk.keys.chain = Space::Shuffle;
      walk.keys.prefetch = Prefetch::Tma;
      walk.keys.block = {1, tile.warps, target.warpSize};
      walk.keys.points = {1, tile.rows, tile.columns()};
      walk.keys.segments = segments;
      walk.keys.stages = depth;
      walk.keys.launchBounds = 1;
      best = walk;
    }
  }
  return best;
}
