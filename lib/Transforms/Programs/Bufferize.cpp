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
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StoreJoins.h"

using namespace mlir;
using namespace stencil;

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
  SmallVector<Operation *> ops;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LoadOp, ApplyOp, CombineOp, BufferOp, FoldOp>(op))
      ops.push_back(op);
    return isa<ApplyOp, PipelineOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
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
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(apply.getBodyBlock());
  Value value =
      AccessOp::create(builder, loc, apply.getBodyBlock()->getArgument(0),
                       SmallVector<int64_t>(box.getRank(), 0));
  ReturnOp::create(builder, loc, value, /*unroll=*/stencil::IndexAttr());
}

/// Puts fields in the place of temps among the inputs of `apply`, and drops
/// those that it does not read.
void Rewriter::rewriteInputs(ApplyOp apply) {
  llvm::BitVector unread(apply.getArgs().size());
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    if (isa<TempType>(argument.getType()) && argument.use_empty())
      unread.set(argument.getArgNumber());
  eraseInputs(apply, unread);
  for (auto [i, argument] :
       llvm::enumerate(apply.getBodyBlock()->getArguments())) {
    Value input = apply.getArgs()[i];
    if (!isa<TempType>(input.getType()))
      continue;
    Value field = getField(plan.homes.find(input)->second);
    apply.getArgsMutable()[i].assign(field);
    argument.setType(field.getType());
  }
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
      copy(op->getLoc(), load.getField(), home,
           cast<GridType>(load.getRes().getType()).getBounds());
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
  SmallVector<Operation *> ops;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return isa<ApplyOp, ReduceOp, PipelineOp>(op) ? WalkResult::skip()
                                                  : WalkResult::advance();
  });
  for (Operation *op : ops)
    rewrite(op);
  for (Operation *op : llvm::reverse(dead))
    op->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult bufferize(FunctionOpInterface function) {
  // While all boxes are still there to be seen.
  recordMinimalExtents(function, [](Value value) {
    return cast<GridType>(value.getType()).getBounds();
  });
  // Around a kernel there are no values.
  if (hasKernel(function))
    return success();
  hoistCasts(function);
  eraseUnused(function);
  SmallVector<Value> temporaries;
  if (failed(storeJoins(function, temporaries)))
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
    WalkResult walk = getOperation().walk<WalkOrder::PreOrder>(
        [](Operation *op) -> WalkResult {
          if (isa_and_nonnull<StencilDialect>(op->getDialect()))
            return op->emitOpError("expected to be in a function");
          auto function = dyn_cast<FunctionOpInterface>(op);
          if (!function)
            return WalkResult::advance();
          if (!function.isExternal() && failed(bufferize(function)))
            return WalkResult::interrupt();
          return WalkResult::skip();
        });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
