//===- LinearTrees.h - The sums of a body, as linear forms ------*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_LINEARTREES_H
#define STENCILDIALECT_ANALYSIS_LINEARTREES_H

#include "StencilDialect/Analysis/LinearForm.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/MathMode.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {

/// True if `def` is evaluated whenever `user`, in the same body, is: taking it
/// along to the user is no more work. There may be branches between them, but
/// no loops.
bool runsAsOftenAs(Operation *user, Operation *def);

/// True if every number of the op's operand type is one of its result type.
bool isExactExtension(mlir::arith::ExtFOp op);

/// Finds the sums of a body whose terms may be taken in any order: trees of
/// additions, subtractions, negations, multiplications with and divisions by
/// what is the same at all points, and weighted sums.
///
/// A tree ends at the first value that is no such op. It also ends at a sum of
/// several terms that has several users: that is computed once and stays a
/// value, which its users read. (What has several users and is a multiple of
/// one value is taken apart: this saves its users a value and costs nothing.)
///
/// Linear in the size of the body.
class LinearTrees {
public:
  LinearTrees(ApplyOp apply, MathMode mode);

  /// The sums that no other sum takes up, in the order of the program.
  ArrayRef<Operation *> getRoots() const { return roots; }

  struct Expansion {
    explicit Expansion(Type type) : form(type) {}

    LinearForm form;
    /// What all ops of the tree allow.
    mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::fast;
    /// True if the tree could be smaller: some source is read by more than one
    /// leaf, something is multiplied by zero, or a multiple of a weighted sum
    /// could be one with other weights.
    bool hasGain = false;
    /// Some value of the body that is a tap, by source.
    DenseMap<TapSource, std::pair<LinearForm::Offset, Value>, TapSourceInfo>
        known;
    /// Sums that are sources and were to be taken up, but would make
    /// coefficients that are too long. They are roots, too.
    SmallVector<Operation *> refused;
  };

  /// The form of a value of the body. Sources are inputs of the apply, and
  /// values that are not taken apart.
  Expansion expand(Value value) const;

private:
  /// A multiple of one source at one offset.
  struct Tap {
    TapSource source;
    LinearForm::Offset offset;
    Coefficient coefficient;
    mlir::arith::FastMathFlags flags;
  };
  /// Operands and what they are multiplied with, and a constant.
  struct Terms {
    SmallVector<std::pair<Value, Coefficient>, 2> operands;
    Coefficient constant;
  };

  Coefficient getUniform(Value value) const;
  std::optional<Terms> getTerms(Operation *op) const;
  TapSource getOpaque(Value value) const;
  void visit(Operation *op);
  bool isTakenUp(Operation *op) const;
  void expandSum(WeightedSumOp sum, const Coefficient &factor,
                 Expansion &result,
                 DenseMap<TapSource, unsigned, TapSourceInfo> &reads) const;

  int64_t rank;
  MathMode mode;
  UniformValues uniform;
  DenseMap<Value, Tap> taps;
  /// Ops that add, or scale what an op adds; in the order of the program.
  llvm::SetVector<Operation *> sums;
  llvm::DenseSet<Operation *> takenUp;
  SmallVector<Operation *> roots;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_LINEARTREES_H
