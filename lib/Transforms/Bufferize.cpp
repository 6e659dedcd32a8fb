//===- Bufferize.cpp - Values to fields ----------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILBUFFERIZE
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

namespace {
struct Bufferize : stencil::impl::StencilBufferizeBase<Bufferize> {
  void runOnOperation() override {}
};
} // namespace
