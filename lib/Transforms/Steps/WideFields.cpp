//===- WideFields.cpp - Fields with room for images -----------------------===//
//
//   m = (number of steps - 2), even
//   if m > 0: the state of now to wide
//   for m steps, fields swapped: {
//     the step of the program, on wide and other
//   }
//   if m > 0: the state of wide to now
//   the loop as it was, for the remaining steps
//
// A boundary op sets all of a halo. In fields whose halo is as wide as all of T
// steps read, T steps need no more than that once: what they compute beyond an
// end is what they compute at the other one.
//
// The last two steps give both fields of the program, and their halos, what
// they would have had.
//
//===----------------------------------------------------------------------===//

#include "StepComposition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// With the images, and what a step reads along the other axes. Rows, and
/// their interiors, begin at sectors of memory.
static FieldType getWideType(const StepComposition &plan) {
  Type element = plan.getRimType().getElementType();
  int64_t last = plan.getRimType().getRank() - 1;
  AxisWidths widths(last + 1);
  widths.lower = plan.below;
  widths.upper = plan.above;
  widths.join(plan.images);
  int64_t sector = plan.countSectorPoints();
  int64_t points = plan.time.interior.getShape()[last];
  widths.lower[last] = llvm::alignTo(widths.lower[last], sector);
  widths.upper[last] =
      llvm::alignTo(points + widths.upper[last], sector) - points;
  return FieldType::get(growBox(plan.time.interior, widths.lower, widths.upper),
                        element);
}

scf::ForOp stencil::giveRoom(const StepComposition &plan) {
  scf::ForOp loop = plan.time.loop;
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  Type type = getWideType(plan);
  SmallVector<Value> fields(2);
  for (Value &field : fields)
    field = makeFieldBefore(loop, builder, type);

  // Fields are moved for as many steps as are taken at once twice.
  StepCount count(loop, builder);
  Value steps = count.countIterations(1, plan.tail, /*isEven=*/true);
  auto makeConstant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, value).getResult();
  };
  Value areMany = builder.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::uge, steps, makeConstant(2 * int64_t(plan.steps)));
  steps =
      builder.createOrFold<arith::SelectOp>(areMany, steps, makeConstant(0));
  Value begin = count.getNumber(steps, /*steps=*/1, /*further=*/0);
  Value now = loop.getInitArgs()[plan.now];
  auto copyState = [&](Value source, Value target) {
    auto branch = scf::IfOp::create(builder, areMany);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value state = LoadOp::create(builder, source);
    BoundsAttr interior = plan.time.interior;
    ApplyOp copied = makeCopy(builder, builder.getLoc(), state, interior);
    StoreOp::create(builder, copied.getRes().front(), target, interior);
  };
  copyState(now, fields[plan.now]);
  auto moved = scf::ForOp::create(builder, loop.getLowerBound(), begin,
                                  loop.getStep(), fields);
  copyStep(loop, moved);
  copyState(moved.getResult(plan.now), now);
  loop.getLowerBoundMutable().assign(begin);
  return moved;
}
