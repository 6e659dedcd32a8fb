//===- Emitter.h - Shared by the parts of the conversion --------*- C++ -*-===//
//
// Kernels become functions of the program that call the emulator. Operands that
// have no fixed type (the value of a shuffle, the fragments of a matrix) are
// passed in memory, and every call carries the text of its location.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H
#define STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H

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
  llvm::SmallVector<std::pair<uint64_t, uint64_t>> arrays;
  llvm::SmallVector<uint64_t> paramBytes;
  bool usesFibers = false;
};

/// Text of `location`, as it is known to a user: "FILE:LINE:COLUMN".
std::string describeLocation(mlir::Location location);

/// Makes calls into the runtime, and declares what they need.
class Emitter {
public:
  explicit Emitter(mlir::ModuleOp module);

  mlir::MLIRContext *getContext() { return module.getContext(); }
  mlir::LLVM::LLVMPointerType getPtrType() { return ptrType; }

  /// Calls the runtime's function `name`; `result` may be null.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location location,
                   llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);
  /// The address of a constant text.
  mlir::Value text(mlir::OpBuilder &builder, mlir::Location location,
                   llvm::StringRef content);
  mlir::Value locationText(mlir::OpBuilder &builder, mlir::Location location) {
    return text(builder, location, describeLocation(location));
  }
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::Type type, int64_t value);
  mlir::Value i32(mlir::OpBuilder &builder, mlir::Location location,
                  int64_t value) {
    return constant(builder, location, builder.getI32Type(), value);
  }
  mlir::Value i64(mlir::OpBuilder &builder, mlir::Location location,
                  int64_t value) {
    return constant(builder, location, builder.getI64Type(), value);
  }
  /// Memory of the calling thread for a value, allocated once per call of the
  /// function that `builder` is in.
  mlir::Value slot(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Type type);
  /// A slot that holds `value`.
  mlir::Value spill(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Value value);

private:
  mlir::ModuleOp module;
  mlir::LLVM::LLVMPointerType ptrType;
  llvm::StringMap<std::string> texts;
};

/// What the conversion of an op of a kernel needs.
struct Context {
  Emitter &emitter;
  const mlir::LLVMTypeConverter &types;
  const Limits &limits;
  Kernel &kernel;

  /// Declares an array in shared memory and returns its address.
  mlir::Value sharedArray(mlir::OpBuilder &builder, mlir::Location location,
                          uint64_t bytes, uint64_t alignment);
  /// A memref of static shape (or rank 0), made of an address.
  mlir::Value makeMemRef(mlir::OpBuilder &builder, mlir::Location location,
                         mlir::MemRefType type, mlir::Value address);
  /// The address of an element of a memref.
  mlir::Value elementAddress(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Value memref, mlir::ValueRange indices);
  /// The address of a barrier of an nvgpu.mbarrier.group.
  mlir::Value barrierAddress(mlir::OpBuilder &builder, mlir::Location location,
                             mlir::Value group, mlir::Value index);
  /// A value of a type of nvgpu's as one of the type that it becomes, or back.
  mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location location,
                     mlir::Type type, mlir::Value value);
  /// Memory of the thread for a value, until the next op is converted: they
  /// share it, as kernels of thousands of such ops would overflow the stack.
  mlir::Value slot(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Type type);
  /// A slot that holds `value`.
  mlir::Value spill(mlir::OpBuilder &builder, mlir::Location location,
                    mlir::Value value);
  /// The slots are free for the next op.
  void freeSlots() { numTaken.clear(); }
  /// Makes the builder insert where `predicate` holds; it may be null.
  void guard(mlir::OpBuilder &builder, mlir::Location location,
             mlir::Value predicate);
  /// Bytes of a value of `type` in memory.
  uint64_t getBytes(mlir::Type type) const;

  /// Those of the function by type, and how many of them the op has.
  llvm::DenseMap<mlir::Type, llvm::SmallVector<mlir::Value>> slots{};
  llvm::DenseMap<mlir::Type, size_t> numTaken{};
};

