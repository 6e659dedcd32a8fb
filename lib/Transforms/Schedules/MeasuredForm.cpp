//===- MeasuredForm.cpp - Kernels as they were measured best --------------===//

#include "MeasuredForm.h"
#include "StencilDialect/Analysis/Panels.h"
#include "StencilDialect/IR/Schedule.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace stencil;

namespace {

/// What a body reads, as far as it decides how to walk.
enum Reads {
  /// Neighbours off the axes of the planes.
  Box,
  Star,
  /// Of one field in single precision, from radius 2 on: columns in registers
  /// rather than sums plane by plane.
  Single,
  /// Of one field, a point and the six next to it: walks whatever the model has
  /// chosen, which takes them to be no faster than the caches.
  Nearest,
  /// Of one field, all points of a cube, in sums that may not be reordered:
  /// from windows that hold all planes, which the model takes to be slower than
  /// they are.
  Cube
};

/// Of the largest element: eight bytes, or less.
enum Precision { Double, Lower };

/// Of planes, as walks with panels distinguish them (Analysis/Panels.h).
enum Planes { Any, Narrow, Wide };

/// How a kernel was walked that reads so, from so many planes away.
struct MeasuredForm {
  Reads reads;
  Precision precision;
  Planes size;
  int64_t leastHalo, mostHalo;
  /// Sums are for those that can be added plane by plane.
  Accumulation accumulate;
  /// Planes in shared memory; of columns and cubes, those beside the halo's.
  int64_t stages;
  /// These and what follows are left to tile-registers if they are 0.
  std::array<int64_t, 3> block, points;
  int64_t launchBounds;
  /// Of a segment.
  int64_t planes;

  /// Whether it is better than what the model takes to be faster.
  bool isForced() const { return reads == Cube || reads == Nearest; }
};

} // namespace

static constexpr auto kSums = Accumulation::Scatter;
static constexpr auto kColumns = Accumulation::Shift;
static constexpr auto kPlanes = Accumulation::Gather;
static constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

/// The first that suits counts. Measured with TMA on an H200, in volumes of
/// 512 x 512 x 512 and 512 x 1024 x 1024 points. docs/benchmarks.md has the
/// tables: "Rolling windows" for double precision; for single precision, whose
/// tiles are as many bytes wide, "The suites on an H200".
static constexpr MeasuredForm kForms[] = {
    // clang-format off
    // brick_cube125p: many taps want all registers, and no plane that is read
    // twice. 96.5 % of the copy with 5 planes, 92.5 % with 4; in wide planes
    // 4 planes take 3.7 % less time.
    {Box,    Double, Narrow, 2, kAny, kSums,    5, {},          {},        1, 512},
    {Box,    Double, Wide,   2, kAny, kSums,    4, {},          {},        1, 512},
    {Box,    Lower,  Any,    2, kAny, kSums,    3, {1, 4, 32},  {1, 2, 4}, 3, 128},
    // brick_cube27p: 92.3 % of the copy with 6 planes, 91.0 % with 4.
    {Box,    Double, Any,    0, 1,    kSums,    6, {},          {},        0, 0},
    {Box,    Lower,  Any,    0, 1,    kSums,    6, {1, 16, 32}, {1, 2, 4}, 0, 8},

    // brick_cube27p and brick_cube125p as they are written: small blocks, as
    // many of them as registers allow, that take turns at shared memory. Of 125
    // points, ten neighbours share 27 loads each, eight below each other 37.5.
    {Cube,   Double, Any,    1, 1,    kPlanes,  3, {1, 4, 32},  {1, 4, 2}, 4, 8},
    {Cube,   Double, Any,    2, 2,    kPlanes,  3, {1, 2, 32},  {1, 5, 2}, 4, 26},
    {Cube,   Lower,  Narrow, 2, 2,    kPlanes,  3, {1, 4, 32},  {1, 8, 2}, 2, 128},

    // brick_star7p: 97 and 95 % of the copy, 93 and 90 from the caches.
    {Nearest, Double, Narrow, 1, 1,   kColumns, 5, {1, 4, 64},  {1, 4, 2}, 1, 8},
    {Nearest, Lower,  Narrow, 1, 1,   kColumns, 7, {1, 4, 32},  {1, 4, 4}, 0, 8},
    // brick_star19p: two blocks of 128 threads.
    {Star,   Double, Any,    3, 3,    kSums,    3, {},          {},        0, 0},
    // brick_star7p, brick_star13p.
    {Star,   Double, Any,    0, 2,    kSums,    4, {},          {},        0, 0},
    // brick_star25p, and shorter ones whose sums may not be reordered: two
    // blocks of 64 x 16 points hide each other's barriers; with one plane more
    // only one fits.
    {Star,   Double, Any,    4, 5,    kColumns, 3, {1, 8, 32},  {1, 2, 2}, 2, 256},
    {Star,   Double, Any,    2, 3,    kColumns, 3, {1, 8, 32},  {1, 2, 2}, 2, 128},

    // diffusion3d_r2, _r3, _r4: several small blocks (of one or two larger ones
    // 1 to 2 % less).
    {Single, Lower,  Any,    2, 2,    kColumns, 3, {1, 16, 16}, {1, 1, 4}, 2, 128},
    {Single, Lower,  Any,    3, 3,    kColumns, 3, {1, 4, 32},  {1, 2, 4}, 0, 128},
    {Single, Lower,  Any,    4, 5,    kColumns, 3, {1, 8, 16},  {1, 2, 4}, 3, 128},
    // acoustic25, which reads other fields besides: 88 % of the copy in planes
    // of 1000 x 1000 points with 20 segments and panels, 3 to 4 less without.
    {Star,   Lower,  Wide,   4, 4,    kSums,    4, {1, 16, 32}, {1, 1, 4}, 0, 50},
    {Star,   Lower,  Any,    0, kAny, kSums,    4, {1, 16, 32}, {1, 1, 4}, 0, 0},
    {Star,   Lower,  Any,    2, 5,    kColumns, 3, {},          {},        0, 0},
    // clang-format on
};

