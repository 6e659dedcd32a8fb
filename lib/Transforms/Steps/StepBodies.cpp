//===- StepBodies.cpp - Copies of what a step consists of -----------------===//

#include "StepBodies.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "Windows/PipelineDraft.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

AxisWidths::AxisWidths(BoundsAttr box, BoundsAttr interior) {
  for (auto [outer, inner] : llvm::zip_equal(box.getLb(), interior.getLb()))
    lower.push_back(inner - outer);
  for (auto [outer, inner] : llvm::zip_equal(box.getUb(), interior.getUb()))
    upper.push_back(outer - inner);
}

void AxisWidths::join(const AxisWidths &other) {
  for (auto [own, width] : llvm::zip_equal(lower, other.lower))
    own = std::max(own, width);
  for (auto [own, width] : llvm::zip_equal(upper, other.upper))
    own = std::max(own, width);
}

SmallVector<BoundsAttr> AxisWidths::getSlabs(BoundsAttr box) const {
  MLIRContext *context = box.getContext();
  GridBox rest(box);
  SmallVector<BoundsAttr> slabs;
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    int64_t lb = rest.lb[axis], ub = rest.ub[axis];
    if (lower[axis] + upper[axis] == 0)
      continue;
    if (isSymbolic(lb) == isSymbolic(ub) &&
        ub - lb <= lower[axis] + upper[axis]) {
      slabs.push_back(rest.get(context));
      return slabs;
    }
    GridBox slab = rest;
    slab.ub[axis] = rest.lb[axis] = lb + lower[axis];
    if (lower[axis] > 0)
      slabs.push_back(slab.get(context));
    slab.lb[axis] = rest.ub[axis] = ub - upper[axis];
    slab.ub[axis] = ub;
    if (upper[axis] > 0)
      slabs.push_back(slab.get(context));
  }
  return slabs;
}

BoundsAttr AxisWidths::getCore(BoundsAttr box) const {
  auto negate = [](int64_t width) { return -width; };
  return growBox(box, llvm::map_to_vector(lower, negate),
                 llvm::map_to_vector(upper, negate));
}

BoundsAttr stencil::growBox(BoundsAttr box, ArrayRef<int64_t> lower,
                            ArrayRef<int64_t> upper) {
  GridBox grown(box);
  for (auto [axis, below, above] : llvm::enumerate(lower, upper)) {
    grown.lb[axis] -= below;
    grown.ub[axis] += above;
  }
  return grown.get(box.getContext());
}

ApplyOp stencil::copyApply(OpBuilder &builder, Location loc, ApplyOp original,
                           TypeRange types, ValueRange args) {
  ApplyOp apply = ApplyOp::create(builder, loc, types, args);
  IRMapping mapping;
  mapping.map(original.getBodyBlock()->getArguments(),
              apply.getBodyBlock()->getArguments());
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  for (Operation &op : *original.getBodyBlock())
    body.clone(op, mapping);
  return apply;
}

ApplyOp stencil::makeCopy(OpBuilder &builder, Location loc, Value source,
                          BoundsAttr box, int64_t shift) {
  auto type = cast<GridType>(source.getType());
  Type element = type.getElementType();
  Type made = box ? TempType::get(box, element)
                  : TempType::get(type.getRank(), element);
  auto copy =
      ApplyOp::create(builder, loc, TypeRange(made), ValueRange(source));
  copy.returnInput(SmallVector<int64_t>(type.getRank(), shift));
  return copy;
}

PipelineOp stencil::createPipeline(ImplicitLocOpBuilder &builder,
                                   ScheduleAttr schedule, unsigned steps) {
  std::optional<int64_t> axis = schedule ? schedule.getStream() : std::nullopt;
  auto pipeline = PipelineOp::create(builder, axis ? builder.getIndexAttr(*axis)
                                                   : IntegerAttr());
  pipeline->setAttr(kStepsAttr, builder.getI64IntegerAttr(steps));
  if (schedule)
    pipeline->setAttr(ScheduleAttr::kAttrName, getScheduleOfPipeline(schedule));
  builder.createBlock(&pipeline.getBody());
  return pipeline;
}

void stencil::setBoundaryOf(WindowOp window, BoundsAttr interior,
                            BoundaryOp boundary) {
  MLIRContext *context = window.getContext();
  SmallVector<Attribute> kept(2 * interior.getRank(), KeepAttr::get(context));
  window.setBoundary(interior, boundary ? boundary.getConditions()
                                        : ArrayAttr::get(context, kept));
}

