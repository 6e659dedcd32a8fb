//===- ComposedRim.cpp - All steps of a rim at once -----------------------===//
//
// Along one axis. What is read for the rim is copied to a field that has more
// points outside of the interior: images of the other end, of which the
// composed sum is taken; or else the halos of both fields where they are kept,
// and 1, which a matrix takes beside the interior (RimMatrix.h):
//
//   lower end: 1 | halo of odd levels | halo of even levels | interior ...
//
//===----------------------------------------------------------------------===//

#include "ComposedForm.h"
#include "ComposedLoop.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

/// A box of one axis from `lb` to before `ub`.
static BoundsAttr makeBox(BoundsAttr like, int64_t lb, int64_t ub) {
  return BoundsAttr::get(like.getContext(), {lb}, {ub});
}

/// The numbers rounded to the type; at the upper end rows and columns begin
/// with the innermost ones.
static DenseElementsAttr roundMatrix(const RimMatrix &matrix, bool upper,
                                     Type element) {
  SmallVector<APFloat> rounded;
  rounded.reserve(matrix.elements.size());
  for (long double number : matrix.elements)
    rounded.push_back(roundNumber(number, element));
  if (upper)
    std::reverse(rounded.begin(), rounded.end());
  return DenseElementsAttr::get(
      RankedTensorType::get({matrix.rows, matrix.countColumns()}, element),
      rounded);
}

/// The coordinate that a bound is: an index.
Value ComposedLoop::getIndex(int64_t bound, int64_t axis) {
  if (!isSymbolic(bound))
    return arith::ConstantIndexOp::create(builder, loc, bound);
  Value extent = ExtentOp::create(builder, loc, axis);
  return builder.createOrFold<arith::AddIOp>(
      loc, extent,
      arith::ConstantIndexOp::create(builder, loc, symbolicOffset(bound)));
}

/// Before the loop: the field, and what of it stays as it is. `fields` are the
/// state and the one before it.
void ComposedLoop::prepareRim(ValueRange fields) {
  if (!plan.hasRim())
    return;
  const RimMatrix &lower = plan.lowerRim, &upper = plan.upperRim;
  BoundsAttr interior = plan.time.interior;
  Type element = plan.getRimType().getElementType();
  {
    OpBuilder::InsertionGuard guard(builder);
    auto function = loop->getParentOfType<FunctionOpInterface>();
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    wide = AllocOp::create(
        builder, loc, plan.getWideType(lower.getOutside(), upper.getOutside()));
    // A tile that is larger than the rim computes sums beyond it, of points
    // that no one stores to, and stores none of them.
    if (plan.isPeriodic())
      fill(wide, interior, builder.getFloatAttr(element, 0));
  }
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  auto setOne = [&](int64_t at) {
    fill(wide, makeBox(interior, at, at + 1), builder.getFloatAttr(element, 1));
  };
  if (lower.hasConstant && lower.rows > 0)
    setOne(lb - lower.getOutside());
  if (upper.hasConstant && upper.rows > 0)
    setOne(ub + upper.getOutside() - 1);
  // After an even number of steps the halos are where they were.
  if (plan.steps % 2 == 0)
    for (bool isUpper : {false, true})
      copyKeptHalos(fields[0], fields[1], isUpper);
}

/// That of `now` is read at even levels.
void ComposedLoop::copyKeptHalos(Value now, Value then, bool isUpper) {
  const RimMatrix &matrix = isUpper ? plan.upperRim : plan.lowerRim;
  int64_t halo = matrix.halo;
  if (halo == 0)
    return;
  BoundsAttr interior = plan.time.interior;
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  int64_t even = isUpper ? ub : lb - halo;
  int64_t odd = isUpper ? ub + halo : lb - 2 * halo;
  copy(load(now), makeBox(interior, even, even + halo), wide);
  copy(load(then), makeBox(interior, odd, odd + halo), wide, even - odd);
}

void ComposedLoop::applyMatrix(Value source, bool isUpper, Value field) {
  const RimMatrix &matrix = isUpper ? plan.upperRim : plan.lowerRim;
  if (matrix.rows == 0)
    return;
  BoundsAttr interior = plan.time.interior;
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  int64_t first = isUpper ? ub - matrix.rows : lb;
  int64_t from = isUpper ? matrix.rows - matrix.interior : -matrix.getOutside();
  BoundsAttr box = makeBox(interior, first, first + matrix.rows);
  SmallVector<Value> args = {source};
  if (isSymbolic(first))
    args.push_back(getIndex(first, 0));
  ApplyOp apply = makeApply(args, box);
  Block *block = apply.getBodyBlock();
  OpBuilder body = OpBuilder::atBlockEnd(block);
  auto offset = stencil::IndexAttr::get(body.getContext(),
                                        {isSymbolic(first) ? 0 : -first});
  Value row = stencil::IndexOp::create(body, loc, APInt(64, 0), offset);
  if (isSymbolic(first))
    row = arith::SubIOp::create(body, loc, row, block->getArgument(1));
  Type element = plan.getRimType().getElementType();
  std::string why;
  std::optional<ComposedForm> form =
      findStepForm(plan.step, plan.input, math, why);
  Value value =
      MatVecOp::create(body, loc, element, block->getArgument(0), row, from,
                       roundMatrix(matrix, isUpper, element), form->flags);
  ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  apply->setDiscardableAttr(kRegionAttr, interior);
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

/// In the loop: `fields` are the state, which has been loaded, and that which
/// is to be.
void ComposedLoop::buildRim(Value state, ValueRange fields) {
  if (!plan.hasRim())
    return;
  BoundsAttr interior = plan.time.interior;
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  int64_t below = plan.getLowerWidth(), above = plan.getUpperWidth();
  bool isPeriodic = plan.isPeriodic();
  if (isPeriodic || below > 0)
    copy(state, makeBox(interior, lb, lb + below + above), wide);
  if (isPeriodic || above > 0)
    copy(state, makeBox(interior, ub - below - above, ub), wide);
  if (!isPeriodic && plan.steps % 2 == 1)
    for (bool isUpper : {false, true})
      copyKeptHalos(fields[0], fields[1], isUpper);
  if (isPeriodic)
    setBoundary(wide);
  Value source = load(wide);
  if (!isPeriodic) {
    applyMatrix(source, /*isUpper=*/false, fields[1]);
    applyMatrix(source, /*isUpper=*/true, fields[1]);
    return;
  }
  if (below > 0)
    stepComposed(source, makeBox(interior, lb, lb + below), fields[1]);
  if (above > 0)
    stepComposed(source, makeBox(interior, ub - above, ub), fields[1]);
}
