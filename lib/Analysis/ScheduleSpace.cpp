//===- ScheduleSpace.cpp - The schedules that an apply can have -----------===//

#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

ScheduleAttr stencil::getDefaultSchedule(ApplyOp apply,
                                         const KernelProfile &profile,
                                         const TargetInfo &target) {
  ScheduleKeys keys;
  completeTiledSchedule(apply, target, profile.shape, keys);
  if (llvm::all_of(keys.panel, [](int64_t blocks) { return blocks == 0; }))
    keys.panel.clear();
  return keys.get(apply.getContext());
}

namespace {

using Numbers = SmallVector<int64_t, 4>;

/// Collects the schedules of one apply.
class SpaceBuilder {
public:
  SpaceBuilder(ApplyOp apply, const KernelProfile &profile,
               const TargetInfo &target)
      : apply(apply), profile(profile), target(target), rank(profile.rank),
        vector(std::clamp<int64_t>(16 / profile.getElementBytes(), 1, 4)) {}

  std::vector<ScheduleAttr> run();

private:
  bool add(const ScheduleKeys &keys);
  bool isHeavy() const { return profile.ops > kMaxRepeatedOps; }
  void addTiled();
  void addTile(Numbers block, const Numbers &points);
  void addRowWindows();
  void addWalks();
  void addWalks(ScheduleKeys keys);
  void addTiledWalks(ScheduleKeys keys, int64_t row, int64_t rows,
                     int64_t below);
  void addCuts(ScheduleKeys keys);
  std::vector<SmallVector<Window>> listWindows() const;
  std::vector<Accumulation> listAccumulations() const;
  std::optional<Prefetch> getPrefetch() const;
  std::vector<int64_t> listPanels(int64_t rowsPerBlock, double planes) const;

  /// What a schedule may say (ScheduleAttr::verify).
  static constexpr int64_t kMaxStages = 8;
  /// Bodies of more ops are not repeated.
  static constexpr int64_t kMaxRepeatedOps = 1024;

  ApplyOp apply;
  const KernelProfile &profile;
  const TargetInfo &target;
  int64_t rank;
  /// Elements of a vector of 16 bytes; at most 4.
  int64_t vector;
  llvm::SetVector<ScheduleAttr, std::vector<ScheduleAttr>> schedules;
};

} // namespace

/// Adds a schedule that fits.
bool SpaceBuilder::add(const ScheduleKeys &keys) {
  ScheduleAttr schedule = keys.get(apply.getContext());
  if (!findMisfit(profile, schedule, target).empty())
    return false;
  schedules.insert(schedule);
  return true;
}

//===----------------------------------------------------------------------===//
// One tile per block
//===----------------------------------------------------------------------===//

/// Panels of blocks, where what is read of several planes does not fit the
/// second-level cache.
std::vector<int64_t> SpaceBuilder::listPanels(int64_t rowsPerBlock,
                                              double planes) const {
  std::vector<int64_t> panels = {0};
  if (rank < 3 || target.l2Bytes == 0)
    return panels;
  double plane = static_cast<double>(profile.shape[rank - 1]) *
                 static_cast<double>(profile.shape[rank - 2]) *
                 (profile.bytesRead + profile.bytesWritten);
  if (plane * planes <= static_cast<double>(target.l2Bytes) / 3)
    return panels;
  for (int64_t rows : {64, 256}) {
    int64_t blocks = std::max<int64_t>(1, rows / rowsPerBlock);
    if (blocks * rowsPerBlock < profile.shape[rank - 2])
      panels.push_back(blocks);
  }
  return panels;
}

void SpaceBuilder::addTile(Numbers block, const Numbers &points) {
  // Not much more threads than there are points.
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t least = axis == rank - 1 ? target.warpSize : 1;
    while (block[axis] > least &&
           (block[axis] / 2) * points[axis] >= profile.shape[axis])
      block[axis] /= 2;
  }
  ScheduleKeys keys;
  keys.block.assign(block.begin(), block.end());
  keys.points.assign(points.begin(), points.end());
  int64_t threads = llvm::product_of(block);
  double planes = rank < 3
                      ? 0
                      : static_cast<double>(2 * profile.getHalo(rank - 3) +
                                            block[rank - 3] * points[rank - 3]);
  int64_t rows = rank < 2 ? 1 : block[rank - 2] * points[rank - 2];
  for (int64_t panel : listPanels(rows, planes)) {
    keys.panel.clear();
    if (panel) {
      keys.panel.assign(rank, 0);
      keys.panel[rank - 2] = panel;
    }
    keys.launchBounds = 0;
    if (!isHeavy()) {
      add(keys);
      continue;
    }
    // ptxas has to be told how many registers a body without end may take.
    for (int64_t blocks : {1, 2, 4}) {
      constexpr int64_t kLeastRegisters = 96;
      if (blocks * threads * kLeastRegisters >
          static_cast<int64_t>(target.registersPerMultiprocessor))
        continue;
      keys.launchBounds = blocks;
      add(keys);
    }
  }
}

