//===- Patterns.h - The parts of convert-stencil-to-cpu -----------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

#include "LoopNest.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/ExtentChecks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stencil {

void populateApplyToLoops(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          FactsOfFunctions &facts, MathMode math);
void populatePipelineToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts, MathMode math);
void populateDiamondsToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts, MathMode math);
void populateBoundaryToLoops(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts);
/// The loops of a boundary in the memory of its field.
mlir::LogicalResult emitBoundary(mlir::OpBuilder &builder, BoundaryOp op,
                                 mlir::Value memory, const Extents &extents);
/// The same along one axis, where the outermost points are in `within`, and of
/// these points. Whole along all axes but the first two.
mlir::LogicalResult emitBoundaryWithin(mlir::OpBuilder &builder, BoundaryOp op,
                                       mlir::Value memory,
                                       const Extents &extents, int64_t axis,
                                       const LoopBox &within);
void populateFieldsToMemRefs(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts);
void populateFoldToLoops(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         FactsOfFunctions &facts);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
