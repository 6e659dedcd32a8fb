//===- BoundsSyntax.h - Text form of bounds ---------------------*- C++ -*-===//

#ifndef STENCIL_LIB_DIALECT_BOUNDSSYNTAX_H
#define STENCIL_LIB_DIALECT_BOUNDSSYNTAX_H

#include "StencilDialect/IR/StencilAttrs.h"

namespace stencil {

/// Parses `5`, `?`, `?+4` or `?-4`.
mlir::ParseResult parseBound(mlir::AsmParser &parser, int64_t &bound);

/// Parses what follows a `?`: nothing, `+4` or `-4`.
mlir::ParseResult parseSymbolOffset(mlir::AsmParser &parser, int64_t &bound);

/// Emits an error unless lb and ub form a non-empty box of rank one or more.
mlir::LogicalResult
verifyBox(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
          llvm::ArrayRef<int64_t> lb, llvm::ArrayRef<int64_t> ub);

} // namespace stencil

#endif // STENCIL_LIB_DIALECT_BOUNDSSYNTAX_H
