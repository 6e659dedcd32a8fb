//===- RingPlaces.h - Where points are in a ring ----------------*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_RINGPLACES_H
#define STENCILDIALECT_TILE_RINGPLACES_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace stencil::tile {

/// Where points are in a slot of a ring, in elements.
struct RingPlaces {
  /// From one point to the next along each axis, but for gaps.
  SmallVector<int64_t> strides;
  /// Along the last axis: segments begin at multiples of as many points in tile
  /// coordinates, each `gap` elements behind the end of the one before it.
  int64_t segment = 1, gap = 0;

  /// Elements of a row of points, with the gaps between them.
  int64_t getRow(int64_t first, int64_t end) const;

  /// From a point at which segments begin to one at an offset, in a plane of a
  /// walk.
  int64_t getDistance(ArrayRef<int64_t> offset,
                      std::optional<int64_t> walk) const;
  /// From the coordinate `first` of an axis to one that is `along` points
  /// behind it, which is not negative.
  Value findPlace(const Arithmetic &math, int64_t axis, Value along,
                  int64_t first) const;
};

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_RINGPLACES_H
