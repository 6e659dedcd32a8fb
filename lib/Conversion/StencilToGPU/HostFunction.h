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
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Conversion/ExtentChecks.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// The address of a memref's first element: an index, or a pointer.
Value getAddress(ImplicitLocOpBuilder &b, Value memref);
Value getPointer(ImplicitLocOpBuilder &b, Value memref);

/// The stream of a function, and what goes to it besides launches: copies, and
/// memory that comes and goes.
class DeviceStream {
public:
  /// `inPlace`: arrays that the function is given are on the device.
  DeviceStream(const FunctionFacts &facts, bool inPlace)
      : facts(facts), inPlace(inPlace) {}

  bool isInPlace() const { return inPlace; }
  void open(ImplicitLocOpBuilder &b);
  void close(ImplicitLocOpBuilder &b);
  Value get() const { return stream; }
  /// Calls a function of the runtime with the stream.
  void call(ImplicitLocOpBuilder &b, StringRef name);

  /// Behind the entry of the function, which ends with this op.
  ImplicitLocOpBuilder atEntry(Location loc) const;
  void setEntryEnd(Operation *op) { entryEnd = op; }

  void wait(ImplicitLocOpBuilder &b) { call(b, "mgpuStreamSynchronize"); }
  /// Waits for something that the host needs.
  void synchronize(ImplicitLocOpBuilder &b);
  bool hasWaited() const { return waits; }

  Value beginMemory(ImplicitLocOpBuilder &b);
  Operation *endMemory(ImplicitLocOpBuilder &b, Value token);

  /// That of all fields of the function.
  RowLayout getRows() const {
    return inPlace ? RowLayout::Dense : RowLayout::Padded;
  }
  DeviceLayout emitLayout(ImplicitLocOpBuilder &b, GridType type) const;
  /// The coordinate that a bound stands for.
  Value getBound(ImplicitLocOpBuilder &b, int64_t bound, int64_t axis) const {
    return facts.extents.getBound(b, b.getLoc(), bound, axis);
  }

  /// Between a memref of the host without gaps, and the buffer of a field.
  void copyRows(ImplicitLocOpBuilder &b, GridType type, Value host,
                Value device, bool toDevice);
  void copyOnDevice(ImplicitLocOpBuilder &b, GridType type, Value from,
                    Value to);
  void copyBytes(ImplicitLocOpBuilder &b, Value to, Value from, Value bytes);
  /// Writes zeros to all of a field's memory, in steps of two bytes.
  void clear(ImplicitLocOpBuilder &b, GridType type, Value buffer,
             Value elements);
  /// The only element of memory of the device, for the host.
  Value fetch(ImplicitLocOpBuilder &b, Value device);

private:
  const FunctionFacts &facts;
  bool inPlace;
  Value stream;
  Operation *entryEnd = nullptr;
  bool waits = false;
};

/// The memref that `memref` is a view of.
Value getRoot(Value memref);

/// The arguments of a function that are arrays on the device.
class DeviceArrays {
public:
  /// Finds them, with an error at what the host does with them and cannot.
  LogicalResult find(mlir::func::FuncOp function);
  /// The one that a memref is, or is a view of; else null.
  mlir::BlockArgument get(Value memref) const;

  /// A copy by the host from one to another.
  void copy(mlir::memref::CopyOp op, DeviceStream &stream);
  /// The host copies to one.
  void addCopied(mlir::BlockArgument array) { copiedTo.insert(array); }
  /// Kernels need as much, in bytes.
  void requireAlignment(int64_t bytes) {
    alignment = std::max(alignment, bytes);
  }
  /// They are what kernels expect, which write to some.
  void check(ImplicitLocOpBuilder &b, RowLayout rows,
             function_ref<bool(mlir::BlockArgument)> isWritten) const;

private:
  LogicalResult checkUse(Operation *op) const;

  llvm::SmallSetVector<mlir::BlockArgument, 8> arrays, copiedTo;
  int64_t alignment = 1;
};

/// Device memory of one field.
struct FieldMemory {
  Location loc;
  GridType type;
  /// The memref of the caller that it is a copy of; null for a field of the
  /// function's own.
  Value host;
  /// A value of the program that names the field.
  Value field;
  Value buffer;
  /// `host` is on the device, and nothing is copied.
  bool inPlace = false;
  /// It is used only where this is true; null: anywhere.
  Value condition;
};

/// The device buffers of the fields of a function. The ops of the function are
/// lowered in program order; fields keep their types meanwhile, and are looked
/// up here.
class FieldBuffers {
public:
  FieldBuffers(mlir::func::FuncOp function, DeviceStream &stream,
               const DeviceArrays &arrays)
      : function(function), stream(stream), arrays(arrays) {}

  /// An op that names a field, and is removed in the end.
  void addName(Operation *op) { names.push_back(op); }
  /// A field gets memory, which `allocatePending` allocates. `host`: the memref
  /// of the caller that it is made of, or null. Fails with an error.
  LogicalResult add(Operation *op, Value host, GridType type, Value field);
  /// A field without bounds stands for a memref of the caller.
  void setHost(Value field, Value host) { hosts[field] = host; }
  Value getHost(Value field) const { return hosts.lookup(field); }
  /// A field that is going to be added is used only where this is true: else it
  /// gets no memory.
  void setCondition(Value field, Value condition) {
    conditions[field] = condition;
  }
  /// `to` is another name of a field.
  void addAlias(Value from, Value to);
  /// A field that is handed on by structured control flow.
  LogicalResult addCarried(Value field);

