//===- TiledSchedule.cpp - Kernels of one tile per block ------------------===//
//
// A sweep that memory bounds wants few loads per point, so that the first-level
// cache keeps up, but enough threads per multiprocessor to have loads in
// flight.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/Analysis/BodyCost.h"
#include "StencilDialect/Analysis/BodyOrder.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Elements.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What a tile reads
//===----------------------------------------------------------------------===//

namespace {

/// One read of the body, relative to the point.
struct TileRead {
  Value input;
  SmallVector<int64_t, 4> axes, offset;
  int64_t bits;
};

/// What a register tile of some points reads.
struct TileCost {
  /// Registers of 32 bits that hold all of it.
  int64_t registers = 0;
  /// Uses of a value that was loaded, on average.
  double reuse = 1;
};

/// Chooses for one apply.
class TileChooser {
public:
  TileChooser(ApplyOp op, const TargetInfo &target, ArrayRef<int64_t> shape,
              bool isOrdered);

  SmallVector<int64_t> choosePoints() const;
  SmallVector<int64_t> chooseBlock(ArrayRef<int64_t> points) const;
  bool wantsDeepBlock(ArrayRef<int64_t> points) const;
  /// Of a body that fits no register file, ptxas gives up all but 32 registers
  /// unless it is told that one block at a time is enough.
  bool needsOneBlock(ArrayRef<int64_t> points) const {
    return costOf(points).registers > farTooMany;
  }
  /// How many of those are to fit a multiprocessor.
  int64_t getDeepBlocks() const { return getNumbers().getCount("deep_blocks"); }
  void occupy(ScheduleKeys &keys) const;
  int64_t choosePanel(const ScheduleKeys &keys) const;

private:
  void addSumReads();
  KernelNumbers getNumbers(std::optional<int64_t> registers = {}) const;
  int64_t countLive() const;
  TileCost costOf(ArrayRef<int64_t> points) const;
  TileCost computeCost(ArrayRef<int64_t> points) const;

  // Ops are handles: none of their functions are const.
  mutable ApplyOp op;
  const TargetInfo &target;
  SmallVector<int64_t> shape;
  bool isOrdered;
  std::vector<TileRead> reads;
  int64_t numOps;
  /// Registers of 32 bits from which on a body fits no register file.
  int64_t farTooMany;
  /// What has been computed: all questions are of few tiles.
  mutable std::map<std::vector<int64_t>, TileCost> costs;
  mutable std::optional<int64_t> live;
};

} // namespace

TileChooser::TileChooser(ApplyOp op, const TargetInfo &target,
                         ArrayRef<int64_t> shape, bool isOrdered)
    : op(op), target(target), shape(shape), isOrdered(isOrdered),
      numOps(llvm::range_size(*op.getBodyBlock())) {
  farTooMany = getNumbers().getCount("far_too_many");
  auto sums = op.getBodyBlock()->getOps<WeightedSumOp>();
  if (!sums.empty()) {
    // Expanded, every tap is an access, a constant and a product or a sum.
    constexpr int64_t kOpsPerTap = 3;
    for (WeightedSumOp sum : sums)
      numOps += kOpsPerTap * sum.getNumTaps();
    addSumReads();
    return;
  }
  for (AccessOp access : op.getBodyBlock()->getOps<AccessOp>())
    reads.push_back({access.getTemp(), access.getAxes(),
                     SmallVector<int64_t, 4>(access.getOffset().getValues()),
                     getBitWidth(access.getRes().getType())});
}

/// All that is read if sums are expanded.
void TileChooser::addSumReads() {
  BodyCost cost = getBodyCost(op);
  if (cost.isTooLarge)
    return;
  for (BlockArgument argument : op.getBodyBlock()->getArguments()) {
    auto grid = dyn_cast<GridType>(argument.getType());
    if (!grid)
      continue;
    for (const Offset &offset : cost.reads[argument.getArgNumber()]) {
      TileRead read{argument, {}, {}, getBitWidth(grid.getElementType())};
      for (auto [axis, distance] : llvm::enumerate(offset))
        if (distance != kNoAxis) {
          read.axes.push_back(axis);
          read.offset.push_back(distance);
        }
      reads.push_back(std::move(read));
    }
  }
}

