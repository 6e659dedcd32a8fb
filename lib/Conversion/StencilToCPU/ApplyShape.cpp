//===- ApplyShape.cpp - What the loops of an apply look like --------------===//

#include "ApplyShape.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/TapBoxes.h"

#include <map>
#include <set>
#include <utility>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What bounds a body
//===----------------------------------------------------------------------===//

/// Loads per point when `rows` neighbouring rows along an axis are computed
/// together, times `rows`: accesses of different rows that meet are one load.
static int64_t countLoads(ApplyOp op, int64_t rows, int64_t rowAxis) {
  std::set<std::pair<void *, std::vector<int64_t>>> loads;
  op.getRegion().walk([&](AccessOp access) {
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int64_t> position(access.getOffset().getValues());
      for (auto [index, axis] : llvm::enumerate(access.getAxes()))
        if (axis == rowAxis)
          position[index] += row;
      loads.emplace(access.getTemp().getAsOpaquePointer(), std::move(position));
    }
  });
  return loads.size();
}

static int64_t countLoads(ApplyOp op, int64_t rows) {
  return countLoads(op, rows, op.getRank() - 2);
}

/// Whether some of the loads are at most so many per cent of all.
static bool isShare(int64_t some, int64_t percent, int64_t all) {
  return static_cast<double>(some) * 100 <=
         static_cast<double>(percent) * static_cast<double>(all);
}

static int64_t countOps(ApplyOp op) {
  return llvm::range_size(*op.getBodyBlock());
}

