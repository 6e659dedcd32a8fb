//===- Bufferize.cpp - Values to fields ----------------------------------===//
//
// Before:
//   %t = stencil.load %u
//   %r = stencil.apply(%x = %t) -> (TEMP) { ... }
//   stencil.store %r to %v(BOX)
// After:
//   stencil.apply(%x = %u) outs (%v) { ... } to BOX
//
// Three steps per function: what joins values is turned into stores; the plan
// says in which memory every value is (Analysis/BufferPlan); the ops are
// rewritten one by one, in program order, as planned.
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "StencilDialect/Analysis/BufferPlan.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Replaces what joins values in `function`, which has passed checkProgram, by
/// stores:
/// - a combine whose result is stored only: a store of either part;
/// - any other combine, and stencil.buffer: stores to an allocation, which is
///   loaded behind them.
/// Appends the allocations to `temporaries`; they stand at the entry of the
/// function. Fails with an error if the box of a value to be loaded is not
/// known.
class Joins {
public:
  Joins(FunctionOpInterface function, SmallVectorImpl<Value> &temporaries)
      : function(function), builder(function.getContext()),
        temporaries(temporaries) {}
  LogicalResult run();

private:
  LogicalResult storeBuffer(BufferOp buffer);
  LogicalResult storeCombine(CombineOp combine);
  void storeParts(CombineOp combine, unsigned pair, Value field,
                  BoundsAttr box);
  LogicalResult storeAndLoad(OpResult result,
                             llvm::function_ref<void(Value, BoundsAttr)> store);

  FunctionOpInterface function;
  OpBuilder builder;
  SmallVectorImpl<Value> &temporaries;
};
} // namespace

/// Replaces the uses of `result` by a load of a temporary, behind what `store`
/// builds to fill it.
LogicalResult
Joins::storeAndLoad(OpResult result,
                    llvm::function_ref<void(Value, BoundsAttr)> store) {
  Operation *join = result.getOwner();
  auto type = cast<GridType>(result.getType());
  if (!type.getBounds())
    return join->emitOpError("expected values of known box, got ")
           << Type(type) << "; run stencil-infer-shapes first";
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value field =
      AllocOp::create(builder, join->getLoc(),
                      FieldType::get(type.getBounds(), type.getElementType()));
  temporaries.push_back(field);
  builder.setInsertionPoint(join);
  store(field, type.getBounds());
  result.replaceAllUsesWith(
      LoadOp::create(builder, join->getLoc(), result.getType(), field));
  return success();
}

LogicalResult Joins::storeBuffer(BufferOp buffer) {
  auto store = [&](Value field, BoundsAttr box) {
    StoreOp::create(builder, buffer.getLoc(), buffer.getTemp(), field, box);
  };
  if (failed(storeAndLoad(buffer->getResult(0), store)))
    return failure();
  buffer.erase();
  return success();
}

/// Stores either side of a result of `combine` to its part of `box`.
void Joins::storeParts(CombineOp combine, unsigned pair, Value field,
                       BoundsAttr box) {
  int64_t axis = combine.getDim().getSExtValue();
  for (bool isBelow : {true, false}) {
    GridBox part(box);
    part.cut(combine, isBelow);
    if (part.lb[axis] < part.ub[axis])
      StoreOp::create(builder, combine.getLoc(),
                      (isBelow ? combine.getLower() : combine.getUpper())[pair],
                      field, part.get(box.getContext()));
  }
}

LogicalResult Joins::storeCombine(CombineOp combine) {
  unsigned pairs = combine.getLower().size();
  for (unsigned pair = 0; pair < pairs; ++pair) {
    OpResult result = combine->getResult(pair);
    if (!llvm::all_of(result.getUsers(), llvm::IsaPred<StoreOp>)) {
      auto store = [&](Value field, BoundsAttr box) {
        storeParts(combine, pair, field, box);
      };
      if (failed(storeAndLoad(result, store)))
        return failure();
      continue;
    }
    for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
      auto whole = cast<StoreOp>(user);
      builder.setInsertionPoint(whole);
      storeParts(combine, pair, whole.getField(), whole.getBounds());
      whole.erase();
    }
  }
  for (auto [i, value] : llvm::enumerate(
           llvm::concat<Value>(combine.getLowerext(), combine.getUpperext())))
    combine.getResult(pairs + i).replaceAllUsesWith(value);
  combine.erase();
  return success();
}

