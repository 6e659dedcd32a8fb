//===- Window.h - Where a thread's neighbours live --------------*- C++ -*-===//
//
// A thread computes some points near a base point of its own. What they read is
// fetched into a window first, then the bodies read the window. A window is
// named by offsets from the base point, whatever holds its values.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H

#include "BlockGrid.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include <map>
#include <set>

namespace stencil {

/// An input or output of an apply in its kernel.
struct KernelField {
  GridType type;
  /// The linear buffer.
  mlir::Value buffer;
  /// Axis of the apply for every axis of the field.
  llvm::SmallVector<int64_t> axes;
  std::optional<DeviceLayout> layout;
};

/// Axis of the apply for every axis of an input, as its accesses say.
llvm::SmallVector<int64_t> findAxes(ApplyOp apply, unsigned input);

/// Makes inputs that are accessed as different axes several inputs.
void splitAxes(ApplyOp apply);

/// Positions in memory of points near a base point.
class RowAddresses {
public:
  RowAddresses(KernelBuilder &kernel, const BasePoint &base)
      : kernel(kernel), base(base) {}

  /// The position of the point at this offset, an index. Those of a row are
  /// computed once.
  mlir::Value get(const KernelField &field, llvm::ArrayRef<int64_t> offset);

  /// What is computed in `body` is known there only.
  template <typename Body> auto inBranch(Body &&body) {
    Known known = rows;
    auto result = body();
    rows = std::move(known);
    return result;
  }

  /// Position of the row's base point, by field and the row's offset.
  using Offset = std::vector<int64_t>;
  using Known = std::map<std::pair<const KernelField *, Offset>, mlir::Value>;
  const Known &getKnown() const { return rows; }
  void setKnown(Known known) { rows = std::move(known); }

private:
  KernelBuilder &kernel;
  const BasePoint &base;
  Known rows;
};

/// Neighbours in the caches of the hardware: every value that several points
/// read is loaded once, in vectors where all elements of an aligned vector are
/// needed.
class CacheWindow {
public:
  /// Inputs without a buffer are not this window's.
  CacheWindow(KernelBuilder &kernel, int64_t rank,
              llvm::ArrayRef<KernelField> inputs, RowAddresses &addresses,
              int64_t alignment)
      : kernel(kernel), rank(rank), inputs(inputs), addresses(addresses),
        alignment(alignment) {}

  /// Loads what the bodies of `apply` at `points` access unconditionally: at
  /// once, or, if that is more than the registers of a thread, each value where
  /// the first one of the bodies, which are emitted in the same block, asks for
  /// it.
  void fetch(ApplyOp apply, PointList points);

  /// What the block of a branch that all points take alike accesses is loaded
  /// where the first one of them asks for it, and known until the branch is
  /// closed.
  void openBranch(mlir::Block &branch, PointList points);
  void closeBranch();

  /// Loads an input at some offsets from the base point.
  void fetch(unsigned input, llvm::ArrayRef<std::vector<int64_t>> offsets);

  /// The value of an input at an offset from the base point.
  mlir::Value get(unsigned input, llvm::ArrayRef<int64_t> offset);

  /// The value of an input at coordinates.
  mlir::Value load(unsigned input, mlir::ValueRange coordinates);

private:
  using Offset = std::vector<int64_t>;
  /// Positions that are read, by input and row.
  using Rows = std::map<std::pair<unsigned, Offset>, std::set<int64_t>>;
  using Values = std::map<std::pair<unsigned, Offset>, mlir::Value>;

  /// What the ops of a block read at some points, row by row, and the rows in
  /// the order in which they are read.
  Rows collectRows(mlir::Block &block, PointList points,
                   llvm::SmallVectorImpl<std::pair<unsigned, Offset>> &order);

  void fetchRow(unsigned input, llvm::ArrayRef<int64_t> row,
                llvm::ArrayRef<int64_t> positions,
                const std::set<int64_t> &wanted);
  /// Loads a value that is to come when it is asked for.
  mlir::Value fetchLate(unsigned input, const Offset &offset);

  KernelBuilder &kernel;
  int64_t rank;
  llvm::ArrayRef<KernelField> inputs;
  RowAddresses &addresses;
  int64_t alignment;
  Values values;
  /// What is loaded when it is asked for, in the block that the body is in.
  Rows late;
  mlir::Block *block = nullptr;
  /// What is known outside of the branches that are open.
  struct Scope {
    Values values;
    Rows late;
    mlir::Block *block;
    RowAddresses::Known rows;
  };
  std::vector<Scope> outside;
};

/// Reads the window of a thread for the point at `position` of it.
class WindowReader : public InputReader {
public:
  /// `errorWord` is for what only shows at run time; null if nothing can.
  WindowReader(CacheWindow &window, KernelBuilder &kernel,
               mlir::Value errorWord, KernelSet &kernels,
               llvm::ArrayRef<int64_t> position)
      : window(window), kernel(kernel), errorWord(errorWord), kernels(kernels),
        position(position) {}

  mlir::Value read(mlir::OpBuilder &builder, AccessOp op,
                   mlir::ValueRange here) override;
  void openBranch(mlir::OpBuilder &builder, mlir::Block &branch,
                  PointList points) override;
  void closeBranch() override { window.closeBranch(); }
  /// Out of range, the point nearest to this one is read, and the error noted.
  mlir::Value readAt(mlir::OpBuilder &builder, DynAccessOp op,
                     mlir::ValueRange coordinates, mlir::Value inRange,
                     mlir::ValueRange here) override;
  mlir::Value getTable(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::DenseElementsAttr values) override;
  mlir::Value readElement(mlir::OpBuilder &builder, MatVecOp op,
                          mlir::Value coordinate) override;
  /// Where there is no quotient, the divisor is 1, and the error noted.
  mlir::Value guardDivisor(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::Value dividend, mlir::Value divisor) override;
  /// A step that is not positive is 1, and the error noted.
  mlir::Value guardStep(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                        mlir::Value step) override;

private:
  void note(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
            llvm::StringRef message);

  CacheWindow &window;
  KernelBuilder &kernel;
  mlir::Value errorWord;
  KernelSet &kernels;
  llvm::ArrayRef<int64_t> position;
};

/// Elements that a thread loads or stores at once, if it handles points from a
/// base point of the given alignment.
int64_t getVectorLength(KernelSet &kernels, GridType type, int64_t alignment);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H
