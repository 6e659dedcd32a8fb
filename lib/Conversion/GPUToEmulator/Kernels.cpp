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
static FailureOr<Value> loadArgument(KernelWriter &b, Type type,
                                     Value address) {
  auto load = [&](Type loaded) -> Value {
    return LLVM::LoadOp::create(b, loaded, address);
  };
  auto &paramBytes = b.context.kernel.paramBytes;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return b.emitError(
                 "expected a memref argument of static shape and without a "
                 "layout, got ")
             << type;
    paramBytes.push_back(sizeof(void *));
    return b.makeMemRef(withoutMemorySpace(memref), load(b.ptrType));
  }
  if (type.isIndex()) {
    paramBytes.push_back(sizeof(int64_t));
    return arith::IndexCastOp::create(b, type, load(b.getI64Type()))
        .getResult();
  }
  if (b.context.types.convertType(type) != type)
    return b.emitError("expected an argument that is a memref, a number or a "
                       "pointer, got ")
           << type;
  paramBytes.push_back(b.getBytes(type));
  return load(type);
}

/// A tensor map (stencil-lower-tensor-maps): the body uses its address.
static bool replaceByAddress(KernelWriter &b, BlockArgument argument,
                             Value address) {
  if (!isa<LLVM::LLVMArrayType>(argument.getType()) ||
      !llvm::all_of(argument.getUsers(),
                    llvm::IsaPred<UnrealizedConversionCastOp>))
    return false;
  b.context.kernel.paramBytes.push_back(b.getBytes(argument.getType()));
  argument.replaceAllUsesWith(address);
  return true;
}

/// Gives a workgroup or private attribution its memory.
static LogicalResult replaceAttribution(KernelWriter &b, BlockArgument argument,
                                        DictionaryAttr attributes,
                                        bool shared) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return b.emitError("expected memory of a kernel to be a memref of static "
                       "shape and without a layout, got ")
           << argument.getType();
  MemRefType plain = withoutMemorySpace(type);
  if (!shared) {
    argument.replaceAllUsesWith(memref::AllocaOp::create(b, plain));
    return success();
  }
  uint64_t alignment = 16;
  if (attributes)
    if (auto given = attributes.getAs<IntegerAttr>("llvm.align"))
      alignment = given.getInt();
  Value address = b.sharedArray(b.getTotalBytes(plain), alignment);
  argument.replaceAllUsesWith(b.makeMemRef(plain, address));
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
  KernelWriter b(kernel, context);
  b.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, symbol,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  b.ptrType),
      LLVM::Linkage::Internal);
  function->setAttr(kDeviceFunctionAttr, b.getUnitAttr());
  function->setAttr(kKernelAttr, b.getUnitAttr());
  if (context.limits.warpSize == 32)
    function->setAttr(kRelaxedAttr, b.getUnitAttr());
  function.getBody().takeBody(kernel.getBody());

  Block &entry = function.getBody().front();
  unsigned numOld = entry.getNumArguments();
  unsigned numArguments = kernel.getFunctionType().getNumInputs();
  unsigned numWorkgroup = kernel.getNumWorkgroupAttributions();
  Value params = entry.addArgument(b.ptrType, kernel.getLoc());
  b.setInsertionPointToStart(&entry);
  for (unsigned i = 0; i < numArguments; ++i) {
    BlockArgument argument = entry.getArgument(i);
    b.setLoc(argument.getLoc());
    Value address = b.element(params, b.ptrType, i);
    address = LLVM::LoadOp::create(b, b.ptrType, address);
    if (replaceByAddress(b, argument, address))
      continue;
    FailureOr<Value> value = loadArgument(b, argument.getType(), address);
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
    b.setLoc(entry.getArgument(i).getLoc());
    if (failed(replaceAttribution(b, entry.getArgument(i), attributes, shared)))
      return nullptr;
  }
  entry.eraseArguments(0, numOld);

  function.walk([&](gpu::ReturnOp op) {
    b.setInsertionPoint(op);
    LLVM::ReturnOp::create(b, op.getLoc(), ValueRange());
    op.erase();
  });
  return function;
}
