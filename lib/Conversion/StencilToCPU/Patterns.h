//===- Patterns.h - The parts of convert-stencil-to-cpu -----------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/ExtentChecks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stencil {

/// What the lowering may assume of the machine, and what it was asked for.
struct CPULoweringOptions {
  /// Width of a vector register in bits.
  unsigned vectorBits = 256;
  /// The same for bodies of hundreds of ops, if it is wider.
  unsigned wideVectorBits = 0;
  /// Bytes of the last-level cache. Outputs beyond it are written around it.
  uint64_t cacheBytes = 32 * 1024 * 1024;
  /// Bytes of cache that a core has to itself; 0: no blocks of rows.
  uint64_t coreCacheBytes = 1024 * 1024;
  /// Threads that the work is divided among.
  unsigned threads = 16;
  MathMode math = MathMode::Contract;
  /// Tile per axis; empty: chosen.
  llvm::SmallVector<int64_t> tile;
  /// Rows computed together; 0: chosen.
  int64_t rows = 0;
  /// Vectors of a row computed together; 0: chosen.
  int64_t columns = 0;
  /// Write large outputs around the cache.
  bool stream = true;
  /// Also where it means that rows are not computed together.
  bool streamRows = false;
  /// Distance along a row at which lines are fetched; 0: they are not.
  uint64_t prefetchBytes = 0;
  /// Elements of the shortest row that is written around the cache; the same in
  /// volumes.
  int64_t streamRow = 2048, streamRowOfVolume = 2048;
  /// Bytes of a line of the caches.
  int64_t lineBytes = 64;
  /// Points of the smallest apply that several threads share: fewer are
  /// computed by one before another one is awake.
  int64_t parallelPoints = 8192;
  /// Dealt out to threads together: rows of a plane, planes of a volume.
  int64_t tileRows = 16, tilePlanes = 8;
};

void populateApplyToLoops(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          FactsOfFunctions &facts,
                          const CPULoweringOptions &options);
void populatePipelineToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts,
                             const CPULoweringOptions &options);
void populateBoundaryToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts,
                             const CPULoweringOptions &options);
void populateFieldsToMemRefs(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts);
void populateFoldToLoops(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         FactsOfFunctions &facts,
                         const CPULoweringOptions &options);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
