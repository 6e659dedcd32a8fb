//===- RingPlaces.cpp - Where points are in a ring ------------------------===//

#include "StencilDialect/Tile/RingPlaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

int64_t RingPlaces::getRow(int64_t first, int64_t end) const {
  int64_t gaps = gap == 0 ? 0
                          : llvm::divideFloorSigned(end - 1, segment) -
                                llvm::divideFloorSigned(first, segment);
  return end - first + gap * gaps;
}

int64_t RingPlaces::getDistance(llvm::ArrayRef<int64_t> offset,
                                std::optional<int64_t> walk) const {
  auto last = static_cast<int64_t>(strides.size()) - 1;
  int64_t distance = 0;
  for (auto [axis, along] : llvm::enumerate(offset))
    if (walk != static_cast<int64_t>(axis))
      distance += along * strides[axis];
  if (walk != last)
    distance += gap * llvm::divideFloorSigned(offset.back(), segment);
  return distance;
}

Value RingPlaces::findPlace(const Arithmetic &math, int64_t axis, Value along,
                            int64_t first) const {
  Value place = math.mul(along, strides[axis]);
  if (gap == 0 || axis != static_cast<int64_t>(strides.size()) - 1)
    return place;
  Value segments = math.div(math.add(along, llvm::mod(first, segment)),
                            math.constant(segment));
  return math.add(place, math.mul(segments, gap));
}
