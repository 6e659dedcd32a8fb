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

#include "DeviceLayout.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Conversion/ExtentChecks.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// What the lowering was asked for.
struct GPULoweringOptions {
  TargetInfo target;
  /// Which backend the runtime is to use: 0 CUDA, 1 HIP, 2 the emulator.
  int32_t backend = 0;
  MathMode math = MathMode::Contract;
};

/// The memref of the caller that a field is made of; null for an element type
/// that devices cannot hold.
mlir::MemRefType getHostType(FieldType type);

/// State of the lowering of one function. The ops of the function are lowered
/// in program order; fields keep their types meanwhile, and are looked up here.
class HostFunction {
public:
  HostFunction(mlir::func::FuncOp function, mlir::gpu::GPUModuleOp kernels,
               const GPULoweringOptions &options, FunctionFacts facts);

  /// Replaces the field arguments by memrefs and creates the stream. Fails with
  /// an error.
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

  /// Copies written fields back, releases the memory and the stream, at every
  /// return; removes the ops that name fields. Fails with an error.
  mlir::LogicalResult leave();
  /// Waits for what has been launched so far.
  void waitForDevice(mlir::Operation *before);

  /// The device buffer of a field, a linear memref.
  mlir::Value getBuffer(mlir::Value field) const {
    return buffers.lookup(field);
  }

  mlir::gpu::GPUModuleOp getKernels() const { return kernels; }
  const GPULoweringOptions &getOptions() const { return options; }
  FieldAliasAnalysis &getAliases() { return aliases; }
  mlir::Value getStream() const { return stream; }
  const Extents &getExtents() const { return facts.extents; }
  /// That of all fields of the function.
  RowLayout getRows() const {
    return inPlace ? RowLayout::Dense : RowLayout::Padded;
  }

  /// Notes that kernels need fields that are aligned to as many bytes.
  void requireAlignment(int64_t bytes) {
    alignment = std::max(alignment, bytes);
  }
  /// What is known of every buffer of such elements, in bytes.
  int64_t getBufferAlignment(mlir::Type elementType) const;

  /// Notes that the program writes a field.
  void addWritten(mlir::Value field) { written.push_back(field); }

  /// The coordinate that a bound stands for, on the host.
  mlir::Value getBound(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t bound, int64_t axis) const {
    return facts.extents.getBound(builder, loc, bound, axis);
  }

  /// Device memory that lives until the function returns, allocated at its
  /// entry.
  mlir::Value allocateScratch(mlir::Location loc, mlir::MemRefType type);

  /// Copies device memory to the host and waits for it.
  void fetch(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value device,
             mlir::Value host, int64_t bytes);

  /// The word of device memory to which a kernel stores `addMessage(text)` when
  /// it finds an error that only shows at run time.
  mlir::Value getErrorWord();
  int32_t addMessage(llvm::StringRef text);

  /// A name for a kernel: that of the function, the role and a number.
  std::string nameKernel(llvm::StringRef role);

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

  mlir::LogicalResult addMemory(mlir::Operation *op, mlir::Value host,
                                GridType type, mlir::Value field);
  /// An error if a memref that a field is made of is used in a way of which
  /// `lowerAccess` does not know when it reads or writes.
  mlir::LogicalResult checkHostUses();
  /// The argument that a memref is, or is a view of, if it is an array on the
  /// device; else null.
  mlir::BlockArgument findDeviceArray(mlir::Value memref) const;
  /// Finds the arguments that are arrays on the device, with an error at what
  /// the host does with them and cannot.
  mlir::LogicalResult findDeviceArrays();
  mlir::LogicalResult checkDeviceUse(mlir::Operation *op);
  void copyArray(mlir::memref::CopyOp op);
  /// At the entry: they are what kernels expect.
  void checkDeviceArrays();
  mlir::Value openStream(mlir::OpBuilder &builder, mlir::Location loc);
  void closeStream(mlir::OpBuilder &builder, mlir::Location loc);
  mlir::Value beginMemory(mlir::OpBuilder &builder, mlir::Location loc);
  mlir::Operation *endMemory(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value token);
  mlir::Value viewInPlace(mlir::OpBuilder &builder, const Memory &memory,
                          mlir::Value size);
  /// That of the field that is made of this memref; null if there is none.
  Memory *findMemory(mlir::Value memref);
  void copy(mlir::OpBuilder &builder, const Memory &memory, bool toDevice);
  void copyOnDevice(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
                    mlir::Value from, mlir::Value to);
  void copyRows(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
                mlir::Value host, mlir::Value device, bool toDevice);
  bool isWritten(const Memory &memory);
  /// Waits for the stream.
  void synchronize(mlir::OpBuilder &builder, mlir::Location loc);
  mlir::FailureOr<mlir::Value> toHost(mlir::OpBuilder &builder,
                                      mlir::Location loc, mlir::Value field,
                                      mlir::MemRefType type);
  mlir::LogicalResult leaveAt(mlir::func::ReturnOp op);
  void checkErrors(mlir::OpBuilder &builder, mlir::Location loc);
  void removeNames();

  mlir::func::FuncOp function;
  mlir::gpu::GPUModuleOp kernels;
  const GPULoweringOptions &options;
  FunctionFacts facts;
  FieldAliasAnalysis aliases;
  /// Arrays that the function is given are on the device.
  bool inPlace;
  /// Which those are, and those that the host copies to.
  llvm::SmallSetVector<mlir::BlockArgument, 8> deviceArrays, copiedTo;
  /// In bytes: what kernels need of fields.
  int64_t alignment = 1;
  /// The host needs something that the device computes.
  bool waits = false;
  mlir::Value stream, errorWord;
  /// What is added to the entry goes behind this op, checks of arrays behind
  /// the other one.
  mlir::Operation *entryEnd = nullptr, *checksBegin = nullptr;
  /// The time of what the device does is being taken.
  bool timed = false;
  /// What has memory, and how many of it have it already.
  llvm::SmallVector<Memory, 0> memories;
  size_t allocated = 0;
  llvm::SmallVector<mlir::Value> scratch;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// The caller's memrefs that fields without bounds stand for.
  llvm::DenseMap<mlir::Value, mlir::Value> hosts;
  llvm::SmallVector<mlir::Value> carried;
  llvm::SmallVector<mlir::Operation *> names;
  /// Of memrefs that fields are made of: these are copied to before.
  llvm::SmallVector<mlir::Operation *> deallocs;
  llvm::SmallVector<std::string> messages;
  llvm::SmallVector<mlir::Value> written;
  llvm::StringMap<unsigned> kernelNames;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H
