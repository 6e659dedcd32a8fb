//===- ProductRows.cpp - Rows that products read without conflicts --------===//
//
// Where rows of a ring begin, and how far rows of A are from each other in
// them, says which banks of shared memory lanes read.
//
//===----------------------------------------------------------------------===//

#include "ProductChooser.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Footprint.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

tile::MmaAttr ProductChooser::withRows(tile::MmaAttr engine, Rows rows) {
  return tile::MmaAttr::get(engine.getContext(), engine.getShape(),
                            engine.getPatch(), engine.getAlong(),
                            engine.getStack(), rows.pad, rows.gap);
}

/// Points are 0 elements apart along the walk.
ProductChooser::Ring ProductChooser::getRing(WeightedSumOp sum,
                                             tile::MmaAttr engine) const {
  SmallVector<int64_t> lower(rank, 0), upper(rank, 0);
  tile::RingPlaces places;
  places.strides.assign(rank, 0);
  if (engine.getGap() != 0) {
    places.segment = engine.getRowDistance();
    places.gap = engine.getGap();
  }
  forEachTap(sum, [&](int64_t tap, bool) {
    for (auto [axis, along] : llvm::enumerate(sum.getOffset(tap))) {
      lower[axis] = std::min(lower[axis], along);
      upper[axis] = std::max(upper[axis], along);
    }
  });
  // Rows are multiples of a sector (EngineAttrInterface).
  int64_t bytes = getElementBytes(sum.getRes().getType());
  auto align = [&](int64_t points) {
    return static_cast<int64_t>(
        llvm::alignTo(points * bytes, tile::kSectorBytes) / bytes);
  };
  int64_t stride = 1, segments = 0;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (axis == walk)
      continue;
    places.strides[axis] = stride;
    if (axis == rank - 1) {
      int64_t first = -align(-lower[axis]);
      int64_t end = first + align(tile[axis] + upper[axis] - first);
      bool isWhole = isBulkCopied && places.gap != 0;
      if (isWhole) {
        first -= llvm::mod(first, places.segment);
        end = static_cast<int64_t>(llvm::alignTo(end, places.segment));
        segments = (end - first) / places.segment;
      }
      int64_t row = places.getRow(first, end);
      stride = isWhole ? row + places.gap : align(row) + engine.getPad();
    } else {
      stride *= upper[axis] - lower[axis] + tile[axis];
    }
  }
  return {std::move(places), stride, segments};
}

/// Whether the copy engine can leave the gaps of rows: what a ring that it
/// fills may have (tile::RingType).
bool ProductChooser::canBeCopied(WeightedSumOp sum,
                                 tile::MmaAttr engine) const {
  if (!isBulkCopied || engine.getGap() == 0)
    return true;
  constexpr int64_t kMaxAxes = 5, kMaxExtent = 256;
  Ring ring = getRing(sum, engine);
  int64_t step = tile::RingType::getTensorMapStep(sum.getRes().getType());
  return engine.getPad() == 0 && ring.places.segment % step == 0 &&
         ring.places.gap % step == 0 && rank < kMaxAxes &&
         ring.segments <= kMaxExtent &&
         ring.places.segment + ring.places.gap <= kMaxExtent;
}

/// Whether a block has the shared memory for the pad and the gaps of rows, if
/// those of all windows have as many.
bool ProductChooser::hasRoom(WeightedSumOp sum, tile::MmaAttr engine) const {
  if (engine.getPad() == 0 && engine.getGap() == 0)
    return true;
  constexpr int64_t kSlotBytes = 128;
  int64_t bytes = getElementBytes(sum.getRes().getType());
  auto getSlot = [&](tile::MmaAttr of) {
    return static_cast<int64_t>(
        llvm::alignTo(getRing(sum, of).elements * bytes, kSlotBytes));
  };
  return sharedBytes * getSlot(engine) <= room * getSlot(withRows(engine, {}));
}

/// Whether rows of A lie along rows of the window's ring, and all that is read
/// of it are sums, which are products: others do not read rows with gaps.
bool ProductChooser::mayHaveGaps(WindowOp window, tile::MmaAttr engine) const {
  return engine.getAlong() == rank - 1 && walk != rank - 1 &&
         llvm::all_of(window->getUses(), [](OpOperand &use) {
           auto stage = dyn_cast<ApplyOp>(use.getOwner());
           return stage &&
                  llvm::all_of(stage.getBodyBlock()
                                   ->getArgument(use.getOperandNumber())
                                   .getUsers(),
                               llvm::IsaPred<WeightedSumOp>);
         });
}

/// What a copy brings at once, in bytes.
static constexpr int64_t kCopyBytes = 16;

/// How rows may lie such that lanes meet in no bank; none if that costs more.
/// A single row has gaps. Others are longer: for the copy engine it is the
/// least that it copies, one more sector of memory for each row, so products
/// have to be what takes longest; cp.async would no more write whole lines of
/// shared memory (docs/notebook.md has what was measured). Where loads and
/// stores take the place of copies, threads copy as many elements one by one;
/// that was not measured.
SmallVector<ProductChooser::Rows> ProductChooser::listRows(const Choice &choice,
                                                           WindowOp window,
                                                           Type type) const {
  int64_t copied = kCopyBytes / getElementBytes(type);
  if (hasSingleRows()) {
    SmallVector<Rows> rows;
    if (mayHaveGaps(window, choice.engine))
      rows = {{0, copied}, {0, 2 * copied}, {0, copied / 2}};
    return rows;
  }
  if (target.replacesAsyncCopies)
    return tile::readsPairs(choice.engine, type) ? SmallVector<Rows>()
                                                 : SmallVector<Rows>{{1, 0}};
  double bytes = 2 * static_cast<double>(getElementBytes(type)) *
                 static_cast<double>(choice.layout.countRegisters()) *
                 target.warpSize;
  double memory =
      bytes * target.clock * target.multiprocessors / target.dramBandwidth;
  return isBulkCopied && choice.products > memory
             ? SmallVector<Rows>{{copied, 0}}
             : SmallVector<Rows>();
}

/// Where no patch is without conflicts: also what copies take longer for. What
/// they bring at once stays whole first. Not in planes that are copied past the
/// registers: these copies are what bounds stars, which took 3 to 7 % longer
/// with longer rows than with conflicts in 8 % of the passes
/// (docs/notebook.md).
SmallVector<ProductChooser::Rows>
ProductChooser::listMoreRows(const Choice &choice, WindowOp window,
                             Type type) const {
  if (rank == 2 && !target.replacesAsyncCopies)
    return {};
  constexpr int64_t kLine = 128;
  int64_t bytes = getElementBytes(type);
  int64_t least = tile::readsPairs(choice.engine, type) ? 2 : 1;
  bool mayGap = mayHaveGaps(window, choice.engine);
  SmallVector<Rows> rows;
  for (int64_t unit = kCopyBytes / bytes; unit >= least; unit /= 2) {
    SmallVector<int64_t> pads = {0};
    if (!hasSingleRows())
      for (int64_t pad = unit; pad * bytes < kLine; pad += unit)
        pads.push_back(pad);
    for (int64_t gap = 0; gap <= (mayGap ? 2 * unit : 0); gap += unit)
      for (int64_t pad : pads)
        if (pad + gap != 0)
          rows.push_back({pad, gap});
    if (isBulkCopied)
      break;
  }
  return rows;
}
