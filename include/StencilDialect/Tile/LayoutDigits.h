//===- LayoutDigits.h - Where a thread's points are, as code ----*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_LAYOUTDIGITS_H
#define STENCILDIALECT_TILE_LAYOUTDIGITS_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// Along each of `rank` axes, what the digits of `number` add up to, which is
/// less than `count`: digits beyond that are zeros.
SmallVector<Value> findPoint(const Arithmetic &math,
                             ArrayRef<LayoutDigit> digits, Value number,
                             int64_t count, int64_t rank);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_LAYOUTDIGITS_H
