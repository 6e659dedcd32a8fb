//===- TileReads.h - What the points of a thread read -----------*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_TILEREADS_H
#define STENCILDIALECT_ANALYSIS_TILEREADS_H

#include "StencilDialect/Analysis/KernelProfile.h"

#include <map>

namespace stencil {

/// Counts, for a tile of neighbouring points, how many distinct values its
/// points read, and in how many vectors of a row these lie. Remembers what it
/// has counted.
class TileReads {
public:
  explicit TileReads(const KernelProfile &profile) : profile(profile) {}

  /// Which of the reads count.
  enum class Kind {
    /// All.
    All,
    /// Those beside the column of the point along axis 0.
    Beside,
    /// Those of one plane, all planes being the same to a kernel that adds
    /// plane by plane.
    Plane
  };
  struct Count {
    double values = 0, vectors = 0;
  };

  /// Of input number `input` of the profile, for `points` per axis and vectors
  /// of `length` elements.
  Count count(unsigned input, Kind kind, llvm::ArrayRef<int64_t> points,
              int64_t length) const;

private:
  const KernelProfile &profile;
  mutable std::map<std::tuple<unsigned, Kind, int64_t, std::vector<int64_t>>,
                   Count>
      known;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_TILEREADS_H
