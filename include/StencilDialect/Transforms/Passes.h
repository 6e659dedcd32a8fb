//===- Passes.h - Passes on the stencil dialect -----------------*- C++ -*-===//

#ifndef STENCILDIALECT_TRANSFORMS_PASSES_H
#define STENCILDIALECT_TRANSFORMS_PASSES_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Transforms/ComposedRim.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace stencil {

/// How `stencil-report-cost` writes.
enum class ReportFormat { Text, JSON };

inline llvm::cl::ValuesClass getReportFormatValues() {
  return llvm::cl::values(
      clEnumValN(ReportFormat::Text, "text", "lines for people"),
      clEnumValN(ReportFormat::JSON, "json", "one line for programs"));
}

#define GEN_PASS_DECL
#include "StencilDialect/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "StencilDialect/Transforms/Passes.h.inc"

} // namespace stencil

#endif // STENCILDIALECT_TRANSFORMS_PASSES_H
