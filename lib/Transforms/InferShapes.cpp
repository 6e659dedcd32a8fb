//===- InferShapes.cpp - Boxes of values ----------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILINFERSHAPES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

namespace {
struct InferShapes : stencil::impl::StencilInferShapesBase<InferShapes> {
  void runOnOperation() override {}
};
} // namespace