/// Whether a loop over the taps of a sum is part of the body.
static bool hasLongSum(ApplyOp op) {
  return anyWithin(op.getRegion(), hasTapLoop);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Lanes of a vector of the widest element that the apply stores. Bodies of
/// many ops or loads, and long sums, are bound by their number, and take the
/// widest vectors, even where they are slower to load and lower the clock.
static int64_t chooseLanes(ApplyOp op, const CPUFacts &cpu) {
  if (!BodyEmitter::canVectorise(op))
    return 1;
  unsigned bits = cpu.vectorBits;
  // A stage of a row or a plane reads what its core's own cache has.
  bool isKept = !op.isBufferised() && op.getRank() <= 2;
  if (isKept || countOps(op) > cpu.jointOps ||
      countLoads(op, 1) >= cpu.manyLoads || hasLongSum(op))
    bits = std::max<unsigned>(bits, cpu.wideVectorBits);
  unsigned widest = 8;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest = std::max(widest, getBitWidth(op.getOutputElementType(i)));
  return std::max<int64_t>(1, llvm::bit_floor(bits / widest));
}

/// Two neighbouring rows share inputs, and loads are what bounds a stencil of
/// many points in cache: an unaligned vector of a whole cache line costs two
/// accesses. In a plane, any sharing pays. In a volume, a second row means a
/// second row of every plane in the first-level cache, and pays for boxes of
/// more than 27 points only (docs/benchmarks.md has the measurements).
static int64_t chooseRows(ApplyOp op, ArrayRef<int64_t> shape,
                          const CPUFacts &cpu) {
  int64_t rank = op.getRank();
  if (rank < 2 ||
      (!ShapedType::isDynamic(shape[rank - 2]) && shape[rank - 2] < 4) ||
      countOps(op) > cpu.jointOps)
    return 1;
  int64_t one = countLoads(op, 1), two = countLoads(op, 2);
  return (rank == 2 ? two < 2 * one : two <= 1.25 * one) ? 2 : 1;
}

/// Several vectors per turn of the innermost loop: the addresses of many rows
/// do not fit the registers and are fetched from memory once per turn.
static int64_t chooseColumns(ApplyOp op, int64_t rows) {
  int64_t numOps = countOps(op);
  if (op.getRank() == 1)
    return numOps <= 32 ? 8 : numOps <= 128 ? 4 : 1;
  if (op.getRank() == 2)
    return numOps <= 64 ? 4 : numOps <= 256 ? 2 : 1;
  if (numOps > 128)
    return 1;
  return rows == 1 ? 4 : 2;
}

LoopKeys stencil::chooseNest(ApplyOp op, ArrayRef<int64_t> shape,
                             const CPUFacts &cpu) {
  LoopKeys keys;
  keys.lanes = chooseLanes(op, cpu);
  if (keys.lanes > 1) {
    keys.rows = cpu.rows > 0 ? cpu.rows : chooseRows(op, shape, cpu);
    keys.columns = cpu.columns > 0 ? cpu.columns : chooseColumns(op, keys.rows);
  }
  if (op.getRank() < 2 || op.getUnrollFactors()[op.getRank() - 2] != 1)
    keys.rows = 1;
  return keys;
}

LoopKeys stencil::chooseNestInCache(ApplyOp op, const CPUFacts &cpu) {
  SmallVector<int64_t> shape(op.getRank(), ShapedType::kDynamic);
  LoopKeys keys = chooseNest(op, shape, cpu);
  int64_t rows = cpu.jointRows;
  if (op.getRank() < 2 || keys.lanes == 1 || cpu.rows > 0 ||
      rows <= keys.rows || countOps(op) > cpu.jointOps)
    return keys;
  int64_t loads = countLoads(op, rows);
  CPUFacts joint = cpu;
  joint.rows = rows;
  if (op.getRank() == 2)
    return keys.rows * loads < rows * countLoads(op, keys.rows)
               ? chooseNest(op, shape, joint)
               : keys;
  // Where memory is the bound, a second row of a volume gains by large cubes
  // only. Here loads are: of 27 points, two thirds of them (docs/notebook.md).
  if (cpu.ownCacheBytes > cpu.jointRowsCache ||
      !isShare(loads, cpu.jointRowsPercent, rows * countLoads(op, 1)))
    return keys;
  // There are registers for four vectors, and for the rows that they read.
  constexpr int64_t kFew = 2;
  if (rows > kFew && cpu.columns == 0)
    joint.columns = 1;
  return chooseNest(op, shape, joint);
}

//===----------------------------------------------------------------------===//
// Applies
//===----------------------------------------------------------------------===//

/// Rank 1: chunks. Rank 2: some rows. Rank 3 and more: some whole planes,
/// walked contiguously; the cores' shared cache holds the planes of the window.
/// 0 is a whole axis.
static SmallVector<int64_t> chooseTile(ApplyOp op, ArrayRef<int64_t> shape,
                                       const CPUFacts &cpu) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> sizes(rank, 0);
  // Slabs at a boundary: few rows or planes, which threads share along another
  // axis.
  auto isThin = [&](int64_t axis, int64_t together) {
    constexpr int64_t kFewTiles = 4;
    return !ShapedType::isDynamic(shape[axis]) &&
           shape[axis] < kFewTiles * together;
  };
  int64_t someRows = cpu.tileRows, somePlanes = cpu.tilePlanes;
  if (rank == 1) {
    sizes[0] = 2 * cpu.parallelPoints;
  } else if (rank == 2) {
    sizes[0] = someRows;
    // Points of a row of a slab of few rows.
    constexpr int64_t kThinRow = 1024;
    if (isThin(0, someRows))
      sizes = {0, kThinRow};
  } else {
    std::fill_n(sizes.begin(), rank - 2, 1);
    sizes[rank - 3] = somePlanes;
    // Few planes do not occupy the threads: cut them as well.
    constexpr int64_t kManyTiles = 32;
    if (ShapedType::isDynamic(shape[rank - 3]) ||
        shape[rank - 3] < kManyTiles * somePlanes)
      sizes[rank - 3] = 1;
    if (isThin(rank - 3, somePlanes))
      sizes[rank - 2] = someRows;
  }
  return sizes;
}

namespace {
/// The rows that a volume's apply reads and writes at one plane while it walks
/// along the third axis from the last. A row that it reads at the front of the
/// window is read again at each plane behind: from a core's own cache, if that
/// holds the window. Sizes are in bytes per element of a row.
struct RowWindow {
  /// What each row of a block adds, and its neighbours outside of the block.
  int64_t perRow = 0, halo = 0;
  /// Planes of the window beside the one that is computed.
  int64_t depth = 0;
};
} // namespace

