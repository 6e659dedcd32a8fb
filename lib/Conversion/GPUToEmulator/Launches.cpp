//===- Launches.cpp - Images of kernels, and their launches ---------------===//
//
// The image of gpu.module @m (EmulatorImage.h) is the constant @m.image. For
// each kernel a function @m.k.handle loads the image and looks the kernel up
// when it is called first; gpu.launch_func becomes
//
//   mgpuLaunchKernel(m.k.handle(), grid, block, shared, stream, params)
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilRuntime/EmulatorImage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil::emulator;

namespace {

/// Adds to the end of the program what all threads share.
class ImageWriter : public Writer {
public:
  ImageWriter(ModuleOp module, Emitter &emitter)
      : Writer(emitter, module.getLoc(),
               OpBuilder::atBlockEnd(module.getBody())) {}

  /// A variable with the value that `make` builds.
  void addVariable(StringRef name, Type type, bool isConstant,
                   llvm::function_ref<Value(Writer &)> make) {
    auto global = LLVM::GlobalOp::create(
        *this, type, isConstant, LLVM::Linkage::Internal, name, Attribute());
    Writer inner(
        emitter, getLoc(),
        OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock()));
    LLVM::ReturnOp::create(inner, make(inner));
  }

  /// The address of an array of 64-bit words; null if there are none.
  Value addWords(Writer &user, StringRef name, ArrayRef<uint64_t> words) {
    if (words.empty())
      return LLVM::ZeroOp::create(user, ptrType);
    llvm::SmallVector<int64_t> values(words.begin(), words.end());
    auto type = LLVM::LLVMArrayType::get(getI64Type(), values.size());
    LLVM::GlobalOp::create(*this, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name,
                           getI64TensorAttr(values));
    return LLVM::AddressOfOp::create(user, ptrType, name);
  }

  /// A function that returns the pointer in the variable NAME.cache, and gives
  /// it the value that `make` builds if it is null.
  void addCached(const std::string &name,
                 llvm::function_ref<Value(Writer &)> make);
};

} // namespace

/// A struct or an array of the values.
static Value makeAggregate(Writer &b, Type type, ValueRange values) {
  Value result = LLVM::UndefOp::create(b, type);
  for (auto [i, value] : llvm::enumerate(values))
    result = LLVM::InsertValueOp::create(b, result, value, i);
  return result;
}

static LLVM::LLVMStructType getKernelType(Writer &b) {
  Type ptr = b.ptrType, i32 = b.getI32Type();
  return LLVM::LLVMStructType::getLiteral(
      b.getContext(), {ptr, ptr, ptr, ptr, i32, i32, i32, i32});
}

/// One EmulatorKernel.
static Value makeKernel(Writer &b, const Kernel &kernel, StringRef prefix,
                        ImageWriter &image) {
  llvm::SmallVector<uint64_t> arrays;
  for (auto [bytes, alignment] : kernel.arrays)
    arrays.append({bytes, alignment});
  std::string base = (prefix + "." + kernel.name).str();
  Value fields[] = {b.text(kernel.name),
                    LLVM::AddressOfOp::create(b, b.ptrType, kernel.symbol),
                    image.addWords(b, base + ".arrays", arrays),
                    image.addWords(b, base + ".params", kernel.paramBytes),
                    b.i32(kernel.arrays.size()),
                    b.i32(kernel.paramBytes.size()),
                    b.i32(kernel.usesFibers),
                    b.i32(0)};
  return makeAggregate(b, getKernelType(b), fields);
}

/// The image of all kernels of a module.
static void addImage(StringRef name, ArrayRef<Kernel> table,
                     const Limits &limits, ImageWriter &image) {
  std::string tableName = (name + ".table").str();
  auto tableType = LLVM::LLVMArrayType::get(getKernelType(image), table.size());
  image.addVariable(tableName, tableType, /*isConstant=*/true,
                    [&](Writer &b) -> Value {
                      Value array = LLVM::UndefOp::create(b, tableType);
                      for (auto [i, kernel] : llvm::enumerate(table)) {
                        Value row = makeKernel(b, kernel, name, image);
                        array = LLVM::InsertValueOp::create(b, array, row, i);
                      }
                      return array;
                    });
  Type i32 = image.getI32Type(), i64 = image.getI64Type();
  auto magicType = LLVM::LLVMArrayType::get(image.getI8Type(), 16);
  auto imageType = LLVM::LLVMStructType::getLiteral(
      image.getContext(), {magicType, i32, i32, i64, i64, image.ptrType, i64});
  image.addVariable(
      (name + ".image").str(), imageType, /*isConstant=*/true, [&](Writer &b) {
        StringRef magic(stencil::runtime::kEmulatorImageMagic,
                        sizeof(stencil::runtime::kEmulatorImageMagic));
        Value fields[] = {
            LLVM::ConstantOp::create(b, magicType, b.getStringAttr(magic)),
            b.i32(stencil::runtime::kEmulatorVersion),
            b.i32(limits.warpSize),
            b.i64(limits.maxThreads),
            b.i64(limits.maxSharedBytes),
            LLVM::AddressOfOp::create(b, b.ptrType, tableName),
            b.i64(table.size())};
        return makeAggregate(b, imageType, fields);
      });
}

