//===- NarrowPositions.h - When 32 bits hold a position ---------*- C++ -*-===//
//
// Kernels compute with integers of 32 bits where every position in every field
// is one: of known extents when they are compiled, of open ones where the host
// has looked before the launch (stencil-vary-extents).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_NARROWPOSITIONS_H
#define STENCILDIALECT_ANALYSIS_NARROWPOSITIONS_H

#include <cstdint>

namespace stencil {

/// Sums of a position and an offset stay in the range as well: positions are in
/// half of it, or in seven eighths, where offsets are less than an eighth.
struct NarrowPositions {
  static constexpr int64_t kLimit = int64_t(1) << 30;
  static constexpr int64_t kEighth = int64_t(1) << 28;
  /// Offsets in large fields of open extents reach over less planes: enough for
  /// rows of 128 points and their halo, and for 1024 points along each axis.
  static constexpr int64_t kPlanes = 191;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_NARROWPOSITIONS_H
