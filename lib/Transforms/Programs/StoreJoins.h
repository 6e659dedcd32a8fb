//===- StoreJoins.h - Values that come from several places --------*- C++
//-*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H
#define STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stencil {

/// Replaces what joins values in `function`, which has passed checkProgram, by
/// stores:
/// - a combine whose result is stored only: a store of either part;
/// - any other combine, and stencil.buffer: stores to an allocation, which is
///   loaded behind them.
/// Appends the allocations to `temporaries`; they stand at the entry of the
/// function. Fails with an error if the box of a value to be loaded is not
/// known.
mlir::LogicalResult storeJoins(mlir::FunctionOpInterface function,
                               llvm::SmallVectorImpl<mlir::Value> &temporaries);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STOREJOINS_H
