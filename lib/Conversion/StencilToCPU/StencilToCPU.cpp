//===- StencilToCPU.cpp - Bufferised programs to loops --------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {
#define GEN_PASS_DEF_CONVERTSTENCILTOCPU
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

namespace {
struct StencilToCPU : stencil::impl::ConvertStencilToCPUBase<StencilToCPU> {
  using ConvertStencilToCPUBase::ConvertStencilToCPUBase;
  void runOnOperation() override {}
};
} // namespace
