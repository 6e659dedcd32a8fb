//===- KernelProfile.h - What of an apply decides its speed -----*- C++ -*-===//
//
// Everything that the schedules of an apply and their predicted times depend
// on, taken from its body once: what is read where, what is computed, how many
// points there are.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_KERNELPROFILE_H
#define STENCILDIALECT_ANALYSIS_KERNELPROFILE_H

#include "StencilDialect/Analysis/BodyCost.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// Planes along axis 0 at which a body reads.
struct PlaneReads {
  int64_t first = 0, last = 0, count = 0;

  void add(int64_t plane);
  int64_t getSpan() const { return count == 0 ? 0 : last - first + 1; }
};

/// A field or value that a body reads. Windows of a schedule are numbered as
/// these are.
struct ProfiledInput {
  /// The apply's operand, and its number among all operands.
  mlir::Value operand;
  unsigned number = 0;
  /// Of an element in memory.
  int64_t bytes = 0;
  /// Where it is read, along the axes of the apply, sorted, partial sums
  /// followed to what they read; kNoAxis for an axis that it does not have.
  OffsetSet offsets;
  /// The hull of these per axis, both ends included; 0 where it has no axis.
  llvm::SmallVector<int64_t, 4> lower, upper;
  /// Has all axes, and is read at constant offsets: a window can hold it.
  bool fitsWindow = false;
  /// What a tensor map takes: by its element type, and by rows that are
  /// aligned.
  bool fitsTensorMap = false;
  /// The operand is the memory that is stored to as well.
  bool isStored = false;
  /// Planes along axis 0 that are read in the column of the point, without an
  /// offset along the other axes, and beside it.
  PlaneReads column, beside;

  bool isRead() const { return !offsets.empty(); }
  /// Planes along `axis` that are read, from the first to the last; 0 if none.
  int64_t getSpan(int64_t axis) const {
    return isRead() ? upper[axis] - lower[axis] + 1 : 0;
  }
  /// The greatest distance along any axis.
  int64_t getRadius() const;
  /// True if a point is read that is off the axes: a box, not a star.
  bool readsBox() const;
};

/// Instructions per point, by the unit that executes them; an fma is one.
struct PointWork {
  double fp64 = 0, fp32 = 0;
  /// Integers, comparisons, conversions; those that take many cycles
  /// (divisions, roots, functions) as many as they take.
  double other = 0;

  double total() const { return fp64 + fp32 + other; }
};

struct KernelProfile {
  int64_t rank = 0;
  /// Points per axis; where the apply does not know, what is assumed.
  llvm::SmallVector<int64_t> shape;
  /// False if some of them are assumed.
  bool isShapeKnown = true;
  /// True if positions are numbers of 32 bits although extents are open
  /// (kNarrowAttr): addresses take what they take of known extents.
  bool isNarrow = false;
  MathMode math = MathMode::Contract;

  llvm::SmallVector<ProfiledInput> inputs;
  /// Bytes of an element of each result.
  llvm::SmallVector<int64_t> outputBytes;
  /// Of all inputs that have all axes, each field once, and of the results:
  /// per point, what cannot be avoided.
  double bytesRead = 0, bytesWritten = 0;

  /// Computed once for each point that needs it; and if neighbours keep their
  /// partial sums for each other (Analysis/Cost.h).
  PointWork alone, shared;
  /// Registers of 32 bits that the body holds at once where it holds most.
  int64_t liveRegisters = 0;
  /// Ops, with those that sums are going to be.
  int64_t ops = 0;
  /// False for a body that has more reads than are followed, that is unrolled,
  /// or that stores where it likes: no more is known than the default.
  bool isKnown = true;

  /// Sums over planes along axis 0 that can be added plane by plane, and the
  /// most planes that one is spread over; 0 if there is none, or neither
  /// `math` nor the flags of their ops let them be reordered.
  int64_t scatterSums = 0, scatterSpan = 0;

  /// The longest row of taps of a sum that is a loop if its input is in a
  /// shared window (stencil-roll-sums); 0 if there is none.
  int64_t tapRow = 0;

  double countPoints() const;
  /// The largest element that is read or written.
  int64_t getElementBytes() const;
  int64_t getRadius() const;
  /// The greatest distance along an axis at which any input is read.
  int64_t getHalo(int64_t axis) const;
  bool readsBox() const;
  /// True if an input is read at most points of a box.
  bool readsFullBox() const;
};

/// Fails with an error if the box of an apply is not known yet, which its
/// profile needs.
mlir::LogicalResult checkBoxIsKnown(ApplyOp apply);

/// The profile of an apply of known box. `extents`: interior points per axis
/// where the apply's bounds do not say, 0 or nothing if they are not known.
/// Linear in the body and the points that it reads.
KernelProfile profileKernel(ApplyOp apply, llvm::ArrayRef<int64_t> extents,
                            MathMode math);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_KERNELPROFILE_H
