//===- PlaceFields.cpp - Fields to memory of the device -------------------===//
//
//   func.func @f(%u: !stencil.field<...>) { ... stencil.launch @k args(%u) ...
//   }
//     ==> func.func @f(%u: memref<...>) {
//           ... memory on the device, copies to it
//           ... gpu.launch_func <%stream> @k ... args(%buffer)
//           ... copies back
//         }
//
// Nothing waits for the device but a stencil.fetch, whose result the host
// needs, and the end.
//
//===----------------------------------------------------------------------===//

#include "FieldFunction.h"
#include "HostFunction.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILPLACEFIELDS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct PlaceFields : stencil::impl::StencilPlaceFieldsBase<PlaceFields> {
  using StencilPlaceFieldsBase::StencilPlaceFieldsBase;

  void runOnOperation() override;

private:
  FailureOr<int32_t> chooseBackend();
  LogicalResult lower(func::FuncOp function, int32_t backend,
                      FunctionFacts facts);
  LogicalResult lowerBlock(Block &block, HostFunction &host);
  LogicalResult lowerOp(Operation *op, HostFunction &host);
};

} // namespace

/// As the runtime counts them.
FailureOr<int32_t> PlaceFields::chooseBackend() {
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return failure();
  return chooseGPUTarget((*target)->vendor, emulate).backend;
}

/// An op that names a field, or is between kernels and the program.
static LogicalResult lowerStencilOp(Operation *op, HostFunction &host) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp, CastOp, ExternalLoadOp, ExternalStoreOp, LaunchOp,
            ExtentOp, BufferSizeOp, TensorMapOp>(
          [&](auto each) { return stencil::lower(host, each); })
      .Case<ScratchOp, ErrorWordOp, FetchOp>(
          [&](auto memory) { return host.kernelMemory.lower(memory); })
      .Default([](Operation *other) {
        return other->emitOpError("has no GPU lowering");
      });
}

LogicalResult PlaceFields::lowerOp(Operation *op, HostFunction &host) {
  if (isa_and_nonnull<StencilDialect>(op->getDialect()))
    return lowerStencilOp(op, host);
  if (auto view = dyn_cast<UnrealizedConversionCastOp>(op))
    return lowerHostView(host, view);
  if (auto callOp = dyn_cast<func::CallOp>(op)) {
    // What another library does may be to look at the clock.
    if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            callOp, callOp.getCalleeAttr());
        callee && callee.isExternal() && !isRuntimeName(callee.getName())) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      host.stream.wait(b);
    }
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                  SmallVector<Type>(op->getResultTypes())))
      if (isa<FieldType>(type))
        return callOp.emitOpError("no GPU lowering for a call that passes "
                                  "fields and could not be inlined");
  }
  for (Value result : op->getResults())
    if (failed(host.fields.addCarried(result)))
      return failure();
  // Fields that control flow hands on, or uses, need their memory before it.
  bool needsMemory = false;
  op->walk([&](Operation *inner) {
    needsMemory |=
        isa_and_nonnull<StencilDialect>(inner->getDialect()) ||
        llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<FieldType>) ||
        (inner != op && host.fields.areUsedBy(inner));
  });
  if (needsMemory && !isa<func::ReturnOp>(op))
    host.fields.allocatePending(op);
  if (op->getNumRegions() == 0)
    lowerAccess(host, op);
  else
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          if (failed(host.fields.addCarried(argument)))
            return failure();
        if (failed(lowerBlock(block, host)))
          return failure();
      }
  return success();
}

LogicalResult PlaceFields::lowerBlock(Block &block, HostFunction &host) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (failed(lowerOp(&op, host)))
      return failure();
  }
  return success();
}

LogicalResult PlaceFields::lower(func::FuncOp function, int32_t backend,
                                 FunctionFacts facts) {
  if (failed(checkFieldFunction(function)))
    return failure();
  HostFunction host(function, std::move(facts));
  if (failed(enter(host, backend)) ||
      failed(lowerBlock(function.front(), host)) || failed(leave(host)))
    return failure();
  function->removeAttr(kMinimalExtentsAttr);
  function->removeAttr(kClearedRowsAttr);
  return success();
}

/// Whether a function has anything to do with fields.
static bool usesFields(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<FieldType>) ||
         anyWithin(function, [](Operation *op) {
           return isa_and_nonnull<StencilDialect>(op->getDialect()) ||
                  llvm::any_of(op->getOperandTypes(), llvm::IsaPred<FieldType>);
         });
}

void PlaceFields::runOnOperation() {
  auto backend = chooseBackend();
  if (failed(backend))
    return signalPassFailure();
  ModuleOp module = getOperation();
  FactsOfFunctions facts = collectFacts(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (usesFields(function) &&
        failed(lower(function, *backend, std::move(facts[function]))))
      return signalPassFailure();
    function->removeAttr(kDeviceArraysAttr);
  }
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(&getContext()));
}