/// The window of an apply over fields of rank 3 or more; nothing if its planes
/// are independent.
static std::optional<RowWindow> measureWindow(ApplyOp op) {
  int64_t rank = op.getRank(), rowAxis = rank - 2, planeAxis = rank - 3;
  auto bytesOf = [](Value field) {
    return getElementBytes(getElementType(field));
  };
  // By field and position along the axes before the rows: the lowest and the
  // highest row.
  using Plane = std::pair<void *, std::vector<int64_t>>;
  std::map<Plane, std::pair<int64_t, int64_t>> planes;
  std::map<void *, int64_t> bytes;
  int64_t first = 0, last = 0;
  auto readRows = [&](Value field, std::vector<int64_t> position, int64_t lower,
                      int64_t upper) {
    bytes[field.getAsOpaquePointer()] = bytesOf(field);
    auto [rows, isNew] =
        planes.try_emplace({field.getAsOpaquePointer(), std::move(position)},
                           std::pair(lower, upper));
    if (!isNew)
      rows->second = {std::min(rows->second.first, lower),
                      std::max(rows->second.second, upper)};
  };
  Footprint(op).forEachRead([&](const InputRead &read) {
    // Others are small beside it.
    if (static_cast<int64_t>(read.axes.size()) != rank)
      return;
    first = std::min(first, read.lower[planeAxis]);
    last = std::max(last, read.upper[planeAxis]);
    Value field = op.getInput(read.input);
    // Every plane of the box; where it has several axes before the planes, one
    // position of theirs stands for all.
    for (int64_t z = read.lower[planeAxis]; z <= read.upper[planeAxis]; ++z) {
      std::vector<int64_t> position(read.lower.begin(),
                                    read.lower.begin() + planeAxis);
      position.push_back(z);
      readRows(field, std::move(position), read.lower[rowAxis],
               read.upper[rowAxis]);
    }
  });
  if (first == last)
    return std::nullopt;
  for (Value field : op.getDest())
    readRows(field, std::vector<int64_t>(planeAxis + 1), 0, 0);

  RowWindow window;
  window.depth = last - first;
  for (const auto &[plane, rows] : planes) {
    int64_t size = bytes[plane.first];
    window.perRow += size;
    window.halo += size * (rows.second - rows.first);
  }
  return window;
}

/// Null if the planes of a volume are independent.
static CPUBlocksAttr chooseBlocks(ApplyOp op, const CPUFacts &cpu) {
  std::optional<RowWindow> window = measureWindow(op);
  if (!window)
    return {};
  // Blocks of fewer rows would read more of their neighbours' rows than of
  // their own.
  constexpr int64_t kMinRows = 4;
  // Planes per tile, as multiples of the window's depth: the planes before the
  // first are read for two tiles.
  constexpr int64_t kMinDepths = 2, kMaxDepths = 16;
  // With so many tiles for each thread, one more or less makes little.
  constexpr int64_t kTilesPerThread = 8;
  return CPUBlocksAttr::get(
      op.getContext(), cpu.getUsableBytes(), window->perRow, window->halo,
      kMinRows, {kMinDepths * window->depth, kMaxDepths * window->depth},
      kTilesPerThread * cpu.threads);
}

/// Streaming stores need whole aligned vectors, which a run-time shift of the
/// vectors gives to one output row at a time; and they do not pay where the
/// line is read anyway. Two rows that are computed together cannot: their
/// vectors are aligned at different points, as are those of a body for several
/// rows. A plane of few loads has memory as its bound, and is computed row by
/// row then.
static bool paysToStoreAround(ApplyOp op, const LoopKeys &keys,
                              const CPUFacts &cpu) {
  if (!cpu.stream || keys.lanes == 1 || op.getDest().size() != 1 ||
      !storesAllPoints(op) || llvm::product_of(op.getUnrollFactors()) != 1 ||
      keys.lanes * getBitWidth(op.getOutputElementType(0)) != cpu.vectorBits ||
      llvm::is_contained(op.getArgs(), op.getDest().front()))
    return false;
  if (keys.rows == 1 || cpu.rows > 0)
    return keys.rows == 1;
  return cpu.streamRows && op.getRank() == 2 &&
         countLoads(op, 1) <= cpu.fewLoads;
}

int64_t stencil::countPointBytes(ApplyOp op) {
  int64_t bytes = 0;
  auto add = [&](Value field) {
    if (auto type = dyn_cast<GridType>(field.getType());
        type && type.getRank() == op.getRank())
      bytes += getElementBytes(type.getElementType());
  };
  llvm::for_each(op.getArgs(), add);
  llvm::for_each(op.getDest(), add);
  return bytes;
}

/// Whether the fields are known to exceed the caches.
static bool exceedsCaches(ApplyOp op, ArrayRef<int64_t> shape,
                          const CPUFacts &cpu) {
  if (ShapedType::isDynamicShape(shape))
    return false;
  auto bytes = static_cast<double>(countPointBytes(op));
  for (int64_t extent : shape)
    bytes *= static_cast<double>(extent);
  return bytes > static_cast<double>(cpu.getAround());
}

