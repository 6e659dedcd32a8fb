//===- Instructions.h - What programs are made of ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_INSTRUCTIONS_H
#define STENCIL_LIB_INTERPRETER_INSTRUCTIONS_H

#include "Program.h"

namespace stencil::interp {

/// Evaluates a kernel. Lanes that are not active are computed too: it cannot
/// fail.
class Compute : public Instruction {
public:
  Compute(Kernel kernel, unsigned result, llvm::ArrayRef<unsigned> operands)
      : kernel(kernel), result(result), count(operands.size()) {
    llvm::copy(operands, args.begin());
  }
  bool run(Frame &frame) const override;

private:
  Kernel kernel;
  unsigned result;
  unsigned count;
  std::array<unsigned, 3> args{};
};

class ComputeChecked : public Instruction {
public:
  ComputeChecked(mlir::Operation *op, CheckedKernel kernel, unsigned result,
                 unsigned lhs, unsigned rhs)
      : op(op), kernel(kernel), result(result), lhs(lhs), rhs(rhs) {}
  bool run(Frame &frame) const override;

private:
  mlir::Operation *op;
  CheckedKernel kernel;
  unsigned result, lhs, rhs;
};

/// result[i] = source[i] at the active lanes.
class Blend : public Instruction {
public:
  Blend(unsigned result, unsigned source, Kind kind)
      : result(result), source(source), kind(kind) {}
  bool run(Frame &frame) const override;

private:
  unsigned result, source;
  Kind kind;
};

/// The coordinate of each lane along an axis, plus an offset.
class Coordinate : public Instruction {
public:
  Coordinate(unsigned result, unsigned axis, int64_t offset)
      : result(result), axis(axis), offset(offset) {}
  bool run(Frame &frame) const override;

private:
  unsigned result, axis;
  int64_t offset;
};

/// What a selection leaves unspecified: no more than its condition, and the
/// operand that it chooses. Follows the instruction that computes it.
class SelectUnspecified : public Instruction {
public:
  SelectUnspecified(unsigned result, unsigned condition, unsigned a, unsigned b)
      : result(result), condition(condition), a(a), b(b) {}
  bool run(Frame &frame) const override;

private:
  unsigned result, condition, a, b;
};

/// A value that is specified nowhere.
class Poison : public Instruction {
public:
  explicit Poison(unsigned result) : result(result) {}
  bool run(Frame &frame) const override;

private:
  unsigned result;
};

/// Fails where an access reads a point at which nothing was stored.
class CheckSet : public Instruction {
public:
  CheckSet(mlir::Operation *op, unsigned input, llvm::ArrayRef<int64_t> axes,
           llvm::ArrayRef<int64_t> offset)
      : op(op), input(input), axes(axes), offset(offset) {}
  bool run(Frame &frame) const override;

private:
  mlir::Operation *op;
  unsigned input;
  llvm::SmallVector<int64_t, 4> axes, offset;
};

/// Reads an input at computed coordinates.
class DynAccess : public Instruction {
public:
  DynAccess(mlir::Operation *op, unsigned input, unsigned result,
            llvm::ArrayRef<unsigned> coordinates, llvm::ArrayRef<int64_t> lower,
            llvm::ArrayRef<int64_t> upper)
      : op(op), input(input), result(result), coordinates(coordinates),
        lower(lower), upper(upper) {}
  bool run(Frame &frame) const override;

private:
  mlir::Operation *op;
  unsigned input, result;
  llvm::SmallVector<unsigned, 4> coordinates;
  llvm::SmallVector<int64_t, 4> lower, upper;
};

/// One tap of a row of a matrix, lane by lane: its weight, and what it
/// multiplies. An element that is zero is no tap: the product is -0, which
/// changes no sum.
class MatrixTap : public Instruction {
public:
  /// `elements` are those of a column; the point has the distance `offset` from
  /// that of the first row.
  MatrixTap(mlir::Operation *op, unsigned input, unsigned row, int64_t offset,
            std::vector<Cell> elements, unsigned weight, unsigned value,
            Kind kind)
      : op(op), input(input), row(row), offset(offset),
        elements(std::move(elements)), weight(weight), value(value),
        kind(kind) {}
  bool run(Frame &frame) const override;

private:
  mlir::Operation *op;
  unsigned input, row;
  int64_t offset;
  std::vector<Cell> elements;
  unsigned weight, value;
  Kind kind;
};

/// Runs one sequence where a condition holds and another where it does not.
/// Their values are merged by blends at their ends.
class If : public Instruction {
public:
  unsigned condition, mask;
  Sequence thenBody, elseBody;
  /// Of the results.
  Registers results;
  llvm::SmallVector<Kind, 2> kinds;
  ErrorAnalysis *analysis = nullptr;

  bool run(Frame &frame) const override;

private:
  bool runBranches(Frame &frame, const uint8_t *holds) const;
  void runOpenLanes(Frame &frame) const;
  bool runFollowed(Frame &frame) const;
};

/// A counted loop whose bounds may differ between lanes. Its values live in
/// registers that blends at the end of the body update.
class For : public Instruction {
public:
  mlir::Operation *op;
  unsigned lower, upper, step, counter, mask, trips;
  Kind kind;
  bool isUnsigned;
  Sequence body;
  /// Of the results.
  Registers results;

  bool run(Frame &frame) const override;

private:
  bool countTrips(Frame &frame) const;
};

class While : public Instruction {
public:
  unsigned condition, mask;
  Sequence before, after;
  /// Of the results.
  Registers results;

  bool run(Frame &frame) const override;
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_INSTRUCTIONS_H
