//===- TranslateControlFlow.cpp - Branches, loops and calls in bodies -----===//

#include "Translator.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

LogicalResult
Translator::translateInto(Sequence &sequence, Block &block,
                          llvm::function_ref<LogicalResult()> atEnd) {
  Sequence *outer = current;
  current = &sequence;
  shifted.emplace_back();
  LogicalResult result = translateBlock(block, atEnd);
  shifted.pop_back();
  current = outer;
  return result;
}

LogicalResult Translator::translateIf(scf::IfOp op) {
  for (Value result : op.getResults())
    if (failed(define(op, result)))
      return failure();
  // Filled while it is run, so it is not added to the sequence before.
  auto branch = std::make_unique<If>();
  branch->condition = getRegisters(op.getCondition())[0];
  branch->mask = allocate(Kind::I1);
  branch->analysis = analysis;
  for (Value result : op.getResults()) {
    llvm::append_range(branch->results, getRegisters(result));
    llvm::append_range(branch->kinds, *getKinds(op, result.getType()));
  }
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    if (region->empty())
      continue;
    Sequence &body =
        region == &op.getThenRegion() ? branch->thenBody : branch->elseBody;
    Block &block = region->front();
    auto yield = [&] {
      for (auto [result, value] : llvm::zip_equal(
               op.getResults(), block.getTerminator()->getOperands()))
        emitBlend(getRegisters(result), getRegisters(value));
      return success();
    };
    if (failed(translateInto(body, block, yield)))
      return failure();
  }
  release(branch->mask);
  current->instructions.push_back(std::move(branch));
  return success();
}

LogicalResult Translator::translateFor(scf::ForOp op) {
  FailureOr<Kind> kind =
      requireKind(op, op.getInductionVar().getType(), precision);
  if (failed(kind))
    return failure();
  auto loop = std::make_unique<For>();
  loop->op = op;
  loop->kind = *kind;
  loop->isUnsigned = op.getUnsignedCmp();
  loop->lower = getRegisters(op.getLowerBound())[0];
  loop->upper = getRegisters(op.getUpperBound())[0];
  loop->step = getRegisters(op.getStep())[0];
  loop->counter = allocate(*kind);
  loop->trips = allocate(Kind::I64);
  loop->mask = allocate(Kind::I1);
  values()[op.getInductionVar()] = {{loop->counter}, false};
  SmallVector<Registers> carried;
  for (auto [result, init, argument] : llvm::zip_equal(
           op.getResults(), op.getInitArgs(), op.getRegionIterArgs())) {
    if (failed(define(op, result)))
      return failure();
    carried.push_back(getRegisters(result));
    values()[argument] = {carried.back(), false};
    emitBlend(carried.back(), getRegisters(init));
    llvm::append_range(loop->results, carried.back());
  }
  if (failed(translateInto(loop->body, *op.getBody(), [&] {
        emitSimultaneousBlend(carried,
                              op.getBody()->getTerminator()->getOperands());
        return success();
      })))
    return failure();
  release(loop->counter);
  release(loop->trips);
  release(loop->mask);
  current->instructions.push_back(std::move(loop));
  return success();
}

LogicalResult Translator::translateWhile(scf::WhileOp op) {
  auto loop = std::make_unique<While>();
  loop->mask = allocate(Kind::I1);
  SmallVector<Registers> carried, forwarded;
  for (auto [init, argument] :
       llvm::zip_equal(op.getInits(), op.getBeforeArguments())) {
    if (failed(define(op, argument)))
      return failure();
    carried.push_back(getRegisters(argument));
    values()[argument].isOwned = false;
    emitBlend(carried.back(), getRegisters(init));
  }
  for (auto [result, argument] :
       llvm::zip_equal(op.getResults(), op.getAfterArguments())) {
    if (failed(define(op, result)))
      return failure();
    forwarded.push_back(getRegisters(result));
    llvm::append_range(loop->results, forwarded.back());
    values()[argument] = {forwarded.back(), false};
  }
  scf::ConditionOp condition = op.getConditionOp();
  // A copy: its register may be reused in the rest of the loop.
  loop->condition = allocate(Kind::I1);
  if (failed(translateInto(loop->before, *op.getBeforeBody(), [&] {
        emitBlend({loop->condition}, getRegisters(condition.getCondition()));
        for (auto [target, value] :
             llvm::zip_equal(forwarded, condition.getArgs()))
          emitBlend(target, getRegisters(value));
        return success();
      })))
    return failure();
  if (failed(translateInto(loop->after, *op.getAfterBody(), [&] {
        emitSimultaneousBlend(carried, op.getYieldOp().getOperands());
        return success();
      })))
    return failure();
  for (const Registers &registers : carried)
    llvm::for_each(registers, [&](unsigned reg) { release(reg); });
  release(loop->condition);
  release(loop->mask);
  current->instructions.push_back(std::move(loop));
  return success();
}

/// Translates the callee's body in place.
LogicalResult Translator::translateCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return op.emitError("the interpreter expects a function with a body of one "
                        "block, got '")
           << op.getCallee() << "'";
  if (llvm::is_contained(callStack, callee.getOperation()))
    return op.emitError(
        "the interpreter does not evaluate recursive calls in the "
        "body of an apply");
  Block &block = callee.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), op.getOperands()))
    values()[argument] = {getRegisters(value), false};
  callStack.push_back(callee);
  LogicalResult result = translateBlock(block, [&]() -> LogicalResult {
    Operation *terminator = block.getTerminator();
    if (!isa<func::ReturnOp>(terminator))
      return emitUnknownOp(terminator);
    for (auto [target, value] :
         llvm::zip_equal(op.getResults(), terminator->getOperands())) {
      if (failed(define(op, target)))
        return failure();
      emitBlend(getRegisters(target), getRegisters(value));
    }
    return success();
  });
  callStack.pop_back();
  return result;
}
