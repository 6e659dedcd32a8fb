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
  mlir::Value getExtent(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t axis);
  /// The coordinate that a bound stands for, likewise.
  mlir::Value getBound(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t bound, int64_t axis);

  /// The word of device memory to which a kernel stores `addMessage(text)` when
  /// it finds an error that only shows at run time. There is one for the
  /// function, which has to be asked for first.
  mlir::Value getErrorWord();
  int32_t addMessage(llvm::StringRef text);

  /// Numbers that all threads read alike, as a memref: in constant memory, as
  /// far as the kernels' module has any left.
  mlir::Value getConstants(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::DenseElementsAttr values);
  /// Numbers that threads read at different places, as a memref.
  mlir::Value getTable(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::DenseElementsAttr values);

  /// A name for a kernel: that of the function, the role, and a number if the
  /// role has none, or if there is such a kernel.
  std::string nameKernel(llvm::StringRef role);

private:
  mlir::func::FuncOp function;
  mlir::gpu::GPUModuleOp module;
  const KernelOptions &options;
  RowLayout rows;
  FieldAliasAnalysis aliases;
  llvm::StringMap<unsigned> numbers;
  ErrorWordOp errorWord;
  /// Behind it is the place of the word.
  mlir::Operation *lastScratch = nullptr;
  /// Extents that are known before this op.
  mlir::Operation *place = nullptr;
  llvm::SmallVector<mlir::Value> extents;
};

/// Builds the kernel of a tile.kernel, or the kernels of one over a list, and
/// launches them before the op. Fails with an error.
mlir::LogicalResult lowerTileKernel(tile::KernelOp op, KernelSet &kernels);
void lowerListKernel(tile::KernelOp op, KernelSet &kernels);

/// Builds one kernel, argument by argument, and the launch of it.
class KernelBuilder {
public:
  /// The kernel computes with `intType`: i32 where all positions in all buffers
  /// fit, else i64. Threads per block: x, y, z.
  KernelBuilder(KernelSet &kernels, mlir::Operation *source,
                llvm::StringRef role, mlir::Type intType,
                std::array<int64_t, 3> threads, int64_t minBlocks = 0);

  /// Where the body of the kernel is built; and where its host code is.
  mlir::ImplicitLocOpBuilder &body() { return kernel; }
  mlir::OpBuilder &outside() { return builder; }
  mlir::Location getLoc() const { return loc; }
  KernelSet &getSet() { return kernels; }

  struct BufferAttrs {
    bool isolated = false; // no other argument aliases what this one writes
    bool readOnly = false;
  };

  /// Passes a field; returns its linear buffer as the kernel sees it. `origin`
  /// is where the program names it, for people who read the kernel.
  mlir::Value addField(mlir::Value field, KernelAccess access,
                       BufferAttrs attributes,
                       std::optional<mlir::Location> origin = {});
  /// Passes other memory of the device, a linear memref.
  mlir::Value addMemory(mlir::Value memory, KernelAccess access,
                        BufferAttrs attributes);
  /// Passes a scalar of the host; an index stays one.
  mlir::Value addScalar(mlir::Value scalar, llvm::StringRef name = {});
  /// The coordinate of a bound, in the kernel.
  mlir::Value getBound(int64_t bound, int64_t axis);
  auto listBounds() {
    return
        [this](int64_t bound, int64_t axis) { return getBound(bound, axis); };
  }

  /// Notes that the kernel needs arrays that are aligned to as many bytes.
  void requireAlignment(int64_t bytes) {
    alignment = std::max(alignment, bytes);
  }

  /// Passes any other value of the host.
  mlir::Value addOperand(mlir::Value value);

  /// Memory that the threads of a block share, as many bytes as the launch asks
  /// for.
  mlir::Value addDynamicShared(int64_t bytes);

  /// Memory that the threads of a block share.
  mlir::Value addShared(int64_t count, mlir::Type elementType);

  /// What the kernel of `op` reads, the second-level cache gives up last
  /// (kEvictionAttrName). Fails, with an error, if there is nothing to which
  /// that can be said. Comes behind all buffers.
  mlir::LogicalResult keepLines(tile::KernelOp op);

  /// Nothing that the kernel computes is behind a branch to a store
  /// (kStraightAttrName).
  void keepStraight();

  Arithmetic math() { return {kernel, loc, intType}; }
  /// Position of the thread in its block, and of the block in the grid.
  mlir::Value getThread(mlir::gpu::Dimension dimension);
  mlir::Value getBlock();

  /// Ends the kernel, and launches `blocks` (an index of the host) of it.
  void launch(mlir::Value blocks);

private:
  mlir::Value addPointer(mlir::Value memory, mlir::MemRefType type,
                         KernelAccess access, BufferAttrs attributes,
                         mlir::Location origin);
  void addArgument(mlir::Value operand, KernelAccess access, mlir::Type type,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes,
                   mlir::Location origin);

  KernelSet &kernels;
  mlir::Location loc;
  /// Before the op; in the kernel; at the end of what arguments need.
  mlir::ImplicitLocOpBuilder builder, kernel, entry;
  mlir::gpu::GPUFuncOp function;
  mlir::Type intType;
  std::array<int64_t, 3> threads;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int32_t> accesses;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
  /// By what the program calls it, and its type: as the kernel sees it, and the
  /// number of the argument.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>,
                 std::pair<mlir::Value, unsigned>>
      memories;
  llvm::SmallVector<mlir::Value> extents;
  int64_t dynamicSharedBytes = 0;
  int64_t alignment = 1;
  /// It reads a buffer that nobody writes meanwhile.
  bool hasInput = false;
  /// The stencil.region_group of the source, if it has one.
  mlir::Attribute group;
};

/// i32 if every position in the fields, and every coordinate of a padded
/// domain, is known to fit it, else i64. What is added to a position reaches
/// over so many planes at most, if that is known. `narrow`: fields whose size
/// only the run knows fit, if offsets reach over less planes (kNarrowAttr).
mlir::Type chooseIndexType(mlir::MLIRContext *context,
                           llvm::ArrayRef<GridType> fields, int64_t points,
                           std::optional<int64_t> planes = {},
                           std::optional<int64_t> narrow = {});

/// Goes on in a branch for threads for which the condition holds; null: it
/// holds for all of them.
void openIf(mlir::OpBuilder &builder, mlir::Location loc,
            mlir::Value condition);

/// Orders what this thread has written to shared memory before what the copy
/// engine does there later.
void fenceCopyEngine(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_KERNELBUILDER_H
