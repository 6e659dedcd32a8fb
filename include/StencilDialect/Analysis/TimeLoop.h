//===- TimeLoop.h - Loops over time steps -----------------------*- C++ -*-===//
//
// A time loop carries fields, gives their halos values, computes the next state
// from them and yields them in another order. Here it is taken apart, and what
// blocking several of its steps rests on is proven.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_TIMELOOP_H
#define STENCILDIALECT_ANALYSIS_TIMELOOP_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>

namespace stencil {

/// A loop of which is proven that
/// - it carries fields only, and yields a permutation of them;
/// - its body, the step, is stencil ops and pure scalar computation: no other
///   side effects, no branches or loops, no stencil.fold (whose result may end
///   the loop or steer it);
/// - it stores to fields that it carries only (or to others of outside, where
///   that is allowed), always to the same box, the interior, which is the one
///   that its boundary ops name, too;
/// - the halo of a field is filled before the step reads it, if at all;
/// - no other field that it reads may be one that it stores to.
/// So a step is a function of the state, the interiors of some fields, and of
/// what does not change. What it does to a field depends on the step's number
/// only where `isStepDependent`.
struct TimeLoop {
  mlir::scf::ForOp loop;

  /// The fields at the beginning of a step: those that the loop carries, which
  /// are all that it carries, and behind these the ones of outside that it
  /// stores to, which stay where they are.
  SmallVector<Value> fields;

  /// `next[i]` is the position at which the field at position i is in the next
  /// step. After `period` steps all are in place.
  SmallVector<unsigned> next;
  uint64_t period = 1;

  /// The fields that take turns in holding the state: 2 with a swap, 1 for a
  /// step in place, ...
  unsigned buffers = 1;

  /// Positions whose contents at the beginning of a step are read in it, and
  /// are stored to in this or other steps: one for u(n+1) = f(u(n)), two for
  /// u(n+1) = f(u(n), u(n-1)).
  SmallVector<unsigned> levels;

  /// Stores whose results other stores of the same step are computed from, and
  /// one: the substeps of a Runge-Kutta scheme.
  unsigned stages = 1;

  /// Positions or outer values that are read and never stored to.
  SmallVector<Value> coefficients;

  /// What all stores write and all boundary ops name.
  BoundsAttr interior;

  /// How far from a point the state matters to it one step later: the box of
  /// offsets, both ends included.
  SmallVector<int64_t> lower, upper;

  /// A scalar that an apply takes is computed from the induction variable.
  bool isStepDependent = false;

  SmallVector<LoadOp> loads;
  SmallVector<ApplyOp> applies;
  SmallVector<StoreOp> stores;
  SmallVector<BoundaryOp> boundaries;

  /// The position of a field in the body; nothing if it has none.
  std::optional<unsigned> getPosition(Value field,
                                      FieldAliasAnalysis &aliases) const;
};

/// Why a loop is not a time loop.
struct NoTimeLoop {
  std::string reason;
  /// The op to blame; may be the loop itself.
  Operation *culprit = nullptr;

  /// Takes a reason and the op; false.
  bool refuse(Operation *op, const llvm::Twine &because) {
    reason = because.str();
    culprit = op;
    return false;
  }
};

/// Which fields a time loop may store to.
enum class StoredFields { Carried, CarriedOrFixed };

/// Takes `loop` apart, in a program that has passed `checkProgram`. If it is no
/// time loop, says why not.
std::optional<TimeLoop>
findTimeLoop(mlir::scf::ForOp loop, FieldAliasAnalysis &aliases,
             NoTimeLoop &why, StoredFields allowed = StoredFields::Carried);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_TIMELOOP_H
