//===- Ops.h - Ops outside of kernels of tiles ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_OPS_H
#define STENCIL_LIB_INTERPRETER_OPS_H

#include "RunState.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace stencil::interp {

// Fields.
mlir::LogicalResult evaluate(RunState &state, CastOp op);
mlir::LogicalResult evaluate(RunState &state, AllocOp op);
mlir::LogicalResult evaluate(RunState &state, ExtentOp op);
mlir::LogicalResult evaluate(RunState &state, ExternalLoadOp op);
mlir::LogicalResult evaluate(RunState &state, ExternalStoreOp op);
mlir::LogicalResult evaluate(RunState &state, LoadOp op);
mlir::LogicalResult evaluate(RunState &state, StoreOp op);

// Memrefs and pointers.
mlir::LogicalResult evaluateMemRefOp(RunState &state, mlir::Operation *op);
mlir::LogicalResult evaluate(RunState &state, ScratchOp op);
mlir::LogicalResult evaluate(RunState &state, FetchOp op);
mlir::LogicalResult evaluate(RunState &state,
                             mlir::UnrealizedConversionCastOp op);
mlir::LogicalResult evaluate(RunState &state, mlir::LLVM::LoadOp op);
mlir::LogicalResult evaluate(RunState &state, mlir::LLVM::StoreOp op);

// Values on boxes.
mlir::LogicalResult evaluate(RunState &state, CombineOp op);
mlir::LogicalResult evaluate(RunState &state, BufferOp op);
mlir::LogicalResult evaluate(RunState &state, AccumulateOp op);
mlir::LogicalResult evaluate(RunState &state, FoldOp op);

// Halos.
mlir::LogicalResult evaluate(RunState &state, BoundaryOp op);
mlir::LogicalResult evaluate(RunState &state, WindowOp op);
/// Fills what an array has beyond the interior, from an axis on.
mlir::LogicalResult fillHalo(RunState &state, mlir::Operation *op,
                             mlir::ArrayAttr conditions, const ArrayView &view,
                             mlir::Type elementType, const Box &interior,
                             unsigned firstAxis = 0);
/// What `from` has in a box, with a halo around the interior. Of values with
/// others outside of the interior, these are `outside`.
mlir::FailureOr<TempValue>
fillWindow(RunState &state, mlir::Operation *op, const ArrayView &from,
           const Box &box, const Box &interior, mlir::ArrayAttr conditions,
           mlir::Type elementType, const ArrayView *outside = nullptr);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_OPS_H
