//===- ScheduleWalks.cpp - Schedules that walk along the first axis -------===//

#include "SpaceBuilder.h"
#include "StencilDialect/Analysis/Panels.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// The fastest way for planes to come that the chip has and all inputs take.
std::optional<Prefetch> SpaceBuilder::getPrefetch() const {
  auto each = [&](auto test) {
    return llvm::all_of(profile.inputs, [&](const ProfiledInput &input) {
      return !input.fitsWindow || test(input);
    });
  };
  if (target.hasAsyncCopy(AsyncCopyTensor) &&
      each([](const ProfiledInput &input) { return input.fitsTensorMap; }))
    return Prefetch::Tma;
  constexpr int64_t kNarrowest = 4;
  if (target.hasAsyncCopy(AsyncCopyElements) &&
      each(
          [](const ProfiledInput &input) { return input.bytes >= kNarrowest; }))
    return Prefetch::Async;
  return Prefetch::Registers;
}

/// Windows for all inputs; for those that are read at offsets; for those that
/// are read farthest.
std::vector<SmallVector<Space>> SpaceBuilder::listWindows() const {
  std::vector<SmallVector<Space>> lists;
  int64_t widest = profile.getRadius();
  auto addList = [&](auto isShared) {
    SmallVector<Space> list;
    for (const ProfiledInput &input : profile.inputs)
      list.push_back(input.isRead() && input.fitsWindow && isShared(input)
                         ? Space::Shared
                         : Space::Cache);
    if (!llvm::is_contained(list, Space::Shared))
      return;
    if (llvm::all_equal(list))
      list.resize(1);
    if (!llvm::is_contained(lists, list))
      lists.push_back(std::move(list));
  };
  addList([](const ProfiledInput &) { return true; });
  addList([](const ProfiledInput &input) { return input.getRadius() > 0; });
  addList(
      [&](const ProfiledInput &input) { return input.getRadius() == widest; });
  return lists;
}

std::vector<Accumulation>
stencil::listAccumulations(const KernelProfile &profile) {
  std::vector<Accumulation> list;
  bool hasColumn = llvm::any_of(profile.inputs, [](const ProfiledInput &input) {
    return input.fitsWindow && input.column.count > 1;
  });
  list.push_back(hasColumn ? Accumulation::Shift : Accumulation::Gather);
  if (profile.scatterSums > 0) {
    list.push_back(Accumulation::Scatter);
    // Worth it where much is read in the column: stars.
    if (!profile.readsBox())
      list.push_back(Accumulation::Semi);
  }
  if (hasColumn && profile.readsBox())
    list.push_back(Accumulation::Gather);
  return list;
}

/// Segments and panels of a walk.
void SpaceBuilder::addCuts(ScheduleKeys keys) {
  int64_t planes = profile.shape.front();
  int64_t halo = std::max<int64_t>(1, profile.getHalo(0));
  llvm::SmallSetVector<int64_t, 8> cuts;
  // A row is less than a plane.
  int64_t scale = rank == 2 ? 8 : 1;
  for (int64_t length : {8, 16, 32, 64, 128, 256})
    if (length * scale >= 2 * halo && length * scale <= planes)
      cuts.insert(std::max<int64_t>(1, planes / (length * scale)));
  if (cuts.empty() || planes <= 64 * scale)
    cuts.insert(1);
  SmallVector<int64_t> panels = {0};
  if (rank == 3 && arePlanesWide(profile.shape, profile.getElementBytes()))
    panels.push_back(
        countPanelBlocks(kPanelRows, keys.block[1] * keys.points[1]));
  for (int64_t segments : cuts)
    for (int64_t panel : panels) {
      keys.segments = segments;
      keys.panel.clear();
      if (panel)
        keys.panel = {0, panel, 0};
      add(keys);
    }
}

