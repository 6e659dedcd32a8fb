//===- RaiseLoopsIndex.h - Extents and subscripts of memrefs ----*- C++ -*-===//
//
// Private to stencil-raise-loops. Subscripts and bounds of loops are read as
// sums of induction variables, extents of memrefs, and a constant.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSINDEX_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSINDEX_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace stencil::raise {

/// A number that is not known at compile time: an index value, or, if `axis`
/// is not -1, the extent of that axis of the memref `value`. Null: none.
struct Root {
  mlir::Value value;
  int64_t axis = -1;

  explicit operator bool() const { return static_cast<bool>(value); }
  bool operator==(const Root &other) const {
    return value == other.value && axis == other.axis;
  }
  std::pair<mlir::Value, int64_t> key() const { return {value, axis}; }
};

/// `root + offset`, or a constant.
struct Bound {
  Root root;
  int64_t offset = 0;

  bool operator==(const Bound &other) const {
    return root == other.root && offset == other.offset;
  }
};

/// A sum of roots with factors, and a constant.
struct LinearIndex {
  llvm::SmallVector<std::pair<Root, int64_t>, 2> terms;
  int64_t constant = 0;

  void add(Root root, int64_t factor);
  int64_t getFactor(mlir::Value value) const;
};

/// The memory that `value` names, seen through casts of its type.
mlir::Value stripCasts(mlir::Value value);

/// Which memrefs of a function have the same extents, because a loop carries
/// them from one to the other or a cast gives one the type of the other; and
/// what is known of extents.
class Extents {
public:
  explicit Extents(mlir::func::FuncOp function);

  /// The representative of the memrefs that have the extents of `memref`.
  mlir::Value getClass(mlir::Value memref) const {
    return classes.getOrInsertLeaderValue(memref);
  }

  /// The extent of an axis of a memref.
  Bound getExtent(mlir::Value memref, int64_t axis) const;

  /// `value` as a sum; roots are representatives. Extents that an assertion
  /// says to be equal are one root, unless `asWritten`.
  LinearIndex read(mlir::Value value, bool asWritten = false) const;

  /// `index` as a bound, if it is one.
  static std::optional<Bound> toBound(const LinearIndex &index);

  std::optional<Bound> readBound(mlir::Value value) const {
    return toBound(read(value));
  }

private:
  void join(mlir::Value a, mlir::Value b);
  void readAssertions(mlir::func::FuncOp function);
  void read(mlir::Value value, int64_t factor, unsigned &ops,
            LinearIndex &sum) const;
  Bound normalise(Root root) const;

  mutable llvm::EquivalenceClasses<mlir::Value> classes;
  struct Known {
    /// kDynamic where it is not a constant.
    llvm::SmallVector<int64_t> shape;
    /// Where it is allocated with such extents.
    llvm::SmallVector<mlir::Value> sizes;
  };
  llvm::DenseMap<mlir::Value, Known> known;
  /// Extents that are being read.
  mutable llvm::DenseSet<std::pair<mlir::Value, int64_t>> active;
  /// What assertions say: a root is another one, plus a number.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Bound> equal;
  mutable bool isAsWritten = false;
};

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSINDEX_H
