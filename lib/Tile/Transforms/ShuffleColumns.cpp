//===- ShuffleColumns.cpp - Columns of rings from other lanes -------------===//
//
//   %x = tile.source %ring[%c]
//   %r = stencil.apply(%a = %x) { %a[0, 0, -1] + %a[0, 0, 1] }
//     ==> %q = stencil.apply(%a = %x) { %a[0, 0, 0] }
//         %w = tile.join %q                          // as wide as is read
//         %l, %n = stencil.apply(%a = %w, %b = %q) {#tile.lanes} {
//           %a[0, 0, -1], %a[0, 0, 1]
//         }
//         %r = stencil.apply(%a = %l, %b = %n) { %a[0, 0, 0] + %b[0, 0, 0] }
//
// Lanes that read one column of each vector of the shared memory meet in its
// banks; what a lane has, it gives to others in a cycle for each 32 bits. A
// star reads such columns in one row only, but then the ring has none that
// nobody reads, and less comes through the second-level cache
// (docs/notebook.md).
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Tile/Tile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSHUFFLECOLUMNS
#include "StencilDialect/Tile/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// By the offset of the thread's own column: what a stage reads of a ring
/// beside it.
using ColumnReads =
    llvm::MapVector<SmallVector<int64_t>, SmallVector<AccessOp>>;

/// True if lanes have all that the points read which somebody needs: those that
/// are stored, and what later stages read around them.
static bool isCovered(KernelOp kernel, ApplyOp stage, int64_t before,
                      int64_t behind) {
  auto where = stage->getParentOfType<WhereOp>();
  BoundsAttr inner = kernel.getGrid().getInner();
  if (!where || !where.getNeeds() || !inner)
    return false;
  size_t last = inner.getRank() - 1;
  BoundsAttr tile = getBounds(stage.getRes().front());
  int64_t first = inner.getLb()[last] + where.getNeeds()->getLb()[last];
  int64_t end = inner.getUb()[last] + where.getNeeds()->getUb()[last] - 1;
  return first - before >= tile.getLb()[last] &&
         end + behind <= tile.getUb()[last];
}

/// The columns that a stage reads, if these are in several rows, and lanes have
/// all that is needed of them; else none.
static ColumnReads findReads(KernelOp kernel, ApplyOp stage, unsigned input) {
  auto source = stage.getArgs()[input].getDefiningOp<SourceOp>();
  auto ring =
      source ? dyn_cast<RingType>(source.getMemory().getType()) : RingType();
  if (!ring || ring.getFill() != Fill::Tma)
    return {};
  ColumnReads reads;
  int64_t before = 0, behind = 0;
  for (Operation *user : stage.getBodyBlock()->getArgument(input).getUsers()) {
    auto access = dyn_cast<AccessOp>(user);
    if (!access)
      return {};
    SmallVector<int64_t> offset(access.getOffset().getValues());
    int64_t column = std::exchange(offset.back(), 0);
    if (column == 0)
      continue;
    before = std::max(before, -column);
    behind = std::max(behind, column);
    reads[offset].push_back(access);
  }
  // A star: of doubles, and where there is one program for all blocks. What
  // else takes registers was not measured.
  constexpr int64_t kDouble = 8;
  bool canBeStar = !kernel->hasAttr(kInnerAttr) &&
                   getElementBytes(ring.getElementType()) == kDouble;
  if ((reads.size() <= 1 && !canBeStar) ||
      !isCovered(kernel, stage, before, behind))
    return {};
  return reads;
}

/// The stage reads values that it is given at its own point.
static void give(ApplyOp stage, AccessOp access, Value values) {
  stage.getArgsMutable().append(values);
  BlockArgument argument =
      stage.getBodyBlock()->addArgument(values.getType(), stage.getLoc());
  OpBuilder here(access);
  access.replaceAllUsesWith(
      AccessOp::create(here, access.getLoc(), argument).getRes());
  access.erase();
}

