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

Emitter::Emitter(ModuleOp module)
    : module(module), ptrType(LLVM::LLVMPointerType::get(module.getContext())) {
}

Value Emitter::call(OpBuilder &builder, Location location, StringRef name,
                    Type result, ValueRange arguments) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    // Soon there is one address space only.
    auto types = llvm::map_to_vector(arguments.getTypes(), [&](Type type) {
      return isa<LLVM::LLVMPointerType>(type) ? Type(ptrType) : type;
    });
    auto type = LLVM::LLVMFunctionType::get(
        result ? result : LLVM::LLVMVoidType::get(getContext()), types);
    function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  }
  auto call = LLVM::CallOp::create(builder, location, function, arguments);
  return result ? call.getResult() : Value();
}

Value Emitter::text(OpBuilder &builder, Location location, StringRef content) {
  std::string &symbol = texts[content];
  if (symbol.empty()) {
    // Another run of the pass may have left texts in the module.
    unsigned number = texts.size();
    do
      symbol = ("stencil_emulator_text_" + llvm::Twine(number++)).str();
    while (module.lookupSymbol(symbol));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string bytes = content.str() + '\0';
    LLVM::GlobalOp::create(
        builder, module.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
        builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, location, ptrType, symbol);
}

Value Emitter::constant(OpBuilder &builder, Location location, Type type,
                        int64_t value) {
  return LLVM::ConstantOp::create(builder, location, type,
                                  builder.getIntegerAttr(type, value));
}

Value Emitter::slot(OpBuilder &builder, Location location, Type type) {
  auto function = builder.getInsertionBlock()
                      ->getParentOp()
                      ->getParentOfType<FunctionOpInterface>();
  if (auto self = dyn_cast<FunctionOpInterface>(
          builder.getInsertionBlock()->getParentOp()))
    function = self;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value one = i64(builder, location, 1);
  return LLVM::AllocaOp::create(builder, location, ptrType, type, one,
                                /*alignment=*/64);
}

Value Emitter::spill(OpBuilder &builder, Location location, Value value) {
  Value address = slot(builder, location, value.getType());
  LLVM::StoreOp::create(builder, location, value, address);
  return address;
}

Value Context::slot(OpBuilder &builder, Location location, Type type) {
  SmallVector<Value> &known = slots[type];
  size_t number = numTaken[type]++;
  if (number == known.size())
    known.push_back(emitter.slot(builder, location, type));
  return known[number];
}

Value Context::spill(OpBuilder &builder, Location location, Value value) {
  Value address = slot(builder, location, value.getType());
  LLVM::StoreOp::create(builder, location, value, address);
  return address;
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

MemRefType stencil::emulator::withoutMemorySpace(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         type.getLayout());
}

Value Context::sharedArray(OpBuilder &builder, Location location,
                           uint64_t bytes, uint64_t alignment) {
  Value number = emitter.i32(builder, location, kernel.arrays.size());
  kernel.arrays.emplace_back(bytes, alignment);
  return emitter.call(builder, location, "stencilEmulatorSharedArray",
                      emitter.getPtrType(), number);
}

Value Context::makeMemRef(OpBuilder &builder, Location location,
                          MemRefType type, Value address) {
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, location, types,
                                                       type, address);
  return UnrealizedConversionCastOp::create(builder, location, type, descriptor)
      .getResult(0);
}

Value Context::elementAddress(OpBuilder &builder, Location location,
                              Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, location, memref);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, location, memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides())) {
    Value step = arith::MulIOp::create(builder, location, index, stride);
    element = arith::AddIOp::create(builder, location, element, step);
  }
  Value bytes = arith::ConstantIndexOp::create(builder, location,
                                               getBytes(type.getElementType()));
  Value offset = arith::MulIOp::create(builder, location, element, bytes);
  Value address = arith::AddIOp::create(builder, location, base, offset);
  Value word = arith::IndexCastOp::create(builder, location,
                                          builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, location, emitter.getPtrType(),
                                  word);
}

Value Context::castTo(OpBuilder &builder, Location location, Type type,
                      Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, location, type, value)
      .getResult(0);
}

Value Context::barrierAddress(OpBuilder &builder, Location location,
                              Value group, Value index) {
  Type ptrType = emitter.getPtrType();
  Value base = castTo(builder, location, ptrType, group);
  Value number = arith::IndexCastOp::create(builder, location,
                                            builder.getI64Type(), index);
  return LLVM::GEPOp::create(builder, location, ptrType, builder.getI64Type(),
                             base, LLVM::GEPArg(number));
}

void Context::guard(OpBuilder &builder, Location location, Value predicate) {
  if (!predicate)
    return;
  auto branch = scf::IfOp::create(builder, location, predicate,
                                  /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
}

uint64_t Context::getBytes(Type type) const {
  DataLayout layout;
  return layout.getTypeSize(types.convertType(type)).getFixedValue();
}
