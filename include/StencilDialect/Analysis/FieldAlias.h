//===- FieldAlias.h - Which fields are the same memory ----------*- C++ -*-===//
//
// Fields are named by many values: casts, arguments and results of time loops,
// results of scf.if. This analysis says which of them can be, or are, one
// memory. It rests on two rules of the language: distinct arguments of a
// function do not alias, and a loop yields a permutation of the fields that it
// carries.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_FIELDALIAS_H
#define STENCILDIALECT_ANALYSIS_FIELDALIAS_H

#include "StencilDialect/Support/LLVM.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace stencil {

/// The fields (or memrefs) that an scf.for or scf.while carries from one
/// iteration to the next, in the order of its arguments. All lists are of one
/// length, but `results` is empty for scf.while, whose results are what its
/// condition passes.
struct CarriedFields {
  /// Block arguments: of the body of scf.for, of the first region of scf.while.
  SmallVector<Value> args;
  SmallVector<Value> inits;
  SmallVector<mlir::OpOperand *> yields;
  SmallVector<Value> results;

  /// The yielded fields are a permutation of `args`, whatever inner loops and
  /// branches are taken.
  bool permutes = false;

  /// Where `permutes`: `args[i]` and `args[j]` can only ever name each other's
  /// initial fields if `cycle[i] == cycle[j]`.
  SmallVector<unsigned> cycle;

  /// Where not `permutes`: an operand of the yield that spoils it.
  mlir::OpOperand *culprit = nullptr;

  /// Position of every member of `args` and `results`.
  DenseMap<Value, unsigned> positions;

  /// Number of positions of every cycle.
  SmallVector<unsigned> cycleSizes;

  /// Position of a member of `args` or `results`; -1 if it is none.
  int64_t find(Value value) const {
    auto it = positions.find(value);
    return it == positions.end() ? -1 : static_cast<int64_t>(it->second);
  }

  /// True if `args[index]` is the same field in every iteration.
  bool isFixed(unsigned index) const {
    return permutes && cycleSizes[cycle[index]] == 1;
  }
};

/// Answers hold at one moment of the program, for values that are visible at
/// one place, and as long as the loops and branches of the program are not
/// changed.
class FieldAliasAnalysis {
public:
  /// True unless `a` and `b`, fields or memrefs, are surely distinct memory.
  bool mayAlias(Value a, Value b) { return mayAlias(a, b, 0); }

  /// True if `a` and `b` are surely the same memory.
  bool mustAlias(Value a, Value b) { return getSource(a) == getSource(b); }

  /// The first value that names the same memory as `field`, seen through casts,
  /// external loads, arguments and results of loops that keep their field, and
  /// calls that return an argument.
  Value getSource(Value field) { return getSource(field, 0); }

  /// Of an scf.for or scf.while.
  const CarriedFields &getCarriedFields(Operation *loop);

private:
  Value getSource(Value field, unsigned depth);
  Value getBranchSource(Value result, unsigned depth);
  Value getCallSource(Value result, unsigned depth);
  bool mayAlias(Value a, Value b, unsigned depth);
  bool mayAliasUncached(Value a, Value b, unsigned depth);
  LogicalResult resolve(SmallVector<Value> pending, Operation *scope,
                        SmallVectorImpl<Value> &sources);
  void findPermutation(Operation *loop, CarriedFields &carried);

  DenseMap<Operation *, std::unique_ptr<CarriedFields>> loops;
  DenseMap<std::pair<Value, Value>, bool> known;
  /// Of results of scf.if and of calls.
  DenseMap<Value, Value> branchSources;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_FIELDALIAS_H
