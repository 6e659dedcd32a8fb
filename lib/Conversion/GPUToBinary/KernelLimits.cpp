//===- KernelLimits.cpp - Whether kernels fit on a GPU --------------------===//

#include "KernelLimits.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

std::string stencil::describeSizes(ArrayRef<int64_t> sizes) {
  return llvm::join(
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }),
      " x ");
}

/// The product of sizes of at most 32 bits; saturated, since nobody has that
/// many.
static int64_t multiply(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(product, size, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

static LogicalResult checkBlock(Operation *op, ArrayRef<int64_t> block,
                                const TargetInfo &target) {
  int64_t threads = multiply(block);
  if (llvm::any_of(block, [](int64_t size) { return size < 1; }))
    return op->emitOpError() << "expected at least 1 thread along every axis "
                                "of a block, got "
                             << describeSizes(block);
  if (threads > target.threadsPerBlock)
    return op->emitOpError()
           << "expected at most " << target.threadsPerBlock
           << " threads in a block on " << target.chip << ", got " << threads
           << " (" << describeSizes(block) << ")";
  if (block[2] > target.threadsAlongZ)
    return op->emitOpError()
           << "expected at most " << target.threadsAlongZ
           << " threads along z on " << target.chip << ", got " << block[2];
  return success();
}

/// Bytes of a memref of static shape.
static uint64_t getByteSize(MemRefType type, const DataLayout &layout) {
  if (!type.hasStaticShape())
    return 0;
  return type.getNumElements() *
         layout.getTypeSize(type.getElementType()).getFixedValue();
}

/// Static shared memory: attributions, the globals that are used, mbarriers.
/// Alignment between them comes on top.
static uint64_t getSharedBytes(gpu::GPUFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  uint64_t bytes = 0;
  for (BlockArgument buffer : kernel.getWorkgroupAttributions())
    bytes += getByteSize(cast<MemRefType>(buffer.getType()), layout);
  kernel.walk([&](nvgpu::MBarrierCreateOp op) {
    bytes += op.getBarriers().getType().getNumBarriers() * sizeof(uint64_t);
  });
  llvm::SmallPtrSet<Attribute, 4> seen;
  kernel.walk([&](memref::GetGlobalOp op) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(op.getType()) &&
        seen.insert(op.getNameAttr()).second)
      bytes += getByteSize(op.getType(), layout);
  });
  return bytes;
}

/// Copies that the GPU has no instructions for.
static LogicalResult checkCopies(gpu::GPUFuncOp kernel,
                                 const TargetInfo &target) {
  auto check = [&](Operation *op, AsyncCopy kind, StringRef what) {
    if (target.hasAsyncCopy(kind))
      return WalkResult::advance();
    return WalkResult(op->emitOpError() << "expected a GPU with " << what
                                        << ", got " << target.chip);
  };
  return checkWithin(kernel, [&](Operation *op) {
    if (isa<nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp,
            nvgpu::MBarrierTryWaitParityOp, nvgpu::MBarrierArriveExpectTxOp>(
            op))
      return check(op, AsyncCopyTensor, "tensor copies (TMA), such as sm_90");
    if (isa<nvgpu::DeviceAsyncCopyOp>(op))
      return check(op, AsyncCopyElements,
                   "asynchronous copies (cp.async), such as sm_80");
    return WalkResult::advance();
  });
}

/// The value of an integer attribute, or of an array of one.
static std::optional<int64_t> getInteger(Operation *op, StringRef name) {
  if (auto value = op->getAttrOfType<IntegerAttr>(name))
    return value.getInt();
  return std::nullopt;
}

/// Arrays come as pointers.
static LogicalResult checkArguments(gpu::GPUFuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments().take_front(
           kernel.getFunctionType().getNumInputs())) {
    Type type = argument.getType();
    auto memref = dyn_cast<MemRefType>(type);
    if (!isa<BaseMemRefType>(type) ||
        (memref && memref.hasStaticShape() && memref.getLayout().isIdentity()))
      continue;
    return emitError(argument.getLoc())
           << "expected a memref argument of static shape and without a "
              "layout, got "
           << type;
  }
  return success();
}

