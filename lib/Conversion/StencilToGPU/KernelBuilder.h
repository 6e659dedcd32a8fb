//===- KernelBuilder.h - Kernels, and their launches ------------*- C++ -*-===//
//
// What emitters of kernels see of the program: fields and scalars, which they
// pass on. Where fields live on the device, who allocates and copies them, and
// on which stream a kernel runs, is for stencil-place-fields, which reads what
// is left in the IR: stencil.launch and the ops that make its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELBUILDER_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELBUILDER_H

#include "DeviceLayout.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace stencil {

/// What the lowering was asked for.
struct KernelOptions {
  TargetInfo target;
  MathMode math = MathMode::Contract;
};

/// State of making the kernels of one function.
class KernelSet {
public:
  /// Kernels are added to those that the function has already, if it has any.
  KernelSet(mlir::func::FuncOp function, const KernelOptions &options);

  mlir::gpu::GPUModuleOp getModule() const { return module; }
  const KernelOptions &getOptions() const { return options; }
  FieldAliasAnalysis &getAliases() { return aliases; }
  /// That of all fields of the function.
  RowLayout getRows() const { return rows; }

  /// The interior extent of an axis, on the host, before the op at which
  /// `builder` is.
  Value getExtent(OpBuilder &builder, Location loc, int64_t axis);
  /// The coordinate that a bound stands for, likewise.
  Value getBound(OpBuilder &builder, Location loc, int64_t bound, int64_t axis);

  /// The word of device memory to which a kernel stores `addMessage(text)` when
  /// it finds an error that only shows at run time. There is one for the
  /// function, which has to be asked for first.
  Value getErrorWord();
  int32_t addMessage(StringRef text);

  /// Numbers that all threads read alike, as a memref: in constant memory, as
  /// far as the kernels' module has any left.
  Value getConstants(OpBuilder &builder, Location loc,
                     DenseElementsAttr values);
  /// Numbers that threads read at different places, as a memref.
  Value getTable(OpBuilder &builder, Location loc, DenseElementsAttr values);

  /// A name for a kernel: that of the function, the role, and a number if the
  /// role has none, or if there is such a kernel.
  std::string nameKernel(StringRef role);

private:
  mlir::func::FuncOp function;
  mlir::gpu::GPUModuleOp module;
  const KernelOptions &options;
  RowLayout rows;
  FieldAliasAnalysis aliases;
  llvm::StringMap<unsigned> numbers;
  ErrorWordOp errorWord;
  /// Behind it is the place of the word.
  Operation *lastScratch = nullptr;
  /// Extents that are known before this op.
  Operation *place = nullptr;
  llvm::SmallDenseMap<int64_t, Value> extents;
};

/// Builds the kernel of a tile.kernel, or the kernels of one over a list, and
/// launches them before the op. Fails with an error.
LogicalResult lowerTileKernel(tile::KernelOp op, KernelSet &kernels);
void lowerListKernel(tile::KernelOp op, KernelSet &kernels);

/// Builds one kernel, argument by argument, and the launch of it.
class KernelBuilder {
public:
  /// The kernel computes with `intType`: i32 where all positions in all buffers
  /// fit, else i64. Threads per block: x, y, z.
  KernelBuilder(KernelSet &kernels, Operation *source, StringRef role,
                Type intType, std::array<int64_t, 3> threads,
                int64_t minBlocks = 0);

  /// Where the body of the kernel is built; and where its host code is.
  ImplicitLocOpBuilder &body() { return kernel; }
  OpBuilder &outside() { return builder; }
  Location getLoc() const { return loc; }
  KernelSet &getSet() { return kernels; }

  /// Passes a field; returns its linear buffer as the kernel sees it.
  /// `isIsolated`: no other argument aliases what this one writes, or one that
  /// is written. `origin` is where the program names it, for people who read
  /// the kernel.
  Value addField(Value field, KernelAccess access, bool isIsolated,
                 Location origin);
  /// Passes other memory of the device, a linear memref.
  Value addMemory(Value memory, KernelAccess access, bool isIsolated);
  /// Passes a scalar of the host; an index stays one.
  Value addScalar(Value scalar, StringRef name = {});
  /// The coordinate of a bound, in the kernel.
  Value getBound(int64_t bound, int64_t axis);
  auto listBounds() {
    return
        [this](int64_t bound, int64_t axis) { return getBound(bound, axis); };
  }

