//===- LaunchSyntax.h - The arguments of stencil.launch ---------*- C++ -*-===//

#ifndef STENCIL_LIB_DIALECT_LAUNCHSYNTAX_H
#define STENCIL_LIB_DIALECT_LAUNCHSYNTAX_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/OpImplementation.h"

namespace stencil {

/// `(%u : !stencil.field<...> read, %c : f64)`
mlir::ParseResult parseLaunchArguments(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &args,
    llvm::SmallVectorImpl<mlir::Type> &types, mlir::DenseI32ArrayAttr &access);
void printLaunchArguments(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::OperandRange args, mlir::TypeRange types,
                          mlir::DenseI32ArrayAttr access);

} // namespace stencil

#endif // STENCIL_LIB_DIALECT_LAUNCHSYNTAX_H
