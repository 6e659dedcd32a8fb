//===- StageStores.cpp - When a pipeline stores on a CPU ------------------===//
//
//   %r = stencil.apply ... stage<lead = 1>    computed on a tile and its halo
//   %w = stencil.window shared %r             read by others at neighbours
//   stencil.store %r to %u
//     ==>
//   %c = stencil.apply(%a = %r) { return %a }    for plane p
//   stencil.store %c to %u
//
//===----------------------------------------------------------------------===//

#include "PipelineWalk.h"
#include "StencilDialect/Conversion/SumArithmetic.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/StencilOps.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Sums over planes on a CPU
//
//   %s = stencil.accumulate %t, %u at [-1, 1]
//     ==>
//   %a = stencil.window registers %t          of the planes p - 1 to p + 1
//   %b = stencil.window registers %u
//   %s = stencil.apply(%x = %a, %y = %b) { return %x[-1] + %y[1] }
//===----------------------------------------------------------------------===//

/// What the terms add up to, in the body of a stage that reads them.
static Value addTerms(AccumulateOp sum, Block &body, int64_t axis,
                      OpBuilder &builder) {
  Location loc = sum.getLoc();
  auto type = cast<GridType>(sum.getRes().getType());
  SumArithmetic math(builder, loc, type.getElementType(),
                     arith::FastMathFlags::none);
  Value total;
  for (auto [argument, plane] :
       llvm::zip_equal(body.getArguments(), sum.getPlanes())) {
    SmallVector<int64_t> offset(type.getRank(), 0);
    offset[axis] = plane;
    Value term = AccessOp::create(builder, loc, argument, offset);
    total = total ? math.add(total, term) : term;
  }
  return total;
}

static void gather(AccumulateOp sum, PipelineOp op) {
  Location loc = sum.getLoc();
  OpBuilder builder(sum);
  ArrayRef<int64_t> planes = sum.getPlanes();
  auto makers = sum.getTerms().front().getDefiningOp<ApplyOp>();
  int64_t lead = StageAttr::of(makers).getLead();
  int64_t depth =
      planes.back() - planes.front() + static_cast<int64_t>(op.getStep());
  SmallVector<Value> terms;
  for (Value term : sum.getTerms())
    terms.push_back(
        WindowOp::create(builder, loc, term, Space::Registers, depth, lead));
  auto stage =
      ApplyOp::create(builder, loc, TypeRange(sum.getRes().getType()), terms);
  stage->setAttr(StageAttr::kAttrName,
                 StageAttr::get(op.getContext(), lead - planes.back()));
  builder.setInsertionPointToEnd(stage.getBodyBlock());
  Value total =
      addTerms(sum, *stage.getBodyBlock(), *op.getWalkAxis(), builder);
  ReturnOp::create(builder, loc, total);
  // The sum, which nobody reads, goes with the pipeline.
  sum.getRes().replaceAllUsesWith(stage.getRes().front());
}

/// Puts stages that read the terms of all planes in the place of accumulations.
/// Partial sums are for registers, which a CPU has too few of; what its cache
/// keeps is read again.
static void gatherSums(PipelineOp op) {
  SmallVector<AccumulateOp> sums(op.getBodyBlock()->getOps<AccumulateOp>());
  for (AccumulateOp sum : sums)
    gather(sum, op);
}

/// A stage before `next`, or at the end, that makes what another one has made.
static ApplyOp copyResult(Value result, PipelineOp op, Block::iterator next) {
  OpBuilder builder(op.getBodyBlock(), next);
  auto copy = ApplyOp::create(builder, result.getLoc(),
                              TypeRange(result.getType()), result);
  // What is written of it is that of its source; a CPU takes it as late as it
  // can.
  if (Attribute lead = result.getDefiningOp()->getAttr(StageAttr::kAttrName))
    copy->setAttr(StageAttr::kAttrName, lead);
  copy.returnInput(SmallVector<int64_t>(op.getRank(), 0));
  return copy;
}

//===----------------------------------------------------------------------===//
// Boundaries
//
//   %a = stencil.window shared %r boundary ...    with another one
//     ==>
//   %c = stencil.apply(%b = %r) { return %b }
//   %a = stencil.window shared %c boundary ...
//===----------------------------------------------------------------------===//

