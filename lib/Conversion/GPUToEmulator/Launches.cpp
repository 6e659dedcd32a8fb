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
#include "StencilRuntime/EmulatorImage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil::emulator;

namespace {

/// Writes constants of the program.
class ImageWriter {
public:
  ImageWriter(ModuleOp module, Emitter &emitter)
      : emitter(emitter), builder(module.getContext()),
        location(module.getLoc()) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  /// A constant of `type` with the value that `make` builds.
  LLVM::GlobalOp
  addConstant(StringRef name, Type type,
              llvm::function_ref<Value(OpBuilder &, Location)> make) {
    auto global =
        LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/true,
                               LLVM::Linkage::Internal, name, Attribute());
    OpBuilder inner =
        OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
    LLVM::ReturnOp::create(inner, location, make(inner, location));
    return global;
  }

  /// A variable for a pointer, null at first.
  void addVariable(StringRef name) {
    auto global = LLVM::GlobalOp::create(
        builder, location, emitter.getPtrType(), /*isConstant=*/false,
        LLVM::Linkage::Internal, name, Attribute());
    OpBuilder inner =
        OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
    Value null = LLVM::ZeroOp::create(inner, location, emitter.getPtrType());
    LLVM::ReturnOp::create(inner, location, null);
  }

  /// A struct of the values.
  Value makeStruct(OpBuilder &builder, LLVM::LLVMStructType type,
                   ValueRange values) {
    Value result = LLVM::UndefOp::create(builder, location, type);
    for (auto [i, value] : llvm::enumerate(values))
      result = LLVM::InsertValueOp::create(builder, location, result, value, i);
    return result;
  }

  /// The address of an array of 64-bit words; null if there are none.
  Value addWords(OpBuilder &user, StringRef name, ArrayRef<uint64_t> words) {
    Type ptrType = emitter.getPtrType();
    if (words.empty())
      return LLVM::ZeroOp::create(user, location, ptrType);
    llvm::SmallVector<int64_t> values(words.begin(), words.end());
    auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), values.size());
    LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name,
                           builder.getI64TensorAttr(values));
    return LLVM::AddressOfOp::create(user, location, ptrType, name);
  }

  OpBuilder &getBuilder() { return builder; }
  Location getLocation() { return location; }

private:
  Emitter &emitter;
  OpBuilder builder;
  Location location;
};

} // namespace

static LLVM::LLVMStructType getKernelType(Emitter &emitter) {
  MLIRContext *context = emitter.getContext();
  Type ptr = emitter.getPtrType();
  Type i32 = IntegerType::get(context, 32);
  return LLVM::LLVMStructType::getLiteral(
      context, {ptr, ptr, ptr, ptr, i32, i32, i32, i32});
}

/// One EmulatorKernel.
static Value makeKernel(OpBuilder &builder, const Kernel &kernel,
                        StringRef prefix, ImageWriter &writer,
                        Emitter &emitter) {
  Location location = writer.getLocation();
  llvm::SmallVector<uint64_t> arrays;
  for (auto [bytes, alignment] : kernel.arrays)
    arrays.append({bytes, alignment});
  std::string base = (prefix + "." + kernel.name).str();
  Value fields[] = {
      emitter.text(builder, location, kernel.name),
      LLVM::AddressOfOp::create(builder, location, emitter.getPtrType(),
                                kernel.symbol),
      writer.addWords(builder, base + ".arrays", arrays),
      writer.addWords(builder, base + ".params", kernel.paramBytes),
      emitter.i32(builder, location, kernel.arrays.size()),
      emitter.i32(builder, location, kernel.paramBytes.size()),
      emitter.i32(builder, location, kernel.usesFibers),
      emitter.i32(builder, location, 0)};
  return writer.makeStruct(builder, getKernelType(emitter), fields);
}

