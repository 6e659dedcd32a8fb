//===- StoreJoins.h - Values that come from several places --------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H
#define STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stencil {

/// Replaces what joins values in `function` by stores:
/// - a combine whose result is stored: a store of either part;
/// - any other combine, stencil.buffer, and results of scf.if: stores to an
///   allocation, which is loaded behind them.
/// Appends to `temporaries` the allocations that have no other use; they stand
/// at the entry of the function. Fails with an error if an operand does not
/// cover its part.
mlir::LogicalResult storeJoins(mlir::FunctionOpInterface function,
                               llvm::SmallVectorImpl<mlir::Value> &temporaries);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H