/// Those of tiles of such bodies, with points that read so many registers.
KernelNumbers TileChooser::getNumbers(std::optional<int64_t> registers) const {
  FormFacts facts("plain tile", op.getRank());
  facts.taps = reads.size();
  facts.registers = registers;
  return {facts, target};
}

TileCost TileChooser::costOf(ArrayRef<int64_t> points) const {
  auto [known, isNew] = costs.try_emplace(points.vec());
  if (isNew)
    known->second = computeCost(points);
  return known->second;
}

TileCost TileChooser::computeCost(ArrayRef<int64_t> points) const {
  // More than any kernel can have, which is an error later.
  constexpr int64_t kMostPoints = 1024;
  int64_t count = 1;
  for (int64_t along : points)
    count = std::min(count * along, kMostPoints + 1);
  if (count > kMostPoints)
    return {/*registers=*/farTooMany + 1, /*reuse=*/1};
  std::set<std::pair<void *, std::vector<int64_t>>> loads;
  int64_t uses = 0, words = 0;
  for (const TileRead &read : reads) {
    uses += count;
    for (int64_t number = 0; number < count; ++number) {
      std::vector<int64_t> position(read.offset.begin(), read.offset.end());
      for (auto [index, axis] : llvm::enumerate(read.axes)) {
        int64_t rest = number;
        for (int64_t inner = points.size() - 1; inner > axis; --inner)
          rest /= points[inner];
        position[index] += rest % points[axis];
      }
      if (loads.emplace(read.input.getAsOpaquePointer(), position).second)
        words += llvm::divideCeil(read.bits, 32);
    }
  }
  TileCost cost;
  cost.registers = words;
  cost.reuse = loads.empty() ? 1 : static_cast<double>(uses) / loads.size();
  return cost;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Points per thread: a vector of the row; rows and planes as long as what they
/// read fits the registers.
SmallVector<int64_t> TileChooser::choosePoints() const {
  int64_t rank = op.getRank();
  SmallVector<int64_t> points(rank, 1);
  KernelNumbers numbers = getNumbers();
  // Bodies with more ops are not repeated: their code is long, and so is the
  // time to compile it.
  int64_t mostOps = numbers.getCount("most_ops");
  int64_t widest = 1;
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    widest = std::max(widest, getElementBytes(op.getOutputElementType(i)));
  if (llvm::product_of(op.getUnrollFactors()) != 1 || numOps > mostOps)
    return points;
  points.back() = std::min<int64_t>(4, std::max<int64_t>(1, 16 / widest));
  if (rank == 1)
    return points;
  // Where every value is used often, less threads do: from each of these on,
  // the next one of the limits.
  SmallVector<double> reuse = numbers.getList("reuse");
  SmallVector<int64_t> limits = numbers.listCounts("registers");
  double payingReuse = numbers.get("paying_reuse");
  // Larger and larger tiles: along the first axis, then along two.
  SmallVector<SmallVector<int64_t>> tiles = {points};
  for (int64_t count : {2, 4, 8}) {
    tiles.push_back(points);
    int64_t axis = rank >= 3 ? rank - 3 : 0;
    tiles.back()[axis] = rank >= 3 ? std::min<int64_t>(count, 4) : count;
    if (rank >= 3 && count == 8)
      tiles.back()[rank - 2] = 2;
  }
  for (auto [index, tile] : llvm::enumerate(tiles)) {
    TileCost cost = costOf(tile);
    size_t step = llvm::count_if(
        reuse, [&](double least) { return cost.reuse >= least; });
    int64_t limit = limits[std::min(step, limits.size() - 1)];
    // The last steps pay for boxes only, and for wide stars.
    bool pays = cost.reuse >= payingReuse ||
                static_cast<int64_t>(index) < (rank >= 3 ? 3 : 2);
    if (cost.registers <= limit && pays &&
        numOps * llvm::product_of(tile) <= 4 * mostOps)
      points = tile;
  }
  // A box that does not fit in any case: the compiler orders its loads. Strides
  // that only the run knows take registers, too.
  bool isStatic = !llvm::is_contained(shape, ShapedType::kDynamic);
  if (rank >= 3 && costOf(tiles[2]).reuse >= payingReuse &&
      costOf(tiles[0]).registers > numbers.getCount("box_registers"))
    points = tiles[isStatic ? 2 : 1];
  return points;
}

/// Registers that the body is going to hold at once.
int64_t TileChooser::countLive() const {
  if (!live)
    live = countLiveRegisters(op);
  // Before stencil-order-bodies, a body holds more than it is going to.
  constexpr int64_t kReordered = 64;
  return isOrdered || *live <= kReordered ? *live : *live * 3 / 5;
}

/// Of a body that reads more than registers hold, a block of several planes, so
/// that the first-level cache has most of it, twice per multiprocessor. For
/// that, what the body holds at once, and the loads that are on their way, have
/// to fit 128 registers.
bool TileChooser::wantsDeepBlock(ArrayRef<int64_t> points) const {
  return op.getRank() >= 3 && target.hasMeasuredRegisters &&
         costOf(points).registers > farTooMany &&
         countLive() * llvm::product_of(points) <=
             getNumbers().getCount("most_live");
}

/// Threads per axis: rows of warps, so that a warp's accesses are contiguous;
/// some rows, which share neighbours in the first-level cache.
SmallVector<int64_t> TileChooser::chooseBlock(ArrayRef<int64_t> points) const {
  int64_t rank = op.getRank();
  SmallVector<int64_t> block(rank, 1);
  KernelNumbers numbers = getNumbers(costOf(points).registers);
  int64_t row = numbers.findCount("row_threads").value_or(target.warpSize);
  // Long rows: what lies left and right of a block is read twice.
  if (std::optional<int64_t> along = numbers.findCount("row_points"))
    row = std::max<int64_t>(target.warpSize, *along / points.back());
  int64_t rows = numbers.getCount("rows");
  if (wantsDeepBlock(points))
    block[rank - 3] = numbers.getCount("deep_planes");
  // Short rows leave no warp without work.
  int64_t extent = shape.back(), needed = row;
  if (!ShapedType::isDynamic(extent))
    needed = llvm::PowerOf2Ceil(llvm::divideCeil(extent, points.back()));
  row = std::min(row, std::max<int64_t>(needed, target.warpSize));
  if (rank >= 2)
    block[rank - 2] = rows;
  // Of a layer that is narrower than a warp, the other lanes compute planes.
  constexpr int64_t kLeastRow = 8, kMostPlanes = 8;
  if (rank >= 3)
    for (int64_t &planes = block[rank - 3];
         row > std::max(needed, kLeastRow) && planes < kMostPlanes; planes *= 2)
      row /= 2;
  block.back() = row;
  return block;
}

/// Smaller tiles where there would be less blocks than multiprocessors.
void TileChooser::occupy(ScheduleKeys &keys) const {
  if (llvm::is_contained(shape, ShapedType::kDynamic))
    return;
  auto countBlocks = [&] {
    int64_t blocks = 1;
    for (auto [axis, extent] : llvm::enumerate(shape))
      blocks *= llvm::divideCeil(extent, keys.block[axis] * keys.points[axis]);
    return blocks;
  };
  for (int64_t &count : keys.points)
    while (count > 1 && countBlocks() < 2 * int64_t(target.multiprocessors))
      count /= 2;
}

/// Neighbouring planes that do not fit the second-level cache are read again
/// for every plane, unless the blocks of some rows go through all planes first.
int64_t TileChooser::choosePanel(const ScheduleKeys &keys) const {
  int64_t rank = op.getRank();
  if (rank < 3)
    return 0;
  SmallVector<int64_t> shape = this->shape;
  // A run-time extent is expected to be large.
  constexpr int64_t kLarge = 1024;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = kLarge;
  std::map<void *, std::pair<int64_t, int64_t>> reach;
  int64_t bytes = 0;
  for (const TileRead &read : reads)
    for (auto [index, axis] : llvm::enumerate(read.axes)) {
      if (axis != rank - 3)
        continue;
      int64_t offset = read.offset[index];
      auto [it, isNew] =
          reach.try_emplace(read.input.getAsOpaquePointer(), offset, offset);
      it->second.first = std::min(it->second.first, offset);
      it->second.second = std::max(it->second.second, offset);
      if (isNew)
        bytes = std::max<int64_t>(bytes, read.bits / 8);
    }
  int64_t planes = 0;
  for (auto &[field, range] : reach)
    if (range.second > range.first)
      planes += range.second - range.first +
                keys.block[rank - 3] * keys.points[rank - 3];
  int64_t window = planes * shape[rank - 1] * shape[rank - 2] * bytes;
  auto cache = static_cast<int64_t>(target.l2Bytes);
  if (cache == 0)
    return 0;
  int64_t rows = keys.block[rank - 2] * keys.points[rank - 2];
  // What is asked for ahead has to be there still, with the planes of all
  // inputs.
  KernelNumbers numbers = getNumbers();
  if (keys.prefetch == Prefetch::L2 && wantsDeepBlock(keys.points)) {
    int64_t block = window / shape[rank - 2] * rows;
    int64_t part = cache / numbers.getCount("panel_part");
    int64_t blocks =
        llvm::bit_floor<uint64_t>(part / std::max<int64_t>(1, block));
    blocks = std::max(blocks, numbers.getCount("fewest_panel_blocks"));
    return blocks * rows < shape[rank - 2] ? blocks : 0;
  }
  int64_t limit = cache / 2;
  if (window <= limit)
    return 0;
  return std::max(numbers.getCount("panel_blocks"),
                  numbers.getCount("panel_rows") / rows);
}

void stencil::completeTiledSchedule(ApplyOp apply, const TargetInfo &target,
                                    ArrayRef<int64_t> shape, ScheduleKeys &keys,
                                    bool isOrdered) {
  int64_t rank = apply.getRank();
  TileChooser chooser(apply, target, shape, isOrdered);
  bool isFree = keys.points.empty() && keys.block.empty();
  if (keys.points.empty())
    keys.points = chooser.choosePoints();
  if (keys.block.empty())
    keys.block = chooser.chooseBlock(keys.points);
  // Such blocks wait for memory: they ask ahead for it.
  if (isFree && keys.launchBounds == 0 && chooser.wantsDeepBlock(keys.points)) {
    keys.launchBounds = chooser.getDeepBlocks();
    if (!keys.prefetch && keys.order.empty() &&
        llvm::all_of(keys.window,
                     [](Space window) { return window == Space::Cache; }))
      keys.prefetch = Prefetch::L2;
  }
  if (isFree)
    chooser.occupy(keys);
  if (keys.launchBounds == 0 && chooser.needsOneBlock(keys.points))
    keys.launchBounds = 1;
  if (keys.panel.empty() && keys.order.empty() && keys.tail.empty() &&
      rank >= 3) {
    keys.panel.assign(rank, 0);
    keys.panel[rank - 2] = chooser.choosePanel(keys);
  }
  if (isZero(keys.panel))
    keys.panel.clear();
}

int64_t stencil::chooseTapLoopPoints(int64_t taps, const TargetInfo &target) {
  FormFacts facts("tap loop");
  facts.taps = taps;
  return KernelNumbers(facts, target).getCount("points");
}

int64_t stencil::chooseTapLoopThreads(int64_t rank, const TargetInfo &target) {
  return KernelNumbers(FormFacts("tap loop", rank), target)
      .findCount("threads")
      .value_or(target.warpSize);
}