  /// Allocates the memory of all fields that are known by now, after a check
  /// that there is as much, and copies the caller's fields to it.
  void allocatePending(Operation *before);
  /// Whether anything has been allocated: from then on, the time of what the
  /// device does is being taken.
  bool isTimed() const { return timed; }

  /// The device buffer of a field, a linear memref; null if it has none.
  Value get(Value field) const { return buffers.lookup(field); }
  /// The same for a field that is operand of `op`, with an error there.
  FailureOr<Value> require(Operation *op, Value field);
  ArrayRef<FieldMemory> getAll() const { return memories; }
  /// That of the field that is made of this memref; null if there is none.
  const FieldMemory *find(Value memref) const;
  /// Whether the op names a memref, or a view of one, that a field is made of.
  bool areUsedBy(Operation *op) const;

  void copy(OpBuilder &builder, const FieldMemory &memory, bool toDevice);
  /// Fields are gone: what names one becomes its buffer.
  void removeNames();

private:
  Value viewInPlace(ImplicitLocOpBuilder &b, const FieldMemory &memory,
                    Value size);
  Value countElements(ImplicitLocOpBuilder &b, const FieldMemory &memory);
  void nameBuffers();

  mlir::func::FuncOp function;
  DeviceStream &stream;
  const DeviceArrays &arrays;
  llvm::DenseMap<Value, Value> conditions;
  bool timed = false;
  /// What has memory, and how many of it have it already.
  SmallVector<FieldMemory, 0> memories;
  size_t allocated = 0;
  DenseMap<Value, Value> buffers;
  /// The caller's memrefs that fields without bounds stand for.
  DenseMap<Value, Value> hosts;
  SmallVector<Value> carried;
  SmallVector<Operation *> names;
};

/// Memory of the device that kernels hand each other, and the host. Ops that
/// name it become it.
class KernelMemory {
public:
  explicit KernelMemory(DeviceStream &stream) : stream(stream) {}

  LogicalResult lower(ScratchOp op);
  LogicalResult lower(FetchOp op);
  LogicalResult lower(ErrorWordOp op);
  ArrayRef<Value> getBuffers() const { return buffers; }
  /// What kernels have noted becomes errors of the program.
  void checkErrors(ImplicitLocOpBuilder &b);

private:
  Value allocate(Location loc, Type type);

  DeviceStream &stream;
  SmallVector<Value> buffers;
  /// Words of device memory, and what numbers in them mean, from 1 on.
  SmallVector<std::pair<Value, mlir::ArrayAttr>> errorWords;
};

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
  Operation *checksBegin = nullptr;
  /// Of memrefs that fields are made of: these are copied to before.
  SmallVector<Operation *> deallocs;
  /// Fields that the device writes.
  SmallVector<Value> written;
};

/// The memref of the caller that a field is made of; null for an element type
/// that devices cannot hold.
mlir::MemRefType getHostType(FieldType type);

/// Replaces the field arguments by memrefs and creates the stream. The runtime
/// is to use the backend of this number (GPUTarget). Fails with an error. The
/// function has passed checkFieldFunction.
LogicalResult enter(HostFunction &host, int32_t backend);
/// Copies written fields back, releases the memory and the stream, at every
/// return; removes the ops that name fields. Fails with an error.
LogicalResult leave(HostFunction &host);

/// The ops that name fields (HostFields.cpp). What they stand for is made known
/// at once.
LogicalResult lower(HostFunction &host, AllocOp op);
LogicalResult lower(HostFunction &host, CastOp op);
LogicalResult lower(HostFunction &host, ExternalLoadOp op);
LogicalResult lower(HostFunction &host, ExternalStoreOp op);

/// The ops between kernels and the program (HostLaunches.cpp): a launch gets
/// device buffers and the stream, the others become what they stand for. All
/// are erased.
LogicalResult lower(HostFunction &host, LaunchOp op);
LogicalResult lower(HostFunction &host, ExtentOp op);
LogicalResult lower(HostFunction &host, BufferSizeOp op);
LogicalResult lower(HostFunction &host, TensorMapOp op);

/// An error if a memref that a field is made of is used in a way of which
/// `lowerAccess` does not know when it reads or writes (HostAccesses.cpp).
LogicalResult checkHostUses(mlir::func::FuncOp function);
/// An op of the host that reads, writes or frees such a memref: between copies
/// from and to the device. A copy from one such to another is made on the
/// device, if their fields have one type, or if both are arrays there; the op
/// is erased then.
void lowerAccess(HostFunction &host, Operation *op);
/// A memref for the field's memory (Devito's injections): becomes memory of the
/// host, a copy of the field around each op that uses it. Fails with an error.
LogicalResult lowerHostView(HostFunction &host,
                            mlir::UnrealizedConversionCastOp op);

/// An op has become a value, and goes.
inline LogicalResult replaceBy(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return mlir::success();
}

/// True for a memref whose rows follow each other without gaps.
bool isRowMajor(Type type);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HOSTFUNCTION_H
