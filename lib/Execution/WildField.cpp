//===- WildField.cpp - Values that show errors ----------------------------===//

#include "StencilDialect/Execution/WildField.h"
#include "RandomBits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace stencil;

static constexpr int64_t kTile = 8;

/// Streams of what is drawn beside the elements.
enum Draw : uint64_t { Axis, Plane, Positive, Negative, Tiles, Elements };

WildField::WildField(uint64_t seed, bool finite, ElementKind kind,
                     llvm::ArrayRef<int64_t> shape)
    : stream(mixBits(seed + kRandomGamma)), finite(finite), kind(kind),
      shape(shape) {
  uint64_t points = 1;
  for (int64_t extent : shape)
    points *= static_cast<uint64_t>(extent);
  // A plane across an axis of one point would be everything.
  unsigned candidates = 0;
  for (int64_t extent : shape)
    candidates += extent > 1;
  if (finite || candidates == 0) {
    this->finite = true;
    return;
  }
  uint64_t chosen = getRandomBits(stream, Axis) % candidates;
  int64_t stride = 1;
  for (unsigned axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    if (shape[axis] == 1 || chosen-- != 0)
      continue;
    planeStride = stride;
    planeExtent = shape[axis];
    break;
  }
  plane = static_cast<int64_t>(getRandomBits(stream, Plane) % planeExtent);
  // One step beside the plane, where that is hit.
  auto draw = [&](Draw what, int64_t shift) {
    auto index = static_cast<int64_t>(getRandomBits(stream, what) % points);
    int64_t at = index / planeStride % planeExtent;
    if (at == plane)
      index += ((plane + shift) % planeExtent - plane) * planeStride;
    return index;
  };
  positive = draw(Positive, 1);
  negative = draw(Negative, planeExtent - 1);
}

static int getLargestExponent(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return 7;
  case ElementKind::F64:
    return 80;
  default:
    return 30;
  }
}

double WildField::getNumber(int64_t index) const {
  if (!finite) {
    if (index / planeStride % planeExtent == plane)
      return std::numeric_limits<double>::quiet_NaN();
    if (index == positive || index == negative)
      return index == positive ? std::numeric_limits<double>::infinity()
                               : -std::numeric_limits<double>::infinity();
  }
  // The tile, and the place in it.
  uint64_t tile = 0, inside = 0, tilePoints = 1;
  int64_t rest = index;
  for (unsigned axis = shape.size(); axis-- > 0;) {
    int64_t coordinate = rest % shape[axis];
    rest /= shape[axis];
    int64_t first = coordinate / kTile * kTile;
    tile = mixBits(tile + kRandomGamma * static_cast<uint64_t>(first + 1));
    // The last tile of an axis may be narrower.
    int64_t width = std::min(kTile, shape[axis] - first);
    inside += static_cast<uint64_t>(coordinate - first) * tilePoints;
    tilePoints *= static_cast<uint64_t>(width);
  }
  uint64_t ofTile = getRandomBits(mixBits(stream + Tiles), tile);
  uint64_t bits = getRandomBits(mixBits(stream + Elements), index);
  bool isNegative = bits & 1;
  unsigned sort = ofTile & 3;
  if (sort == 3 && (ofTile >> 32) % tilePoints != inside)
    return isNegative ? -0.0 : 0.0;
  int largest = getLargestExponent(kind);
  uint64_t ofExponent = sort == 2 ? bits : ofTile;
  int exponent = static_cast<int>((ofExponent >> 4) % (2 * largest + 1));
  double magnitude = std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52,
                                exponent - largest);
  return isNegative ? -magnitude : magnitude;
}

int64_t WildField::getInteger(int64_t index) const {
  uint64_t bits = getRandomBits(mixBits(stream + Elements), index);
  unsigned width = 8 * getElementSize(kind);
  uint64_t sign = uint64_t(1) << (width - 1);
  if (kind == ElementKind::I1)
    return static_cast<int64_t>(bits >> 63);
  switch (bits & 7) {
  case 0:
    return static_cast<int64_t>(sign);
  case 1:
    return static_cast<int64_t>(sign - 1);
  case 2:
    return 0;
  case 3:
    return (bits & 8) != 0 ? 1 : -1;
  default:
    return static_cast<int64_t>(bits >> 4);
  }
}

void WildField::fill(void *data, int64_t begin, int64_t end) const {
  if (isFloatKind(kind)) {
    for (int64_t i = begin; i < end; ++i)
      storeElement(kind, data, i, getNumber(i));
    return;
  }
  // Little-endian: the low bytes are those of the narrower type.
  unsigned size = getElementSize(kind);
  for (int64_t i = begin; i < end; ++i) {
    int64_t value = getInteger(i);
    std::memcpy(static_cast<char *>(data) + i * size, &value, size);
  }
}
