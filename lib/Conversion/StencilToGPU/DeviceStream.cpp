//===- DeviceStream.cpp - What a function orders on the device ------------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

Value stencil::getAddress(ImplicitLocOpBuilder &b, Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
}

Value stencil::getPointer(ImplicitLocOpBuilder &b, Value memref) {
  Value integer =
      arith::IndexCastOp::create(b, b.getI64Type(), getAddress(b, memref));
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  integer);
}

void DeviceStream::open(ImplicitLocOpBuilder &b) {
  entryEnd = callRuntime(b, inPlace ? "stencilOpenStream" : "mgpuStreamCreate",
                         LLVM::LLVMPointerType::get(b.getContext()), {});
  stream = entryEnd->getResult(0);
}

void DeviceStream::close(ImplicitLocOpBuilder &b) {
  call(b, inPlace ? "stencilCloseStream" : "mgpuStreamDestroy");
}

void DeviceStream::call(ImplicitLocOpBuilder &b, StringRef name) {
  callRuntime(b, name, {}, stream);
}

ImplicitLocOpBuilder DeviceStream::atEntry(Location loc) const {
  ImplicitLocOpBuilder b(loc, entryEnd->getContext());
  b.setInsertionPointAfter(entryEnd);
  return b;
}

void DeviceStream::synchronize(ImplicitLocOpBuilder &b) {
  wait(b);
  waits = true;
}

/// What allocations are ordered by: in place, the stream, which nobody waits
/// for.
Value DeviceStream::beginMemory(ImplicitLocOpBuilder &b) {
  Type tokenType = gpu::AsyncTokenType::get(b.getContext());
  if (inPlace)
    return UnrealizedConversionCastOp::create(b, tokenType, stream)
        .getResult(0);
  return gpu::WaitOp::create(b, tokenType, ValueRange{}).getAsyncToken();
}

Operation *DeviceStream::endMemory(ImplicitLocOpBuilder &b, Value token) {
  if (inPlace)
    return token.getDefiningOp();
  return gpu::WaitOp::create(b, Type(), token);
}

DeviceLayout DeviceStream::emitLayout(ImplicitLocOpBuilder &b,
                                      GridType type) const {
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  return DeviceLayout(math, type, getRows(), [&](int64_t bound, int64_t axis) {
    return getBound(b, bound, axis);
  });
}

void DeviceStream::clear(ImplicitLocOpBuilder &b, GridType type, Value buffer,
                         Value elements) {
  Arithmetic math(b, b.getLoc(), b.getI64Type());
  int64_t words = getElementBytes(type.getElementType()) / 2;
  Value pointer = getPointer(b, buffer);
  Value zero = arith::ConstantIntOp::create(b, 0, 16);
  callRuntime(
      b, "mgpuMemset16", {},
      {pointer, zero, math.mul(math.fromIndex(elements), words), stream});
}

void DeviceStream::copyRows(ImplicitLocOpBuilder &b, GridType type, Value host,
                            Value device, bool toDevice) {
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  DeviceLayout layout = emitLayout(b, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start =
      math.add(getAddress(b, device), math.mul(layout.getRowStart(), bytes));
  Value address = getAddress(b, host);
  SmallVector<Value> operands;
  if (toDevice)
    operands = {start, pitch, address, width};
  else
    operands = {address, width, start, pitch};
  operands.append({width, layout.getRowCount(), stream});
  callRuntime(b, "stencilMemcpy2D", {}, operands);
}

void DeviceStream::copyOnDevice(ImplicitLocOpBuilder &b, GridType type,
                                Value from, Value to) {
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  DeviceLayout layout = emitLayout(b, type);
  int64_t bytes = getElementBytes(type.getElementType());
  Value width = math.mul(layout.getRowLength(), bytes);
  Value pitch = math.mul(layout.getPitch(), bytes);
  Value start = math.mul(layout.getRowStart(), bytes);
  callRuntime(b, "stencilMemcpy2D", {},
              {math.add(getAddress(b, to), start), pitch,
               math.add(getAddress(b, from), start), pitch, width,
               layout.getRowCount(), stream});
}

void DeviceStream::copyBytes(ImplicitLocOpBuilder &b, Value to, Value from,
                             Value bytes) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value target = getAddress(b, to);
  Value source = getAddress(b, from);
  callRuntime(b, "stencilMemcpy2D", {},
              {target, bytes, source, bytes, bytes, one, stream});
}

Value DeviceStream::fetch(ImplicitLocOpBuilder &b, Value device) {
  Type element = cast<MemRefType>(device.getType()).getElementType();
  Value host = memref::AllocaOp::create(b, MemRefType::get({1}, element));
  copyBytes(b, host, device,
            arith::ConstantIndexOp::create(b, getElementBytes(element)));
  synchronize(b);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return memref::LoadOp::create(b, host, zero);
}
