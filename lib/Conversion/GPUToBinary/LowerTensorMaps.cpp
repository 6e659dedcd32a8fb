//===- LowerTensorMaps.cpp - Descriptors of TMA as arguments --------------===//
//
// Upstream's lowering of nvgpu.tma.create.descriptor puts every descriptor into
// device memory, which nobody frees, and waits for the device: no use in a time
// loop or in a graph. Here the host writes it on its stack, and the launch
// takes a copy of its 128 bytes.
//
//===----------------------------------------------------------------------===//

#include "KernelLimits.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Diagnostics.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWERTENSORMAPS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// cuTensorMapEncodeTiled, CUDA driver API.
static constexpr int64_t kMaxRank = 5, kMaxBox = 256, kGranule = 16;

/// CUtensorMap: 128 bytes that lie at a multiple of 64.
static Type getMapType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 64), 16);
}
static constexpr unsigned kMapAlignment = 64;

/// CUtensorMapDataType of an element; of integers only the size counts.
static std::optional<int32_t> getDataType(Type type) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 8;
  if (type.isBF16())
    return 9;
  if (type.isInteger(8))
    return 0;
  if (type.isInteger(16))
    return 1;
  if (type.isInteger(32))
    return 2;
  if (type.isInteger(64))
    return 4;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What a descriptor may be
//===----------------------------------------------------------------------===//

/// The memref that is described.
static FailureOr<TypedValue<MemRefType>>
getTensor(nvgpu::TmaCreateDescriptorOp op) {
  auto cast = op.getTensor().getDefiningOp<memref::CastOp>();
  if (cast && isa<MemRefType>(cast.getSource().getType()))
    return mlir::cast<TypedValue<MemRefType>>(cast.getSource());
  return op.emitOpError("expected a memref.cast of a memref of known rank");
}

/// The box is written twice: in the type, for the kernel, and as operands.
static LogicalResult checkBox(nvgpu::TmaCreateDescriptorOp op) {
  ArrayRef<int64_t> shape = op.getTensorMap().getType().getTensor().getShape();
  auto box = getConstantIntValues(getAsOpFoldResult(op.getBoxDimensions()));
  if (!box)
    return op.emitOpError("expected a box of constant sizes");
  if (ArrayRef<int64_t>(*box) != shape)
    return op.emitOpError("expected the box of the descriptor's type, ")
           << describeSizes(shape) << ", got " << describeSizes(*box);
  if (llvm::any_of(*box, [](int64_t n) { return n < 1 || n > kMaxBox; }))
    return op.emitOpError("expected a box of 1 to ")
           << kMaxBox << " elements along every axis, got "
           << describeSizes(*box);
  return success();
}

/// What is known now; mgpuTensorMapEncodeTiled checks the rest.
static LogicalResult checkTensor(nvgpu::TmaCreateDescriptorOp op,
                                 MemRefType type) {
  MemRefType box = op.getTensorMap().getType().getTensor();
  if (type.getRank() != box.getRank() || type.getRank() < 1 ||
      type.getRank() > kMaxRank)
    return op.emitOpError("expected a tensor of 1 to ")
           << kMaxRank << " axes, as many as the box has, got "
           << type.getRank() << " and " << box.getRank();
  if (type.getElementType() != box.getElementType() ||
      !getDataType(type.getElementType()))
    return op.emitOpError("expected elements of f16, bf16, f32, f64, i8, i16, "
                          "i32 or i64 in tensor and box, got ")
           << type.getElementType() << " and " << box.getElementType();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  if (box.getShape().back() * bytes % kGranule)
    return op.emitOpError("expected rows of the box of a multiple of ")
           << kGranule << " bytes, got " << box.getShape().back() * bytes;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return op.emitOpError("expected a tensor with rows without gaps, got ")
           << type;
  for (int64_t stride : ArrayRef(strides).drop_back())
    if (!ShapedType::isDynamic(stride) && stride * bytes % kGranule)
      return op.emitOpError("expected strides that are multiples of ")
             << kGranule << " bytes, got " << stride * bytes;
  return success();
}

//===----------------------------------------------------------------------===//
// The host's side
//===----------------------------------------------------------------------===//

namespace {

/// Writes the descriptors of a function.
class Encoder : public ImplicitLocOpBuilder {
public:
  Encoder(nvgpu::TmaCreateDescriptorOp op, TypedValue<MemRefType> tensor)
      : ImplicitLocOpBuilder(op.getLoc(), op), op(op), tensor(tensor),
        rank(tensor.getType().getRank()),
        bytes(tensor.getType().getElementTypeBitWidth() / 8) {}

  /// The 128 bytes, as a value.
  Value encode();

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(*this, getIntegerAttr(type, value));
  }
  Value i32(int64_t value) { return constant(getI32Type(), value); }
  Value toI64(Value index) {
    return arith::IndexCastOp::create(*this, getI64Type(), index);
  }
  Value scale(Value index) {
    return arith::MulIOp::create(*this, index, constant(getIndexType(), bytes));
  }
  /// Memory of the function, the same in every step of a loop.
  Value allocate(Type type, unsigned alignment);
  /// The address of an array of `values`, fastest axis first; of at least one.
  Value spill(ArrayRef<Value> values, Type element);
  Value getAddress(memref::ExtractStridedMetadataOp metadata);

