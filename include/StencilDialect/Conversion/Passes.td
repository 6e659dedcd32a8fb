//===- Passes.td - Conversions from the stencil dialect -----*- tablegen -*-===//

#ifndef STENCILDIALECT_CONVERSION_PASSES_TD
#define STENCILDIALECT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertStencilToCPU : Pass<"convert-stencil-to-cpu", "::mlir::ModuleOp"> {
  let summary = "bufferised stencil programs to parallel loops over memrefs";
  let description = [{
    Fields become memrefs, applies become loops over tiles (scf.parallel) with
    vectors along the last axis, boundaries and folds become loops.

    Needs bufferised programs (`stencil-bufferize`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"256",
           "width of a vector register in bits">,
    Option<"cacheBytes", "cache-bytes", "uint64_t", /*default=*/"33554432",
           "size of the last-level cache; larger outputs bypass it">,
    ListOption<"tile", "tile", "int64_t",
               "tile per axis, 0 for a whole axis; default: chosen per apply">
  ];
}

#endif // STENCILDIALECT_CONVERSION_PASSES_TD
