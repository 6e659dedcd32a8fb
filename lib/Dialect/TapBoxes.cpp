//===- TapBoxes.cpp - Sums whose taps lie in boxes ------------------------===//

#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Footprint.h"

using namespace mlir;
using namespace stencil;

/// Shorter rows are all beginnings and ends.
static constexpr int64_t kShortestRow = 16;

/// Whether `next` is the neighbour of `last` along the last axis.
static bool continuesRow(ArrayRef<int64_t> last, ArrayRef<int64_t> next) {
  return last.drop_back() == next.drop_back() && next.back() == last.back() + 1;
}

/// The box of which `rows` are all rows, in order; nothing if there is none.
static std::optional<TapBox> joinRows(ArrayRef<TapBox> rows) {
  TapBox box = rows.front();
  for (const TapBox &row : rows.drop_front())
    for (auto [axis, lower] : llvm::enumerate(row.lower))
      box.shape[axis] =
          std::max(box.shape[axis], lower - box.lower[axis] + row.shape[axis]);
  int64_t length = box.shape.back();
  for (auto [number, row] : llvm::enumerate(rows)) {
    if (row.shape.back() != length || row.lower.back() != box.lower.back())
      return std::nullopt;
    auto rest = static_cast<int64_t>(number);
    for (int64_t axis = static_cast<int64_t>(box.shape.size()) - 2; axis >= 0;
         --axis) {
      if (row.lower[axis] != box.lower[axis] + rest % box.shape[axis])
        return std::nullopt;
      rest /= box.shape[axis];
    }
    if (rest != 0)
      return std::nullopt;
  }
  return box;
}

std::vector<TapBox> stencil::findTapBoxes(WeightedSumOp sum) {
  std::vector<TapBox> rows;
  ArrayRef<int64_t> last;
  int64_t number = 0;
  forEachTap(sum, [&](int64_t tap, bool) {
    ArrayRef<int64_t> offset = sum.getOffset(tap);
    if (!rows.empty() && continuesRow(last, offset)) {
      ++rows.back().shape.back();
    } else {
      TapBox row;
      row.lower.assign(offset.begin(), offset.end());
      row.shape.assign(offset.size(), 1);
      row.first = number;
      rows.push_back(std::move(row));
    }
    last = offset;
    ++number;
  });
  if (rows.size() > 1)
    if (auto box = joinRows(rows))
      return {*box};
  return rows;
}

bool stencil::hasOwnWeights(WeightedSumOp sum) {
  DenseElementsAttr weights = sum.getDenseWeights();
  return weights && weights.getElementType() == sum.getRes().getType();
}

DenseElementsAttr stencil::getTapWeights(WeightedSumOp sum) {
  DenseElementsAttr all = sum.getDenseWeights();
  if (!all)
    return {};
  auto values = llvm::to_vector(all.getValues<Attribute>());
  SmallVector<Attribute> weights;
  forEachTap(sum, [&](int64_t tap, bool) { weights.push_back(values[tap]); });
  auto type = RankedTensorType::get({static_cast<int64_t>(weights.size())},
                                    all.getElementType());
  return DenseElementsAttr::get(type, weights);
}

bool stencil::isLongSum(WeightedSumOp sum, int64_t fewest) {
  if (!sum.isOverInput() || !hasOwnWeights(sum))
    return false;
  if (sum.getNumTaps() < fewest)
    return false;
  int64_t taps = 0;
  for (const TapBox &box : findTapBoxes(sum)) {
    if (box.shape.back() < kShortestRow)
      return false;
    taps += llvm::product_of(box.shape);
  }
  return taps >= fewest;
}

bool stencil::hasTapLoop(WeightedSumOp sum) {
  return sum->hasAttr(kTapLoopAttr);
}

static int64_t getLongestRow(WeightedSumOp sum) {
  int64_t longest = 0;
  for (const TapBox &box : findTapBoxes(sum))
    longest = std::max(longest, box.shape.back());
  return longest;
}

int64_t stencil::getLongestTapRow(Operation *op) {
  int64_t longest = 0;
  op->walk([&](WeightedSumOp sum) {
    if (hasTapLoop(sum))
      longest = std::max(longest, getLongestRow(sum));
  });
  return longest;
}

int64_t stencil::getLongestRowOfLongSums(ApplyOp apply) {
  int64_t longest = 0;
  for (auto sum : apply.getBodyBlock()->getOps<WeightedSumOp>())
    if (isLongSum(sum))
      longest = std::max(longest, getLongestRow(sum));
  return longest;
}
