//===- StepWalks.cpp - Walks through volumes whose steps have their halos -===//
//
// There is no rim, so that tiles and segments are those of the whole volume. Of
// a few measured tiles the one is taken whose blocks compute least in rounds of
// all multiprocessors, at what a point of it costs.
//
//===----------------------------------------------------------------------===//

#include "Schedules/FormBook.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StepTiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

namespace {
/// A warp for each row of threads, and so many rows of points for each; of a
/// row a thread has a vector of 16 bytes.
struct VolumeTile {
  int64_t warps, rows, columns;

  int64_t height() const { return warps * rows; }
};
} // namespace

/// Two planes of each step but the last, and what each point takes while it is
/// computed.
static double countWalkRegisters(const StepShape &shape,
                                 const VolumeTile &tile) {
  const ModelConstants &constants = ModelConstants::getDefault();
  auto points = static_cast<double>(tile.rows * tile.columns);
  auto steps = static_cast<double>(shape.steps);
  auto words = static_cast<double>(shape.elementBytes) / 4;
  double kept = 2 * static_cast<double>(shape.rows) * (steps - 1);
  return constants.walkedSteps + constants.walkedStep * steps +
         points * words *
             (kept + constants.walkedPoint + constants.walkedStepPoint * steps);
}

/// Of the ring of the state, of the rows at the edges of those of threads, and
/// of what else is read at a point: of that, the planes of all steps and one
/// ahead.
static int64_t countWalkBytes(const StepShape &shape, const VolumeTile &tile,
                              int64_t depth, const TargetInfo &target) {
  constexpr int64_t kSlots = 2, kSectorBytes = 32;
  int64_t beside = kSectorBytes / shape.elementBytes;
  int64_t row = target.warpSize * tile.columns;
  int64_t planes =
      depth * (tile.height() + 2 * shape.rows) * (row + 2 * beside);
  int64_t edges = (shape.steps - 1) * kSlots * 2 * shape.rows *
                  (tile.warps + 1) * (row + beside);
  int64_t others = (shape.inputs - 1) * (shape.steps + 1) * tile.height() *
                   (row + 2 * beside);
  return (planes + edges + others) * shape.elementBytes;
}

std::optional<StepWalk> stencil::findStepWalk(const StepShape &shape,
                                              ArrayRef<int64_t> extents,
                                              uint64_t operations,
                                              const TargetInfo &target,
                                              MLIRContext *context) {
  KernelNumbers numbers = shape.getNumbers("steps in halos", target);
  auto forms = numbers.listSchedules();
  if (forms.empty() || shape.rows != shape.columns ||
      !target.hasMeasuredRegisters || target.multiprocessors == 0 ||
      !target.hasAsyncCopy(AsyncCopyTensor))
    return std::nullopt;
  // Blocks that begin a few planes apart: with fewer segments they walk through
  // the same places of memory together, which took up to 1.4 times as long.
  SmallVector<int64_t> segmentRange = numbers.listCounts("segments");
  int64_t depth = 2 * shape.rows + 1 + numbers.getCount("ahead");
  double size = static_cast<double>(shape.elementBytes);
  for (int64_t extent : extents)
    size *= static_cast<double>(extent);
  std::optional<StepWalk> best;
  for (const TuningForm *form : forms) {
    ScheduleAttr shipped = parseShippedSchedule(*form, context);
    VolumeTile tile{shipped.getBlock()[1], shipped.getPoints()[1],
                    shipped.getPoints()[2]};
    // The bytes of a copy that take as long as one point in one step, whether
    // it is stored or not; the last is that of large fields.
    const std::vector<double> *bytes = form->findNumbers("bytes_of_point");
    const std::vector<double> *most = form->findNumbers("most_operations");
    if (!bytes || (most && static_cast<double>(operations) > most->front()))
      continue;
    int64_t margin = shape.steps - 1;
    int64_t height = tile.height() - 2 * margin;
    int64_t row = target.warpSize * tile.columns -
                  2 * static_cast<int64_t>(llvm::alignTo(margin, tile.columns));
    int64_t room = getRegisters(tile.warps / target.issuedWarps, target);
    if (row <= 0 || height <= 0 ||
        countWalkRegisters(shape, tile) >
            ModelConstants::getDefault().walkedSpared *
                static_cast<double>(room) ||
        countWalkBytes(shape, tile, depth, target) >
            static_cast<int64_t>(target.sharedPerBlock))
      continue;
    int64_t strips = llvm::divideCeilSigned(extents[1], height) *
                     llvm::divideCeilSigned(extents[2], row);
    // No shorter than what is computed twice.
    int64_t mostSegments =
        std::max<int64_t>(1, extents[0] / (2 * shape.steps * shape.rows));
    for (int64_t segments = std::min(segmentRange.front(), mostSegments);
         segments <= std::min(segmentRange.back(), mostSegments); ++segments) {
      int64_t rounds =
          llvm::divideCeilSigned(strips * segments, target.multiprocessors);
      int64_t planes = llvm::divideCeilSigned(extents[0], segments) +
                       2 * shape.steps * shape.rows;
      double computed =
          static_cast<double>(rounds * planes) *
          static_cast<double>(target.multiprocessors) *
          static_cast<double>(tile.height() * target.warpSize * tile.columns);
      bool isLarge = size >= numbers.get("large_fields");
      double seconds = computed * (isLarge ? bytes->back() : bytes->front()) /
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
      walk.keys.points = {1, tile.rows, tile.columns};
      walk.keys.segments = segments;
      walk.keys.stages = depth;
      walk.keys.launchBounds = 1;
      best = walk;
    }
  }
  return best;
}
