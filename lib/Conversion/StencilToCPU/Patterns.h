//===- Patterns.h - The parts of convert-stencil-to-cpu -----------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// What the lowering may assume of the machine, and what it was asked for.
struct CPULoweringOptions {
  /// Width of a vector register in bits.
  unsigned vectorBits = 256;
  /// Bytes of the last-level cache. Outputs beyond it are written around it.
  uint64_t cacheBytes = 32 * 1024 * 1024;
  MathMode math = MathMode::Contract;
  /// Tile per axis; empty: chosen.
  llvm::SmallVector<int64_t> tile;
  /// Rows computed together; 0: chosen.
  int64_t rows = 0;
  /// Vectors of a row computed together; 0: chosen.
  int64_t columns = 0;
  /// Write large outputs around the cache.
  bool stream = true;
};

/// What the conversion of a function's ops has to know of the whole function.
struct FunctionFacts {
  /// The smallest interior extents for which the program is right.
  llvm::SmallVector<int64_t> minimalExtents;
  /// Arguments whose types have bounds relative to extents.
  llvm::SmallVector<std::pair<unsigned, GridType>> symbolicArguments;
  /// Allocations that the function returns.
  llvm::DenseSet<mlir::Operation *> returned;
  /// Interior extents, as far as arguments and casts have bound them.
  Extents extents;
};

using FactsOfFunctions = llvm::DenseMap<mlir::Operation *, FunctionFacts>;

/// Binds the extents that arguments bring, at the entry of a function whose
/// signature has been converted. Does so once.
void bindArgumentExtents(mlir::func::FuncOp function, FunctionFacts &facts);

void populateApplyToLoops(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          const CPULoweringOptions &options);
void populateBoundaryToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateFieldsToMemRefs(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts);
void populateFoldToLoops(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const CPULoweringOptions &options);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
