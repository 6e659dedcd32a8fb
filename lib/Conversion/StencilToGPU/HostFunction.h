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

#include "DeviceArguments.h"
#include "KernelMemory.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace stencil {

/// The memref of the caller that a field is made of; null for an element type
/// that devices cannot hold.
mlir::MemRefType getHostType(FieldType type);

/// State of the lowering of one function. The ops of the function are lowered
/// in program order; fields keep their types meanwhile, and are looked up here.
class HostFunction {
public:
  /// The runtime is to use the backend of this number (GPUTarget).
  HostFunction(mlir::func::FuncOp function, int32_t backend,
               FunctionFacts facts);

  /// Replaces the field arguments by memrefs and creates the stream. Fails with
  /// an error. The function has passed checkFieldFunction.
  mlir::LogicalResult enter();

  /// The ops that name fields. What they stand for is made known at once; the
  /// memory is allocated by `allocatePending`.
  mlir::LogicalResult lowerAlloc(AllocOp op);
  mlir::LogicalResult lowerCast(CastOp op);
  mlir::LogicalResult lowerExternalLoad(ExternalLoadOp op);
  mlir::LogicalResult lowerExternalStore(ExternalStoreOp op);

  /// Whether the op names a memref, or a view of one, that a field is made of.
  bool usesMemory(mlir::Operation *op);

  /// An op of the host that reads, writes or frees such a memref: between
  /// copies from and to the device. A copy from one such to another is made on
  /// the device, if their fields have one type, or if both are arrays there;
  /// the op is erased then.
  void lowerAccess(mlir::Operation *op);

  /// A memref for the field's memory (Devito's injections): becomes memory of
  /// the host, a copy of the field around each op that uses it. Fails with an
  /// error.
  mlir::LogicalResult lowerHostView(mlir::UnrealizedConversionCastOp op);

  /// A field that is handed on by structured control flow.
  mlir::LogicalResult addCarried(mlir::Value field);

  /// Allocates the memory of all fields that are known by now, after a check
  /// that there is as much, and copies the caller's fields to it.
  void allocatePending(mlir::Operation *before);

  /// The ops between kernels and the program (HostLaunches.cpp): a launch gets
  /// device buffers and the stream, the others become what they stand for. All
  /// are erased.
  mlir::LogicalResult lowerLaunch(LaunchOp op);
  mlir::LogicalResult lowerExtent(ExtentOp op);
  mlir::LogicalResult lowerBufferSize(BufferSizeOp op);
  mlir::LogicalResult lowerTensorMap(TensorMapOp op);
  KernelMemory &getKernelMemory() { return kernelMemory; }

  /// Copies written fields back, releases the memory and the stream, at every
  /// return; removes the ops that name fields. Fails with an error.
  mlir::LogicalResult leave();
  /// Waits for what has been launched so far.
  void waitForDevice(mlir::Operation *before);

private:
  /// Device memory of one field.
  struct Memory {
    mlir::Location loc;
    GridType type;
    /// The memref of the caller that it is a copy of; null for a field of the
    /// function's own.
    mlir::Value host;
    /// A value of the program that names the field.
    mlir::Value field;
    mlir::Value buffer;
    /// `host` is on the device, and nothing is copied.
    bool inPlace = false;
  };

  /// The device buffer of a field, a linear memref; null if it has none.
  mlir::Value getBuffer(mlir::Value field) const {
    return buffers.lookup(field);
  }
  /// The same for a field that is operand of `op`, with an error there.
  mlir::FailureOr<mlir::Value> requireBuffer(mlir::Operation *op,
                                             mlir::Value field);
  mlir::LogicalResult addMemory(mlir::Operation *op, mlir::Value host,
                                GridType type, mlir::Value field);
  /// An error if a memref that a field is made of is used in a way of which
  /// `lowerAccess` does not know when it reads or writes.
  mlir::LogicalResult checkHostUses();
  mlir::Value viewInPlace(mlir::OpBuilder &builder, const Memory &memory,
                          mlir::Value size);
  /// That of the field that is made of this memref; null if there is none.
  Memory *findMemory(mlir::Value memref);
  void copy(mlir::OpBuilder &builder, const Memory &memory, bool toDevice);
  bool isWritten(const Memory &memory);
  mlir::FailureOr<mlir::Value> toHost(mlir::OpBuilder &builder,
                                      mlir::Location loc, mlir::Value field,
                                      mlir::MemRefType type);
  mlir::LogicalResult leaveAt(mlir::func::ReturnOp op);
  void removeNames();

  mlir::func::FuncOp function;
  int32_t backend;
  FunctionFacts facts;
  FieldAliasAnalysis aliases;
  /// Arrays that the function is given are on the device.
  bool inPlace;
  DeviceStream stream{facts, inPlace};
  DeviceArrays arrays;
  KernelMemory kernelMemory{stream};
  /// Checks of arrays go behind this op.
  mlir::Operation *checksBegin = nullptr;
  /// The time of what the device does is being taken.
  bool timed = false;
  /// What has memory, and how many of it have it already.
  llvm::SmallVector<Memory, 0> memories;
  size_t allocated = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// The caller's memrefs that fields without bounds stand for.
  llvm::DenseMap<mlir::Value, mlir::Value> hosts;
  llvm::SmallVector<mlir::Value> carried;
  llvm::SmallVector<mlir::Operation *> names;
  /// Of memrefs that fields are made of: these are copied to before.
  llvm::SmallVector<mlir::Operation *> deallocs;
  llvm::SmallVector<mlir::Value> written;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H
