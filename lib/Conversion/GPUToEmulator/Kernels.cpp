//===- Kernels.cpp - gpu.func to functions of the CPU ---------------------===//
//
// gpu.func @k(%a: memref<64xf64>, %n: i32) workgroup(%s: memref<32xf64, 3>)
//   ==> llvm.func @k(%params: !llvm.ptr), which loads its arguments from
//       params[i] and asks the emulator for the address of %s.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace stencil::emulator;

/// The argument that `address` points to, as a value of `type`.
static FailureOr<Value> loadArgument(OpBuilder &builder, Location location,
                                     Type type, Value address,
                                     Context &context) {
  auto load = [&](Type loaded) -> Value {
    return LLVM::LoadOp::create(builder, location, loaded, address);
  };
  Type ptrType = context.emitter.getPtrType();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return emitError(location)
             << "expected a memref argument of static shape and without a "
                "layout, got "
             << type;
    context.kernel.paramBytes.push_back(sizeof(void *));
    return context.makeMemRef(builder, location, withoutMemorySpace(memref),
                              load(ptrType));
  }
  if (type.isIndex()) {
    context.kernel.paramBytes.push_back(sizeof(int64_t));
    return arith::IndexCastOp::create(builder, location, type,
                                      load(builder.getI64Type()))
        .getResult();
  }
  Type converted = context.types.convertType(type);
  if (!converted || converted != type)
    return emitError(location)
           << "expected an argument that is a memref, a number or a pointer, "
              "got "
           << type;
  context.kernel.paramBytes.push_back(context.getBytes(type));
  return load(type);
}

/// A tensor map (stencil-lower-tensor-maps): the body uses its address.
static bool replaceByAddress(BlockArgument argument, Value address,
                             Context &context) {
  if (!isa<LLVM::LLVMArrayType>(argument.getType()) ||
      !llvm::all_of(argument.getUsers(),
                    llvm::IsaPred<UnrealizedConversionCastOp>))
    return false;
  context.kernel.paramBytes.push_back(context.getBytes(argument.getType()));
  argument.replaceAllUsesWith(address);
  return true;
}

/// Gives a workgroup or private attribution its memory.
static LogicalResult replaceAttribution(OpBuilder &builder,
                                        BlockArgument argument,
                                        DictionaryAttr attributes, bool shared,
                                        Context &context) {
  Location location = argument.getLoc();
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitError(location)
           << "expected memory of a kernel to be a memref of static shape and "
              "without a layout, got "
           << argument.getType();
  MemRefType plain = withoutMemorySpace(type);
  if (!shared) {
    argument.replaceAllUsesWith(
        memref::AllocaOp::create(builder, location, plain));
    return success();
  }
  uint64_t alignment = 16;
  if (attributes)
    if (auto given = attributes.getAs<IntegerAttr>("llvm.align"))
      alignment = given.getInt();
  Value address = context.sharedArray(
      builder, location,
      plain.getNumElements() * context.getBytes(plain.getElementType()),
      alignment);
  argument.replaceAllUsesWith(
      context.makeMemRef(builder, location, plain, address));
  return success();
}

static DictionaryAttr getAttributes(std::optional<ArrayAttr> list, size_t i) {
  return list && i < list->size() ? dyn_cast<DictionaryAttr>((*list)[i])
                                  : nullptr;
}

LLVM::LLVMFuncOp stencil::emulator::convertKernel(gpu::GPUFuncOp kernel,
                                                  Context &context,
                                                  StringRef symbol) {
  auto module = kernel->getParentOfType<ModuleOp>();
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Type ptrType = context.emitter.getPtrType();
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), symbol,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()),
                                  ptrType),
      LLVM::Linkage::Internal);
  function->setAttr(kDeviceFunctionAttr, builder.getUnitAttr());
  function->setAttr(kKernelAttr, builder.getUnitAttr());
  if (context.limits.warpSize == 32)
    function->setAttr(kRelaxedAttr, builder.getUnitAttr());
  function.getBody().takeBody(kernel.getBody());

  Block &entry = function.getBody().front();
  unsigned numOld = entry.getNumArguments();
  unsigned numArguments = kernel.getFunctionType().getNumInputs();
  unsigned numWorkgroup = kernel.getNumWorkgroupAttributions();
  Value params = entry.addArgument(ptrType, kernel.getLoc());
  builder.setInsertionPointToStart(&entry);
  for (unsigned i = 0; i < numArguments; ++i) {
    BlockArgument argument = entry.getArgument(i);
    Location location = argument.getLoc();
    Value address = LLVM::GEPOp::create(builder, location, ptrType, ptrType,
                                        params, LLVM::GEPArg(i));
    address = LLVM::LoadOp::create(builder, location, ptrType, address);
    if (replaceByAddress(argument, address, context))
      continue;
    FailureOr<Value> value =
        loadArgument(builder, location, argument.getType(), address, context);
    if (failed(value))
      return nullptr;
    argument.replaceAllUsesWith(*value);
  }
  for (unsigned i = numArguments; i < numOld; ++i) {
    unsigned number = i - numArguments;
    bool shared = number < numWorkgroup;
    DictionaryAttr attributes =
        shared ? getAttributes(kernel.getWorkgroupAttribAttrs(), number)
               : getAttributes(kernel.getPrivateAttribAttrs(),
                               number - numWorkgroup);
    if (failed(replaceAttribution(builder, entry.getArgument(i), attributes,
                                  shared, context)))
      return nullptr;
  }
  entry.eraseArguments(0, numOld);

  function.walk([&](gpu::ReturnOp op) {
    builder.setInsertionPoint(op);
    LLVM::ReturnOp::create(builder, op.getLoc(), ValueRange());
    op.erase();
  });
  return function;
}
