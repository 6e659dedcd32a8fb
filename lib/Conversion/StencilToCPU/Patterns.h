//===- Patterns.h - The parts of convert-stencil-to-cpu ---------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H

#include "LoopNest.h"
#include "StencilDialect/Conversion/ExtentChecks.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stencil {

/// What the lowering of an op has at hand.
struct CPULowering {
  mlir::ConversionPatternRewriter &rewriter;
  const mlir::TypeConverter &types;
  FactsOfFunctions &facts;
  MathMode math;
};

/// Replaces an op by loops (ApplyToLoops.cpp, PipelineToLoops.cpp,
/// BoundaryToLoops.cpp, FoldToLoops.cpp), or by what names memory
/// (FieldsToMemRefs.cpp). `operands` are what the op's own became.
LogicalResult lower(CPULowering &lowering, ApplyOp op,
                    ApplyOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, PipelineOp op,
                    PipelineOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, BoundaryOp op,
                    BoundaryOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, FoldOp op, FoldOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, CastOp op, CastOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, AllocOp op,
                    AllocOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, ExtentOp op,
                    ExtentOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, ExternalLoadOp op,
                    ExternalLoadOp::Adaptor operands);
LogicalResult lower(CPULowering &lowering, ExternalStoreOp op,
                    ExternalStoreOp::Adaptor operands);
/// A time loop in diamonds (DiamondsToLoops.cpp); fails for other loops.
LogicalResult lower(CPULowering &lowering, mlir::scf::ForOp op,
                    mlir::scf::ForOp::Adaptor operands);

/// The loops of a boundary in the memory of its field.
LogicalResult emitBoundary(const OpBuilder &builder, BoundaryOp op,
                           Value memory, const Extents &extents);
/// The same along one axis, where the outermost points are in `within`, and of
/// these points. Whole along all axes but the first two.
LogicalResult emitBoundaryWithin(const OpBuilder &builder, BoundaryOp op,
                                 Value memory, const Extents &extents,
                                 int64_t axis, const LoopBox &within);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PATTERNS_H
