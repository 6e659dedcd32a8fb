//===- Boundary.cpp - stencil.boundary ------------------------------------===//
//
// Axis by axis, as the op's description says: the halo of axis d over the full
// extents of the axes before it and over the interior of those after it. What
// is computed (extrapolation, negation) is rounded to the field's type after
// each op, in the order ((w0 f0 + w1 f1) + w2 f2) + ... from the edge inwards.
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

int64_t interp::findHaloSource(const HaloRule &rule, bool upper, int64_t lb,
                               int64_t ub, int64_t coordinate) {
  if (rule.wraps())
    return lb + llvm::mod(coordinate - lb, ub - lb);
  return upper ? ub - 1 - rule.getPoint(coordinate - (ub - 1))
               : lb + rule.getPoint(lb - coordinate);
}

namespace {

/// How one coordinate of the halo gets its value: a constant, or a weighted sum
/// of values along the axis.
struct Rule {
  int64_t target;
  SmallVector<int64_t, 2> sources;
  /// Empty: a copy of the only source. Without sources, the constant.
  SmallVector<Cell, 2> weights;
  bool isNegated = false;
};

/// The weight at `node` of the polynomial of order `order` through the points
/// 0, 1, ..., order, evaluated at -distance (Lagrange). It is an integer:
/// (-1)^node prod_{m != node} (distance + m) / (node! (order - node)!).
int64_t getWeight(int64_t order, int64_t node, int64_t distance) {
  __int128 numerator = 1, denominator = 1;
  for (int64_t m = 0; m <= order; ++m) {
    if (m == node)
      continue;
    numerator *= distance + m;
    denominator *= m < node ? -(node - m) : m - node;
  }
  return static_cast<int64_t>(numerator / denominator);
}

/// Fills the halo of one axis.
class AxisFill {
public:
  AxisFill(const ArrayView &view, Type elementType, const Box &interior,
           unsigned axis, const ErrorAnalysis *analysis)
      : analysis(analysis), view(view), interior(interior), axis(axis),
        stride(view.getStrides()[axis]), elementType(elementType) {
    bool isInteger = !isFloat(view.kind);
    multiply = isInteger ? getIntegerKernel("arith.muli", view.kind)
                         : getFloatKernel("arith.mulf", view.kind);
    add = isInteger ? getIntegerKernel("arith.addi", view.kind)
                    : getFloatKernel("arith.addf", view.kind);
    subtract = getIntegerKernel("arith.subi", view.kind);
    negate = getFloatKernel("arith.negf", view.kind);
  }

  /// Adds the rules of one side.
  LogicalResult addRules(Operation *op, Attribute condition, bool upper);
  void run();

private:
  void apply(const Rule &rule, char *base, int64_t n);
  void applyErrors(const Rule &rule, const char *base, int64_t n);

  const ErrorAnalysis *analysis;
  ArrayView view;
  const Box &interior;
  unsigned axis;
  int64_t stride;
  Type elementType;
  Kernel multiply, add, subtract, negate;
  std::vector<Rule> rules;
  std::vector<char> product, sum, weights;
};

} // namespace

LogicalResult AxisFill::addRules(Operation *op, Attribute condition,
                                 bool upper) {
  int64_t lb = interior.lb[axis], ub = interior.ub[axis], n = ub - lb;
  int64_t halo = upper ? view.box.ub[axis] - ub : lb - view.box.lb[axis];
  int64_t edge = upper ? ub - 1 : lb, inwards = upper ? -1 : 1;
  HaloRule what = getHaloRule(condition);
  if (what.isKept() || halo == 0)
    return success();
  int64_t required = what.countInterior(halo);
  if (n < required)
    return op->emitOpError("expected at least ")
           << required << " interior points on axis " << axis << " for "
           << condition << " with a halo of " << halo << ", got " << n;
  // Keeps the weights within 64 bits.
  constexpr int64_t widest = 64;
  if (what.isPolynomial() && what.order > 1 && halo > widest)
    return op->emitOpError("expected a halo of at most ")
           << widest << " points for " << condition << ", got " << halo;
  for (int64_t distance = 1; distance <= halo; ++distance) {
    Rule &rule = rules.emplace_back();
    rule.target = edge - inwards * distance;
    if (what.isConstant()) {
      // Rounded to the program's type, also where that is held as long double.
      Kind declared = *getKind(elementType, Precision::Program);
      std::optional<Cell> cell = interp::getCell(what.value, declared);
      if (!cell)
        return op->emitOpError("expected a number, got ") << condition;
      if (declared != view.kind)
        cell = Cell::ofFloat(cell->getFloat(declared), view.kind);
      rule.weights = {*cell};
    } else if (what.isPolynomial()) {
      for (int64_t node = 0; node <= what.order; ++node) {
        int64_t weight = getWeight(what.order, node, distance);
        rule.sources.push_back(edge + inwards * node);
        rule.weights.push_back(isFloat(view.kind)
                                   ? Cell::ofFloat(weight, view.kind)
                                   : Cell::ofInteger(weight, view.kind));
      }
      // The nearest value itself.
      if (what.order == 0)
        rule.weights.clear();
    } else {
      rule.sources = {findHaloSource(what, upper, lb, ub, rule.target)};
      rule.isNegated = what.isNegated;
    }
  }
  return success();
}