void ImageWriter::addCached(const std::string &name,
                            llvm::function_ref<Value(Writer &)> make) {
  std::string cache = name + ".cache";
  addVariable(cache, ptrType, /*isConstant=*/false, [](Writer &b) -> Value {
    return LLVM::ZeroOp::create(b, b.ptrType);
  });
  auto function = LLVM::LLVMFuncOp::create(
      *this, name, LLVM::LLVMFunctionType::get(ptrType, {}),
      LLVM::Linkage::Internal);
  Writer b(emitter, getLoc(), getContext());
  Block *entry = b.createBlock(&function.getBody());
  Block *first = b.createBlock(&function.getBody());
  Block *done =
      b.createBlock(&function.getBody(), {}, Type(ptrType), b.getLoc());
  b.setInsertionPointToEnd(entry);
  Value address = LLVM::AddressOfOp::create(b, ptrType, cache);
  Value known = LLVM::LoadOp::create(b, ptrType, address);
  Value null = LLVM::ZeroOp::create(b, ptrType);
  Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, known, null);
  LLVM::CondBrOp::create(b, isNull, first, ValueRange(), done,
                         ValueRange(known));
  b.setInsertionPointToEnd(first);
  Value made = make(b);
  b.store(made, address);
  LLVM::BrOp::create(b, ValueRange(made), done);
  b.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(b, done->getArgument(0));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The value of a kernel's operand as it is passed: a bare pointer for a
/// memref, 64 bits for an index.
static Value lowerOperand(Writer &b, Value operand) {
  if (isa<MemRefType>(operand.getType())) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, operand);
    return LLVM::IntToPtrOp::create(b, b.ptrType, b.toI64(address));
  }
  if (operand.getType().isIndex())
    return b.toI64(operand);
  return LLVM::isCompatibleType(operand.getType())
             ? operand
             : b.castTo(b.ptrType, operand);
}

static LogicalResult convertLaunch(gpu::LaunchFuncOp launch, StringRef handle,
                                   Emitter &emitter) {
  Writer b(emitter, launch.getLoc(), launch);
  if (launch.hasClusterSize())
    return launch.emitOpError("expected no cluster of blocks: the emulator has "
                              "none");
  if (!launch->getParentOfType<FunctionOpInterface>())
    return launch.emitOpError("expected to be in a function");

  OperandRange operands = launch.getKernelOperands();
  Value params =
      b.reserve(LLVM::LLVMArrayType::get(b.ptrType, operands.size()));
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value lowered = lowerOperand(b, operand);
    Value value = b.store(lowered, b.reserve(lowered.getType()));
    b.store(value, b.element(params, b.ptrType, static_cast<int32_t>(i)));
  }
  // The emulator's streams are synchronous: the operand tokens are waited for,
  // and a new token is ready at once.
  if (!launch.getAsyncDependencies().empty())
    gpu::WaitOp::create(b, /*asyncToken=*/Type(),
                        launch.getAsyncDependencies());
  Value null = LLVM::ZeroOp::create(b, b.ptrType);
  Value stream = launch.getAsyncObject();
  stream = stream ? b.castTo(b.ptrType, stream) : null;
  Value shared = launch.getDynamicSharedMemorySize();
  llvm::SmallVector<Value> arguments = {b.call(handle, b.ptrType, {})};
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    arguments.push_back(
        size.getType().isInteger(32)
            ? arith::ExtUIOp::create(b, b.getI64Type(), size).getResult()
            : b.toI64(size));
  arguments.append({shared ? shared : b.i32(0), stream, params, null,
                    b.i64(operands.size())});
  b.call("mgpuLaunchKernel", Type(), arguments);
  if (Value token = launch.getAsyncToken()) {
    auto wait = gpu::WaitOp::create(b, token.getType(), ValueRange());
    token.replaceAllUsesWith(wait.getAsyncToken());
  }
  launch.erase();
  return success();
}

LogicalResult stencil::emulator::convertLaunches(ModuleOp module,
                                                 gpu::GPUModuleOp kernels,
                                                 ArrayRef<Kernel> table,
                                                 const Limits &limits,
                                                 Emitter &emitter) {
  std::string name = kernels.getName().str();
  ImageWriter image(module, emitter);
  addImage(name, table, limits, image);
  image.addCached(name + ".module", [&](Writer &b) {
    Value address = LLVM::AddressOfOp::create(b, b.ptrType, name + ".image");
    Value bytes = b.i64(sizeof(stencil::runtime::EmulatorImage));
    return b.call("mgpuModuleLoad", b.ptrType, {address, bytes});
  });
  for (const Kernel &kernel : table)
    image.addCached(name + "." + kernel.name + ".handle", [&](Writer &b) {
      Value loaded = b.call(name + ".module", b.ptrType, {});
      return b.call("mgpuModuleGetFunction", b.ptrType,
                    {loaded, b.text(kernel.name)});
    });

  auto isOfModule = [&](gpu::LaunchFuncOp launch) {
    return launch.getKernelModuleName() == name;
  };
  for (gpu::LaunchFuncOp launch : stencil::listWithin(module, isOfModule)) {
    const auto *kernel = llvm::find_if(table, [&](const Kernel &entry) {
      return entry.name == launch.getKernelName();
    });
    if (kernel == table.end())
      return launch.emitOpError("expected a kernel of gpu.module '")
             << name << "', got '" << launch.getKernelName() << "'";
    if (failed(convertLaunch(launch, name + "." + kernel->name + ".handle",
                             emitter)))
      return failure();
  }
  return success();
}
