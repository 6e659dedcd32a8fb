//===- GPUToEmulator.cpp - Kernels to code of the CPU ---------------------===//
//
// Dissolves every gpu.module: its functions become functions of the program
// that call the emulator, one call per thread; its launches become launches of
// the image that describes them.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/IR/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_CONVERTGPUTOEMULATOR
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::emulator;

/// Reductions of a warp become shuffles, as on a GPU. (Upstream's lowering of
/// gpu.all_reduce is not used: several threads write the result.)
static LogicalResult lowerReductions(gpu::GPUModuleOp module,
                                     unsigned warpSize) {
  RewritePatternSet patterns(module.getContext());
  populateGpuGlobalIdPatterns(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns,
                                             /*maxShuffleBitwidth=*/64);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, warpSize,
                                                  /*shuffleBitwidth=*/64);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
      patterns, warpSize, /*shuffleBitwidth=*/64);
  return applyPatternsGreedily(module, std::move(patterns));
}

/// One address space, and no types that only nvgpu's ops have.
static void dropDeviceTypes(Operation *op) {
  // Between spaces that are now one.
  op->walk([](LLVM::AddrSpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
  MLIRContext *context = op->getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](Type type) -> std::optional<Type> {
    return llvm::TypeSwitch<Type, std::optional<Type>>(type)
        .Case<nvgpu::TensorMapDescriptorType, nvgpu::MBarrierGroupType,
              LLVM::LLVMPointerType>([&](Type) { return pointer; })
        .Case([&](nvgpu::MBarrierTokenType) {
          return IntegerType::get(context, 64);
        })
        .Case([&](nvgpu::DeviceAsyncTokenType) {
          return IntegerType::get(context, 32);
        })
        .Case([](MemRefType memref) { return withoutMemorySpace(memref); })
        .Case([](UnrankedMemRefType memref) {
          return UnrankedMemRefType::get(memref.getElementType(),
                                         /*memorySpace=*/0);
        })
        .Default(std::nullopt);
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

static bool isShared(memref::GlobalOp global) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(global.getType()) ||
         global.getType().getMemorySpaceAsInt() == 3;
}

namespace {

/// The conversion of one gpu.module.
class ModuleConversion {
public:
  ModuleConversion(ModuleOp module, gpu::GPUModuleOp kernels,
                   const Limits &limits, Emitter &emitter,
                   const LLVMTypeConverter &types)
      : module(module), kernels(kernels), limits(limits), emitter(emitter),
        types(types), symbols(module) {}

  LogicalResult run();

private:
  LogicalResult moveSymbols();
  LogicalResult convertOps(Operation *function, Context &context);
  Conversion convertGetGlobal(KernelWriter &b);

  ModuleOp module;
  gpu::GPUModuleOp kernels;
  const Limits &limits;
  Emitter &emitter;
  const LLVMTypeConverter &types;
  SymbolTable symbols;
  llvm::SmallVector<Kernel> table;
  /// Arrays in shared memory that are symbols of the module.
  llvm::StringMap<memref::GlobalOp> sharedGlobals;
  /// Their addresses in the kernel that is being converted.
  llvm::StringMap<Value> sharedAddresses;
  /// Functions that kernels call: what they need, their callers need.
  llvm::SmallVector<Operation *> helpers;
};

} // namespace

/// Takes everything but kernels out of the gpu.module.
LogicalResult ModuleConversion::moveSymbols() {
  for (Operation &op :
       llvm::make_early_inc_range(kernels.getBody()->getOperations())) {
    if (auto global = dyn_cast<memref::GlobalOp>(op);
        global && isShared(global)) {
      sharedGlobals[global.getSymName()] = global;
      continue;
    }
    auto function = dyn_cast<gpu::GPUFuncOp>(op);
    if (function && function.isKernel())
      continue;
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol || function)
      return op.emitOpError("expected a kernel, a func.func or memory in a "
                            "gpu.module: the emulator knows no other");
    StringAttr name = StringAttr::get(
        module.getContext(), kernels.getName() + "." + symbol.getName());
    if (failed(SymbolTable::replaceAllSymbolUses(symbol, name, kernels)))
      return op.emitOpError("expected uses of the symbol in functions only");
    symbol.setName(name);
    op.remove();
    symbols.insert(&op, module.getBody()->begin());
    SymbolTable::setSymbolVisibility(&op, SymbolTable::Visibility::Private);
    if (isa<FunctionOpInterface>(op)) {
      op.setAttr(kDeviceFunctionAttr, UnitAttr::get(op.getContext()));
      if (limits.warpSize == 32)
        op.setAttr(kRelaxedAttr, UnitAttr::get(op.getContext()));
      helpers.push_back(&op);
    } else {
      dropDeviceTypes(&op);
    }
  }
  return success();
}

/// memref.get_global of shared memory is an array of the kernel.
Conversion ModuleConversion::convertGetGlobal(KernelWriter &b) {
  auto get = dyn_cast<memref::GetGlobalOp>(b.op);
  auto found = get ? sharedGlobals.find(get.getName()) : sharedGlobals.end();
  if (found == sharedGlobals.end())
    return std::nullopt;
  auto function = dyn_cast<LLVM::LLVMFuncOp>(
      get->getParentOfType<FunctionOpInterface>().getOperation());
  if (!function)
    return get.emitOpError("expected shared memory to be used in kernels only");
  MemRefType type = withoutMemorySpace(found->second.getType());
  Value &address = sharedAddresses[get.getName()];
  if (!address) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getBody().front());
    address = b.sharedArray(b.getTotalBytes(type),
                            found->second.getAlignment().value_or(16));
  }
  return b.replace(b.makeMemRef(type, address));
}