LogicalResult Joins::run() {
  SmallVector<BufferOp> buffers;
  SmallVector<CombineOp> combines;
  for (Operation *op : listProgram(function.getFunctionBody()))
    if (auto buffer = dyn_cast<BufferOp>(op))
      buffers.push_back(buffer);
    else if (auto combine = dyn_cast<CombineOp>(op))
      combines.push_back(combine);
  // In this order, and users first, most combines are stored only.
  for (BufferOp buffer : buffers)
    if (failed(storeBuffer(buffer)))
      return failure();
  for (CombineOp combine : llvm::reverse(combines))
    if (failed(storeCombine(combine)))
      return failure();
  return success();
}

namespace stencil {
#define GEN_PASS_DEF_STENCILBUFFERIZE
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

/// Moves the casts of a function's arguments to its entry: they give the
/// extents that allocations need, and fields that are known early can be
/// written early.
static void hoistCasts(FunctionOpInterface function) {
  Block &entry = function.getFunctionBody().front();
  SmallVector<CastOp> casts(entry.getOps<CastOp>());
  llvm::SmallPtrSet<Operation *, 8> hoisted;
  Operation *last = nullptr;
  for (CastOp op : casts) {
    Operation *definition = op.getField().getDefiningOp();
    if (definition && !hoisted.contains(definition))
      continue;
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&entry, entry.begin());
    hoisted.insert(op);
    last = op;
  }
}

/// Erases values without use: their box may not even be known.
static void eraseUnused(FunctionOpInterface function) {
  auto ops = listProgram(function.getFunctionBody());
  for (Operation *op : llvm::reverse(ops))
    if (op->hasTrait<HandlesValues>() && isOpTriviallyDead(op))
      op->erase();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
class Rewriter {
public:
  Rewriter(FunctionOpInterface function, BufferPlan plan)
      : function(function), plan(std::move(plan)),
        builder(function.getContext()) {}
  void run();

private:
  void allocate();
  Value getField(const Storage &storage) {
    return storage.field ? storage.field : buffers[storage.buffer];
  }
  void copy(Location loc, Value from, Value to, BoundsAttr box);
  void rewriteInputs(ApplyOp apply);
  void rewriteValues(ApplyOp apply);
  void rewrite(Operation *op);

  FunctionOpInterface function;
  BufferPlan plan;
  OpBuilder builder;
  SmallVector<Value> buffers;
  SmallVector<Operation *> dead;
};
} // namespace

/// Allocates the buffers at the function's entry, outside of all loops: behind
/// the casts, which make run-time extents known.
void Rewriter::allocate() {
  llvm::DenseMap<Operation *, Operation *> lastCast;
  llvm::DenseSet<Operation *> users;
  for (const BufferPlan::Buffer &buffer : plan.buffers)
    users.insert(buffer.firstUser);
  Operation *last = nullptr;
  for (Operation &op : function.getFunctionBody().front()) {
    if (users.contains(&op))
      lastCast[&op] = last;
    if (isa<CastOp>(op))
      last = &op;
  }
  for (const BufferPlan::Buffer &buffer : plan.buffers) {
    if (Operation *castOp = lastCast.lookup(buffer.firstUser))
      builder.setInsertionPointAfter(castOp);
    else
      builder.setInsertionPointToStart(&function.getFunctionBody().front());
    buffers.push_back(
        AllocOp::create(builder, buffer.firstUser->getLoc(), buffer.type));
  }
  for (auto [temporary, index] : plan.temporaries) {
    temporary.replaceAllUsesWith(buffers[index]);
    temporary.getDefiningOp()->erase();
  }
}

