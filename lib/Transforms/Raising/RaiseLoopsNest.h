//===- RaiseLoopsNest.h - What a nest of loops does -------------*- C++ -*-===//
//
// Private to stencil-raise-loops. Reads a nest of loops over memrefs: its
// bounds, what its body loads and stores, and where.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSNEST_H
#define STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSNEST_H

#include "RaiseLoopsIndex.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <string>
#include <vector>

namespace stencil::raise {

/// Why a nest is no stencil, and the op at fault.
struct Refusal {
  Operation *culprit = nullptr;
  std::string reason;

  /// Sets both; returns failure.
  LogicalResult set(Operation *op, const llvm::Twine &why) {
    culprit = op;
    reason = why.str();
    return mlir::failure();
  }
};

/// `for (iv = lower; iv < upper; ++iv)`.
struct NestLoop {
  Value iv;
  Bound lower, upper;
};

/// The induction variable of a loop of the nest, or -1 for none, plus a bound.
struct Subscript {
  int loop = -1;
  Bound bound;

  bool operator==(const Subscript &other) const {
    return loop == other.loop && bound == other.bound;
  }
};

/// A load or store of the body.
struct Access {
  Operation *op = nullptr;
  /// Casts are stripped.
  Value memref;
  /// The first name of that memory (FieldAliasAnalysis).
  Value memory;
  SmallVector<Subscript, 3> subscripts;
  bool isStore = false;
  /// In a branch.
  bool isConditional = false;
  /// Position in `reductions` of what is combined there, as if it were stored;
  /// -1 for loads and stores.
  int reduction = -1;

  /// What is in memory changes.
  bool isWrite() const { return isStore && reduction < 0; }

  /// Two accesses of one place, at every point of the nest.
  bool isSamePlace(const Access &other) const {
    return memory == other.memory && subscripts == other.subscripts;
  }
};

/// A result of the outermost loop: what its points give, combined. It becomes a
/// stencil.fold, if that is a sum, a maximum or a minimum.
struct Reduction {
  FoldKind kind = FoldKind::Sum;
  Operation *combiner = nullptr;
  /// Of a point; of the loop before the first point.
  Value value, init;
};

struct LoopNest {
  Operation *root = nullptr;
  SmallVector<NestLoop, 3> loops;
  /// Induction variables of loops with one iteration.
  DenseMap<Value, int64_t> fixed;
  /// The ops that are computed at a point, in order; of several levels of the
  /// nest. Those in branches are in their scf.if.
  std::vector<Operation *> body;
  std::vector<Access> accesses;
  SmallVector<Reduction, 1> reductions;
  /// Position in `accesses`.
  DenseMap<Operation *, unsigned> accessOf;
  /// Loads that are the same at all points: done before the nest.
  SmallVector<Operation *> invariants;

  bool isInvariant(const Access &access) const {
    return llvm::is_contained(invariants, access.op);
  }
  int findLoop(Value iv) const;
  /// Whether each induction variable is in one of its subscripts.
  bool isAtEachPoint(const Access &access) const;
  bool isInside(Value value) const;
  /// The half-open range of indices that a subscript goes over.
  std::pair<Bound, Bound> getRange(const Subscript &subscript) const;
};

/// True if an induction variable of `loop`, an scf.for or scf.parallel, is a
/// term of a subscript of an access of a kind in it: memref.load or
/// memref.store.
template <typename AccessOp>
bool hasSubscriptOf(Operation *loop, const Extents &extents) {
  auto isTerm = [&](Value index) {
    LinearIndex sum = extents.read(index);
    auto ivs =
        llvm::cast<mlir::LoopLikeOpInterface>(loop).getLoopInductionVars();
    return llvm::any_of(*ivs, [&](Value iv) { return sum.getFactor(iv) != 0; });
  };
  return anyWithin(*loop, [&](AccessOp access) {
    return llvm::any_of(access.getIndices(), isTerm);
  });
}

/// True if `loop` goes over points, not over steps: such an access is a store.
bool isOverPoints(Operation *loop, const Extents &extents);

/// Reads the nest whose outermost loop is `root`. Fails with the reason.
LogicalResult readNest(Operation *root, const Extents &extents,
                       FieldAliasAnalysis &aliases, LoopNest &nest,
                       Refusal &refusal);

/// True if `loop`, an scf.for or scf.parallel, has scalar results and an
/// induction variable of it is a term of a subscript of a load: it goes over
/// points and combines what they give.
bool isReduction(Operation *loop, const Extents &extents);

/// The loop directly in `outer` whose result `yielded` is; null for none.
mlir::scf::ForOp getCarryingLoop(Value yielded, mlir::scf::ForOp outer);

/// Reads what the results of the outermost loop are.
LogicalResult readReductions(LoopNest &nest, Refusal &refusal);

/// Gives each reduction the place of a load, as if its points were stored
/// there: its box, and its coordinates.
LogicalResult placeReductions(LoopNest &nest, Refusal &refusal);

/// Builds the fold over `box` of `value`, the result of an apply, and takes it
/// for result `number` of the nest.
void emitFold(OpBuilder &builder, const LoopNest &nest, unsigned number,
              Value value, BoundsAttr box);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSNEST_H
