//===- Panels.h - Blocks that stay within a few rows ------------*- C++ -*-===//
//
// Where a plane is wide, walks have panels: blocks next to each other stay
// within as many rows, so that what the next segment reads again is still in
// the second-level cache (docs/benchmarks.md).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_PANELS_H
#define STENCILDIALECT_ANALYSIS_PANELS_H

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>

namespace stencil {

/// Whether the planes of a box with three axes are too wide for walks without
/// panels: larger than 2.5 MiB.
inline bool arePlanesWide(llvm::ArrayRef<int64_t> shape, int64_t elementBytes) {
  constexpr int64_t kWideBytes = 5 << 19;
  return shape[1] * shape[2] * elementBytes > kWideBytes;
}

/// Rows of a panel, unless they are counted by their bytes.
inline constexpr int64_t kPanelRows = 256;

/// The blocks that a panel of some rows is wide, of tiles of `tileRows` rows.
inline int64_t countPanelBlocks(int64_t rows, int64_t tileRows) {
  constexpr int64_t kFewest = 4;
  return std::max(rows / tileRows, kFewest);
}

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PANELS_H