/// The only input that is read; null if there are more.
static const ProfiledInput *getOnlyInput(const KernelProfile &profile) {
  const ProfiledInput *only = nullptr;
  for (const ProfiledInput &input : profile.inputs)
    if (input.isRead()) {
      if (only)
        return nullptr;
      only = &input;
    }
  return only;
}

static Reads classifyReads(const KernelProfile &profile, int64_t halo) {
  const ProfiledInput *only = getOnlyInput(profile);
  if (profile.readsBox()) {
    int64_t span = 2 * halo + 1;
    bool isCube = only && static_cast<int64_t>(only->offsets.size()) ==
                              span * span * span;
    bool isMeasured = profile.getElementBytes() >= int64_t(sizeof(float));
    return isCube && isMeasured && profile.scatterSpan == 0 ? Cube : Box;
  }
  if (!only || profile.getElementBytes() < int64_t(sizeof(float)))
    return Star;
  constexpr size_t kNearest = 7;
  if (halo == 1 && only->offsets.size() == kNearest)
    return Nearest;
  return halo >= 2 && profile.getElementBytes() == sizeof(float) ? Single
                                                                 : Star;
}

static const MeasuredForm *findForm(const KernelProfile &profile) {
  int64_t halo = profile.getHalo(0);
  Reads reads = classifyReads(profile, halo);
  Precision precision =
      profile.getElementBytes() == sizeof(double) ? Double : Lower;
  bool areWide = arePlanesWide(profile.shape, profile.getElementBytes());
  const auto *form = llvm::find_if(kForms, [&](const MeasuredForm &form) {
    // In wide planes the nearest ones are a star like others.
    bool readsSo =
        form.reads == reads || (reads == Nearest && form.reads == Star);
    return readsSo && form.precision == precision && form.leastHalo <= halo &&
           halo <= form.mostHalo &&
           (form.accumulate != kSums || profile.scatterSpan > 0) &&
           (form.size == Any || (form.size == Wide) == areWide);
  });
  return form == std::end(kForms) ? nullptr : form;
}

/// Whether `schedule` is a walk whose planes come as those that were measured.
static bool isWalk(ScheduleAttr schedule) {
  return schedule.getStream() == 0 && schedule.getPrefetch() == Prefetch::Tma &&
         schedule.getAccumulate();
}

/// Whether planes can come so, whatever the model has chosen.
static bool canWalk(const KernelProfile &profile, const TargetInfo &target) {
  const ProfiledInput *only = getOnlyInput(profile);
  return only && only->fitsWindow && only->fitsTensorMap &&
         target.hasAsyncCopy(AsyncCopyTensor);
}

ScheduleAttr stencil::getMeasuredForm(ScheduleAttr chosen,
                                      const KernelProfile &profile,
                                      const TargetInfo &target,
                                      bool isAnyWalk) {
  constexpr double kLarge = 1 << 26;
  if (profile.rank != 3 || !target.hasMeasuredForms ||
      profile.countPoints() < kLarge)
    return {};
  const MeasuredForm *form = findForm(profile);
  bool isForced = form && (isAnyWalk || form->isForced());
  if (!form || !(isForced ? canWalk(profile, target) : isWalk(chosen)))
    return {};
  ScheduleKeys keys;
  keys.stream = 0;
  if (isForced)
    keys.window = {Space::Shared};
  else
    llvm::append_range(keys.window, chosen.getWindow());
  keys.prefetch = Prefetch::Tma;
  keys.accumulate = form->accumulate;
  keys.stages = form->stages;
  if (form->accumulate == kColumns)
    *keys.stages += profile.getHalo(0);
  if (form->accumulate == kPlanes)
    *keys.stages += 2 * profile.getHalo(0);
  if (form->block[0] != 0) {
    llvm::append_range(keys.block, form->block);
    llvm::append_range(keys.points, form->points);
  }
  keys.launchBounds = form->launchBounds;
  if (form->planes != 0)
    keys.segments = std::max<int64_t>(1, profile.shape[0] / form->planes);
  // tile-registers does so for blocks that it chooses. Of sums, those that were
  // measured in wide planes have panels.
  if ((form->accumulate != kSums || form->size == Wide) &&
      form->block[0] != 0 &&
      arePlanesWide(profile.shape, profile.getElementBytes()))
    keys.panel = {
        0, countPanelBlocks(kPanelRows, form->block[1] * form->points[1]), 0};
  return keys.get(chosen.getContext());
}
