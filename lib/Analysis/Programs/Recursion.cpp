//===- Recursion.cpp - Functions that call themselves ---------------------===//

#include "Recursion.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// `active` are the functions on the way to `function`, `done` those that have
/// been left.
static LogicalResult visit(FunctionOpInterface function,
                           SymbolTableCollection &symbols,
                           llvm::SetVector<Operation *> &active,
                           llvm::DenseSet<Operation *> &done) {
  if (!done.insert(function).second)
    return success();
  active.insert(function);
  WalkResult result = function->walk([&](CallOpInterface call) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (!callee)
      return WalkResult::advance();
    if (active.contains(callee))
      return WalkResult(call.emitError()
                        << "'" << SymbolTable::getSymbolName(callee).getValue()
                        << "' calls itself: programs cannot recurse");
    return WalkResult(visit(callee, symbols, active, done));
  });
  active.pop_back();
  return failure(result.wasInterrupted());
}

LogicalResult stencil::checkRecursion(Operation *root) {
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> active;
  llvm::DenseSet<Operation *> done;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      if (failed(visit(function, symbols, active, done)))
        return failure();
  return success();
}
