//===- TileAttrs.cpp - How a domain is cut into tiles ---------------------===//

#include "StencilDialect/IR/BoundaryConditions.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

#include "StencilDialect/Tile/TileEnums.cpp.inc"

static ParseResult parseSides(AsmParser &parser, ArrayAttr &sides) {
  return parseConditions(parser, sides);
}

static void printSides(AsmPrinter &printer, ArrayAttr sides) {
  printConditions(printer, /*op=*/nullptr, sides);
}

#define GET_ATTRDEF_CLASSES
#include "StencilDialect/Tile/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "StencilDialect/Tile/TileAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GridAttr
//===----------------------------------------------------------------------===//

/// Far more than any GPU has, and no product of such numbers overflows.
static constexpr int64_t kMaxThreads = 1024, kMaxPoints = 4096;

static LogicalResult
verifyCounts(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
             ArrayRef<int64_t> values, int64_t lowest, int64_t highest) {
  for (int64_t value : values)
    if (value < lowest || value > highest)
      return emitError() << "expected '" << name << "' to have numbers from "
                         << lowest << " to " << highest << ", got " << value;
  return success();
}

static LogicalResult
verifyOrder(llvm::function_ref<InFlightDiagnostic()> emitError,
            DenseI64ArrayAttr order) {
  llvm::SmallBitVector seen(order.size());
  for (int64_t axis : order.asArrayRef()) {
    if (axis < 0 || axis >= order.size() || seen[axis])
      return emitError() << "expected 'order' to name each axis once, got "
                         << order;
    seen.set(axis);
  }
  return success();
}

/// That a layout is one of as many threads and points.
static LogicalResult
verifyLayout(llvm::function_ref<InFlightDiagnostic()> emitError,
             DenseI64ArrayAttr block, DenseI64ArrayAttr points,
             LayoutAttr layout) {
  if (layout.getRank() != block.size())
    return emitError() << "expected a 'layout' of rank " << block.size()
                       << ", got " << layout.getRank();
  auto expect = [&](StringRef what, int64_t expected,
                    int64_t given) -> LogicalResult {
    if (expected == given)
      return success();
    return emitError() << "expected a 'layout' of " << expected << ' ' << what
                       << ", as 'block' and 'points' say, got " << given;
  };
  if (failed(expect("threads", llvm::product_of(block.asArrayRef()),
                    layout.countThreads())) ||
      failed(expect("registers", llvm::product_of(points.asArrayRef()),
                    layout.countRegisters())))
    return failure();
  for (int64_t axis = 0; axis < layout.getRank(); ++axis)
    if (failed(expect(("points along axis " + Twine(axis)).str(),
                      block[axis] * points[axis], layout.getExtent(axis))))
      return failure();
  return success();
}

/// That what a block stores of a tile is in it, and all points of some threads.
static LogicalResult
verifyInner(llvm::function_ref<InFlightDiagnostic()> emitError,
            DenseI64ArrayAttr block, DenseI64ArrayAttr points, BoundsAttr inner,
            int64_t relay) {
  if (inner.getRank() != block.size() || inner.isSymbolic())
    return emitError() << "expected 'inner' to be a box of numbers, of rank "
                       << block.size() << ", got " << inner;
  for (int64_t axis = 0; axis < inner.getRank(); ++axis) {
    int64_t first = inner.getLb()[axis], end = inner.getUb()[axis];
    int64_t tile = block[axis] * points[axis];
    if (first < 0 || end > tile)
      return emitError() << "expected 'inner' to be a part of the tile, [0,"
                         << tile << "] along axis " << axis << ", got ["
                         << first << "," << end << "]";
    // Rows of a thread are stored one by one; those of a relay by all threads.
    if (axis + 1 == inner.getRank() && relay == 1 &&
        (first % points[axis] != 0 || end % points[axis] != 0))
      return emitError() << "expected 'inner' to have all of the "
                         << points[axis]
                         << " points of a thread, or none, along axis " << axis
                         << ", got [" << first << "," << end << "]";
  }
  return success();
}

