//===- ValueOps.cpp - Combines, and values of pipelines -------------------===//

#include "Ops.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Combine
//===----------------------------------------------------------------------===//

LogicalResult interp::evaluate(RunState &state, CombineOp op) {
  unsigned axis = op.getDim().getZExtValue();
  int64_t position = op.getIndex().getSExtValue();
  size_t pairs = op.getLower().size(), lowerExtras = op.getLowerext().size();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Box box = state.getDemand(result);
    if (box.isEmpty())
      continue;
    // What each side comes from; null where nothing is stored.
    Value sides[2];
    if (index < pairs) {
      sides[0] = op.getLower()[index];
      sides[1] = op.getUpper()[index];
    } else if (index < pairs + lowerExtras) {
      sides[0] = op.getLowerext()[index - pairs];
    } else {
      sides[1] = op.getUpperext()[index - pairs - lowerExtras];
    }
    Box regions[2] = {box.below(axis, position), box.from(axis, position)};
    const TempValue *temps[2] = {};
    bool isMasked = false;
    for (unsigned side : {0, 1}) {
      if (regions[side].isEmpty())
        continue;
      if (sides[side]) {
        temps[side] = state.getTemp(op, sides[side]);
        if (!temps[side])
          return failure();
      }
      isMasked |= !temps[side] || temps[side]->mask;
      if (!temps[side] || temps[side]->box.contains(regions[side]))
        continue;
      return op.emitError("expected the ")
             << (side == 0 ? "lower" : "upper") << " operand to contain "
             << llvm::to_string(regions[side]) << ", got "
             << llvm::to_string(temps[side]->box);
    }
    FailureOr<Kind> kind = state.requireKind(
        op, cast<GridType>(result.getType()).getElementType());
    if (failed(kind))
      return failure();
    FailureOr<TempValue> joined = state.makeTemp(op, *kind, box, isMasked);
    if (failed(joined))
      return failure();
    ArrayView target = joined->getView();
    ArrayView mask = joined->getStates();
    if (isMasked)
      std::memset(mask.data, 0, *box.getNumPoints());
    for (unsigned side : {0, 1}) {
      const TempValue *temp = temps[side];
      if (!temp)
        continue;
      copyRegion(target, temp->getView(), regions[side]);
      if (temp->mask) {
        copyRegion(mask, temp->getStates(), regions[side]);
      } else if (isMasked) {
        int64_t n = regions[side].getExtent(box.getRank() - 1);
        forEachRow(regions[side], [&](ArrayRef<int64_t> point) {
          std::memset(mask.at(point), 1, n);
        });
      }
    }
    state.get(result) = std::move(*joined);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

LogicalResult interp::evaluate(RunState &state, BufferOp op) {
  state.assign(op.getRes(), op.getTemp());
  return success();
}

/// The errors of a sum of rows at different planes.
static void addErrors(const ArrayView &target, ArrayRef<ArrayView> terms,
                      ArrayRef<int64_t> planes, int64_t axis,
                      const ErrorAnalysis &analysis, Rounding rounding) {
  int64_t n = target.box.getExtent(target.box.getRank() - 1);
  std::vector<double> numbers(n), magnitude(n);
  forEachRow(target.box, [&](ArrayRef<int64_t> point) {
    PointError *errors = target.errors + target.getIndex(point);
    llvm::fill(magnitude, 0);
    for (auto [term, plane] : llvm::zip_equal(terms, planes)) {
      SmallVector<int64_t, 4> from(point);
      from[axis] += plane;
      const PointError *added = term.errors + term.getIndex(from);
      toDouble(numbers.data(), term.at(from), term.kind, n);
      for (int64_t i = 0; i < n; ++i) {
        errors[i].bound += std::fabs(added[i].bound);
        errors[i].coherent += added[i].coherent;
        errors[i].random += added[i].random;
        magnitude[i] += std::fabs(numbers[i]);
      }
    }
    for (int64_t i = 0; i < n; ++i)
      if (errors[i].bound > 0 || analysis.math != MathMode::Strict ||
          analysis.roundsAlways())
        addRounding(errors[i], rounding.epsilon * magnitude[i] + rounding.tiny,
                    i);
  });
}

/// ((t0 + t1) + t2) + ... of the terms, each at its own plane; every sum is
/// rounded.
LogicalResult interp::evaluate(RunState &state, AccumulateOp op) {
  Box box = state.getDemand(op.getRes());
  if (box.isEmpty())
    return success();
  auto pipeline = cast<PipelineOp>(op->getParentOp());
  int64_t axis = *pipeline.getWalkAxis();
  FailureOr<Kind> kind = state.requireKind(
      op, cast<GridType>(op.getRes().getType()).getElementType());
  if (failed(kind))
    return failure();
  Kernel add = isFloat(*kind) ? getFloatKernel("arith.addf", *kind)
                              : getIntegerKernel("arith.addi", *kind);
  if (!add)
    return emitUnknownOp(op);
  SmallVector<ArrayView> terms;
  for (Value value : op.getTerms()) {
    TempValue *term = state.getTemp(op, value);
    if (!term)
      return failure();
    terms.push_back(term->getView());
  }
  FailureOr<TempValue> sum = state.makeTemp(op, *kind, box, /*isMasked=*/false);
  if (failed(sum))
    return failure();
  ArrayView target = sum->getView();
  int64_t n = box.getExtent(box.getRank() - 1);
  std::vector<char> partial(n * getSize(*kind));
  if (state.analysis)
    addErrors(
        target, terms, op.getPlanes(), axis, *state.analysis,
        getRounding(cast<GridType>(op.getRes().getType()).getElementType(),
                    *state.analysis));
  forEachRow(box, [&](ArrayRef<int64_t> point) {
    char *to = target.at(point);
    for (auto [i, term, plane] : llvm::enumerate(terms, op.getPlanes())) {
      SmallVector<int64_t, 4> from(point);
      from[axis] += plane;
      if (i == 0) {
        std::memcpy(to, term.at(from), partial.size());
        continue;
      }
      std::memcpy(partial.data(), to, partial.size());
      add(to, partial.data(), term.at(from), nullptr, n);
    }
  });
  state.get(op.getRes()) = std::move(*sum);
  return success();
}
