//===- Footprint.h - What the body of an apply reads ------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_FOOTPRINT_H
#define STENCILDIALECT_IR_FOOTPRINT_H

#include "StencilDialect/IR/StencilOps.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// Calls `callback` with the number of every tap of a sum, and with whether its
/// weight is the constant 1 or -1. A point of constant weight zero is no tap.
void forEachTap(WeightedSumOp sum,
                llvm::function_ref<void(int64_t tap, bool isUnit)> callback);

/// The hull of the offsets of a sum's taps, both ends included. False if it has
/// none: every weight is a constant zero.
bool getTapHull(WeightedSumOp sum, llvm::SmallVectorImpl<int64_t> &lower,
                llvm::SmallVectorImpl<int64_t> &upper);

/// The neighbours that one op of a body reads of an input, relative to the
/// point for which the body returns.
struct InputRead {
  /// A PlacedOpInterface.
  mlir::Operation *op = nullptr;
  /// The block argument that is read.
  mlir::BlockArgument input;
  /// Axis of the apply for every axis of the input.
  llvm::SmallVector<int64_t, 4> axes;
  /// The box of offsets, both ends included. It is the hull of what is read.
  llvm::SmallVector<int64_t, 4> lower, upper;

  /// True if nothing but the point itself is read, of an apply of this rank.
  bool isPointwise(int64_t rank) const {
    return static_cast<int64_t>(axes.size()) == rank &&
           !readsComputedPoints(op) && isZero(lower) && isZero(upper);
  }
};

/// Which neighbouring points the values of a body are needed at, and what is
/// therefore read: an access that a weighted sum over a body value depends on
/// is evaluated at all neighbours of that sum. What no result depends on is not
/// evaluated, and reads nothing.
class Footprint {
public:
  explicit Footprint(ApplyOp apply);

  /// Calls `callback` for every op that reads input number `input`, or any
  /// input. Linear in the number of uses and taps.
  void forEachRead(unsigned input,
                   llvm::function_ref<void(const InputRead &)> callback);
  void forEachRead(llvm::function_ref<void(const InputRead &)> callback);

private:
  /// Offsets along the axes of the apply, both ends included.
  struct Box {
    llvm::SmallVector<int64_t, 4> lower, upper;
    bool contains(const Box &other) const;
  };
  /// The number of a box that has two others in it.
  unsigned join(unsigned a, unsigned b);
  void visit(mlir::Operation *user, mlir::BlockArgument input,
             llvm::function_ref<void(const InputRead &)> callback);

  ApplyOp apply;
  int64_t rank;
  /// Most ops have the same ones; the first one is the point itself.
  llvm::SmallVector<Box, 1> boxes;
  /// The number of its box, per op of the body's block that is evaluated
  /// anywhere.
  llvm::DenseMap<mlir::Operation *, unsigned> reach;
};

/// Which ops of a body are evaluated at its own point, and which others go with
/// one that is evaluated at a neighbouring point.
class BodySlices {
public:
  explicit BodySlices(ApplyOp apply);

  /// False for an op of the body's block that no result depends on, or that
  /// only sums at other points ask for. It must not be evaluated here, where it
  /// may read beyond its input. True for ops in regions: they follow the op
  /// around them.
  bool isNeededHere(mlir::Operation *op) const {
    return op->getBlock() != body || needed.contains(op);
  }

  /// The ops of the body's block, in order, that `op`, one of them, is computed
  /// from at the same point, and itself.
  llvm::ArrayRef<mlir::Operation *> getSlice(mlir::Operation *op);

private:
  mlir::Block *body;
  llvm::DenseSet<mlir::Operation *> needed;
  llvm::DenseMap<mlir::Operation *,
                 std::unique_ptr<llvm::SmallVector<mlir::Operation *>>>
      slices;
};

/// Limits for who evaluates bodies at other points: ops in all of a body, and
/// sums over sums over sums. What a person or a pass would write is far below;
/// a kernel of as many is a minute of compile time, of four times as many a
/// quarter of an hour (LLVM's greedy rewriter).
constexpr uint64_t kMaxShiftedOps = 1 << 15;
constexpr unsigned kMaxShiftDepth = 512;

/// The values of a body that are the same at all points: scalar arguments, and
/// what is computed at the body's top level or below from constants and them.
class UniformValues {
public:
  explicit UniformValues(ApplyOp apply);

  bool contains(mlir::Value value) const { return uniform.contains(value); }

private:
  llvm::DenseSet<mlir::Value> uniform;
};

} // namespace stencil

#endif // STENCILDIALECT_IR_FOOTPRINT_H
