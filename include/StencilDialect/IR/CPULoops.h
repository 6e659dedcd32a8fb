//===- CPULoops.h - What loops on a CPU look like ---------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_CPULOOPS_H
#define STENCILDIALECT_IR_CPULOOPS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpImplementation.h"

namespace stencil {
/// `[1, 2]`.
mlir::FailureOr<llvm::SmallVector<int64_t>>
parseLoopList(mlir::AsmParser &parser);
void printLoopList(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> list);
} // namespace stencil

#define GET_ATTRDEF_CLASSES
#include "StencilDialect/IR/CPULoops.h.inc"

#endif // STENCILDIALECT_IR_CPULOOPS_H
