//===- Emitter.cpp - Calls into the emulator ------------------------------===//

#include "Emitter.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace stencil::emulator;

std::string stencil::emulator::describeLocation(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
            llvm::Twine(file.getLine()) + ":" + llvm::Twine(file.getColumn()))
        .str();
  if (auto name = dyn_cast<NameLoc>(location))
    return describeLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return describeLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string text = describeLocation(part); text != "unknown location")
        return text;
  return "unknown location";
}

Value Writer::call(StringRef name, Type result, ValueRange arguments) {
  auto function = emitter.module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    auto builder = OpBuilder::atBlockBegin(emitter.module.getBody());
    // Soon there is one address space only.
    auto types = llvm::map_to_vector(arguments.getTypes(), [&](Type type) {
      return isa<LLVM::LLVMPointerType>(type) ? Type(ptrType) : type;
    });
    auto type = LLVM::LLVMFunctionType::get(
        result ? result : LLVM::LLVMVoidType::get(getContext()), types);
    function =
        LLVM::LLVMFuncOp::create(builder, emitter.module.getLoc(), name, type);
  }
  auto call = LLVM::CallOp::create(*this, function, arguments);
  return result ? call.getResult() : Value();
}

Value Writer::callFrom(StringRef name, Type result, ArrayRef<Value> arguments) {
  SmallVector<Value> all(arguments);
  all.push_back(locationText());
  return call(name, result, all);
}

Value Writer::text(StringRef content) {
  std::string &symbol = emitter.texts[content];
  if (symbol.empty()) {
    // Another run of the pass may have left texts in the module.
    unsigned number = emitter.texts.size();
    do
      symbol = ("stencil_emulator_text_" + llvm::Twine(number++)).str();
    while (emitter.module.lookupSymbol(symbol));
    auto builder = OpBuilder::atBlockBegin(emitter.module.getBody());
    std::string bytes = content.str() + '\0';
    LLVM::GlobalOp::create(builder, emitter.module.getLoc(),
                           LLVM::LLVMArrayType::get(getI8Type(), bytes.size()),
                           /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
                           getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(*this, ptrType, symbol);
}

Value Writer::constant(Type type, int64_t value) {
  return LLVM::ConstantOp::create(*this, type, getIntegerAttr(type, value));
}

Value Writer::toI64(Value value, bool isSigned) {
  Type type = value.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(*this, getI64Type(), value);
  if (type.isInteger(64))
    return value;
  return isSigned ? LLVM::SExtOp::create(*this, getI64Type(), value).getResult()
                  : LLVM::ZExtOp::create(*this, getI64Type(), value);
}

Value Writer::toBool(Value number) {
  Value zero = constant(number.getType(), 0);
  return LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::ne, number, zero);
}

Value Writer::castTo(Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(*this, type, value).getResult(0);
}

Value Writer::element(Value array, Type type, LLVM::GEPArg index) {
  return LLVM::GEPOp::create(*this, ptrType, type, array, index);
}

Value Writer::reserve(Type type) {
  Operation *parent = getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  InsertionGuard guard(*this);
  setInsertionPointToStart(&function.getFunctionBody().front());
  return LLVM::AllocaOp::create(*this, ptrType, type, i64(1), /*alignment=*/64);
}

Value Writer::store(Value value, Value address) {
  LLVM::StoreOp::create(*this, value, address);
  return address;
}

Value KernelWriter::slot(Type type) {
  SmallVector<Value> &known = context.slots[type];
  size_t number = context.numTaken[type]++;
  if (number == known.size())
    known.push_back(reserve(type));
  return known[number];
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

MemRefType stencil::emulator::withoutMemorySpace(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         type.getLayout());
}

Value KernelWriter::sharedArray(uint64_t bytes, uint64_t alignment) {
  auto &arrays = context.kernel.arrays;
  Value number = i32(arrays.size());
  arrays.emplace_back(bytes, alignment);
  return call("stencilEmulatorSharedArray", ptrType, number);
}

Value KernelWriter::makeMemRef(MemRefType type, Value address) {
  return castTo(type, MemRefDescriptor::fromStaticShape(
                          *this, getLoc(), context.types, type, address));
}

Value KernelWriter::elementAddress(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(*this, memref);
  auto metadata = memref::ExtractStridedMetadataOp::create(*this, memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides())) {
    Value step = arith::MulIOp::create(*this, index, stride);
    element = arith::AddIOp::create(*this, element, step);
  }
  Value bytes =
      arith::ConstantIndexOp::create(*this, getBytes(type.getElementType()));
  Value offset = arith::MulIOp::create(*this, element, bytes);
  Value address = arith::AddIOp::create(*this, base, offset);
  return LLVM::IntToPtrOp::create(*this, ptrType, toI64(address));
}

Value KernelWriter::barrierAddress(Value group, Value index) {
  Value base = castTo(ptrType, group);
  return element(base, getI64Type(), toI64(index));
}

void KernelWriter::guard(Value predicate) {
  if (!predicate)
    return;
  auto branch = scf::IfOp::create(*this, predicate, /*withElseRegion=*/false);
  setInsertionPointToStart(branch.thenBlock());
}

uint64_t KernelWriter::getBytes(Type type) const {
  return DataLayout()
      .getTypeSize(context.types.convertType(type))
      .getFixedValue();
}
