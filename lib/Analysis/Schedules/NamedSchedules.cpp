//===- NamedSchedules.cpp - Schedules that have names ---------------------===//

#include "StencilDialect/Analysis/NamedSchedules.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Shapes of kernels
//===----------------------------------------------------------------------===//

KernelShape stencil::getKernelShape(ApplyOp apply) {
  KernelShape shape{apply.getRank(), 1, {}};
  Footprint footprint(apply);
  for (BlockArgument argument : apply.getBodyBlock()->getArguments()) {
    auto grid = dyn_cast<GridType>(argument.getType());
    if (!grid)
      continue;
    shape.elementBytes =
        std::max(shape.elementBytes, getElementBytes(grid.getElementType()));
    int64_t radius = 0;
    bool fitsWindow = grid.getRank() == shape.rank;
    footprint.forEachRead(argument.getArgNumber(), [&](const InputRead &read) {
      fitsWindow &= !readsComputedPoints(read.op);
      for (auto [lower, upper] : llvm::zip_equal(read.lower, read.upper))
        radius = std::max({radius, -lower, upper});
    });
    shape.radii.push_back(fitsWindow ? radius : 0);
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// The schedules
//===----------------------------------------------------------------------===//

namespace {

/// Builds one schedule; a step that fails says why.
class ScheduleRecipe {
public:
  ScheduleRecipe(StringRef name, const KernelShape &shape,
                 const TargetInfo &target, std::string &why)
      : name(name), shape(shape), target(target), why(why) {}

  // A function for each name.
  bool gmem() { return tile({4, 4, 32}, {16, 32}); }
  bool smemU() { return useWindows(Inputs::Widest) && gmem() && fit(); }
  bool smemEta() {
    return useWindows(Inputs::Narrower) && tile({8, 8, 8}, {16, 32}) && fit();
  }
  bool stSmem() { return stream(Accumulation::Gather, 16); }
  bool stRegShft() { return stream(Accumulation::Shift, 32); }
  bool stRegFixed() { return stream(Accumulation::Scatter, 32); }
  bool stSemi() { return stream(Accumulation::Semi, 32); }
  bool hwc() { return tile({2, 4, target.warpSize}, {8, target.warpSize}); }
  bool swc();
  bool vec();

  ScheduleKeys keys;

private:
  enum class Inputs { All, Widest, Narrower };

  bool fail(const Twine &reason) {
    why = ("schedule '" + name + "' " + reason).str();
    return false;
  }
  bool stream(Accumulation accumulation, int64_t width);
  bool useWindows(Inputs inputs, Space window = Space::Shared);
  bool tile(ArrayRef<int64_t> block3D, ArrayRef<int64_t> block2D);
  bool walk(ArrayRef<int64_t> block3D);
  int64_t countBytes() const;
  bool fit();

  StringRef name;
  const KernelShape &shape;
  const TargetInfo &target;
  std::string &why;
};

} // namespace

/// A window for those inputs that are read at offsets; the others are read once
/// per point.
bool ScheduleRecipe::useWindows(Inputs inputs, Space window) {
  int64_t widest = 0;
  for (int64_t radius : shape.radii)
    widest = std::max(widest, radius);
  if (widest == 0)
    return fail("keeps neighbours in windows: expected an input that is read "
                "at a constant offset, got none");
  for (int64_t radius : shape.radii) {
    bool isIncluded =
        radius > 0 && (inputs == Inputs::All ||
                       (radius == widest) == (inputs == Inputs::Widest));
    keys.window.push_back(isIncluded ? window : Space::Cache);
  }
  if (llvm::is_contained(keys.window, window))
    return true;
  return fail("keeps an input in shared memory that is read less far than "
              "another: expected inputs of several radii, got only " +
              Twine(widest));
}

/// A block per tile, one point per thread. Blocks of 1D kernels are as large as
/// those of 2D ones.
bool ScheduleRecipe::tile(ArrayRef<int64_t> block3D,
                          ArrayRef<int64_t> block2D) {
  keys.block.assign(shape.rank, 1);
  keys.points.assign(shape.rank, 1);
  if (shape.rank == 1)
    keys.block = {llvm::product_of(block2D)};
  ArrayRef<int64_t> block = shape.rank == 2 ? block2D : block3D;
  if (shape.rank >= 2)
    llvm::copy(block, keys.block.end() - block.size());
  return true;
}

/// Walks along the first axis: a plane of a 3D grid at a time, or a row of a 2D
/// one.
bool ScheduleRecipe::walk(ArrayRef<int64_t> block3D) {
  if (shape.rank < 2 || shape.rank > 3)
    return fail("walks along one axis, with a tile of the others: expected 2 "
                "or 3 axes, got " +
                Twine(shape.rank));
  keys.stream = 0;
  return tile(block3D, {1, llvm::product_of(block3D)});
}

/// Bytes of all shared windows, as wide as whole sectors.
int64_t ScheduleRecipe::countBytes() const {
  constexpr int64_t kSectorBytes = 32;
  int64_t bytes = 0;
  for (auto [window, radius] : llvm::zip_equal(keys.window, shape.radii)) {
    if (window != Space::Shared)
      continue;
    int64_t size = shape.elementBytes;
    for (int64_t axis = 0; axis < shape.rank; ++axis) {
      int64_t halo = radius;
      if (axis + 1 == shape.rank)
        halo = llvm::alignTo(radius * shape.elementBytes, kSectorBytes) /
               shape.elementBytes;
      // Of a stream, the planes that are read and one that comes in.
      bool isScatter = keys.accumulate == Accumulation::Scatter;
      size *= keys.stream != axis ? keys.block[axis] + 2 * halo
              : isScatter         ? 2
                                  : 2 * radius + 2;
    }
    bytes += size;
  }
  return bytes;
}

/// Smaller blocks, until shared memory holds the windows.
bool ScheduleRecipe::fit() {
  constexpr int64_t kLeastRow = 8;
  auto limit = static_cast<int64_t>(target.sharedPerBlock);
  while (countBytes() > limit) {
    MutableArrayRef<int64_t> outer(keys.block.data(), shape.rank - 1);
    int64_t *largest = llvm::max_element(outer);
    if (largest == outer.end() || *largest == 1)
      largest = &keys.block.back();
    if (largest == &keys.block.back() && *largest <= kLeastRow)
      return fail("keeps " + Twine(countBytes()) +
                  " bytes per block in shared memory, even with small blocks: "
                  "expected at most " +
                  Twine(limit) + ", which " + target.chip + " has");
    *largest /= 2;
  }
  return true;
}

/// The 2.5D kernels of the seismic paper: tiles of 16 rows.
bool ScheduleRecipe::stream(Accumulation accumulation, int64_t width) {
  keys.accumulate = accumulation;
  return walk({1, 16, width}) && useWindows(Inputs::Widest) && fit();
}

/// As many fields in shared memory as it holds, the rest in the caches.
bool ScheduleRecipe::swc() {
  if (!useWindows(Inputs::All))
    return false;
  if (shape.rank == 1)
    return tile({}, {1, 256}) && fit();
  keys.accumulate = Accumulation::Gather;
  keys.prefetch = Prefetch::Registers;
  if (!walk({1, 8, target.warpSize}))
    return false;
  while (countBytes() > static_cast<int64_t>(target.sharedPerBlock) &&
         llvm::count(keys.window, Space::Shared) > 1)
    *llvm::find(llvm::reverse(keys.window), Space::Shared) = Space::Cache;
  return fit();
}

/// A brick of 4 x 4 rows, each as long as a warp, per warp.
bool ScheduleRecipe::vec() {
  constexpr int64_t kBrick = 4;
  if (!useWindows(Inputs::All, Space::Shuffle) ||
      !tile({1, 1, target.warpSize}, {1, target.warpSize}))
    return false;
  for (int64_t axis = std::max<int64_t>(0, shape.rank - 3);
       axis + 1 < shape.rank; ++axis)
    keys.points[axis] = kBrick;
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr std::pair<StringRef, bool (ScheduleRecipe::*)()> kSchedules[] =
    {
        {"gmem", &ScheduleRecipe::gmem},
        {"smem_u", &ScheduleRecipe::smemU},
        // These two differ in who fetches the halo, which a schedule does not
        // say.
        {"smem_eta_1", &ScheduleRecipe::smemEta},
        {"smem_eta_3", &ScheduleRecipe::smemEta},
        {"st_smem", &ScheduleRecipe::stSmem},
        {"st_reg_shft", &ScheduleRecipe::stRegShft},
        {"st_reg_fixed", &ScheduleRecipe::stRegFixed},
        {"st_semi", &ScheduleRecipe::stSemi},
        {"hwc", &ScheduleRecipe::hwc},
        {"swc", &ScheduleRecipe::swc},
        {"vec", &ScheduleRecipe::vec},
};

ArrayRef<StringRef> stencil::getScheduleNames() {
  static const SmallVector<StringRef> names(
      llvm::make_first_range(ArrayRef(kSchedules)));
  return names;
}

bool stencil::isScheduleName(StringRef name) {
  return llvm::is_contained(getScheduleNames(), name);
}

ScheduleAttr stencil::getNamedSchedule(StringRef name, const KernelShape &shape,
                                       const TargetInfo &target,
                                       MLIRContext *context, std::string &why) {
  const auto *entry = llvm::find_if(
      kSchedules, [&](const auto &known) { return known.first == name; });
  ScheduleRecipe recipe(name, shape, target, why);
  return (recipe.*entry->second)() ? recipe.keys.get(context) : ScheduleAttr();
}
