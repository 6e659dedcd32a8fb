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
  mlir::Operation *culprit = nullptr;
  std::string reason;

  /// Sets both; returns failure.
  mlir::LogicalResult set(mlir::Operation *op, const llvm::Twine &why) {
    culprit = op;
    reason = why.str();
    return mlir::failure();
  }
};

/// `for (iv = lower; iv < upper; ++iv)`.
struct NestLoop {
  mlir::Value iv;
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
  mlir::Operation *op = nullptr;
  /// Casts are stripped.
  mlir::Value memref;
  /// The first name of that memory (FieldAliasAnalysis).
  mlir::Value memory;
  llvm::SmallVector<Subscript, 3> subscripts;
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
  mlir::Operation *combiner = nullptr;
  /// Of a point; of the loop before the first point.
  mlir::Value value, init;
};

struct LoopNest {
  mlir::Operation *root = nullptr;
  llvm::SmallVector<NestLoop, 3> loops;
  /// Induction variables of loops with one iteration.
  llvm::DenseMap<mlir::Value, int64_t> fixed;
  /// The ops that are computed at a point, in order; of several levels of the
  /// nest. Those in branches are in their scf.if.
  std::vector<mlir::Operation *> body;
  std::vector<Access> accesses;
  llvm::SmallVector<Reduction, 1> reductions;
  /// Position in `accesses`.
  llvm::DenseMap<mlir::Operation *, unsigned> accessOf;
  /// Loads that are the same at all points: done before the nest.
  llvm::SmallVector<mlir::Operation *> invariants;

  bool isInvariant(const Access &access) const {
    return llvm::is_contained(invariants, access.op);
  }
  int findLoop(mlir::Value iv) const;
  /// By loop: in how many of its subscripts the induction variable is.
  llvm::SmallVector<unsigned> countUses(const Access &access) const;
  bool isInside(mlir::Value value) const;
  /// The half-open range of indices that a subscript goes over.
  std::pair<Bound, Bound> getRange(const Subscript &subscript) const;
};

/// Those of an scf.for or scf.parallel.
llvm::SmallVector<mlir::Value> getInductionVars(mlir::Operation *loop);

/// True if an induction variable of `loop`, an scf.for or scf.parallel, is a
/// term of a subscript of an access of a kind in it: memref.load or
/// memref.store.
template <typename AccessOp>
bool hasSubscriptOf(mlir::Operation *loop, const Extents &extents) {
  auto isTerm = [&](mlir::Value index) {
    LinearIndex sum = extents.read(index);
    return llvm::any_of(getInductionVars(loop),
                        [&](mlir::Value iv) { return sum.getFactor(iv) != 0; });
  };
  return anyWithin(*loop, [&](AccessOp access) {
    return llvm::any_of(access.getIndices(), isTerm);
  });
}

/// True if `loop` goes over points, not over steps: such an access is a store.
bool isOverPoints(mlir::Operation *loop, const Extents &extents);

/// Reads the nest whose outermost loop is `root`. Fails with the reason.
mlir::LogicalResult readNest(mlir::Operation *root, const Extents &extents,
                             FieldAliasAnalysis &aliases, LoopNest &nest,
                             Refusal &refusal);

/// True if `loop`, an scf.for or scf.parallel, has scalar results and an
/// induction variable of it is a term of a subscript of a load: it goes over
/// points and combines what they give.
bool isReduction(mlir::Operation *loop, const Extents &extents);

/// The loop directly in `outer` whose result `yielded` is; null for none.
mlir::scf::ForOp getCarryingLoop(mlir::Value yielded, mlir::scf::ForOp outer);

/// Reads what the results of the outermost loop are.
mlir::LogicalResult readReductions(LoopNest &nest, Refusal &refusal);

/// Gives each reduction the place of a load, as if its points were stored
/// there: its box, and its coordinates.
mlir::LogicalResult placeReductions(LoopNest &nest, Refusal &refusal);

/// Builds the fold over `box` of `value`, the result of an apply, and takes it
/// for result `number` of the nest.
void emitFold(mlir::OpBuilder &builder, const LoopNest &nest, unsigned number,
              mlir::Value value, BoundsAttr box);

} // namespace stencil::raise

#endif // STENCILDIALECT_LIB_TRANSFORMS_RAISELOOPSNEST_H
