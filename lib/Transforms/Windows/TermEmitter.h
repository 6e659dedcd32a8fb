//===- TermEmitter.h - Copies of terms of a body ----------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_TERMEMITTER_H
#define STENCILDIALECT_LIB_TRANSFORMS_TERMEMITTER_H

#include "StencilDialect/Analysis/PlaneTerms.h"
#include "StencilDialect/IR/MathMode.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// Copies terms of a body to the block of a stage.
class TermEmitter {
public:
  /// `mapping` has the inputs of the body.
  TermEmitter(const PlaneTerms &terms, MathMode mode, mlir::IRMapping mapping)
      : terms(terms), mode(mode), mapping(std::move(mapping)) {}

  /// Asks for a term of a value.
  void require(Value value, int64_t plane);

  /// Copies what was asked for and what it depends on, in the body's order.
  /// Fails with an error at the apply if a sum would be computed in another
  /// order than the mode allows.
  LogicalResult emit(OpBuilder &builder);

  /// The copy of a term, once emitted.
  Value get(Value value, int64_t plane) const;

private:
  using Term = std::pair<Value, int64_t>;

  void requireOperands(Operation *op, int64_t plane);
  void requireInvariant(Value value);
  LogicalResult checkOrder(Operation *op);
  void emitTerm(OpBuilder &builder, Operation *op, int64_t plane);
  Value emitAdd(OpBuilder &builder, Operation *op, int64_t plane);
  Value emitFma(OpBuilder &builder, Operation *op, int64_t plane);
  Value emitSum(OpBuilder &builder, WeightedSumOp sum, int64_t plane);
  Value emitTaps(OpBuilder &builder, WeightedSumOp sum, Value input,
                 ArrayRef<int64_t> taps);
  Value find(Operation *user, unsigned operand, int64_t plane) const;

  const PlaneTerms &terms;
  MathMode mode;
  /// Of inputs and of what is the same on all planes.
  mlir::IRMapping mapping;
  llvm::DenseSet<Value> invariants;
  DenseMap<Value, llvm::SmallSetVector<int64_t, 8>> required;
  DenseMap<Term, Value> emitted;
};

/// True if a value of a block reads inputs at this point only, at none of its
/// neighbours.
bool dependsOnPointOnly(Value value, Block &block);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_TERMEMITTER_H