/// Tiles of `rows` rows of `row` points; `below` and `along`: points of a
/// thread below each other, and beside each other.
void SpaceBuilder::addTiledWalks(ScheduleKeys keys, int64_t row, int64_t rows,
                                 int64_t below, int64_t along) {
  int64_t warp = target.warpSize;
  keys.block.assign(rank, 1);
  keys.points.assign(rank, 1);
  keys.points.back() = along;
  keys.block.back() = std::max<int64_t>(1, row / along);
  if (rank == 3) {
    keys.points[1] = below;
    keys.block[1] = std::max<int64_t>(1, rows / below);
  } else if (below > 1) {
    keys.points.back() *= below;
    keys.block.back() = std::max<int64_t>(1, keys.block.back() / below);
  }
  int64_t threads = llvm::product_of(keys.block);
  if (threads < 2 * warp || threads > target.threadsPerBlock)
    return;
  // A tile that is much larger than the plane.
  for (int64_t axis = 1; axis < rank; ++axis)
    if (static_cast<uint64_t>(keys.block[axis] * keys.points[axis]) >
        llvm::PowerOf2Ceil(profile.shape[axis]))
      return;
  // Where sums or queues take many registers, ptxas is told how many there are.
  bool isLarge =
      countWindowRegisters(profile, keys.get(apply.getContext())) * 2 *
              threads >
          static_cast<int64_t>(target.registersPerMultiprocessor) / 4 ||
      isHeavy();
  if (isLarge)
    for (int64_t blocks : {2, 1}) {
      keys.launchBounds = blocks;
      addCuts(keys);
    }
  keys.launchBounds = 0;
  addCuts(keys);
}

void SpaceBuilder::addWalks(ScheduleKeys keys) {
  if (isHeavy()) {
    for (int64_t rows : {8, 16})
      addTiledWalks(keys, target.warpSize, rows, 1, 1);
    return;
  }
  if (rank == 2) {
    // Where neighbours are near, the halo of a narrow row costs more than its
    // windows save.
    constexpr int64_t kFar = 4;
    for (int64_t row : {128, 256, 512, 1024})
      if (row > 128 || profile.getRadius() >= kFar)
        for (int64_t below : {1, 2})
          addTiledWalks(keys, row, 1, below, vector);
    return;
  }
  // Of points that are scattered, most vectors begin between those that can be
  // loaded, and take two: of five random sets in FP64, four were fastest with
  // half a vector of a row, in 0.77 to 0.99 of the time.
  SmallVector<int64_t> widths = {vector};
  if (vector > 1 && profile.readsBox() && !profile.readsFullBox())
    widths.push_back(vector / 2);
  for (auto [row, rows] :
       {std::pair<int64_t, int64_t>(128, 16), {64, 16}, {128, 8}, {64, 32}})
    for (int64_t below : {1, 2, 4})
      for (int64_t along : widths)
        addTiledWalks(keys, row, rows, below, along);
  // What is stored to in place can be in windows of these whatever is beside.
  bool isInPlace = llvm::any_of(profile.inputs, [](const ProfiledInput &input) {
    return input.isRead() && input.isStored;
  });
  constexpr size_t kEvenTiles = 2;
  if (isInPlace)
    for (PlaneTile tile :
         ArrayRef(listEvenTiles(apply, profile, target)).take_front(kEvenTiles))
      for (int64_t below : {1, 2})
        if (tile.rows % below == 0)
          addTiledWalks(keys, tile.row, tile.rows, below, vector);
}

/// Kernels that walk along the first axis.
void SpaceBuilder::addWalks() {
  if (rank < 2 || rank > 3 || profile.getRadius() == 0 ||
      profile.shape.front() < 2 * profile.getHalo(0) + 2)
    return;
  ScheduleKeys keys;
  keys.stream = 0;
  keys.prefetch = getPrefetch();
  bool isAsync =
      keys.prefetch == Prefetch::Tma || keys.prefetch == Prefetch::Async;
  for (const SmallVector<Space> &windows : listWindows()) {
    keys.window = windows;
    for (Accumulation accumulation : listAccumulations(profile)) {
      keys.accumulate = accumulation;
      if (!isAsync) {
        addWalks(keys);
        continue;
      }
      // Rings of one to four planes on their way. The span does not depend on
      // the tile.
      keys.stages.reset();
      ScheduleKeys probe = keys;
      probe.block.assign(rank, 1);
      probe.points.assign(rank, 1);
      SharedWindows ring =
          getSharedWindows(profile, probe.get(apply.getContext()));
      int64_t read = ring.depth - ring.ahead;
      for (int64_t ahead : {1, 2, 3, 4}) {
        keys.stages = read + ahead;
        if (*keys.stages <= kMostStages)
          addWalks(keys);
      }
      // More planes than a number may say are those that are chosen without.
      keys.stages.reset();
      if (read >= kMostStages)
        addWalks(keys);
    }
  }
}
