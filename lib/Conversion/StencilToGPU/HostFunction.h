//===- HostFunction.h - A function whose fields live on a device *- C++ -*-===//
//
// The host's side of a program that runs on a GPU: device copies of the fields
// that the function is given, the stream that everything is ordered on, the
// extents that kernels need.
//
// With `stencil.device_arrays`, arrays that the function is given are on the
// device already: kernels work in place, and everything goes to the stream that
// the caller has set. The function waits for what it hands to the host, and
// else only for a stream of its own.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H

#include "FieldBuffers.h"
#include "KernelMemory.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace stencil {

/// What the lowering of one function shares.
struct HostFunction {
  HostFunction(mlir::func::FuncOp function, FunctionFacts facts)
      : function(function), facts(std::move(facts)) {}

  mlir::func::FuncOp function;
  FunctionFacts facts;
  DeviceStream stream{facts, /*inPlace=*/hasDeviceArrays(function)};
  DeviceArrays arrays;
  KernelMemory kernelMemory{stream};
  FieldBuffers fields{function, stream, arrays};
  FieldAliasAnalysis aliases;
  /// Checks of arrays go behind this op.
  mlir::Operation *checksBegin = nullptr;
  /// Of memrefs that fields are made of: these are copied to before.
  llvm::SmallVector<mlir::Operation *> deallocs;
  /// Fields that the device writes.
  llvm::SmallVector<mlir::Value> written;
};

/// The memref of the caller that a field is made of; null for an element type
/// that devices cannot hold.
mlir::MemRefType getHostType(FieldType type);

/// Replaces the field arguments by memrefs and creates the stream. The runtime
/// is to use the backend of this number (GPUTarget). Fails with an error. The
/// function has passed checkFieldFunction.
mlir::LogicalResult enter(HostFunction &host, int32_t backend);
/// Copies written fields back, releases the memory and the stream, at every
/// return; removes the ops that name fields. Fails with an error.
mlir::LogicalResult leave(HostFunction &host);

/// The ops that name fields (HostFields.cpp). What they stand for is made known
/// at once.
mlir::LogicalResult lower(HostFunction &host, AllocOp op);
mlir::LogicalResult lower(HostFunction &host, CastOp op);
mlir::LogicalResult lower(HostFunction &host, ExternalLoadOp op);
mlir::LogicalResult lower(HostFunction &host, ExternalStoreOp op);

/// The ops between kernels and the program (HostLaunches.cpp): a launch gets
/// device buffers and the stream, the others become what they stand for. All
/// are erased.
mlir::LogicalResult lower(HostFunction &host, LaunchOp op);
mlir::LogicalResult lower(HostFunction &host, ExtentOp op);
mlir::LogicalResult lower(HostFunction &host, BufferSizeOp op);
mlir::LogicalResult lower(HostFunction &host, TensorMapOp op);

/// An error if a memref that a field is made of is used in a way of which
/// `lowerAccess` does not know when it reads or writes (HostAccesses.cpp).
mlir::LogicalResult checkHostUses(mlir::func::FuncOp function);
/// An op of the host that reads, writes or frees such a memref: between copies
/// from and to the device. A copy from one such to another is made on the
/// device, if their fields have one type, or if both are arrays there; the op
/// is erased then.
void lowerAccess(HostFunction &host, mlir::Operation *op);
/// A memref for the field's memory (Devito's injections): becomes memory of the
/// host, a copy of the field around each op that uses it. Fails with an error.
mlir::LogicalResult lowerHostView(HostFunction &host,
                                  mlir::UnrealizedConversionCastOp op);

/// True for a memref whose rows follow each other without gaps.
bool isRowMajor(mlir::Type type);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H