void SpaceBuilder::addTiled() {
  int64_t warp = target.warpSize;
  std::vector<Numbers> blocks, points;
  if (rank == 1) {
    for (int64_t threads : {128, 256, 512, 1024})
      blocks.push_back({threads});
    for (int64_t count : {1, 2, 4})
      points.push_back({count * vector});
    points.push_back({1});
  } else {
    Numbers ones(rank - 2, 1);
    auto prepend = [&](int64_t outer, int64_t rows, int64_t row) {
      Numbers list(ones);
      if (rank >= 3)
        list.back() = outer;
      list.push_back(rows);
      list.push_back(row);
      return list;
    };
    for (auto [rows, row] : {std::pair<int64_t, int64_t>(8, warp),
                             {4, warp},
                             {16, warp},
                             {4, 2 * warp},
                             {8, 2 * warp},
                             {2, 4 * warp},
                             {4, 4 * warp},
                             {1, 8 * warp}})
      blocks.push_back(prepend(1, rows, row));
    if (rank >= 3)
      for (auto [outer, rows] :
           {std::pair<int64_t, int64_t>(2, 4), {4, 2}, {4, 4}, {2, 8}, {8, 2}})
        blocks.push_back(prepend(outer, rows, warp));
    points.push_back(prepend(1, 1, 1));
    if (!isHeavy()) {
      points.push_back(prepend(1, 1, vector));
      for (int64_t count : {2, 4}) {
        points.push_back(prepend(1, count, vector));
        if (rank >= 3)
          points.push_back(prepend(count, 1, vector));
      }
      points.push_back(rank >= 3 ? prepend(4, 2, vector)
                                 : prepend(1, 8, vector));
      if (rank >= 3)
        points.push_back(prepend(2, 2, vector));
    }
  }
  for (const Numbers &tile : points)
    for (const Numbers &block : blocks)
      addTile(block, tile);
}

/// A row of neighbours in shared memory, where many points share them.
void SpaceBuilder::addRowWindows() {
  constexpr int64_t kLeastRadius = 32;
  if (rank != 1 || profile.getRadius() < kLeastRadius)
    return;
  // An odd number of points per thread: lanes read different banks.
  for (int64_t threads : {128, 256})
    for (int64_t count : {7, 9, 11, 13, 15, 21}) {
      ScheduleKeys keys;
      keys.block = {threads};
      keys.points = {count};
      keys.window = {Window::Shared};
      add(keys);
    }
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

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
std::vector<SmallVector<Window>> SpaceBuilder::listWindows() const {
  std::vector<SmallVector<Window>> lists;
  int64_t widest = profile.getRadius();
  auto addList = [&](auto isShared) {
    SmallVector<Window> list;
    for (const ProfiledInput &input : profile.inputs)
      list.push_back(input.isRead() && input.fitsWindow && isShared(input)
                         ? Window::Shared
                         : Window::Cache);
    if (!llvm::is_contained(list, Window::Shared))
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

std::vector<Accumulation> SpaceBuilder::listAccumulations() const {
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
  constexpr int64_t kPanelBytes = 5 << 19, kPanelRows = 256;
  int64_t rowBytes = profile.shape.back() * profile.getElementBytes();
  if (rank == 3 && profile.shape[1] * rowBytes > kPanelBytes)
    panels.push_back(
        std::max<int64_t>(4, kPanelRows / (keys.block[1] * keys.points[1])));
  for (int64_t segments : cuts)
    for (int64_t panel : panels) {
      keys.segments = segments;
      keys.panel.clear();
      if (panel)
        keys.panel = {0, panel, 0};
      add(keys);
    }
}

/// Tiles of `rows` rows of `row` points; `below`: points of a thread below each
/// other.
void SpaceBuilder::addTiledWalks(ScheduleKeys keys, int64_t row, int64_t rows,
                                 int64_t below) {
  int64_t warp = target.warpSize;
  int64_t along = isHeavy() ? 1 : vector;
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
      addTiledWalks(keys, target.warpSize, rows, 1);
    return;
  }
  if (rank == 2) {
    for (int64_t row : {256, 512, 1024})
      for (int64_t along : {1, 2})
        addTiledWalks(keys, row, 1, along);
    return;
  }
  for (auto [row, rows] :
       {std::pair<int64_t, int64_t>(128, 16), {64, 16}, {128, 8}, {64, 32}})
    for (int64_t below : {1, 2, 4})
      addTiledWalks(keys, row, rows, below);
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
  for (const SmallVector<Window> &windows : listWindows()) {
    keys.window = windows;
    for (Accumulation accumulation : listAccumulations()) {
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
      for (int64_t ahead : {1, 2, 3, 4}) {
        keys.stages = ring.depth - ring.ahead + ahead;
        if (*keys.stages <= kMaxStages)
          addWalks(keys);
      }
    }
  }
}

std::vector<ScheduleAttr> SpaceBuilder::run() {
  schedules.insert(getDefaultSchedule(apply, profile, target));
  bool isUnrolled = llvm::any_of(apply.getUnrollFactors(),
                                 [](int64_t factor) { return factor != 1; });
  if (target.multiprocessors == 0 || !profile.isKnown || isUnrolled)
    return schedules.takeVector();
  addTiled();
  if (apply.isBufferised()) {
    addRowWindows();
    addWalks();
  }
  return schedules.takeVector();
}

std::vector<ScheduleAttr>
stencil::enumerateSchedules(ApplyOp apply, const KernelProfile &profile,
                            const TargetInfo &target) {
  return SpaceBuilder(apply, profile, target).run();
}

std::vector<ScheduleAttr> stencil::enumerateSchedules(ApplyOp apply,
                                                      const TargetInfo &target,
                                                      ArrayRef<int64_t> extents,
                                                      MathMode math) {
  return enumerateSchedules(apply, profileKernel(apply, extents, math), target);
}
