//===- Passes.h - Passes on the stencil dialect -------------------*- C++
//-*-===//

#ifndef STENCILDIALECT_TRANSFORMS_PASSES_H
#define STENCILDIALECT_TRANSFORMS_PASSES_H

#include "StencilDialect/IR/MathMode.h"
#include "mlir/Pass/Pass.h"

namespace stencil {

#define GEN_PASS_DECL
#include "StencilDialect/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "StencilDialect/Transforms/Passes.h.inc"

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_PASSES_H
