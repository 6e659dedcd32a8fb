//===- Nesting.h - Programs that nest too deep ------------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_NESTING_H
#define STENCILDIALECT_TOOLS_NESTING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace stencil {

/// Fails, with one error on `os`, if the main buffer, a text, nests deeper
/// than kMaxNesting. To be called before it is parsed.
mlir::LogicalResult checkNesting(llvm::SourceMgr &sources,
                                 llvm::StringRef splitMarker = {},
                                 llvm::raw_ostream &os = llvm::errs());

/// The same for the regions, types and attributes of what was read from
/// bytecode, the reader of which does not call itself.
mlir::LogicalResult checkNesting(mlir::ModuleOp module,
                                 llvm::raw_ostream &os = llvm::errs());

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_NESTING_H
