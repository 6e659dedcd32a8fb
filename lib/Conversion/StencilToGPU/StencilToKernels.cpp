//===- StencilToGPU.cpp - Bufferised programs to kernels ------------------===//
//
//   func.func @f(%u: !stencil.field<...>) { ... stencil.apply ... }
//     ==> gpu.module @f_kernels { gpu.func @f_apply0(...) kernel { ... } }
//         func.func @f(%u: memref<...>) {
//           ... memory on the device, copies to it
//           ... gpu.launch_func <%stream> @f_kernels::@f_apply0 ...
//           ... copies back
//         }
//
// The control flow of the program stays on the host, which only launches:
// nothing waits for the device but a fold whose result it needs, and the end.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PipelineKernel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Target.h"
#include "TileKernel.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_CONVERTSTENCILTOGPU
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct StencilToGPU : stencil::impl::ConvertStencilToGPUBase<StencilToGPU> {
  using ConvertStencilToGPUBase::ConvertStencilToGPUBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  FailureOr<GPULoweringOptions> readOptions();
  LogicalResult lower(func::FuncOp function, const GPULoweringOptions &options,
                      FunctionFacts facts);
  LogicalResult lowerBlock(Block &block, HostFunction &host);
  LogicalResult lowerOp(Operation *op, HostFunction &host);

  /// Boundary ops that the kernel of an earlier op stands for.
  SmallPtrSet<Operation *, 16> joined;
};

} // namespace

FailureOr<GPULoweringOptions> StencilToGPU::readOptions() {
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return failure();
  GPULoweringOptions options{**target, 0, math};
  options.backend = emulate ? 2 : options.target.vendor == GPUVendor::AMD;
  return options;
}

LogicalResult StencilToGPU::lowerOp(Operation *op, HostFunction &host) {
  if (auto alloc = dyn_cast<AllocOp>(op))
    return host.lowerAlloc(alloc);
  if (auto castOp = dyn_cast<CastOp>(op))
    return host.lowerCast(castOp);
  if (auto load = dyn_cast<ExternalLoadOp>(op))
    return host.lowerExternalLoad(load);
  if (auto store = dyn_cast<ExternalStoreOp>(op))
    return host.lowerExternalStore(store);
  if (auto view = dyn_cast<UnrealizedConversionCastOp>(op))
    return host.lowerHostView(view);
  if (isa_and_nonnull<StencilDialect>(op->getDialect())) {
    host.allocatePending(op);
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case(
                [&](ApplyOp apply) { return lowerApply(apply, host, joined); })
            .Case([&](PipelineOp pipeline) {
              return lowerPipeline(pipeline, host);
            })
            .Case([&](BoundaryOp boundary) {
              return lowerBoundary(boundary, host, joined);
            })
            .Case([&](FoldOp fold) { return lowerFold(fold, host); })
            .Default([](Operation *other) {
              return other->emitOpError("has no GPU lowering");
            });
    if (succeeded(result))
      op->erase();
    return result;
  }
  if (auto kernel = dyn_cast<tile::KernelOp>(op)) {
    host.allocatePending(op);
    LogicalResult result = lowerTileKernel(kernel, host);
    if (succeeded(result))
      op->erase();
    return result;
  }
  if (auto callOp = dyn_cast<func::CallOp>(op)) {
    // What another library does may be to look at the clock.
    if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            callOp, callOp.getCalleeAttr());
        callee && callee.isExternal() && !isRuntimeName(callee.getName()))
      host.waitForDevice(op);
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                  SmallVector<Type>(op->getResultTypes())))
      if (isa<FieldType>(type))
        return callOp.emitOpError("no GPU lowering for a call that passes "
                                  "fields and could not be inlined");
  }
  for (Value result : op->getResults())
    if (failed(host.addCarried(result)))
      return failure();
  // Fields that control flow hands on, or uses, need their memory before it.
  bool usesFields = false;
  op->walk([&](Operation *inner) {
    usesFields |=
        isa_and_nonnull<StencilDialect>(inner->getDialect()) ||
        llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<FieldType>) ||
        (inner != op && host.usesMemory(inner));
  });
  if (usesFields && !isa<func::ReturnOp>(op))
    host.allocatePending(op);
  if (op->getNumRegions() == 0)
    host.lowerAccess(op);
  else
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          if (failed(host.addCarried(argument)))
            return failure();
        if (failed(lowerBlock(block, host)))
          return failure();
      }
  return success();
}

LogicalResult StencilToGPU::lowerBlock(Block &block, HostFunction &host) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (failed(lowerOp(&op, host)))
      return failure();
  }
  return success();
}

LogicalResult StencilToGPU::lower(func::FuncOp function,
                                  const GPULoweringOptions &options,
                                  FunctionFacts facts) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("no GPU lowering for a function with branches; "
                              "structured control flow has one");
  OpBuilder builder(function);
  auto kernels = gpu::GPUModuleOp::create(
      builder, function.getLoc(), (function.getName() + "_kernels").str());
  HostFunction host(function, kernels, options, std::move(facts));
  if (failed(host.enter()) || failed(lowerBlock(function.front(), host)) ||
      failed(host.leave()))
    return failure();
  function->removeAttr(kMinimalExtentsAttr);
  if (kernels.getBody()->empty())
    kernels.erase();
  return success();
}

LogicalResult StencilToGPU::run() {
  auto options = readOptions();
  if (failed(options))
    return failure();
  ModuleOp module = getOperation();
  auto request =
      ScheduleRequest::parse(schedule, &getContext(), getStart(module));
  if (failed(request) || failed(request->assign(module, &options->target)))
    return failure();
  auto calls = module.walk([&](func::CallOp call) {
    if (!call->getParentOfType<ApplyOp>())
      return WalkResult::advance();
    call.emitOpError("no GPU lowering for a call that could not be inlined: "
                     "expected '")
        << call.getCallee() << "' to have a body of one block";
    return WalkResult::interrupt();
  });
  if (calls.wasInterrupted())
    return failure();
  module.walk([](ApplyOp apply) { splitAxes(apply); });
  FactsOfFunctions facts = collectFacts(module);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isExternal())
      continue;
    bool usesFields = false;
    function.walk([&](Operation *op) {
      usesFields |= isa_and_nonnull<StencilDialect>(op->getDialect());
      for (Value operand : op->getOperands())
        usesFields |= isa<FieldType>(operand.getType());
    });
    usesFields |=
        llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<FieldType>);
    if (usesFields &&
        failed(lower(function, *options, std::move(facts[function]))))
      return failure();
    function->removeAttr(kDeviceArraysAttr);
  }
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(&getContext()));
  return success();
}