  /// Notes that the kernel needs arrays that are aligned to as many bytes.
  void requireAlignment(int64_t bytes) {
    alignment = std::max(alignment, bytes);
  }

  /// Passes any other value of the host.
  Value addOperand(Value value);

  /// Memory that the threads of a block share, as many bytes as the launch asks
  /// for.
  Value addDynamicShared(int64_t bytes);

  /// Memory that the threads of a block share.
  Value addShared(int64_t count, Type elementType);

  /// What the kernel of `op` reads, the second-level cache gives up last
  /// (kEvictionAttrName). Fails, with an error, if there is nothing to which
  /// that can be said. Comes behind all buffers.
  LogicalResult keepLines(tile::KernelOp op);

  /// Nothing that the kernel computes is behind a branch to a store
  /// (kStraightAttrName).
  void keepStraight();

  const Arithmetic &math() const { return arithmetic; }
  /// On indices, of the host.
  Arithmetic host() { return {builder, loc, builder.getIndexType()}; }
  /// Position of the thread in its block, and of the block in the grid.
  Value getThread(mlir::gpu::Dimension dimension);
  Value getBlock();

  /// Ends the kernel, and launches `blocks` (an index of the host) of it.
  void launch(Value blocks);

private:
  Value addPointer(Value memory, mlir::MemRefType type, KernelAccess access,
                   bool isIsolated, Location origin);
  void addArgument(Value operand, KernelAccess access, Type type,
                   ArrayRef<mlir::NamedAttribute> attributes, Location origin);

  KernelSet &kernels;
  Location loc;
  /// Before the op; in the kernel; at the end of what arguments need.
  ImplicitLocOpBuilder builder, kernel, entry;
  mlir::gpu::GPUFuncOp function;
  Type intType;
  const Arithmetic arithmetic{kernel, loc, intType};
  std::array<int64_t, 3> threads;
  SmallVector<Value> operands;
  SmallVector<int32_t> accesses;
  DenseMap<Value, Value> known;
  /// By what the program calls it, and its type: as the kernel sees it, and the
  /// number of the argument.
  DenseMap<std::pair<Value, Type>, std::pair<Value, unsigned>> memories;
  llvm::SmallDenseMap<int64_t, Value> extents;
  int64_t dynamicSharedBytes = 0;
  int64_t alignment = 1;
  /// It reads a buffer that nobody writes meanwhile.
  bool hasInput = false;
  /// The stencil.region_group of the source, if it has one.
  mlir::Attribute group;
};

/// Of what is stored to, or read only.
inline KernelAccess getAccess(bool isRead, bool isStored) {
  if (!isStored)
    return KernelAccess::Read;
  return isRead ? KernelAccess::ReadWrite : KernelAccess::Write;
}

/// i32 if every position in the fields of a kernel, and every coordinate of a
/// padded domain, is known to fit it, else i64. What is added to a position
/// reaches over so many planes at most, if that is known. `narrow`: fields
/// whose size only the run knows fit, if offsets reach over less planes
/// (kNarrowAttr).
Type chooseIndexType(tile::KernelOp op, int64_t points,
                     std::optional<int64_t> planes = {},
                     std::optional<int64_t> narrow = {});

/// Goes on in a branch for threads for which the condition holds; null: it
/// holds for all of them.
void openIf(OpBuilder &builder, Location loc, Value condition);

/// What `make` makes for threads for which the condition holds; others have
/// `otherwise`.
Value makeIf(OpBuilder &builder, Location loc, Value condition,
             function_ref<Value()> make, Value otherwise);

/// Values as a vector, in order; one as it is. And the reverse.
Value pack(OpBuilder &builder, Location loc, ValueRange values);
Value extract(OpBuilder &builder, Location loc, Value packed, int64_t lane);

/// Loads as many elements of memory as one, and stores what is an element, or a
/// vector of some.
Value loadElements(OpBuilder &builder, Location loc, int64_t count,
                   Value memory, Value index);
void storeElements(OpBuilder &builder, Location loc, Value values, Value memory,
                   Value index);

/// Orders what this thread has written to shared memory before what the copy
/// engine does there later.
void fenceCopyEngine(OpBuilder &builder, Location loc);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELBUILDER_H
