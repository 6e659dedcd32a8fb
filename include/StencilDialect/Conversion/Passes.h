//===- Passes.h - Conversions from the stencil dialect ------------*- C++
//-*-===//

#ifndef STENCILDIALECT_CONVERSION_PASSES_H
#define STENCILDIALECT_CONVERSION_PASSES_H

#include "StencilDialect/Conversion/VectorLibrary.h"
#include "StencilDialect/IR/MathMode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace stencil {

#define GEN_PASS_DECL
#include "StencilDialect/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "StencilDialect/Conversion/Passes.h.inc"

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_PASSES_H
