//===- Emitter.h - Shared by the parts of the conversion --------*- C++ -*-===//
//
// Kernels become functions of the program that call the emulator. Operands that
// have no fixed type (the value of a shuffle, the fragments of a matrix) are
// passed in memory, and every call carries the text of its location.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H
#define STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace stencil::emulator {

/// Marks the functions whose memory accesses are checked.
inline constexpr llvm::StringLiteral kDeviceFunctionAttr =
    "stencil.emulator_device";
/// And those of them that are kernels.
inline constexpr llvm::StringLiteral kKernelAttr = "stencil.emulator_kernel";

/// And those whose read-modify-write operations order nothing, whatever LLVM's
/// ordering says: NVPTX has them relaxed.
inline constexpr llvm::StringLiteral kRelaxedAttr = "stencil.emulator_relaxed";

/// What the conversion is told about the chip.
struct Limits {
  unsigned warpSize = 32;
  uint64_t maxThreads = 1024;
  uint64_t maxSharedBytes = 0;
};

/// A row of the image's table of kernels.
struct Kernel {
  std::string name;
  std::string symbol;
  /// Bytes and alignment of the arrays in shared memory.
  SmallVector<std::pair<uint64_t, uint64_t>> arrays;
  SmallVector<uint64_t> paramBytes;
  bool usesFibers = false;
};

/// Text of `location`, as it is known to a user: "FILE:LINE:COLUMN".
std::string describeLocation(Location location);

/// The program, and the texts that it has for the runtime.
struct Emitter {
  explicit Emitter(mlir::ModuleOp module)
      : module(module),
        ptrType(mlir::LLVM::LLVMPointerType::get(module.getContext())) {}

  mlir::ModuleOp module;
  mlir::LLVM::LLVMPointerType ptrType;
  llvm::StringMap<std::string> texts{};
};

/// Builds calls into the runtime, and declares what they need.
class Writer : public ImplicitLocOpBuilder {
public:
  template <typename... Place>
  Writer(Emitter &emitter, Location location, Place &&...place)
      : ImplicitLocOpBuilder(location, std::forward<Place>(place)...),
        emitter(emitter), ptrType(emitter.ptrType) {}

  /// Calls the runtime's function `name`; `result` may be null.
  Value call(StringRef name, Type result, ValueRange arguments);
  /// As call, with the location as the last argument.
  Value callFrom(StringRef name, Type result, ArrayRef<Value> arguments);
  /// The address of a constant text.
  Value text(StringRef content);
  Value locationText() { return text(describeLocation(getLoc())); }
  Value constant(Type type, int64_t value);
  Value i32(int64_t value) { return constant(getI32Type(), value); }
  Value i64(int64_t value) { return constant(getI64Type(), value); }
  /// An integer or an index as 64 bits.
  Value toI64(Value value, bool isSigned = false);
  /// Whether an integer is another one than 0.
  Value toBool(Value number);
  /// A value of one type as one of another, which it becomes in the end.
  Value castTo(Type type, Value value);
  /// The address of an element of an array.
  Value element(Value array, Type type, mlir::LLVM::GEPArg index);
  /// Memory of the calling thread for a value, allocated once per call of the
  /// function in which it is.
  Value reserve(Type type);
  /// Stores a value; returns the address.
  Value store(Value value, Value address);

  Emitter &emitter;
  const mlir::LLVM::LLVMPointerType ptrType;
};

/// What is known of a kernel, or of a function of one, while its ops are
/// converted.
struct Context {
  Emitter &emitter;
  const mlir::LLVMTypeConverter &types;
  const Limits &limits;
  Kernel &kernel;

  /// Memory of the function by type, and how many of it the op has: ops share
  /// it, as kernels of thousands of such ops would overflow the stack.
  DenseMap<Type, SmallVector<Value>> slots{};
  DenseMap<Type, size_t> numTaken{};
};

/// Builds what an op of a kernel becomes, before the op.
class KernelWriter : public Writer {
public:
  KernelWriter(Operation *op, Context &context)
      : Writer(context.emitter, op->getLoc(), op), op(op), context(context) {}