LogicalResult GridAttr::verify(
    llvm::function_ref<InFlightDiagnostic()> emitError, BoundsAttr domain,
    DenseI64ArrayAttr block, DenseI64ArrayAttr points, DenseI64ArrayAttr order,
    DenseI64ArrayAttr panel, int64_t align, std::optional<int64_t> walk,
    int64_t segments, int64_t launchBounds, LayoutAttr layout, BoundsAttr inner,
    CutAttr cut, int64_t relay, DenseI64ArrayAttr tail) {
  constexpr int64_t kMostLegs = 32;
  int64_t rank = domain.getRank();
  for (auto [name, list] :
       {std::pair("block", block), std::pair("points", points),
        std::pair("order", order), std::pair("panel", panel)})
    if (list && list.size() != rank)
      return emitError() << "expected '" << name << "' to have " << rank
                         << " numbers, one per axis of the domain, got "
                         << list.size();
  if (failed(verifyCounts(emitError, "block", block, 1, kMaxThreads)) ||
      failed(verifyCounts(emitError, "points", points, 1, kMaxPoints)) ||
      (panel &&
       failed(verifyCounts(emitError, "panel", panel, 0, kMaxBound))) ||
      failed(verifyCounts(emitError, "segments", segments, 1, kMaxBound)) ||
      failed(verifyCounts(emitError, "align", align, 1, kMaxPoints)) ||
      failed(verifyCounts(emitError, "relay", relay, 1, kMostLegs)) ||
      failed(verifyCounts(emitError, "launch_bounds", launchBounds, 0,
                          kMaxThreads)) ||
      (order && failed(verifyOrder(emitError, order))))
    return failure();
  int64_t threads = relay, held = 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    threads = std::min(threads * block[axis], kMaxThreads + 1);
    held = std::min(held * points[axis], kMaxPoints + 1);
    if (axis + 3 < rank && block[axis] != 1)
      return emitError() << "expected one thread along axis " << axis
                         << ": a block has threads along the last three axes, "
                            "got "
                         << block[axis];
  }
  if (threads > kMaxThreads)
    return emitError() << "expected at most " << kMaxThreads
                       << " threads in a block";
  if (held > kMaxPoints)
    return emitError() << "expected at most " << kMaxPoints
                       << " points per thread";
  if (layout && failed(verifyLayout(emitError, block, points, layout)))
    return failure();
  if (inner && failed(verifyInner(emitError, block, points, inner, relay)))
    return failure();
  if (relay != 1 && (!walk || layout))
    return emitError() << "expected 'relay' with 'walk' only, and without "
                          "'layout'";
  if (!walk) {
    if (segments != 1 || cut || tail)
      return emitError() << "expected '"
                         << (cut    ? "cut"
                             : tail ? "tail"
                                    : "segments")
                         << "' with 'walk' only";
    return success();
  }
  if (tail && (cut || order || panel))
    return emitError() << "expected 'tail' without 'cut', 'order' and 'panel'";
  if (tail && tail.size() != 2)
    return emitError() << "expected 'tail' to have 2 numbers, of tiles and of "
                          "segments, got "
                       << tail.size();
  if (tail && failed(verifyCounts(emitError, "tail", tail, 1, kMaxBound)))
    return failure();
  if (cut && segments != 1)
    return emitError() << "expected 'segments' or 'cut', got both";
  if (*walk < 0 || *walk >= rank)
    return emitError() << "expected 'walk' to be an axis from 0 to " << rank - 1
                       << ", got " << *walk;
  if (block[*walk] != 1 || points[*walk] != 1)
    return emitError() << "expected one thread and one point along axis "
                       << *walk << ", which the kernel walks along, got "
                       << block[*walk] << " and " << points[*walk];
  return success();
}

LogicalResult
CutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                int64_t planes, int64_t halo, int64_t multiprocessors,
                int64_t blocks, int64_t tail) {
  if (tail != 0 && multiprocessors == 0)
    return emitError() << "expected 'multiprocessors' with 'tail'";
  return success(
      succeeded(verifyCounts(emitError, "tail", tail, 0, kMaxBound)) &&
      succeeded(verifyCounts(emitError, "planes", planes, 1, kMaxBound)) &&
      succeeded(verifyCounts(emitError, "halo", halo, 0, kMaxBound)) &&
      succeeded(verifyCounts(emitError, "multiprocessors", multiprocessors, 0,
                             kMaxThreads)) &&
      succeeded(verifyCounts(emitError, "blocks", blocks, 1, kMaxThreads)));
}

