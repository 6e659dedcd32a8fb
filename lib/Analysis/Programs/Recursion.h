//===- Recursion.h - Functions that call themselves -------------*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_RECURSION_H
#define STENCIL_LIB_ANALYSIS_RECURSION_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// Follows the calls of functions, each function once.
class CallWalker {
public:
  /// Called with a call, and the function that it calls; null if that is not
  /// known.
  using Check = llvm::function_ref<mlir::LogicalResult(
      mlir::CallOpInterface call, mlir::FunctionOpInterface callee)>;

  /// An error at a call that `check` refuses, or by which a function calls
  /// itself, if only over others.
  mlir::LogicalResult walk(mlir::FunctionOpInterface function, Check check);

private:
  mlir::SymbolTableCollection symbols;
  /// The functions on the way to the one at hand.
  llvm::SetVector<mlir::Operation *> active;
  /// Those that have been entered.
  llvm::DenseSet<mlir::Operation *> done;
};

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_RECURSION_H
