//===- StencilToKernels.cpp - Bufferised programs to kernels --------------===//
//
//   func.func @f(%u: !stencil.field<...>) { ... stencil.apply ... }
//     ==> gpu.module @f_kernels { gpu.func @f_apply0(...) kernel { ... } }
//         func.func @f(%u: !stencil.field<...>) {
//           ... stencil.launch @f_kernels::@f_apply0 ... args(%u : ... read)
//         }
//
// The control flow of the program stays on the host, which only launches.
// Where fields are on the device is not known here: stencil-place-fields.
//
//===----------------------------------------------------------------------===//

#include "FieldFunction.h"
#include "ListKernel.h"
#include "Patterns.h"
#include "PipelineKernel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/MapLists.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_CONVERTSTENCILTOKERNELS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct StencilToKernels
    : stencil::impl::ConvertStencilToKernelsBase<StencilToKernels> {
  using ConvertStencilToKernelsBase::ConvertStencilToKernelsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  FailureOr<KernelOptions> readOptions();
  LogicalResult lower(func::FuncOp function, const KernelOptions &options);
  LogicalResult lowerOp(Operation *op, KernelSet &kernels);
  LogicalResult lowerBoundary(BoundaryOp op, KernelSet &kernels);
  LogicalResult lowerFold(FoldOp op, KernelSet &kernels);

  /// Boundary ops that the kernel of an earlier op stands for.
  SmallPtrSet<Operation *, 16> joined;
  /// What launches stand for goes at the end: until then, no other op has the
  /// address of one before which extents are known.
  SmallVector<Operation *> lowered;
};

} // namespace

FailureOr<KernelOptions> StencilToKernels::readOptions() {
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return failure();
  return KernelOptions{**target, math};
}

/// By way of tiles.
LogicalResult StencilToKernels::lowerBoundary(BoundaryOp op,
                                              KernelSet &kernels) {
  if (joined.erase(op))
    return success();
  SmallVector<Operation *> done;
  for (tile::KernelOp kernel : mapBoundary(op, kernels.getAliases(), done)) {
    lowerListKernel(kernel, kernels);
    lowered.push_back(kernel);
  }
  joined.insert(done.begin() + 1, done.end());
  return success();
}

LogicalResult StencilToKernels::lowerFold(FoldOp op, KernelSet &kernels) {
  if (!llvm::all_of(op.getTemps().getTypes(), llvm::IsaPred<FieldType>))
    return op.emitOpError("expected fields; run stencil-bufferize");
  tile::KernelOp kernel = mapFold(op);
  lowerListKernel(kernel, kernels);
  lowered.push_back(kernel);
  return success();
}

LogicalResult StencilToKernels::lowerOp(Operation *op, KernelSet &kernels) {
  if (failed(checkFields(op)))
    return failure();
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case(
              [&](ApplyOp apply) { return lowerApply(apply, kernels, joined); })
          .Case([&](PipelineOp pipeline) {
            return lowerPipeline(pipeline, kernels);
          })
          .Case([&](BoundaryOp boundary) {
            return lowerBoundary(boundary, kernels);
          })
          .Case([&](FoldOp fold) { return lowerFold(fold, kernels); })
          .Case([&](tile::KernelOp kernel) {
            return kernel.emitOpError(
                "is not distributed to threads; run stencil-distribute-tiles");
          });
  if (succeeded(result))
    lowered.push_back(op);
  return result;
}

LogicalResult StencilToKernels::lower(func::FuncOp function,
                                      const KernelOptions &options) {
  if (failed(checkFieldFunction(function)))
    return failure();
  // What is in the bodies says it now, and is gone then.
  recordMinimalExtents(function, [](Value value) {
    return cast<GridType>(value.getType()).getBounds();
  });
  // In program order; what is in a pipeline is part of it.
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<ApplyOp, PipelineOp, BoundaryOp, FoldOp, tile::KernelOp>(op))
      return WalkResult::advance();
    ops.push_back(op);
    return WalkResult::skip();
  });
  if (ops.empty())
    return success();
  KernelSet kernels(function, options);
  lowered.clear();
  for (Operation *op : ops)
    if (failed(lowerOp(op, kernels)))
      return failure();
  for (Operation *op : lowered)
    op->erase();
  if (kernels.getModule().getBody()->empty())
    kernels.getModule().erase();
  return success();
}

LogicalResult StencilToKernels::run() {
  auto options = readOptions();
  if (failed(options))
    return failure();
  ModuleOp module = getOperation();
  auto request =
      ScheduleRequest::parse(schedule, &getContext(), getStart(module));
  if (failed(request) || failed(request->assign(module, &options->target)))
    return failure();
  if (failed(prepareBodies(module)))
    return failure();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!function.isExternal() && usesFields(function) &&
        failed(lower(function, *options)))
      return failure();
  return success();
}