static bool haveOneBoundary(WindowOp a, WindowOp b) {
  return a.getBounds() == b.getBounds() &&
         a.getConditions() == b.getConditions() && a.getKeep() == b.getKeep();
}

/// Around the box, the memory of a result has one halo. Windows with another
/// boundary than the first one, and all where somebody reads what the stage
/// itself makes there, are of copies.
static LogicalResult separateBoundaries(PipelineOp op) {
  FailureOr<PipelinePlan> plan = PipelinePlan::create(op);
  if (failed(plan))
    return failure();
  llvm::DenseMap<Value, WindowOp> first;
  for (WindowOp window : op.getBodyBlock()->getOps<WindowOp>()) {
    if (!window.hasBoundary() || window.isOfLoad() ||
        !plan->isNeeded(window.getRes()))
      continue;
    Value made = window.getTemp();
    OffsetBox reach = plan->getReach(window), needs = plan->get(made).needs;
    if (reach.isZero())
      continue;
    OffsetBox clipped = clipNeeds(needs, reach);
    bool isReadBeyond =
        needs.lower != clipped.lower || needs.upper != clipped.upper;
    WindowOp known = first.try_emplace(made, window).first->second;
    if (!isReadBeyond && haveOneBoundary(known, window))
      continue;
    ApplyOp copy = copyResult(made, op, Block::iterator(window));
    window.getTempMutable().assign(copy.getRes().front());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Loads with a boundary have other fields.
static bool readsField(ApplyOp stage, Value field) {
  return stage && llvm::any_of(stage.getArgs(), [&](Value arg) {
           auto load = isa<GridType>(arg.getType())
                           ? getSource(arg).getDefiningOp<LoadOp>()
                           : LoadOp();
           return load && lookThroughCasts(load.getField()) == field;
         });
}

/// Whether a stage reads the field of a store after `stored` has stored there.
static bool isTooEarly(StoreOp store, const PlannedStage &stored,
                       const PipelineWalk &walk) {
  Value field = lookThroughCasts(store.getField());
  bool isBehind = false;
  for (const PlannedStage &stage : walk.getStages()) {
    if ((stage.lead < stored.lead || (stage.lead == stored.lead && isBehind)) &&
        readsField(stage.op, field))
      return true;
    isBehind |= stage.op == stored.op;
  }
  return false;
}

/// A stage stores where it computes. Where that is more than what is stored, or
/// too early for somebody who reads the field, a stage at the end of the
/// pipeline copies its result, and that is stored. Returns whether there are
/// such; fails with an error at what cannot be copied.
static FailureOr<bool> delayStores(PipelineOp op, const PipelineWalk &walk) {
  bool isChanged = false;
  for (const PlannedStage &stage : walk.getStages())
    for (const StageResult &result : stage.results) {
      auto isEarly = [&](StoreOp store) {
        return isTooEarly(store, stage, walk);
      };
      if (result.stores.empty() ||
          (stage.needs.isZero() && llvm::none_of(result.stores, isEarly)))
        continue;
      ApplyOp apply = stage.op;
      auto made = cast<OpResult>(result.value);
      if (Value returned = apply.getBodyBlock()->getTerminator()->getOperand(
              made.getResultNumber());
          isa<ResultType>(returned.getType()))
        return StoreOp(result.stores.front())
            .emitOpError("has no CPU lowering: expected a value at each point "
                         "of what is stored when others have read it");
      ApplyOp copy = copyResult(made, op, op.getBodyBlock()->end());
      for (StoreOp store : result.stores) {
        store->moveAfter(copy);
        store.getTempMutable().assign(copy.getRes().front());
      }
      isChanged = true;
    }
  return isChanged;
}

FailureOr<PipelineWalk> stencil::prepareWalk(PipelineOp op) {
  gatherSums(op);
  if (failed(separateBoundaries(op)))
    return failure();
  FailureOr<PipelineWalk> walk = PipelineWalk::create(op);
  if (failed(walk))
    return failure();
  FailureOr<bool> isDelayed = delayStores(op, *walk);
  if (failed(isDelayed))
    return failure();
  return *isDelayed ? PipelineWalk::create(op) : std::move(walk);
}
