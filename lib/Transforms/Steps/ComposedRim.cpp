//===- ComposedRim.cpp - All steps of a rim at once -----------------------===//
//
// Along one axis. What is read for the rim is copied to a field that has more
// points outside of the interior: images of the other end, of which the
// composed sum is taken; or else the halos of both fields where they are kept,
// and 1, which a matrix takes beside the interior (RowStep.cpp):
//
//   lower end: 1 | halo of odd levels | halo of even levels | interior ...
//
//===----------------------------------------------------------------------===//

#include "ComposedParts.h"
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
  auto rounded = llvm::map_to_vector(matrix.elements, [&](long double number) {
    return roundNumber(number, element);
  });
  if (upper)
    std::reverse(rounded.begin(), rounded.end());
  return DenseElementsAttr::get(
      RankedTensorType::get({matrix.rows, matrix.countColumns()}, element),
      rounded);
}

/// The halo of `fields.now` is read at even levels.
static void copyKeptHalos(StepWriter &writer, Value wide,
                          const StateFields &fields, bool isUpper) {
  const StepComposition &plan = writer.plan;
  const RimMatrix &matrix = isUpper ? plan.upperRim : plan.lowerRim;
  int64_t halo = matrix.halo;
  if (halo == 0)
    return;
  BoundsAttr interior = plan.time.interior;
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  int64_t even = isUpper ? ub : lb - halo;
  int64_t odd = isUpper ? ub + halo : lb - 2 * halo;
  writer.copy(writer.load(fields.now), makeBox(interior, even, even + halo),
              wide);
  writer.copy(writer.load(fields.then), makeBox(interior, odd, odd + halo),
              wide, even - odd);
}

/// Before the loop: the field, and what of it stays as it is.
RimFields stencil::prepareRim(StepWriter &writer, const StateFields &first) {
  const StepComposition &plan = writer.plan;
  ImplicitLocOpBuilder &builder = writer.builder;
  const RimMatrix &lower = plan.lowerRim, &upper = plan.upperRim;
  BoundsAttr interior = plan.time.interior;
  Type element = writer.getElementType();
  RimFields rim;
  {
    OpBuilder::InsertionGuard guard(builder);
    auto function = writer.loop->getParentOfType<FunctionOpInterface>();
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    rim.wide = AllocOp::create(
        builder, plan.getWideType(lower.getOutside(), upper.getOutside()));
    // A tile that is larger than the rim computes sums beyond it, of points
    // that no one stores to, and stores none of them.
    if (plan.isPeriodic())
      fillField(builder, rim.wide, interior, builder.getFloatAttr(element, 0));
  }
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  auto setOne = [&](int64_t at) {
    fillField(builder, rim.wide, makeBox(interior, at, at + 1),
              builder.getFloatAttr(element, 1));
  };
  if (lower.hasConstant && lower.rows > 0)
    setOne(lb - lower.getOutside());
  if (upper.hasConstant && upper.rows > 0)
    setOne(ub + upper.getOutside() - 1);
  // After an even number of steps the halos are where they were.
  if (plan.steps % 2 == 0)
    for (bool isUpper : {false, true})
      copyKeptHalos(writer, rim.wide, first, isUpper);
  return rim;
}

static void applyMatrix(StepWriter &writer, Value source, bool isUpper,
                        Value field) {
  const StepComposition &plan = writer.plan;
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
    args.push_back(writer.getIndex(first, 0));
  auto apply = ApplyOp::create(writer.builder,
                               TypeRange(writer.getValueType(box)), args);
  Block *block = apply.getBodyBlock();
  auto body = ImplicitLocOpBuilder::atBlockEnd(writer.getLoc(), block);
  int64_t offset = isSymbolic(first) ? 0 : -first;
  Value row = stencil::IndexOp::create(body, /*axis=*/0, offset);
  if (isSymbolic(first))
    row = arith::SubIOp::create(body, row, block->getArgument(1));
  Type element = writer.getElementType();
  std::string why;
  std::optional<ComposedForm> form =
      findStepForm(plan.step, plan.input, writer.math, why);
  Value value =
      MatVecOp::create(body, element, block->getArgument(0), row, from,
                       roundMatrix(matrix, isUpper, element), form->flags);
  ReturnOp::create(body, value);
  apply->setDiscardableAttr(kRegionAttr, interior);
  StoreOp::create(writer.builder, apply.getRes().front(), field, box);
}

void stencil::buildRim(StepWriter &writer, const RimFields &rim, Value state,
                       const StateFields &fields) {
  const StepComposition &plan = writer.plan;
  BoundsAttr interior = plan.time.interior;
  int64_t lb = interior.getLb()[0], ub = interior.getUb()[0];
  int64_t below = plan.getLowerWidth(), above = plan.getUpperWidth();
  bool isPeriodic = plan.isPeriodic();
  if (isPeriodic || below > 0)
    writer.copy(state, makeBox(interior, lb, lb + below + above), rim.wide);
  if (isPeriodic || above > 0)
    writer.copy(state, makeBox(interior, ub - below - above, ub), rim.wide);
  if (!isPeriodic && plan.steps % 2 == 1)
    for (bool isUpper : {false, true})
      copyKeptHalos(writer, rim.wide, fields, isUpper);
  if (isPeriodic)
    writer.setBoundary(rim.wide);
  Value source = writer.load(rim.wide);
  if (!isPeriodic) {
    applyMatrix(writer, source, /*isUpper=*/false, fields.then);
    applyMatrix(writer, source, /*isUpper=*/true, fields.then);
    return;
  }
  if (below > 0)
    stepComposed(writer, source, makeBox(interior, lb, lb + below),
                 fields.then);
  if (above > 0)
    stepComposed(writer, source, makeBox(interior, ub - above, ub),
                 fields.then);
}