LogicalResult stencil::checkKernelLimits(gpu::GPUFuncOp kernel,
                                         const TargetInfo &target) {
  if (failed(checkArguments(kernel)))
    return failure();
  int64_t threads = 1;
  if (std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize()) {
    SmallVector<int64_t> sizes(block->begin(), block->end());
    if (failed(checkBlock(kernel, sizes, target)))
      return failure();
    threads = multiply(sizes);
  }
  std::optional<int64_t> blocks =
      getInteger(kernel, NVVM::NVVMDialect::getMinctasmAttrName());
  int64_t most = target.threadsPerMultiprocessor;
  // A product would overflow.
  if (target.exact && blocks && *blocks > most / threads)
    return kernel.emitOpError()
           << "expected at most " << most << " threads on a multiprocessor of "
           << target.chip << ", got " << *blocks << " blocks of " << threads;
  std::optional<int64_t> registers =
      getInteger(kernel, NVVM::NVVMDialect::getMaxnregAttrName());
  if (registers && *registers > target.registersPerThread)
    return kernel.emitOpError()
           << "expected at most " << target.registersPerThread
           << " registers per thread on " << target.chip << ", got "
           << *registers;
  uint64_t shared = getSharedBytes(kernel);
  if (shared > target.staticSharedPerBlock)
    return kernel.emitOpError()
           << "expected at most " << target.staticSharedPerBlock
           << " bytes of static shared memory on " << target.chip << ", got "
           << shared;
  return checkCopies(kernel, target);
}

/// Constants among the sizes; nothing if one is not known.
static std::optional<SmallVector<int64_t>>
getConstants(const gpu::KernelDim3 &sizes) {
  return getConstantIntValues({sizes.x, sizes.y, sizes.z});
}

/// What the launch adds lies behind the static memory (aligned for NVIDIA as
/// stencil-declare-dynamic-memory says).
static LogicalResult checkDynamicShared(gpu::LaunchFuncOp launch,
                                        const TargetInfo &target) {
  APInt dynamic;
  if (!launch.getDynamicSharedMemorySize() ||
      !matchPattern(launch.getDynamicSharedMemorySize(),
                    m_ConstantInt(&dynamic)))
    return success();
  if (dynamic.isNegative())
    return launch.emitOpError("expected 0 or more bytes of dynamic shared "
                              "memory, got ")
           << dynamic.getSExtValue();
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  constexpr uint64_t alignment = 128;
  uint64_t own = kernel ? llvm::alignTo(getSharedBytes(kernel), alignment) : 0;
  uint64_t total = own + dynamic.getZExtValue();
  if (total <= target.sharedPerBlock)
    return success();
  auto diagnostic = launch.emitOpError("expected at most ")
                    << target.sharedPerBlock
                    << " bytes of shared memory per block on " << target.chip
                    << ", got " << total;
  if (own)
    diagnostic << " (static " << own << ", dynamic " << dynamic.getZExtValue()
               << ")";
  if (kernel)
    diagnostic.attachNote(kernel.getLoc()) << "the kernel is here";
  return diagnostic;
}

LogicalResult stencil::checkLaunchLimits(gpu::LaunchFuncOp launch,
                                         const TargetInfo &target) {
  if (auto block = getConstants(launch.getBlockSizeOperandValues()))
    if (failed(checkBlock(launch, *block, target)))
      return failure();
  if (auto grid = getConstants(launch.getGridSizeOperandValues())) {
    // Along x a grid can be long; HIP counts threads in 32 bits.
    if ((*grid)[1] > 65535 || (*grid)[2] > 65535 || (*grid)[0] > 2147483647)
      return launch.emitOpError()
             << "expected a grid of at most 2147483647 x 65535 x 65535 blocks, "
                "got "
             << describeSizes(*grid);
  }
  return checkDynamicShared(launch, target);
}
