//===- PlaneTerms.h - Values of a body, plane by plane ----------*- C++ -*-===//
//
// With an axis that a kernel walks along, a value of a body may be a sum of
// terms each of which reads one plane only: v = sum over k of T_k, where T_k
// reads its inputs at offset k along the axis and nowhere else. Moved to the
// plane that it reads, T_k reads offset 0: a stage that has this plane computes
// all of the T_k that the plane contributes to.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_PLANETERMS_H
#define STENCILDIALECT_ANALYSIS_PLANETERMS_H

#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

namespace stencil {

/// A range of offsets along the axis, both ends included.
struct PlaneRange {
  int64_t first = std::numeric_limits<int64_t>::min();
  int64_t last = std::numeric_limits<int64_t>::max();

  PlaneRange intersect(const PlaneRange &other) const {
    return {std::max(first, other.first), std::min(last, other.last)};
  }
  PlaneRange hull(const PlaneRange &other) const {
    return {std::min(first, other.first), std::max(last, other.last)};
  }
  bool contains(const PlaneRange &other) const {
    return first <= other.first && other.last <= last;
  }
};

/// The offsets of a read along the axis; nothing if the input does not have it.
std::optional<PlaneRange> getPlanes(const InputRead &read, int64_t axis);

/// What is known of a value.
struct PlaneInfo {
  enum Kind {
    /// The same on all planes.
    Invariant,
    /// A sum of terms, one per plane.
    Terms,
    /// Neither.
    Mixed
  };
  Kind kind = Mixed;
  /// Of terms: the k, increasing.
  SmallVector<int64_t, 4> planes;
  /// Reads its inputs at this point only.
  bool isPointwise = true;
  /// The planes at which all inputs that it reads are read by the body, so that
  /// a stage can read them there.
  PlaneRange readable;

  PlaneRange getHull() const { return {planes.front(), planes.back()}; }
  bool isHere() const { return planes.size() == 1 && planes.front() == 0; }
};

/// The terms of the values that the block of a body computes.
class PlaneTerms {
public:
  PlaneTerms(ApplyOp apply, int64_t axis);

  const PlaneInfo &get(Value value) const;
  ApplyOp getApply() const { return apply; }
  int64_t getAxis() const { return axis; }

  /// True if the terms of a value can be computed when their planes come.
  bool canScatter(Value value) const;

  /// The offset of an access or of a tap along the axis; nothing if the input
  /// does not have it.
  std::optional<int64_t> getPlane(ArrayRef<int64_t> axes,
                                  ArrayRef<int64_t> offset) const;

private:
  PlaneInfo classify(Operation *op) const;
  PlaneInfo classifySum(WeightedSumOp sum) const;
  PlaneInfo joinOperands(Operation *op) const;
  PlaneInfo classifyGeneric(Operation *op) const;
  PlaneInfo readInput(Value input) const;

  ApplyOp apply;
  int64_t axis;
  DenseMap<Value, PlaneInfo> infos;
  /// Per input: the planes that the body reads.
  DenseMap<Value, PlaneRange> reads;
};

/// The body as sums that are added plane by plane, and the rest.
struct PlaneSums {
  explicit PlaneSums(const PlaneTerms &terms);

  /// Whether the order of all sums over several planes may be changed: by the
  /// mode, or by the flags of each op.
  bool mayReorder(const PlaneTerms &terms, MathMode mode) const;

  /// The sums: what needs other points of a plane, or other planes, comes from
  /// a stage that has them.
  llvm::SetVector<Value> roots;
  /// The ops that compute the results from them.
  llvm::DenseSet<Operation *> rest;
  /// One of these that sums what depends on a root, though the rest has the
  /// point itself only; null if there is none.
  WeightedSumOp refused;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PLANETERMS_H
