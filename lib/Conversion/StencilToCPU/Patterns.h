//===- Patterns.h - The parts of convert-stencil-to-cpu -----------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "mlir/Transforms/DialectConversion.h"

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
};

void populateApplyToLoops(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          const CPULoweringOptions &options);
void populateBoundaryToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateFieldsToMemRefs(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateFoldToLoops(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const CPULoweringOptions &options);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