/// Sets `n` consecutive points; `base` is the first of them at the axis' lower
/// bound.
void AxisFill::apply(const Rule &rule, char *base, int64_t n) {
  int64_t size = getSize(view.kind);
  auto at = [&](int64_t coordinate) {
    return base + (coordinate - view.box.lb[axis]) * stride * size;
  };
  char *target = at(rule.target);
  if (rule.sources.empty())
    return splat(target, rule.weights[0].bytes, view.kind, n);
  if (rule.weights.empty()) {
    const char *source = at(rule.sources[0]);
    if (!rule.isNegated) {
      std::memcpy(target, source, n * size);
    } else if (negate) {
      negate(target, source, nullptr, nullptr, n);
    } else {
      std::fill_n(weights.begin(), n * size, 0);
      subtract(target, weights.data(), source, nullptr, n);
    }
    return;
  }
  for (auto [index, coordinate] : llvm::enumerate(rule.sources)) {
    splat(weights.data(), rule.weights[index].bytes, view.kind, n);
    char *result = index == 0 ? target : product.data();
    multiply(result, weights.data(), at(coordinate), nullptr, n);
    if (index == 0)
      continue;
    add(sum.data(), target, product.data(), nullptr, n);
    std::memcpy(target, sum.data(), n * size);
  }
}

