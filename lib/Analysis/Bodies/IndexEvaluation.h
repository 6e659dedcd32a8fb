//===- IndexEvaluation.h - A body for all points of a box -------*- C++ -*-===//
//
// A body is evaluated for a whole box at once, with integers that are linear in
// one coordinate. A comparison that comes out differently within the box names
// the coordinate at which it changes.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_ANALYSIS_INDEXEVALUATION_H
#define STENCILDIALECT_LIB_ANALYSIS_INDEXEVALUATION_H

#include "StencilDialect/Analysis/IndexRegions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace stencil {

struct IndexCut {
  int64_t axis = -1, at = 0;

  bool exists() const { return axis >= 0; }
};

/// A yes, a no, or a cut that would tell them apart.
struct Answer {
  std::optional<bool> truth;
  IndexCut cut;

  Answer() = default;
  Answer(bool truth) : truth(truth) {}
  Answer(IndexCut cut) : cut(cut) {}
  bool is(bool value) const { return truth == value; }
};

/// factor * coordinate + constant, or unknown.
struct Integer {
  bool isKnown = false;
  int64_t axis = -1, factor = 0, constant = 0;
  IndexCut cut;

  static Integer get(int64_t constant) {
    Integer result;
    result.isKnown = true;
    result.constant = constant;
    return result;
  }
  static Integer unknown(IndexCut cut = {}) {
    Integer result;
    result.cut = cut;
    return result;
  }
  bool isConstant() const { return isKnown && factor == 0; }
};

/// What does not depend on the box.
struct IndexBody {
  IndexBody(ApplyOp apply, BoundsAttr domain,
            const IndexRegionOptions &options);

  mutable ApplyOp apply;
  GridBox domain;
  SmallVector<int64_t> unroll;
  SmallVector<int64_t> minimalExtents;
  /// No cut is made above.
  SmallVector<int64_t> highestCut;
  std::vector<Operation *> branches;
  DenseMap<Operation *, unsigned> numbers;
  /// Ops that sums over body values evaluate at other points, too: their
  /// branches are not decided here.
  llvm::DenseSet<Operation *> shifted;

private:
  void findShifted();
};

class IndexEvaluation {
public:
  IndexEvaluation(const IndexBody &body, const GridBox &box)
      : body(body), box(box), outcomes(body.branches.size(), '-') {
    evaluate(*body.apply.getBodyBlock());
  }

  std::string takeOutcomes() { return std::move(outcomes); }
  IndexCut getCut() const { return firstCut; }
  DenseMap<Value, bool> getConditions() const;

private:
  void evaluate(Block &block);
  void visit(Operation *op);
  void visitIf(mlir::scf::IfOp ifOp);
  void visitSelect(mlir::arith::SelectOp select);
  Integer evaluate(Operation *op);
  Integer fit(Integer value, Type type) const;
  Integer add(Integer a, Integer b, int64_t sign) const;
  Answer compare(mlir::arith::CmpIPredicate predicate, Integer a,
                 Integer b) const;
  Answer isBelow(int64_t axis, int64_t at) const;
  Answer isNegative(const Integer &value) const;
  Answer decide(Operation *branch, Value condition);
  Integer get(Value value) const;

  const IndexBody &body;
  const GridBox &box;
  DenseMap<Value, Integer> integers;
  std::string outcomes;
  IndexCut firstCut;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_ANALYSIS_INDEXEVALUATION_H