static void rewrite(ApplyOp stage, unsigned input, const ColumnReads &reads) {
  OpBuilder builder(stage);
  Location loc = stage.getLoc();
  auto whole = cast<TempType>(stage.getRes().front().getType());
  Value source = stage.getArgs()[input];
  auto type = TempType::get(whole.getBounds(), getElementType(source));
  for (auto &[offset, accesses] : reads) {
    // What a thread has in its own columns of a row.
    auto made = ApplyOp::create(builder, loc, TypeRange(type), source);
    made.returnInput(offset);
    Value own = made.getRes().front();
    int64_t last = type.getRank() - 1;
    int64_t first = type.getBounds().getLb()[last];
    int64_t end = type.getBounds().getUb()[last], lower = first, upper = end;
    llvm::MapVector<int64_t, SmallVector<AccessOp>> columns;
    for (AccessOp access : accesses)
      columns[access.getOffset().getValues().back()].push_back(access);
    for (auto &[column, all] : columns) {
      lower = std::min(lower, first + column);
      upper = std::max(upper, end + column);
    }
    Value wide = JoinOp::create(
        builder, loc,
        TempType::get(type.getBounds().withAxis(last, lower, upper),
                      type.getElementType()),
        own);
    auto lanes =
        ApplyOp::create(builder, loc, SmallVector<Type>(columns.size(), type),
                        ValueRange{wide, own});
    lanes->setDiscardableAttr(TileDialect::kEngineAttrName,
                              LanesAttr::get(lanes.getContext()));
    SmallVector<SmallVector<int64_t>> given;
    for (auto &[column, all] : columns)
      given.emplace_back(offset.size(), 0).back() = column;
    lanes.returnInput(given);
    for (auto [entry, result] : llvm::zip_equal(columns, lanes.getRes()))
      for (AccessOp access : entry.second)
        give(stage, access, result);
  }
}

/// The columns of a ring that stages read; none if others read it as well.
static std::optional<std::pair<int64_t, int64_t>> findColumns(RingOp ring) {
  std::optional<std::pair<int64_t, int64_t>> found;
  for (Operation *user : ring.getRes().getUsers()) {
    if (isa<WaitOp, CopyOp>(user))
      continue;
    auto source = dyn_cast<SourceOp>(user);
    if (!source)
      return {};
    for (OpOperand &use : source.getRes().getUses()) {
      auto stage = dyn_cast<ApplyOp>(use.getOwner());
      if (!stage || stage->hasAttr(TileDialect::kEngineAttrName))
        return {};
      BoundsAttr tile = getBounds(stage.getRes().front());
      for (Operation *reader : stage.getBodyBlock()
                                   ->getArgument(use.getOperandNumber())
                                   .getUsers()) {
        auto access = dyn_cast<AccessOp>(reader);
        if (!access)
          return {};
        int64_t column = access.getOffset().getValues().back();
        std::pair read(tile.getLb().back() + column,
                       tile.getUb().back() + column);
        found = found ? std::pair(std::min(found->first, read.first),
                                  std::max(found->second, read.second))
                      : read;
      }
    }
  }
  return found;
}

/// A ring of columns that nobody reads any more is copied without these.
static void narrow(RingOp ring) {
  auto type = cast<RingType>(ring.getType());
  auto columns = findColumns(ring);
  if (!columns || (columns->first == type.getBox().getLb().back() &&
                   columns->second == type.getBox().getUb().back()))
    return;
  auto withColumns = [&](BoundsAttr box) {
    return box.withAxis(box.getRank() - 1, columns->first, columns->second);
  };
  BoundsAttr box = withColumns(type.getBox());
  ring.getRes().setType(RingType::get(
      ring.getContext(), type.getSlots(), box, type.getElementType(),
      RingType::getDefaultPitch(box, type.getElementType(), type.getFill()),
      type.getFill()));
  for (Operation *user : ring.getRes().getUsers()) {
    auto source = dyn_cast<SourceOp>(user);
    if (!source)
      continue;
    auto read = cast<TempType>(source.getType());
    auto rest =
        TempType::get(withColumns(read.getBounds()), read.getElementType());
    source.getRes().setType(rest);
    for (OpOperand &use : source.getRes().getUses())
      cast<ApplyOp>(use.getOwner())
          .getBodyBlock()
          ->getArgument(use.getOperandNumber())
          .setType(rest);
  }
}

static bool hasLanes(Operation *op) {
  return isa_and_nonnull<LanesAttr>(
      op->getDiscardableAttr(TileDialect::kEngineAttrName));
}

namespace {
struct ShuffleColumns
    : stencil::impl::StencilShuffleColumnsBase<ShuffleColumns> {
  void runOnOperation() override {
    getOperation()->walk([](KernelOp kernel) {
      // Where stages take columns from lanes, a row of threads is in one warp.
      SmallVector<ApplyOp> stages;
      bool areInWarp = false;
      kernel.getBody().walk([&](ApplyOp stage) {
        if (stage->hasAttr(TileDialect::kEngineAttrName))
          areInWarp |= hasLanes(stage);
        else
          stages.push_back(stage);
      });
      if (!areInWarp || !kernel.getGrid().getWalk())
        return;
      llvm::SetVector<Operation *> rings;
      for (ApplyOp stage : stages)
        for (unsigned input = 0, count = stage.getArgs().size(); input < count;
             ++input)
          if (ColumnReads reads = findReads(kernel, stage, input);
              !reads.empty()) {
            rings.insert(stage.getArgs()[input]
                             .getDefiningOp<SourceOp>()
                             .getMemory()
                             .getDefiningOp());
            rewrite(stage, input, reads);
          }
      for (Operation *ring : rings)
        narrow(cast<RingOp>(ring));
    });
  }
};
} // namespace