/// The errors of what `apply` sets. A mark for what may be not finite goes
/// along.
void AxisFill::applyErrors(const Rule &rule, const char *base, int64_t n) {
  int64_t size = getSize(view.kind);
  auto getIndex = [&](int64_t coordinate) {
    return (base - view.data) / size +
           (coordinate - view.box.lb[axis]) * stride;
  };
  PointError *target = view.errors + getIndex(rule.target);
  if (rule.sources.empty() || rule.weights.empty()) {
    if (rule.sources.empty())
      std::fill_n(target, n, PointError());
    else
      std::copy_n(view.errors + getIndex(rule.sources[0]), n, target);
    if (rule.isNegated)
      for (int64_t i = 0; i < n; ++i)
        target[i] = {target[i].bound, -target[i].coherent, -target[i].random};
    return;
  }
  Rounding rounding = getRounding(elementType, *analysis);
  std::vector<PointError> errors(n);
  std::vector<double> magnitude(n), numbers(n);
  std::vector<uint8_t> marks(n);
  for (auto [weight, coordinate] :
       llvm::zip_equal(rule.weights, rule.sources)) {
    double factor = 0;
    toDouble(&factor, weight.bytes, view.kind, 1);
    int64_t index = getIndex(coordinate);
    toDouble(numbers.data(), view.data + index * size, view.kind, n);
    for (int64_t i = 0; i < n; ++i) {
      const PointError &added = view.errors[index + i];
      errors[i].bound += std::fabs(factor * added.bound);
      errors[i].coherent += factor * added.coherent;
      errors[i].random += factor * added.random;
      magnitude[i] += std::fabs(factor * numbers[i]);
      marks[i] |= mayBeNotFinite(added.bound);
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    bool rounds = isFloat(view.kind) &&
                  (errors[i].bound > 0 || analysis->math != MathMode::Strict ||
                   analysis->roundsAlways());
    if (!std::isfinite(magnitude[i]))
      errors[i] = {errors[i].bound < kUnknown ? 0 : kUnknown, 0, 0};
    else if (rounds)
      addRounding(errors[i], rounding.epsilon * magnitude[i] + rounding.tiny,
                  i);
    target[i] = errors[i];
    if (marks[i])
      target[i].bound = -target[i].bound;
  }
}

void AxisFill::run() {
  if (rules.empty())
    return;
  unsigned rank = view.box.getRank();
  Box rows = view.box;
  for (unsigned other = axis; other < rank; ++other) {
    rows.lb[other] = interior.lb[other];
    rows.ub[other] = interior.ub[other];
  }
  rows.lb[axis] = view.box.lb[axis];
  rows.ub[axis] = rows.lb[axis] + 1;
  int64_t n = rows.getExtent(rank - 1);
  for (std::vector<char> *buffer : {&product, &sum, &weights})
    buffer->resize(n * getSize(view.kind));
  forEachRow(rows, [&](ArrayRef<int64_t> point) {
    char *base = view.at(point);
    for (const Rule &rule : rules) {
      // First: a source may be a target.
      if (view.errors)
        applyErrors(rule, base, n);
      apply(rule, base, n);
    }
  });
}

LogicalResult interp::fillHalo(RunState &state, Operation *op,
                               ArrayAttr conditions, const ArrayView &view,
                               Type elementType, const Box &interior,
                               unsigned firstAxis) {
  for (unsigned axis = firstAxis; axis < interior.getRank(); ++axis) {
    AxisFill fill(view, elementType, interior, axis,
                  state.analysis ? &*state.analysis : nullptr);
    if (failed(fill.addRules(op, conditions[2 * axis], /*upper=*/false)) ||
        failed(fill.addRules(op, conditions[2 * axis + 1], /*upper=*/true)))
      return failure();
    fill.run();
  }
  return success();
}

LogicalResult interp::evaluate(RunState &state, BoundaryOp op) {
  FieldValue &field = state.getField(op.getField());
  std::optional<Box> interior = state.resolve(op.getBounds(), op);
  if (!interior)
    return failure();
  if (!field.box.contains(*interior)) {
    return op.emitOpError("expected the box ")
           << op.getBounds() << " to lie in the field, "
           << llvm::to_string(field.box);
  }
  if (failed(state.prepareWrite(op, *field.storage)))
    return failure();
  return fillHalo(state, op, op.getConditions(), field.getView(),
                  cast<GridType>(op.getField().getType()).getElementType(),
                  *interior);
}

FailureOr<TempValue> interp::fillWindow(RunState &state, Operation *op,
                                        const ArrayView &from, const Box &box,
                                        const Box &interior,
                                        ArrayAttr conditions, Type elementType,
                                        const ArrayView *outside) {
  FailureOr<TempValue> result =
      state.makeTemp(op, from.kind, box, /*isMasked=*/false);
  if (failed(result))
    return failure();
  copyRegion(result->getView(), outside ? *outside : from,
             box.intersect((outside ? *outside : from).box));
  if (outside)
    copyRegion(result->getView(), from, interior);
  if (failed(fillHalo(state, op, conditions, result->getView(), elementType,
                      interior)))
    return failure();
  return result;
}

/// On all sides, what is as good as anything: as far from it as can be seen.
static ArrayAttr makeUnused(WindowOp op) {
  auto type = cast<GridType>(op.getType());
  Type element = type.getElementType();
  TypedAttr value = cast<TypedAttr>(Builder(op).getZeroAttr(element));
  if (auto floating = dyn_cast<FloatType>(element))
    value =
        FloatAttr::get(floating, APFloat::getNaN(floating.getFloatSemantics()));
  Attribute condition = DirichletAttr::get(op.getContext(), value);
  return ArrayAttr::get(op.getContext(),
                        SmallVector<Attribute>(2 * type.getRank(), condition));
}

/// A copy of the interior, with as much of a halo as is needed. Of what a stage
/// makes, there is nothing else.
LogicalResult interp::evaluate(RunState &state, WindowOp op) {
  if (!op.hasBoundary() && !getWithin(op)) {
    state.assign(op.getRes(), op.getTemp());
    return success();
  }
  TempValue *from = state.getTemp(op, op.getTemp());
  BoundsAttr within = getWithin(op);
  std::optional<Box> interior =
      state.resolve(within ? within : *op.getBounds(), op);
  if (!from || !interior)
    return failure();
  Box box = state.getDemand(op.getRes());
  if (box.isEmpty())
    return success();
  ArrayView view = from->getView();
  std::optional<ArrayView> outside;
  if (op.isOfLoad()) {
    box.include(*interior);
  } else {
    *interior = getWindowInterior(box, *interior);
    box.include(*interior);
    outside = view;
    if (op.getKeep()) {
      TempValue *keep = state.getTemp(op, op.getKeep());
      if (!keep)
        return failure();
      outside = keep->getView();
    }
  }
  FailureOr<TempValue> result =
      fillWindow(state, op, view, box, *interior,
                 within ? makeUnused(op) : *op.getConditions(),
                 cast<GridType>(op.getType()).getElementType(),
                 outside ? &*outside : nullptr);
  if (failed(result))
    return failure();
  state.get(op.getRes()) = std::move(*result);
  return success();
}
