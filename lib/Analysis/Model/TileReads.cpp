//===- TileReads.cpp - What the points of a thread read -------------------===//

#include "StencilDialect/Analysis/TileReads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

TileReads::Count TileReads::count(unsigned input, Kind kind,
                                  ArrayRef<int64_t> points,
                                  int64_t length) const {
  auto [it, isNew] = known.try_emplace(
      {input, kind, length, std::vector<int64_t>(points.begin(), points.end())},
      Count());
  if (!isNew)
    return it->second;
  // Rows as numbers: an axis is far shorter than this.
  constexpr int64_t kAxis = int64_t(1) << 15, kMiddle = kAxis / 2;
  const ProfiledInput &read = profile.inputs[input];
  int64_t last = profile.rank - 1;
  std::vector<std::pair<int64_t, int64_t>> values;
  for (const Offset &offset : read.offsets) {
    bool isInColumn = isZero(ArrayRef(offset).drop_front());
    if (kind == Kind::Beside && isInColumn)
      continue;
    int64_t total = llvm::product_of(points);
    for (int64_t number = 0; number < total; ++number) {
      int64_t rest = number, row = 0, column = 0;
      for (int64_t axis = last; axis >= 0; --axis) {
        int64_t step = rest % points[axis];
        rest /= points[axis];
        bool isIgnored =
            offset[axis] == kNoAxis || (kind == Kind::Plane && axis == 0);
        int64_t at = isIgnored ? 0 : offset[axis] + step;
        if (axis == last)
          column = at;
        else
          row = row * kAxis + at + kMiddle;
      }
      values.emplace_back(row, column);
    }
  }
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  Count count;
  count.values = static_cast<double>(values.size());
  std::pair<int64_t, int64_t> previous(-1, 0);
  for (auto [row, column] : values) {
    std::pair<int64_t, int64_t> vector(row,
                                       llvm::divideFloorSigned(column, length));
    count.vectors += vector != previous;
    previous = vector;
  }
  it->second = count;
  return count;
}