  /// To be called for ops in which threads wait for each other.
  void useFibers() { context.kernel.usesFibers = true; }
  /// As callFrom, of what such an op becomes.
  Value callTogether(StringRef name, Type result, ArrayRef<Value> arguments) {
    useFibers();
    return callFrom(name, result, arguments);
  }
  /// Declares an array in shared memory and returns its address.
  Value sharedArray(uint64_t bytes, uint64_t alignment);
  /// A memref of static shape (or rank 0), made of an address.
  Value makeMemRef(mlir::MemRefType type, Value address);
  /// The address of an element of a memref.
  Value elementAddress(Value memref, ValueRange indices);
  /// The address of a barrier of an nvgpu.mbarrier.group.
  Value barrierAddress(Value group, Value index);
  /// A value of the program as one that the LLVM dialect knows.
  Value lower(Value value) {
    return castTo(context.types.convertType(value.getType()), value);
  }
  /// Memory of the thread for a value, until the next op is converted.
  Value slot(Type type);
  /// A slot that holds `value`.
  Value spill(Value value) { return store(value, slot(value.getType())); }
  /// Inserts where `predicate` holds from now on; it may be null.
  void guard(Value predicate);
  /// Bytes of a value of `type` in memory.
  uint64_t getBytes(Type type) const;
  uint64_t getTotalBytes(mlir::MemRefType type) const {
    return type.getNumElements() * getBytes(type.getElementType());
  }

  LogicalResult replace(ValueRange values) {
    op->replaceAllUsesWith(values);
    return erase();
  }
  /// Of an op whose results have no uses.
  LogicalResult erase() {
    op->erase();
    return mlir::success();
  }

  Operation *const op;
  Context &context;
};

/// The memref type without a memory space: on the CPU there is one.
mlir::MemRefType withoutMemorySpace(mlir::MemRefType type);

/// Converts one op if it is of the family; nullopt if it is of no concern. The
/// op is erased if converted.
using Conversion = std::optional<LogicalResult>;
Conversion convertThreadOp(KernelWriter &b);
Conversion convertWarpOp(KernelWriter &b);
Conversion convertMatrixOp(KernelWriter &b);
Conversion convertAsyncOp(KernelWriter &b);
Conversion convertBarrierOp(KernelWriter &b);
Conversion convertTmaOp(KernelWriter &b);

/// gpu.func to llvm.func; null after an error.
mlir::LLVM::LLVMFuncOp convertKernel(mlir::gpu::GPUFuncOp kernel,
                                     Context &context, StringRef symbol);

/// Writes the image of a gpu.module and turns its launches into calls.
LogicalResult convertLaunches(mlir::ModuleOp module,
                              mlir::gpu::GPUModuleOp kernels,
                              ArrayRef<Kernel> table, const Limits &limits,
                              Emitter &emitter);

/// What `address` is derived from, by steps that stay in the same object.
Value getBase(Value address);
/// True for the thread's own memory and for constants of the program, which no
/// other thread changes. (An index may leave them, though: that is not seen.)
bool isPrivate(Value address);

/// The loads of a function whose values go to shared memory and nowhere else:
/// they are no uses. Whether there was a value goes along, as a number.
class MovedValues {
public:
  explicit MovedValues(mlir::LLVM::LLVMFuncOp function);

  bool contains(Operation *op) const { return loads.contains(op); }
  /// Adds the calls that say whether there was a value, and take that along.
  void emit(Emitter &emitter);

private:
  /// Where values go: block arguments, and stores to shared memory.
  struct Way {
    llvm::SetVector<mlir::BlockArgument> arguments;
    llvm::SetVector<Operation *> stores;
  };

  static bool follow(Value value, Way &way);
  Value getMarks(Value value) const { return marks.lookup(value); }
  void passMarks(mlir::BlockArgument argument, Emitter &emitter);

  llvm::SetVector<Operation *> loads;
  Way ways;
  DenseMap<Value, Value> marks;
};

} // namespace stencil::emulator

#endif // STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H