/// The memref type without a memory space: on the CPU there is one.
mlir::MemRefType withoutMemorySpace(mlir::MemRefType type);

/// Converts one op if it is of the family; nullopt if it is of no concern. The
/// op is erased if converted.
using Conversion = std::optional<mlir::LogicalResult>;
Conversion convertThreadOp(mlir::Operation *op, Context &context);
Conversion convertWarpOp(mlir::Operation *op, Context &context);
Conversion convertMatrixOp(mlir::Operation *op, Context &context);
Conversion convertAsyncOp(mlir::Operation *op, Context &context);
Conversion convertBarrierOp(mlir::Operation *op, Context &context);
Conversion convertTmaOp(mlir::Operation *op, Context &context);

/// gpu.func to llvm.func; null after an error.
mlir::LLVM::LLVMFuncOp convertKernel(mlir::gpu::GPUFuncOp kernel,
                                     Context &context, llvm::StringRef symbol);

/// Writes the image of a gpu.module and turns its launches into calls.
mlir::LogicalResult convertLaunches(mlir::ModuleOp module,
                                    mlir::gpu::GPUModuleOp kernels,
                                    llvm::ArrayRef<Kernel> table,
                                    const Limits &limits, Emitter &emitter);

/// Builds the calls for the op that it is made for, in which threads wait for
/// each other.
class EmulatorCall {
public:
  EmulatorCall(mlir::Operation *op, Context &context)
      : op(op), context(context), emitter(context.emitter), builder(op),
        location(op->getLoc()) {
    context.kernel.usesFibers = true;
  }

  mlir::Value i32(int64_t value) {
    return emitter.i32(builder, location, value);
  }
  mlir::Value i64(int64_t value) {
    return emitter.i64(builder, location, value);
  }
  /// A value of the program as one that the LLVM dialect knows.
  mlir::Value lower(mlir::Value value) {
    mlir::Type type = context.types.convertType(value.getType());
    return context.castTo(builder, location, type, value);
  }
  /// Calls `name` with the arguments and the location.
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   llvm::ArrayRef<mlir::Value> arguments) {
    llvm::SmallVector<mlir::Value> all(arguments);
    all.push_back(emitter.locationText(builder, location));
    return emitter.call(builder, location, name, result, all);
  }
  mlir::LogicalResult replace(mlir::ValueRange values) {
    op->replaceAllUsesWith(values);
    return erase();
  }
  /// Of an op whose results have no uses.
  mlir::LogicalResult erase() {
    op->erase();
    return mlir::success();
  }

protected:
  mlir::Operation *op;
  Context &context;
  Emitter &emitter;
  mlir::OpBuilder builder;
  mlir::Location location;
};

/// What `address` is derived from, by steps that stay in the same object.
mlir::Value getBase(mlir::Value address);
/// True for the thread's own memory and for constants of the program, which no
/// other thread changes. (An index may leave them, though: that is not seen.)
bool isPrivate(mlir::Value address);

/// The loads of a function whose values go to shared memory and nowhere else:
/// they are no uses. Whether there was a value goes along, as a number.
class MovedValues {
public:
  explicit MovedValues(mlir::LLVM::LLVMFuncOp function);

  bool contains(mlir::Operation *op) const { return loads.contains(op); }
  /// Adds the calls that say whether there was a value, and take that along.
  void emit(Emitter &emitter);

private:
  /// Where values go: block arguments, and stores to shared memory.
  struct Way {
    llvm::SetVector<mlir::BlockArgument> arguments;
    llvm::SetVector<mlir::Operation *> stores;
  };

  static bool follow(mlir::Value value, Way &way);
  mlir::Value getMarks(mlir::Value value) const { return marks.lookup(value); }
  void passMarks(mlir::BlockArgument argument, Emitter &emitter);

  llvm::SetVector<mlir::Operation *> loads;
  Way ways;
  llvm::DenseMap<mlir::Value, mlir::Value> marks;
};

} // namespace stencil::emulator

#endif // STENCIL_LIB_CONVERSION_GPUTOEMULATOR_EMITTER_H