/// Several planes together, where that saves loads: lines that come from the
/// second-level cache bound a large star, and half of them are of other planes
/// (docs/notebook.md).
static void choosePlanes(ApplyOp op, LoopKeys &keys, const CPUFacts &cpu) {
  int64_t planes = cpu.planes > 0 ? cpu.planes : cpu.jointPlanes;
  int64_t axis = op.getRank() - 3;
  if (planes > 1 && cpu.rows == 0 && cpu.columns == 0 && keys.rows == 1 &&
      isShare(countLoads(op, planes, axis), cpu.jointPlanesPercent,
              planes * countLoads(op, 1))) {
    keys.planes = planes;
    if (cpu.jointPlanesPlain)
      keys.plainPlanes = planes;
  }
}

/// How rows are walked, and which ones are written around the caches.
static LoopKeys chooseRowsAndStores(ApplyOp op, ArrayRef<int64_t> shape,
                                    const CPUFacts &cpu) {
  LoopKeys keys = chooseNest(op, shape, cpu);
  int64_t loads = countLoads(op, 1);
  // Of more loads per point, these are the bound, not the memory.
  bool isVolume = op.getRank() >= 3 && loads <= cpu.fewLoadsOfVolume;
  // A volume takes the widest vectors where it goes around the caches: stored
  // plainly, those of a large star are slower (docs/notebook.md).
  CPUFacts facts = cpu;
  if (isVolume && loads >= cpu.wideLoadsOfVolume)
    facts.vectorBits = std::max(cpu.vectorBits, cpu.wideVectorBits);
  LoopKeys around = chooseNest(op, shape, facts);
  if (!paysToStoreAround(op, around, facts))
    return keys;
  keys.around = facts.getAround();
  keys.aroundRow = isVolume ? cpu.streamRowOfVolume : cpu.streamRow;
  if (around.lanes != keys.lanes)
    keys.aroundLanes = around.lanes;
  if (isVolume)
    choosePlanes(op, keys, cpu);
  return keys;
}

LoopKeys stencil::chooseApply(ApplyOp op, const CPUFacts &cpu) {
  int64_t rank = op.getRank();
  SmallVector<int64_t> shape = op.getDomain().getShape();
  CPUFacts facts = cpu;
  // There are many slabs of a rim, which are small beside its core: each takes
  // little code.
  if (ScheduleAttr schedule = ScheduleAttr::of(op);
      schedule && schedule.getRegions()) {
    facts.rows = std::max<int64_t>(facts.rows, 1);
    facts.columns = std::max<int64_t>(facts.columns, 1);
    facts.stream = false;
  }
  // What waits for memory may be faster with narrower vectors.
  if (cpu.memoryVectorBits > 0 && exceedsCaches(op, shape, cpu))
    facts.vectorBits = std::min(cpu.vectorBits, cpu.memoryVectorBits);
  LoopKeys keys = chooseRowsAndStores(op, shape, facts);
  keys.prefetch = cpu.prefetchBytes;
  keys.line = cpu.lineBytes;
  int64_t points = 1, least = cpu.parallelPoints;
  for (int64_t extent : shape)
    points = ShapedType::isDynamic(extent)
                 ? std::max<int64_t>(least, 1)
                 : points * std::min<int64_t>(extent, 1 << 20);
  bool isParallel = points >= least;
  if (isParallel) {
    keys.threads = cpu.threads;
    if (cpu.threads > 1 && (keys.around > 0 || exceedsCaches(op, shape, cpu)))
      keys.deal = cpu.deal;
    if (cpu.tile.empty() && llvm::is_contained(shape, ShapedType::kDynamic))
      keys.alone = least;
    if (cpu.tile.empty() && rank >= 3 && cpu.coreCacheBytes > 0)
      keys.blocks = chooseBlocks(op, cpu);
  }
  if (static_cast<int64_t>(cpu.tile.size()) == rank)
    keys.tile = cpu.tile;
  else if (isParallel)
    keys.tile = chooseTile(op, shape, cpu);
  // Tiles hold whole groups of points that an unrolled body computes.
  for (auto [size, factor] : llvm::zip(keys.tile, op.getUnrollFactors()))
    size = llvm::alignTo(size, factor);
  return keys;
}
