//===- OnlySum.h - Stages that are a weighted sum ---------------*- C++ -*-===//
//
// What engines have in common that compute sums of a ring and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TILE_ONLYSUM_H
#define STENCILDIALECT_TILE_ONLYSUM_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// The only op of a stage's body, a weighted sum that it returns; null if that
/// is something else.
WeightedSumOp getOnlySum(ApplyOp stage);

/// The ring that a stage reads which is such a sum, over its one input, with a
/// tap and with weights of the sum's type. Else an error that `fail` begins.
FailureOr<RingType> checkOnlySum(ApplyOp stage,
                                 function_ref<mlir::InFlightDiagnostic()> fail);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_ONLYSUM_H