  nvgpu::TmaCreateDescriptorOp op;
  TypedValue<MemRefType> tensor;
  int64_t rank, bytes;
  Type ptr = LLVM::LLVMPointerType::get(getContext());
};

} // namespace

Value Encoder::allocate(Type type, unsigned alignment) {
  InsertionGuard guard(*this);
  auto function = op->getParentOfType<FunctionOpInterface>();
  setInsertionPointToStart(&function.getFunctionBody().front());
  return LLVM::AllocaOp::create(*this, ptr, type, i32(1), alignment);
}

Value Encoder::spill(ArrayRef<Value> values, Type element) {
  Value array = allocate(
      LLVM::LLVMArrayType::get(element, std::max<size_t>(values.size(), 1)), 8);
  for (auto [i, value] : llvm::enumerate(llvm::reverse(values))) {
    Value at = LLVM::GEPOp::create(*this, ptr, element, array,
                                   LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(*this, value, at);
  }
  return array;
}

Value Encoder::getAddress(memref::ExtractStridedMetadataOp metadata) {
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(*this, tensor);
  Value address =
      arith::AddIOp::create(*this, base, scale(metadata.getOffset()));
  return LLVM::IntToPtrOp::create(*this, ptr, toI64(address));
}

Value Encoder::encode() {
  Type type32 = getI32Type(), type64 = getI64Type();
  nvgpu::TensorMapDescriptorType type = op.getTensorMap().getType();
  auto metadata = memref::ExtractStridedMetadataOp::create(*this, tensor);
  SmallVector<Value> extents, strides, box, steps;
  for (int64_t i = 0; i < rank; ++i) {
    extents.push_back(toI64(metadata.getSizes()[i]));
    if (i + 1 < rank)
      strides.push_back(toI64(scale(metadata.getStrides()[i])));
    box.push_back(i32(type.getTensor().getShape()[i]));
    steps.push_back(i32(1));
  }
  Value map = allocate(getMapType(getContext()), kMapAlignment);
  auto number = [&](auto kind) { return i32(static_cast<int32_t>(kind)); };
  callRuntime(*this, "mgpuTensorMapEncodeTiled", {},
              {map, i32(*getDataType(type.getTensor().getElementType())),
               i32(rank), getAddress(metadata), spill(extents, type64),
               spill(strides, type64), spill(box, type32), spill(steps, type32),
               number(type.getInterleave()), number(type.getSwizzle()),
               number(type.getL2promo()), number(type.getOob())});
  return LLVM::LoadOp::create(*this, getMapType(getContext()), map,
                              kMapAlignment);
}

static LogicalResult lowerDescriptor(nvgpu::TmaCreateDescriptorOp op) {
  for (Operation *user : op->getUsers())
    if (!isa<gpu::LaunchFuncOp>(user))
      return withNote(
          op.emitOpError(
              "expected the descriptor to be an operand of launches only"),
          user->getLoc(), "here it is used otherwise");
  if (!op->getParentOfType<FunctionOpInterface>())
    return op.emitOpError("expected to be in a function");
  FailureOr<TypedValue<MemRefType>> tensor = getTensor(op);
  if (failed(tensor) || failed(checkTensor(op, tensor->getType())) ||
      failed(checkBox(op)))
    return failure();
  op->replaceAllUsesWith(ValueRange(Encoder(op, *tensor).encode()));
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The kernels' side
//===----------------------------------------------------------------------===//

/// Makes the arguments arrays, and casts them back for the body.
static void lowerArguments(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  FunctionType type = kernel.getFunctionType();
  SmallVector<Type> inputs(type.getInputs());
  for (unsigned i = 0; i < inputs.size(); ++i) {
    if (!isa<nvgpu::TensorMapDescriptorType>(inputs[i]))
      continue;
    BlockArgument argument = entry.getArgument(i);
    inputs[i] = getMapType(kernel.getContext());
    auto cast = UnrealizedConversionCastOp::create(
        builder, argument.getLoc(), argument.getType(), argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
    argument.setType(inputs[i]);
  }
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), inputs, type.getResults()));
}

namespace {

struct LowerTensorMaps
    : stencil::impl::StencilLowerTensorMapsBase<LowerTensorMaps> {
  void runOnOperation() override {
    for (auto op : listWithin<nvgpu::TmaCreateDescriptorOp>(getOperation()))
      if (failed(lowerDescriptor(op)))
        return signalPassFailure();
    auto checkLaunch = [](gpu::LaunchFuncOp launch) -> LogicalResult {
      for (Value operand : launch.getKernelOperands())
        if (isa<nvgpu::TensorMapDescriptorType>(operand.getType()))
          return launch.emitOpError("expected the result of "
                                    "nvgpu.tma.create.descriptor as operand, "
                                    "got another value of ")
                 << operand.getType();
      return success();
    };
    if (failed(checkWithin(getOperation(), checkLaunch)))
      return signalPassFailure();
    getOperation().walk([](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        lowerArguments(kernel);
    });
  }
};

} // namespace
