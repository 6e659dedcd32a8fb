//===- RaiseLoopsReduce.h - Sums and extrema over a nest --------*- C++ -*-===//
//
// Private to stencil-raise-loops. What a nest carries from point to point
// becomes stencil.fold, if that is a sum, a maximum or a minimum.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSREDUCE_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSREDUCE_H

#include "RaiseLoopsNest.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace stencil::raise {

/// True if `loop`, an scf.for or scf.parallel, has scalar results and an
/// induction variable of it is a term of a subscript of a load: it goes over
/// points and combines what they give.
bool isReduction(mlir::Operation *loop, const Extents &extents);

/// The loop directly in `outer` whose result `yielded` is; null for none.
mlir::scf::ForOp getCarryingLoop(mlir::Value yielded, mlir::scf::ForOp outer);

/// Reads what the results of the outermost loop are.
mlir::LogicalResult readReductions(LoopNest &nest, Refusal &refusal);

/// Gives each reduction the place of a load, as if its points were stored
/// there: its box, and its coordinates.
mlir::LogicalResult placeReductions(LoopNest &nest, Refusal &refusal);

/// Builds the fold over `box` of `value`, the result of an apply, and takes it
/// for result `number` of the nest.
void emitFold(mlir::OpBuilder &builder, const LoopNest &nest, unsigned number,
              mlir::Value value, BoundsAttr box);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSREDUCE_H
