//===- Recursion.cpp - Functions that call themselves ---------------------===//

#include "Recursion.h"

using namespace mlir;

LogicalResult stencil::CallWalker::walk(FunctionOpInterface function,
                                        Check check) {
  if (!done.insert(function).second)
    return success();
  active.insert(function);
  WalkResult result = function->walk([&](CallOpInterface call) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (failed(check(call, callee)))
      return WalkResult::interrupt();
    if (!callee)
      return WalkResult::advance();
    if (active.contains(callee))
      return WalkResult(call.emitError()
                        << "'" << callee.getName()
                        << "' calls itself: programs cannot recurse");
    return WalkResult(walk(callee, check));
  });
  active.pop_back();
  return failure(result.wasInterrupted());
}