/// The image of all kernels of a module; returns its size in bytes.
static uint64_t addImage(StringRef name, ArrayRef<Kernel> table,
                         const Limits &limits, ImageWriter &writer,
                         Emitter &emitter) {
  MLIRContext *context = emitter.getContext();
  auto tableType =
      LLVM::LLVMArrayType::get(getKernelType(emitter), table.size());
  writer.addConstant(
      (name + ".table").str(), tableType,
      [&](OpBuilder &builder, Location location) -> Value {
        Value array = LLVM::UndefOp::create(builder, location, tableType);
        for (auto [i, kernel] : llvm::enumerate(table)) {
          Value row = makeKernel(builder, kernel, name, writer, emitter);
          array = LLVM::InsertValueOp::create(builder, location, array, row, i);
        }
        return array;
      });
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);
  auto magicType = LLVM::LLVMArrayType::get(IntegerType::get(context, 8), 16);
  auto imageType = LLVM::LLVMStructType::getLiteral(
      context, {magicType, i32, i32, i64, i64, emitter.getPtrType(), i64});
  writer.addConstant(
      (name + ".image").str(), imageType,
      [&](OpBuilder &builder, Location location) {
        StringRef magic(stencil::runtime::kEmulatorImageMagic,
                        sizeof(stencil::runtime::kEmulatorImageMagic));
        Value fields[] = {
            LLVM::ConstantOp::create(builder, location, magicType,
                                     builder.getStringAttr(magic)),
            emitter.i32(builder, location, stencil::runtime::kEmulatorVersion),
            emitter.i32(builder, location, limits.warpSize),
            emitter.i64(builder, location, limits.maxThreads),
            emitter.i64(builder, location, limits.maxSharedBytes),
            LLVM::AddressOfOp::create(builder, location, emitter.getPtrType(),
                                      (name + ".table").str()),
            emitter.i64(builder, location, table.size())};
        return writer.makeStruct(builder, imageType, fields);
      });
  return sizeof(stencil::runtime::EmulatorImage);
}

/// A function that returns the pointer in the variable NAME.cache, and gives it
/// the value that `make` builds if it is null.
static void addCached(std::string name, ImageWriter &writer, Emitter &emitter,
                      llvm::function_ref<Value(OpBuilder &, Location)> make) {
  std::string cache = name + ".cache";
  writer.addVariable(cache);
  Location location = writer.getLocation();
  Type ptrType = emitter.getPtrType();
  auto function = LLVM::LLVMFuncOp::create(
      writer.getBuilder(), location, name,
      LLVM::LLVMFunctionType::get(ptrType, {}), LLVM::Linkage::Internal);
  OpBuilder builder(emitter.getContext());
  Block *entry = builder.createBlock(&function.getBody());
  Block *first = builder.createBlock(&function.getBody());
  Block *done =
      builder.createBlock(&function.getBody(), {}, {ptrType}, {location});
  builder.setInsertionPointToEnd(entry);
  Value address = LLVM::AddressOfOp::create(builder, location, ptrType, cache);
  Value known = LLVM::LoadOp::create(builder, location, ptrType, address);
  Value null = LLVM::ZeroOp::create(builder, location, ptrType);
  Value isNull = LLVM::ICmpOp::create(builder, location,
                                      LLVM::ICmpPredicate::eq, known, null);
  LLVM::CondBrOp::create(builder, location, isNull, first, ValueRange(), done,
                         ValueRange(known));
  builder.setInsertionPointToEnd(first);
  Value made = make(builder, location);
  LLVM::StoreOp::create(builder, location, made, address);
  LLVM::BrOp::create(builder, location, ValueRange(made), done);
  builder.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(builder, location, done->getArgument(0));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The value of a kernel's operand as it is passed: a bare pointer for a
/// memref, 64 bits for an index.
static Value lowerOperand(OpBuilder &builder, Location location, Value operand,
                          Emitter &emitter) {
  Type i64 = builder.getI64Type();
  if (isa<MemRefType>(operand.getType())) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, location, operand);
    address = arith::IndexCastOp::create(builder, location, i64, address);
    return LLVM::IntToPtrOp::create(builder, location, emitter.getPtrType(),
                                    address);
  }
  if (operand.getType().isIndex())
    return arith::IndexCastOp::create(builder, location, i64, operand);
  if (!LLVM::isCompatibleType(operand.getType()))
    return UnrealizedConversionCastOp::create(builder, location,
                                              emitter.getPtrType(), operand)
        .getResult(0);
  return operand;
}