/// How well multiprocessors are used: the share of the waves that are full, and
/// of the planes that are read which are a segment's own. Of few blocks, some
/// multiprocessors have one more than others.
static int64_t rateSegments(CutAttr cut, int64_t extent, int64_t tiles,
                            int64_t segments) {
  int64_t blocks = tiles * segments, atOnce = cut.getMultiprocessors();
  if (blocks > atOnce * cut.getBlocks())
    atOnce *= cut.getBlocks();
  int64_t full = llvm::alignTo(blocks, atOnce);
  return blocks * CutAttr::kWhole / full *
         (extent * CutAttr::kWhole / (extent + 2 * cut.getHalo() * segments));
}

int64_t CutAttr::countSegments(int64_t extent, int64_t tiles) const {
  int64_t segments = std::max<int64_t>(1, extent / getPlanes());
  if (getMultiprocessors() == 0 || extent < 1 || tiles < 1)
    return segments;
  int64_t most = std::max<int64_t>(1, extent / getShortest());
  segments = std::max(
      segments,
      std::min<int64_t>(most, llvm::divideCeil(getMultiprocessors(), tiles)));
  int64_t best = segments;
  int64_t least = kWorthwhile * rateSegments(*this, extent, tiles, segments);
  for (int64_t times : kTimes) {
    int64_t more = times * segments;
    int64_t rate = 100 * rateSegments(*this, extent, tiles, more);
    if (more <= most && rate > least) {
      best = more;
      least = rate;
    }
  }
  return best;
}

CutAttr::Segments CutAttr::cutSegments(int64_t extent, int64_t tiles) const {
  Segments best;
  best.count = countSegments(extent, tiles);
  if (getTail() == 0 || extent < 1 || tiles < 1)
    return best;
  int64_t atOnce = getMultiprocessors() * getBlocks();
  auto countPlanes = [&](int64_t ofTiles, int64_t segments) -> int64_t {
    return llvm::divideCeil(ofTiles * segments, atOnce) *
           (llvm::divideCeil(extent, segments) + 2 * getHalo());
  };
  int64_t fewest = countPlanes(tiles, best.count) * 100 / kMorePlanes;
  for (int64_t count : kBeforeTail) {
    int64_t before = tiles * count / atOnce * atOnce / count;
    int64_t tail = tiles - before;
    int64_t ofTail = std::min({getTail(), extent / getShortestOfTail(),
                               atOnce / std::max<int64_t>(1, tail)});
    if (before == 0 || tail == 0 || ofTail <= count)
      continue;
    int64_t planes = countPlanes(before, count) + countPlanes(tail, ofTail);
    if (planes >= fewest)
      continue;
    fewest = planes;
    best = {count, tail, ofTail};
  }
  return best;
}

BoundsAttr GridAttr::getTileBox() const {
  SmallVector<int64_t> lower(getRank(), 0), upper;
  for (int64_t axis = 0; axis < getRank(); ++axis)
    upper.push_back(getTile(axis));
  return BoundsAttr::get(getContext(), lower, upper);
}

int64_t GridAttr::getStep(int64_t axis) const {
  BoundsAttr inner = getInner();
  return inner ? inner.getUb()[axis] - inner.getLb()[axis] : getTile(axis);
}

SmallVector<int64_t> GridAttr::listOrder() const {
  if (DenseI64ArrayAttr order = getOrder())
    return llvm::to_vector(order.asArrayRef());
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(getRank())));
}

LayoutAttr GridAttr::getHeldLayout() const {
  return getLayout()
             ? getLayout()
             : LayoutAttr::getBlocked(getContext(), getBlock(), getPoints());
}

int64_t GridAttr::countThreads() const {
  return getRelay() * llvm::product_of(getBlock().asArrayRef());
}
