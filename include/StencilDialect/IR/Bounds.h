//===- Bounds.h - Static and symbolic bounds --------------------*- C++ -*-===//
//
// A bound of an axis is one 64-bit number: either a coordinate, or an offset
// from the interior extent N of that axis, which is known at run time only.
// The second kind is encoded as kSymbolBase + offset. With that encoding the
// arithmetic and the comparisons that shape inference needs (+, -, min, max, <)
// are those of integers under the reading "N is large"; the smallest N for
// which this reading holds is checked at run time where N becomes known
// (stencil.cast).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_BOUNDS_H
#define STENCILDIALECT_IR_BOUNDS_H

#include <cstdint>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace stencil {

/// Offset 0 from the run-time extent N of an axis.
inline constexpr int64_t kSymbolBase = int64_t(1) << 60;

/// Largest magnitude of a coordinate or of an offset from N. It leaves room for
/// sums of many offsets without leaving the range of either kind.
inline constexpr int64_t kMaxBound = int64_t(1) << 40;

/// True if `bound` is relative to the run-time extent N of its axis.
inline bool isSymbolic(int64_t bound) { return bound > kSymbolBase / 2; }

/// The bound N + offset.
inline int64_t makeSymbolic(int64_t offset) { return kSymbolBase + offset; }

/// k of the bound N + k.
inline int64_t symbolicOffset(int64_t bound) { return bound - kSymbolBase; }

/// The coordinate that `bound` stands for when the axis has `extent` interior
/// points.
inline int64_t resolve(int64_t bound, int64_t extent) {
  return isSymbolic(bound) ? extent + symbolicOffset(bound) : bound;
}

/// Prints `5`, `?`, `?+4` or `?-4`.
void printBound(llvm::raw_ostream &os, int64_t bound);

} // namespace stencil

#endif // STENCILDIALECT_IR_BOUNDS_H
