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
  Value buffer;
  /// Axis of the apply for every axis of the field.
  SmallVector<int64_t> axes;
  std::optional<DeviceLayout> layout;
};

/// Axis of the apply for every axis of an input, as its accesses say.
SmallVector<int64_t> findAxes(ApplyOp apply, unsigned input);

/// Makes inputs that are accessed as different axes several inputs.
void splitAxes(ApplyOp apply);

/// Positions in memory of points near a base point.
class RowAddresses {
public:
  RowAddresses(KernelBuilder &kernel, const BasePoint &base)
      : kernel(kernel), base(base) {}

  /// The position of the point at this offset, an index. Those of a row are
  /// computed once.
  Value get(const KernelField &field, ArrayRef<int64_t> offset);

  /// What is computed in `body` is known there only.
  template <typename Body> auto inBranch(Body &&body) {
    Known known = rows;
    auto result = body();
    rows = std::move(known);
    return result;
  }

  /// Position of the row's base point, by field and the row's offset.
  using Offset = std::vector<int64_t>;
  using Known = std::map<std::pair<const KernelField *, Offset>, Value>;
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
  CacheWindow(KernelBuilder &kernel, int64_t rank, ArrayRef<KernelField> inputs,
              RowAddresses &addresses, int64_t alignment)
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
  void openBranch(Block &branch, PointList points);
  void closeBranch();

  /// Loads an input at some offsets from the base point.
  void fetch(unsigned input, ArrayRef<std::vector<int64_t>> offsets);

  /// The value of an input at an offset from the base point.
  Value get(unsigned input, ArrayRef<int64_t> offset);

  /// The value of an input at coordinates.
  Value load(unsigned input, ValueRange coordinates);

private:
  using Offset = std::vector<int64_t>;
  /// Positions that are read, by input and row.
  using Rows = std::map<std::pair<unsigned, Offset>, std::set<int64_t>>;
  using Values = std::map<std::pair<unsigned, Offset>, Value>;

  /// What the ops of a block read at some points, row by row, and the rows in
  /// the order in which they are read.
  Rows collectRows(Block &block, PointList points,
                   SmallVectorImpl<std::pair<unsigned, Offset>> &order);

  void fetchRow(unsigned input, ArrayRef<int64_t> row,
                ArrayRef<int64_t> positions, const std::set<int64_t> &wanted);
  /// Loads a value that is to come when it is asked for.
  Value fetchLate(unsigned input, const Offset &offset);

  KernelBuilder &kernel;
  int64_t rank;
  ArrayRef<KernelField> inputs;
  RowAddresses &addresses;
  int64_t alignment;
  Values values;
  /// What is loaded when it is asked for, in the block that the body is in.
  Rows late;
  Block *block = nullptr;
  /// What is known outside of the branches that are open.
  struct Scope {
    Values values;
    Rows late;
    Block *block;
    RowAddresses::Known rows;
  };
  std::vector<Scope> outside;
};

/// Reads the window of a thread for the point at `position` of it.
class WindowReader : public InputReader {
public:
  /// `errorWord` is for what only shows at run time; null if nothing can.
  WindowReader(CacheWindow &window, KernelBuilder &kernel, Value errorWord,
               KernelSet &kernels, ArrayRef<int64_t> position)
      : window(window), kernel(kernel), errorWord(errorWord), kernels(kernels),
        position(position) {}

  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override;
  void openBranch(OpBuilder &builder, Block &branch, PointList points) override;
  void closeBranch() override { window.closeBranch(); }
  /// Out of range, the point nearest to this one is read, and the error noted.
  Value readAt(OpBuilder &builder, DynAccessOp op, ValueRange coordinates,
               Value inRange, ValueRange here) override;
  Value getTable(OpBuilder &builder, Location loc,
                 DenseElementsAttr values) override {
    return kernels.getTable(builder, loc, values);
  }
  Value readElement(OpBuilder &builder, MatVecOp op, Value coordinate) override;
  /// Where there is no quotient, the divisor is 1, and the error noted.
  Value guardDivisor(OpBuilder &builder, Operation *op, Value dividend,
                     Value divisor) override;
  /// A step that is not positive is 1, and the error noted.
  Value guardStep(OpBuilder &builder, mlir::scf::ForOp loop,
                  Value step) override;

private:
  void note(ImplicitLocOpBuilder &b, Value condition, StringRef message);

  CacheWindow &window;
  KernelBuilder &kernel;
  Value errorWord;
  KernelSet &kernels;
  ArrayRef<int64_t> position;
};

/// Elements that a thread loads or stores at once, if it handles points from a
/// base point of the given alignment.
int64_t getVectorLength(KernelSet &kernels, GridType type, int64_t alignment);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H
