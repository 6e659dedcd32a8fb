//===- StencilDialect.cpp - The stencil dialect ---------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect/IR/StencilDialect.cpp.inc"

void StencilDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/IR/StencilOps.cpp.inc"
      >();
}