LogicalResult ModuleConversion::convertOps(Operation *function,
                                           Context &context) {
  auto isWithin = [&](Operation *op) { return op != function; };
  for (Operation *op : listWithin(*function, isWithin)) {
    StringRef dialect = op->getName().getDialectNamespace();
    context.numTaken.clear();
    KernelWriter b(op, context);
    Conversion done;
    for (auto convert : {convertThreadOp, convertWarpOp, convertMatrixOp,
                         convertAsyncOp, convertBarrierOp, convertTmaOp})
      if (!done)
        done = convert(b);
    if (!done)
      done = convertGetGlobal(b);
    if (done && failed(*done))
      return failure();
    if (!done && (dialect == "gpu" || dialect == "nvgpu" || dialect == "nvvm" ||
                  dialect == "amdgpu" || dialect == "rocdl"))
      return op->emitOpError("expected an op that the emulator knows");
  }
  dropDeviceTypes(function);
  return success();
}

LogicalResult ModuleConversion::run() {
  if (failed(moveSymbols()))
    return failure();
  bool helpersUseFibers = false;
  for (Operation *helper : helpers) {
    Kernel asKernel;
    Context context{emitter, types, limits, asKernel};
    if (failed(convertOps(helper, context)))
      return failure();
    helpersUseFibers |= asKernel.usesFibers;
  }
  auto functions = llvm::to_vector(kernels.getOps<gpu::GPUFuncOp>());
  for (gpu::GPUFuncOp function : functions) {
    Kernel &kernel = table.emplace_back();
    kernel.name = function.getName().str();
    kernel.usesFibers = helpersUseFibers;
    std::string symbol = (kernels.getName() + "." + function.getName()).str();
    if (symbols.lookup(symbol))
      return function.emitOpError("expected no other symbol '")
             << symbol << "' in the program";
    Context context{emitter, types, limits, kernel};
    sharedAddresses.clear();
    kernel.symbol = symbol;
    LLVM::LLVMFuncOp converted = convertKernel(function, context, symbol);
    if (!converted || failed(convertOps(converted, context)))
      return failure();
  }
  if (failed(convertLaunches(module, kernels, table, limits, emitter)))
    return failure();
  kernels.erase();
  return success();
}

namespace {

class ConvertGPUToEmulator
    : public stencil::impl::ConvertGPUToEmulatorBase<ConvertGPUToEmulator> {
public:
  using ConvertGPUToEmulatorBase::ConvertGPUToEmulatorBase;

  void runOnOperation() override {
    FailureOr<Limits> limits = getLimits();
    if (failed(limits))
      return signalPassFailure();
    ModuleOp module = getOperation();
    Emitter emitter(module);
    LLVMTypeConverter types(&getContext());
    auto all = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp kernels : all) {
      ModuleConversion conversion(module, kernels, *limits, emitter, types);
      if (failed(lowerReductions(kernels, limits->warpSize)) ||
          failed(conversion.run()))
        return signalPassFailure();
    }
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    // Tools that do not know the dialect read the result.
    module->removeAttr(TargetAttr::kAttrName);
    // Not the declarations: the runtime's functions have no such interface.
    // They come first, so that `gpu-to-llvm` finds them.
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isExternal())
        function->moveBefore(module.getBody(), module.getBody()->begin());
      else if (function.isPublic())
        function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                          UnitAttr::get(&getContext()));
  }

private:
  /// Of the module's target, if it has one; options that are given prevail.
  FailureOr<Limits> getLimits() {
    Limits limits;
    limits.maxSharedBytes = uint64_t(227) * 1024;
    if (const TargetInfo *target = findTarget(getOperation()))
      limits = {target->warpSize, target->threadsPerBlock,
                target->sharedPerBlock};
    if (warpSize != 0)
      limits.warpSize = warpSize;
    if (sharedMemory != 0)
      limits.maxSharedBytes = sharedMemory;
    if (limits.warpSize != 32 && limits.warpSize != 64)
      return emitError(getStart(getOperation()))
             << "expected a warp-size of 32 or 64, got " << limits.warpSize;
    return limits;
  }
};

} // namespace
