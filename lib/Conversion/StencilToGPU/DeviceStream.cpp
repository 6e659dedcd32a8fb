//===- DeviceStream.cpp - What a function orders on the device ------------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

Value stencil::getAddress(OpBuilder &builder, Location loc, Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
}

Value stencil::getPointer(OpBuilder &builder, Location loc, Value memref) {
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             getAddress(builder, loc, memref));
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), integer);
}

void DeviceStream::open(OpBuilder &builder, Location loc) {
  entryEnd = callRuntime(builder, loc,
                         inPlace ? "stencilOpenStream" : "mgpuStreamCreate",
                         LLVM::LLVMPointerType::get(builder.getContext()), {});
  stream = entryEnd->getResult(0);
}

void DeviceStream::close(OpBuilder &builder, Location loc) {
  call(builder, loc, inPlace ? "stencilCloseStream" : "mgpuStreamDestroy");
}

void DeviceStream::call(OpBuilder &builder, Location loc, StringRef name) {
  callRuntime(builder, loc, name, {}, stream);
}

OpBuilder DeviceStream::atEntry() const {
  OpBuilder builder(entryEnd->getContext());
  builder.setInsertionPointAfter(entryEnd);
  return builder;
}

void DeviceStream::synchronize(OpBuilder &builder, Location loc) {
  wait(builder, loc);
  waits = true;
}

/// What allocations are ordered by: in place, the stream, which nobody waits
/// for.
Value DeviceStream::beginMemory(OpBuilder &builder, Location loc) {
  Type tokenType = gpu::AsyncTokenType::get(builder.getContext());
  if (inPlace)
    return UnrealizedConversionCastOp::create(builder, loc, tokenType, stream)
        .getResult(0);
  return gpu::WaitOp::create(builder, loc, tokenType, ValueRange{})
      .getAsyncToken();
}

Operation *DeviceStream::endMemory(OpBuilder &builder, Location loc,
                                   Value token) {
  if (inPlace)
    return token.getDefiningOp();
  return gpu::WaitOp::create(builder, loc, Type(), token);
}

DeviceLayout DeviceStream::emitLayout(OpBuilder &builder, Location loc,
                                      GridType type) const {
  Arithmetic math(builder, loc, builder.getIndexType());
  return DeviceLayout(math, type, getRows(), [&](int64_t bound, int64_t axis) {
    return getBound(builder, loc, bound, axis);
  });
}

void DeviceStream::clear(OpBuilder &builder, Location loc, GridType type,
                         Value buffer, Value elements) {
  Arithmetic math(builder, loc, builder.getI64Type());
  int64_t words = getElementBytes(type.getElementType()) / 2;
  Value pointer = getPointer(builder, loc, buffer);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 16);
  callRuntime(
      builder, loc, "mgpuMemset16", {},
      {pointer, zero, math.mul(math.fromIndex(elements), words), stream});
}

void DeviceStream::copyRows(OpBuilder &builder, Location loc, GridType type,
                            Value host, Value device, bool toDevice) {
  Arithmetic math(builder, loc, builder.getIndexType());
  DeviceLayout layout = emitLayout(builder, loc, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start = math.add(getAddress(builder, loc, device),
                         math.mul(layout.getRowStart(), bytes));
  Value address = getAddress(builder, loc, host);
  SmallVector<Value> operands;
  if (toDevice)
    operands = {start, pitch, address, width};
  else
    operands = {address, width, start, pitch};
  operands.append({width, layout.getRowCount(), stream});
  callRuntime(builder, loc, "stencilMemcpy2D", {}, operands);
}

void DeviceStream::copyOnDevice(OpBuilder &builder, Location loc, GridType type,
                                Value from, Value to) {
  Arithmetic math(builder, loc, builder.getIndexType());
  DeviceLayout layout = emitLayout(builder, loc, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start = math.mul(layout.getRowStart(), bytes);
  callRuntime(builder, loc, "stencilMemcpy2D", {},
              {math.add(getAddress(builder, loc, to), start), pitch,
               math.add(getAddress(builder, loc, from), start), pitch, width,
               layout.getRowCount(), stream});
}

void DeviceStream::copyBytes(OpBuilder &builder, Location loc, Value to,
                             Value from, Value bytes) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value target = getAddress(builder, loc, to);
  Value source = getAddress(builder, loc, from);
  callRuntime(builder, loc, "stencilMemcpy2D", {},
              {target, bytes, source, bytes, bytes, one, stream});
}

Value DeviceStream::fetch(OpBuilder &builder, Location loc, Value device) {
  Type element = cast<MemRefType>(device.getType()).getElementType();
  Value host =
      memref::AllocaOp::create(builder, loc, MemRefType::get({1}, element));
  copyBytes(
      builder, loc, host, device,
      arith::ConstantIndexOp::create(builder, loc, getElementBytes(element)));
  synchronize(builder, loc);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return memref::LoadOp::create(builder, loc, host, zero);
}
