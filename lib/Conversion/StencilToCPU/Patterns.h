//===- Patterns.h - The parts of convert-stencil-to-cpu -----------*- C++
//-*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

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
void populateFieldsToMemRefs(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             FactsOfFunctions &facts);
void populateFoldToLoops(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         FactsOfFunctions &facts);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