void Rewriter::copy(Location loc, Value from, Value to, BoundsAttr box) {
  auto apply =
      ApplyOp::create(builder, loc, ValueRange{from}, ValueRange{to}, box);
  apply.returnInput(SmallVector<int64_t>(box.getRank(), 0));
}

/// Puts fields in the place of temps among the inputs of `apply`, and drops
/// those that it does not read.
void Rewriter::rewriteInputs(ApplyOp apply) {
  llvm::BitVector unread(apply.getArgs().size());
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (isa<TempType>(argument.getType()) && argument.use_empty())
      unread.set(argument.getArgNumber());
  eraseInputs(apply, unread);
  for (OpOperand &use : apply.getArgsMutable())
    if (isa<TempType>(use.get().getType()))
      use.set(getField(plan.homes.find(use.get())->second));
  apply.retypeArguments();
}

void Rewriter::rewriteValues(ApplyOp apply) {
  SmallVector<Value> returned, fields;
  for (OpResult result : apply->getResults())
    for (const Storage &destination : plan.destinations[result]) {
      fields.push_back(getField(destination));
      llvm::append_range(returned,
                         getReturned(apply, result.getResultNumber()));
    }
  Operation *before = plan.sunk.lookup(apply);
  builder.setInsertionPoint(before ? before : apply.getOperation());
  auto written = ApplyOp::create(builder, apply.getLoc(), apply.getArgs(),
                                 fields, apply.getDomain());
  written->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
  written.getRegion().takeBody(apply.getRegion());
  written.getBodyBlock()->getTerminator()->setOperands(returned);
  rewriteInputs(written);
  dead.push_back(apply);
}

void Rewriter::rewrite(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto load = dyn_cast<LoadOp>(op)) {
    Value home = getField(plan.homes.lookup(load.getRes()));
    if (home != load.getField())
      copy(op->getLoc(), load.getField(), home, getBounds(load.getRes()));
    dead.push_back(op);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    if (!plan.direct.contains(op)) {
      Value home = getField(plan.homes.lookup(store.getTemp()));
      if (home != store.getField())
        copy(op->getLoc(), home, store.getField(), store.getBounds());
    }
    dead.push_back(op);
  } else if (auto fold = dyn_cast<FoldOp>(op)) {
    for (OpOperand &operand : fold.getTempsMutable())
      if (isa<TempType>(operand.get().getType()))
        operand.set(getField(plan.homes.lookup(operand.get())));
  } else if (auto apply = dyn_cast<ApplyOp>(op)) {
    if (apply.isBufferised())
      rewriteInputs(apply);
    else
      rewriteValues(apply);
  }
}

void Rewriter::run() {
  allocate();
  for (Operation *op : listProgram(function.getFunctionBody()))
    rewrite(op);
  for (Operation *op : llvm::reverse(dead))
    op->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult bufferize(FunctionOpInterface function) {
  // While all boxes are still there to be seen.
  recordMinimalExtents(function, [](Value value) { return getBounds(value); });
  // Around a kernel there are no values.
  if (hasKernel(function))
    return success();
  hoistCasts(function);
  eraseUnused(function);
  SmallVector<Value> temporaries;
  if (failed(Joins(function, temporaries).run()))
    return failure();
  FailureOr<BufferPlan> plan = planBuffers(function, temporaries);
  if (failed(plan))
    return failure();
  Rewriter(function, std::move(*plan)).run();
  return success();
}

namespace {
struct Bufferize : stencil::impl::StencilBufferizeBase<Bufferize> {
  void runOnOperation() override {
    if (failed(checkProgram(getOperation())))
      return signalPassFailure();
    getOperation()->walk([](ApplyOp apply) { eraseUnread(apply); });
    auto visit = [](Operation *op) -> WalkResult {
      if (isa_and_nonnull<StencilDialect>(op->getDialect()))
        return op->emitOpError("expected to be in a function");
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function)
        return WalkResult::advance();
      if (!function.isExternal() && failed(bufferize(function)))
        return WalkResult::interrupt();
      return WalkResult::skip();
    };
    if (failed(checkWithin<WalkOrder::PreOrder>(getOperation(), visit)))
      signalPassFailure();
  }
};
} // namespace