static Value toWord(OpBuilder &builder, Location location, Value size) {
  Type i64 = builder.getI64Type();
  if (size.getType().isIndex())
    return arith::IndexCastOp::create(builder, location, i64, size);
  if (size.getType() == i64)
    return size;
  return arith::ExtUIOp::create(builder, location, i64, size);
}

static LogicalResult convertLaunch(gpu::LaunchFuncOp launch, StringRef handle,
                                   Emitter &emitter) {
  OpBuilder builder(launch);
  Location location = launch.getLoc();
  Type ptrType = emitter.getPtrType();
  if (launch.hasClusterSize())
    return launch.emitOpError("expected no cluster of blocks: the emulator has "
                              "none");
  if (!launch->getParentOfType<FunctionOpInterface>())
    return launch.emitOpError("expected to be in a function");

  auto arrayType =
      LLVM::LLVMArrayType::get(ptrType, launch.getNumKernelOperands());
  Value params = emitter.slot(builder, location, arrayType);
  for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Value value = emitter.spill(
        builder, location, lowerOperand(builder, location, operand, emitter));
    Value element =
        LLVM::GEPOp::create(builder, location, ptrType, ptrType, params,
                            LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(builder, location, value, element);
  }
  // The emulator's streams are synchronous: the operand tokens are waited for,
  // and a new token is ready at once.
  if (!launch.getAsyncDependencies().empty())
    gpu::WaitOp::create(builder, location, /*asyncToken=*/Type(),
                        launch.getAsyncDependencies());
  Value null = LLVM::ZeroOp::create(builder, location, ptrType);
  Value stream = launch.getAsyncObject();
  if (stream && stream.getType() != ptrType)
    stream =
        UnrealizedConversionCastOp::create(builder, location, ptrType, stream)
            .getResult(0);
  Value shared = launch.getDynamicSharedMemorySize();
  Value function = emitter.call(builder, location, handle, ptrType, {});
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  llvm::SmallVector<Value> arguments = {function};
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    arguments.push_back(toWord(builder, location, size));
  arguments.push_back(shared ? shared : emitter.i32(builder, location, 0));
  arguments.push_back(stream ? stream : null);
  arguments.append(
      {params, null,
       emitter.i64(builder, location, launch.getNumKernelOperands())});
  emitter.call(builder, location, "mgpuLaunchKernel", Type(), arguments);
  if (Value token = launch.getAsyncToken()) {
    auto wait =
        gpu::WaitOp::create(builder, location, token.getType(), ValueRange());
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
  ImageWriter writer(module, emitter);
  uint64_t bytes = addImage(name, table, limits, writer, emitter);
  Type ptrType = emitter.getPtrType();
  addCached(name + ".module", writer, emitter,
            [&](OpBuilder &builder, Location location) {
              Value image = LLVM::AddressOfOp::create(builder, location,
                                                      ptrType, name + ".image");
              return emitter.call(
                  builder, location, "mgpuModuleLoad", ptrType,
                  {image, emitter.i64(builder, location, bytes)});
            });
  for (const Kernel &kernel : table)
    addCached(name + "." + kernel.name + ".handle", writer, emitter,
              [&](OpBuilder &builder, Location location) {
                Value loaded = emitter.call(builder, location, name + ".module",
                                            ptrType, {});
                return emitter.call(
                    builder, location, "mgpuModuleGetFunction", ptrType,
                    {loaded, emitter.text(builder, location, kernel.name)});
              });

  llvm::SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp op) {
    if (op.getKernelModuleName() == name)
      launches.push_back(op);
  });
  for (gpu::LaunchFuncOp launch : launches) {
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
