//===- OnlySum.h - Stages that are a weighted sum ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_ENGINES_ONLYSUM_H
#define STENCIL_LIB_TILE_ENGINES_ONLYSUM_H

#include "StencilDialect/Tile/Tile.h"

namespace stencil::tile {

/// The only op of a stage's body, a weighted sum that it returns; null if that
/// is something else.
WeightedSumOp getOnlySum(ApplyOp stage);

/// The ring that a stage reads which is such a sum, over its one input, with a
/// tap and with weights of the sum's type. Else an error that `fail` begins.
mlir::FailureOr<RingType>
checkOnlySum(ApplyOp stage,
             llvm::function_ref<mlir::InFlightDiagnostic()> fail);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_ENGINES_ONLYSUM_H
