//===- TileLanes.cpp - What other lanes have ------------------------------===//
//
// The columns beside a thread's own ones are in other lanes of the row, or
// beyond the part of it that is in one warp, where they are loaded. Rows beside
// its own ones are loaded, too, and their columns come from the lanes that have
// loaded these.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "ThreadValues.h"
#include "TilePhases.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// The value that the lane with this number (i32) has, of the same warp. All
/// lanes of the warp come here.
static Value shuffleLanes(ImplicitLocOpBuilder &b, Value value, Value lane,
                          int64_t warpSize) {
  Type type = value.getType();
  unsigned width = getBitWidth(type);
  constexpr unsigned kWord = 32;
  Type word = b.getIntegerType(kWord);
  Type bits = b.getIntegerType(width);
  auto convert = [&](Value from, Type to) -> Value {
    if (from.getType() == to)
      return from;
    if (type.isIndex())
      return arith::IndexCastOp::create(b, to, from);
    return arith::BitcastOp::create(b, to, from);
  };
  Value whole = convert(value, bits);
  Value all = arith::ConstantIntOp::create(b, warpSize, kWord);
  auto move = [&](Value part) -> Value {
    return gpu::ShuffleOp::create(b, part, lane, all, gpu::ShuffleMode::IDX)
        .getShuffleResult();
  };
  Value moved;
  if (width <= kWord) {
    Value part =
        width == kWord ? whole : arith::ExtUIOp::create(b, word, whole);
    moved = move(part);
    if (width < kWord)
      moved = arith::TruncIOp::create(b, bits, moved);
  } else {
    // Registers have 32 bits.
    for (unsigned shift = 0; shift < width; shift += kWord) {
      Value by = arith::ConstantIntOp::create(b, shift, width);
      Value part = arith::TruncIOp::create(
          b, word, arith::ShRUIOp::create(b, whole, by));
      Value wide = arith::ShLIOp::create(
          b, arith::ExtUIOp::create(b, bits, move(part)), by);
      moved = moved ? arith::OrIOp::create(b, moved, wide) : wide;
    }
  }
  return convert(moved, type);
}

/// Whether the point is one that is read where the tile.where around the stage
/// says; null if all points are.
Value ThreadStage::isNeeded(const TilePoint &point) {
  auto where = stage->getParentOfType<tile::WhereOp>();
  if (!where)
    return {};
  OffsetBox needs = OffsetBox::zero(static_cast<int64_t>(point.size()));
  if (where.getNeeds())
    needs = OffsetBox::ofBounds(*where.getNeeds());
  int64_t first = 0, last = 0;
  for (AccessOp access : stage.getBodyBlock()->getOps<AccessOp>()) {
    first = std::min(first, access.getOffset().getValues().back());
    last = std::max(last, access.getOffset().getValues().back());
  }
  needs.lower.back() += first;
  needs.upper.back() += last;
  BasePoint base = held.getBase(block.walk ? math.constant(0) : Value());
  for (auto [axis, along] : llvm::enumerate(point))
    if (block.walk != static_cast<int64_t>(axis))
      base.coordinates[axis] = math.add(base.coordinates[axis], along);
  return ThreadGuards(held).isWhere(needs.toBounds(stage.getContext()),
                                    SmallVector<int64_t>(point.size(), 1),
                                    base);
}

/// The value of a source at one point.
Value ThreadStage::load(unsigned number, const TilePoint &point) {
  OpBuilder &builder = kernel.body();
  auto source = stage.getArgs()[number].getDefiningOp<tile::SourceOp>();
  std::optional<int64_t> walk = block.walk;
  if (!tile::isFieldSource(source))
    return reads.get(builder, source.getMemory(), source.getIteration(),
                     walk ? point[*walk] : 0, point);
  const KernelField &field = block.fields[source.getMemory()];
  BasePoint base =
      held.getBase(walk ? block.getPlane(source.getIteration()) : Value());
  RowAddresses addresses(kernel, base);
  CacheWindow window(kernel, block.tiles.getRank(), field, addresses,
                     base.alignment);
  window.fetch(0, point);
  return window.get(0, point);
}

Value ThreadStage::getNeighbour(unsigned source, unsigned values,
                                ArrayRef<int64_t> at) {
  OpBuilder &builder = kernel.body();
  Location loc = stage.getLoc();
  size_t last = at.size() - 1;
  int64_t columns = block.tiles.getPoints()[last];
  TilePoint point(at.begin(), at.end()), owned = point;
  owned[last] = llvm::mod(point[last], columns);
  auto memory = stage.getArgs()[source].getDefiningOp<tile::SourceOp>();
  auto ring = memory ? dyn_cast<tile::RingType>(memory.getMemory().getType())
                     : tile::RingType();
  bool isExchanged = ring && ring.hasEdges();
  // Rows of other threads are where these have put them.
  bool isOwnRow = last == 0 || !isExchanged ||
                  (point[last - 1] >= 0 &&
                   point[last - 1] < block.tiles.getPoints()[last - 1]);
  Value own = isOwnRow ? held.get(stage.getArgs()[values], owned).value
                       : load(source, owned);
  int64_t distance = (point[last] - owned[last]) / columns;
  if (distance == 0)
    return own;
  Value &known = neighbours[{values, point}];
  if (known)
    return known;
  int64_t warp = block.kernels.getOptions().target.warpSize;
  int64_t threads = block.tiles.getBlock()[last];
  int64_t row = std::min(warp, threads);
  Value lane = math.rem(block.threadNumber, warp);
  Value inRow = math.rem(block.threads[last], row);
  Value from = math.add(lane, distance);
  auto shuffle = [&](Value number) {
    ImplicitLocOpBuilder b(loc, builder);
    if (number.getType() != b.getI32Type())
      number = arith::TruncIOp::create(b, b.getI32Type(), number);
    return shuffleLanes(b, own, number, warp);
  };
  // What is beyond the row is beyond what is stored: any value of it will do.
  if (!memory || isExchanged) {
    Value place = math.rem(math.add(inRow, llvm::mod(distance, row)), row);
    bool isAlone = block.tiles.countThreads() == row;
    return known = shuffle(isAlone ? place
                                   : math.add(math.sub(lane, inRow), place));
  }
  int64_t none = 0;
  Value isThere = math.isWithin(math.add(inRow, distance), none, row);
  // Warps do not begin where rows do.
  if (threads % row != 0 || warp % row != 0)
    isThere = math.both(isThere, math.isWithin(from, none, warp));
  Value moved = shuffle(math.select(isThere, from, lane));
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isLoaded = math.both(arith::XOrIOp::create(builder, loc, isThere, yes),
                             isNeeded(point));
  return known = makeIf(
             builder, loc, isLoaded, [&] { return load(source, point); },
             moved);
}
