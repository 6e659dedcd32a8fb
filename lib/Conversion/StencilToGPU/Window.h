//===- Window.h - Where a thread's neighbours live --------------*- C++ -*-===//
//
// A thread computes some points near a base point of its own. What they read is
// fetched into a window first, then the bodies read the window. A window is
// named by offsets from the base point, whatever holds its values.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H

#include "KernelBuilder.h"
#include <map>

namespace stencil {

/// The points of a thread, relative to its base point.
using PointList = llvm::ArrayRef<llvm::SmallVector<int64_t>>;

/// An input or output of an apply in its kernel.
struct KernelField {
  GridType type;
  /// The linear buffer.
  mlir::Value buffer;
  /// Axis of the apply for every axis of the field.
  llvm::SmallVector<int64_t> axes;
  std::optional<DeviceLayout> layout;
};

/// The base point of a thread, or of one part of its work.
struct BasePoint {
  /// Coordinates, in the kernel's integer type.
  llvm::SmallVector<mlir::Value> coordinates;
  /// Largest power of two that divides the last coordinate.
  int64_t alignment = 1;
};

/// Neighbours in the caches of the hardware: every value that several points
/// read is loaded once, in vectors where all elements of an aligned vector are
/// needed.
class CacheWindow {
public:
  CacheWindow(KernelBuilder &kernel, ApplyOp apply,
              llvm::ArrayRef<KernelField> inputs, const BasePoint &base)
      : kernel(kernel), apply(apply), inputs(inputs), base(base) {}

  /// Loads what the bodies at `points` access unconditionally.
  void fetch(PointList points);

  /// The value of an input at an offset from the base point.
  mlir::Value get(unsigned input, llvm::ArrayRef<int64_t> offset);

  /// The value of an input at coordinates.
  mlir::Value load(unsigned input, mlir::ValueRange coordinates);

  /// The position in a field's buffer of an offset from the base point, as an
  /// index.
  mlir::Value getPosition(const KernelField &field,
                          llvm::ArrayRef<int64_t> offset);

private:
  using Offset = std::vector<int64_t>;
  void fetchRow(unsigned input, llvm::ArrayRef<int64_t> row,
                llvm::ArrayRef<int64_t> positions);

  KernelBuilder &kernel;
  ApplyOp apply;
  llvm::ArrayRef<KernelField> inputs;
  const BasePoint &base;
  std::map<std::pair<unsigned, Offset>, mlir::Value> values;
  std::map<std::pair<const KernelField *, Offset>, mlir::Value> rows;
};

/// Reads the window of a thread for the point at `position` of it.
class WindowReader : public InputReader {
public:
  /// `errorWord` is for what only shows at run time; null if nothing can.
  WindowReader(CacheWindow &window, KernelBuilder &kernel,
               mlir::Value errorWord, HostFunction &host,
               llvm::ArrayRef<int64_t> position)
      : window(window), kernel(kernel), errorWord(errorWord), host(host),
        position(position) {}

  mlir::Value read(mlir::OpBuilder &builder, AccessOp op,
                   mlir::ValueRange here) override;
  /// Out of range, the point nearest to this one is read, and the error noted.
  mlir::Value readAt(mlir::OpBuilder &builder, DynAccessOp op,
                     mlir::ValueRange coordinates, mlir::Value inRange,
                     mlir::ValueRange here) override;
  /// Where there is no quotient, the divisor is 1, and the error noted.
  mlir::Value guardDivisor(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::Value dividend, mlir::Value divisor) override;

private:
  void note(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
            llvm::StringRef message);

  CacheWindow &window;
  KernelBuilder &kernel;
  mlir::Value errorWord;
  HostFunction &host;
  llvm::ArrayRef<int64_t> position;
};

/// Elements that a thread loads or stores at once, if it handles points from a
/// base point of the given alignment.
int64_t getVectorLength(GridType type, int64_t alignment);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_WINDOW_H
