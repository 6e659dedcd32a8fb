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
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"256",
           "width of a vector register in bits">,
    Option<"cacheBytes", "cache-bytes", "uint64_t", /*default=*/"33554432",
           "size of the last-level cache; larger outputs bypass it">,
    ListOption<"tile", "tile", "int64_t",
               "tile per axis, 0 for a whole axis; default: chosen per apply">,
    Option<"rows", "rows", "int64_t", /*default=*/"0",
           "rows computed together; 0: chosen per apply">,
    Option<"columns", "columns", "int64_t", /*default=*/"0",
           "vectors of a row computed together; 0: chosen per apply">,
    Option<"stream", "stream-stores", "bool", /*default=*/"true",
           "write outputs larger than the cache around it">
  ];
}

def StencilInlineAllocationScopes
    : Pass<"stencil-inline-allocation-scopes", "::mlir::ModuleOp"> {
  let summary = "dissolve allocation scopes in which nothing is allocated";
  let description = [{
    `convert-scf-to-openmp` wraps the bodies of parallel loops in
    `memref.alloca_scope`, which holds a single block and so cannot take
    branches. Bodies of stencils allocate nothing on the stack. (Upstream's
    canonicalisation gives up at ops whose effects it does not know, such as
    fences.)
  }];
}

#endif // STENCILDIALECT_CONVERSION_PASSES_TD
