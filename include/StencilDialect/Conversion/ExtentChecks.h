//===- ExtentChecks.h - Where run-time extents become known -----*- C++ -*-===//
//
// A function whose fields have bounds relative to extents learns the extents
// from its arguments and casts, and checks there that they agree and are large
// enough.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_CONVERSION_EXTENTCHECKS_H
#define STENCILDIALECT_CONVERSION_EXTENTCHECKS_H

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// What the conversion of a function's ops has to know of the whole function.
struct FunctionFacts {
  /// The smallest interior extents for which the program is right.
  SmallVector<int64_t> minimalExtents;
  /// Arguments whose types have bounds relative to extents.
  SmallVector<std::pair<unsigned, GridType>> symbolicArguments;
  /// Allocations that the function returns.
  llvm::DenseSet<Operation *> returned;
  /// Interior extents, as far as arguments and casts have bound them.
  Extents extents;
};

using FactsOfFunctions = DenseMap<Operation *, FunctionFacts>;

/// What there is to know of the functions of a module, from its types.
FactsOfFunctions collectFacts(mlir::ModuleOp module);

/// Asserts that the extents in `buffer`, a row-major memref, are those that
/// other fields of the function have, and large enough for the program.
void bindExtents(OpBuilder &builder, Location loc, GridType type, Value buffer,
                 FunctionFacts &facts);

/// Asserts that `buffer`, a row-major memref, has the extents that `type`
/// states.
void checkCastExtents(OpBuilder &builder, Location loc, GridType type,
                      Value buffer);

/// Binds the extents that arguments bring, at the entry of a function whose
/// signature has been converted. Does so once.
void bindArgumentExtents(mlir::func::FuncOp function, FunctionFacts &facts);

/// The facts of the function that an op is in, whose arguments have been bound.
FunctionFacts &getFactsAround(Operation *op, FactsOfFunctions &facts);

/// An error at `op` unless the extent of an axis is known.
LogicalResult requireExtent(Operation *op, const Extents &extents,
                            int64_t axis);

/// Takes from the function the extents that are bound outside of all loops: in
/// a loop, those of a field that it carries are another value in each turn.
void takeBoundExtents(Operation *op, FactsOfFunctions &facts, Extents &extents);

/// Takes from the function what `extents`, learnt from the fields of `op`, lack
/// of its types' bounds and of `bounds`: those of a field `?-9` to `?` say
/// nothing of the extent. An error if nothing before `op` has bound it.
LogicalResult completeExtents(Operation *op, BoundsAttr bounds,
                              FactsOfFunctions &facts, Extents &extents);

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_EXTENTCHECKS_H