void stencil::fillField(OpBuilder &builder, Value field, BoundsAttr box,
                        TypedAttr value) {
  Location loc = field.getLoc();
  auto apply = ApplyOp::create(builder, loc,
                               TypeRange(TempType::get(box, value.getType())),
                               ValueRange());
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  Value number = arith::ConstantOp::create(body, loc, value);
  ReturnOp::create(body, loc, number);
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

void stencil::fillZeros(OpBuilder &builder, Value field) {
  auto type = cast<GridType>(field.getType());
  fillField(builder, field, type.getBounds(),
            convertNumber(builder.getI64IntegerAttr(0), type.getElementType()));
}

ApplyOp stencil::findOnlyApply(scf::ForOp loop) {
  auto applies = loop.getBody()->getOps<ApplyOp>();
  if (!llvm::hasSingleElement(applies))
    return {};
  ApplyOp apply = *applies.begin();
  return apply.getNumOutputs() == 1 && !ScheduleAttr::of(apply) ? apply
                                                                : ApplyOp();
}

bool stencil::hasMorePoints(const TimeLoop &time, int64_t axis, int64_t points,
                            NoTimeLoop &why) {
  int64_t lb = time.interior.getLb()[axis], ub = time.interior.getUb()[axis];
  return isSymbolic(lb) != isSymbolic(ub) || ub - lb > points ||
         why.refuse(time.loop, "the interior has " + Twine(ub - lb) +
                                   " points along axis " + Twine(axis) +
                                   ", expected more than " + Twine(points));
}

void stencil::copyNeeded(OpBuilder &builder, Block &block, ValueRange roots,
                         llvm::function_ref<bool(Operation *)> isCopied,
                         IRMapping &mapping) {
  llvm::SmallDenseSet<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *op = value.getDefiningOp();
        op && op->getBlock() == &block && isCopied(op))
      needed.insert(op);
  };
  llvm::for_each(roots, need);
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      llvm::for_each(op.getOperands(), need);
  for (Operation &op : block)
    if (needed.contains(&op))
      builder.clone(op, mapping);
}

void stencil::copyStep(scf::ForOp loop, scf::ForOp copy, IRMapping mapping) {
  auto builder = OpBuilder::atBlockEnd(copy.getBody());
  mapping.map(loop.getBody()->getArguments(), copy.getBody()->getArguments());
  for (Operation &op : *loop.getBody()) {
    // A value has the points that its field has.
    if (auto load = dyn_cast<LoadOp>(op)) {
      Value field = mapping.lookupOrDefault(load.getField());
      auto copied = LoadOp::create(builder, load.getLoc(), field);
      mapping.map(load.getRes(), copied.getRes());
      continue;
    }
    builder.clone(op, mapping);
  }
}

Value stencil::makeFieldBefore(scf::ForOp loop, OpBuilder &builder, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = loop->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  return AllocOp::create(builder, loop.getLoc(), type);
}

//===----------------------------------------------------------------------===//
// Numbers of steps
//===----------------------------------------------------------------------===//

Value StepCount::makeConstant(int64_t value) {
  return arith::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
}

Value StepCount::toI64(Value value) {
  Type type = builder.getI64Type();
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return builder.createOrFold<arith::IndexCastOp>(type, value);
  return builder.createOrFold<arith::ExtSIOp>(type, value);
}

/// How often the loop runs, as an i64.
Value StepCount::countSteps() {
  Value lower = toI64(loop.getLowerBound());
  Value upper = toI64(loop.getUpperBound());
  Value step = toI64(loop.getStep());
  // A loop that does not run may have any step.
  Value one = makeConstant(1), zero = makeConstant(0);
  step = fold<arith::MaxSIOp>(step, one);
  Value last = fold<arith::SubIOp>(fold<arith::SubIOp>(upper, lower), one);
  Value count = fold<arith::AddIOp>(fold<arith::DivSIOp>(last, step), one);
  Value runs = builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                                   lower, upper);
  return builder.createOrFold<arith::SelectOp>(runs, count, zero);
}

Value StepCount::countIterations(unsigned steps, unsigned tail, bool isEven) {
  Value count = fold<arith::MaxSIOp>(
      fold<arith::SubIOp>(countSteps(), makeConstant(tail)), makeConstant(0));
  count = fold<arith::DivSIOp>(count, makeConstant(steps));
  if (isEven)
    count = fold<arith::AndIOp>(count, makeConstant(-2));
  return builder.createOrFold<arith::IndexCastOp>(builder.getIndexType(),
                                                  count);
}

Value StepCount::getNumber(Value iterations, unsigned steps, unsigned further) {
  Value taken = fold<arith::AddIOp>(
      fold<arith::MulIOp>(toI64(iterations), makeConstant(steps)),
      makeConstant(further));
  Value number =
      fold<arith::AddIOp>(toI64(loop.getLowerBound()),
                          fold<arith::MulIOp>(taken, toI64(loop.getStep())));
  Type type = loop.getLowerBound().getType();
  if (type == number.getType())
    return number;
  if (type.isIndex())
    return builder.createOrFold<arith::IndexCastOp>(type, number);
  return builder.createOrFold<arith::TruncIOp>(type, number);
}

void stencil::requireExtents(scf::ForOp loop, BoundsAttr interior,
                             ArrayRef<AxisWidths> slabs) {
  auto function = loop->getParentOfType<FunctionOpInterface>();
  SmallVector<int64_t> extents;
  if (auto recorded =
          function->getAttrOfType<DenseI64ArrayAttr>(kMinimalExtentsAttr))
    extents.assign(recorded.asArrayRef().begin(), recorded.asArrayRef().end());
  bool isSymbolicLoop = false;
  extents.resize(std::max<size_t>(extents.size(), interior.getRank()), 0);
  for (auto [axis, lb, ub] :
       llvm::enumerate(interior.getLb(), interior.getUb())) {
    if (isSymbolic(lb) || !isSymbolic(ub))
      continue;
    isSymbolicLoop = true;
    for (const AxisWidths &widths : slabs)
      extents[axis] =
          std::max(extents[axis], widths.lower[axis] + widths.upper[axis] + 1 +
                                      lb - symbolicOffset(ub));
  }
  if (isSymbolicLoop)
    function->setAttr(kMinimalExtentsAttr,
                      DenseI64ArrayAttr::get(loop.getContext(), extents));
}
