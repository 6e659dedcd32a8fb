//===- Passes.h - Passes that run pipelines ---------------------*- C++ -*-===//

#ifndef STENCILDIALECT_PIPELINES_PASSES_H
#define STENCILDIALECT_PIPELINES_PASSES_H

#include "StencilDialect/IR/MathMode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace stencil {

#define GEN_PASS_DECL
#include "StencilDialect/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "StencilDialect/Pipelines/Passes.h.inc"

} // namespace stencil

#endif // STENCILDIALECT_PIPELINES_PASSES_H
