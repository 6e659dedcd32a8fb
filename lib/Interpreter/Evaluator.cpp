//===- Evaluator.cpp - Calls and control flow -----------------------------===//

#include "Evaluator.h"
#include "Ops.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/Signature.h"
#include "Translator.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Learns the extents that arguments have, before any of them is cast: demand
/// is computed for the whole function at once.
LogicalResult Evaluator::bindExtents(func::FuncOp func) {
  Extents &extents = state.activation->extents;
  for (BlockArgument argument : func.getArguments())
    if (auto *field = std::get_if<FieldValue>(&state.get(argument))) {
      auto grid = dyn_cast<GridType>(argument.getType());
      if (!grid || !grid.getBounds())
        continue;
      if (failed(state.bind(func, grid.getBounds(), *field)))
        return failure();
    }
  func.walk([&](Operation *op) {
    if (!op->hasTrait<FieldView>())
      return;
    // The cast of a field that was made of a memref, too.
    Value source = op->getOperand(0);
    while (auto load = source.getDefiningOp<ExternalLoadOp>())
      source = load.getField();
    auto argument = dyn_cast<BlockArgument>(source);
    auto grid = dyn_cast<GridType>(op->getResult(0).getType());
    if (!argument || argument.getOwner() != &func.front() || !grid ||
        !grid.getBounds())
      return;
    if (auto *field = std::get_if<FieldValue>(&state.get(argument)))
      if (field->storage->shape.size() == static_cast<size_t>(grid.getRank()))
        extents.tryBind(op, grid.getBounds(), field->storage->shape);
  });
  return success();
}

LogicalResult Evaluator::call(func::FuncOp func,
                              SmallVector<RuntimeValue> arguments,
                              SmallVectorImpl<RuntimeValue> &results) {
  constexpr unsigned maxDepth = 128;
  if (callDepth == maxDepth)
    return func.emitError("calls are nested more than ") << maxDepth << " deep";
  if (auto [it, isNew] = checked.try_emplace(func, true);
      isNew && failed(checkProgram(func)))
    return failure();
  RunState::Activation local;
  for (auto [argument, value] : llvm::zip_equal(func.getArguments(), arguments))
    local.values[argument] = std::move(value);
  arguments.clear();
  RunState::Activation *outer = std::exchange(state.activation, &local);
  ++callDepth;
  LogicalResult result = bindExtents(func);
  if (succeeded(result)) {
    local.demand = computeDemand(func, local.extents);
    result = evaluateBlock(func.front());
  }
  if (succeeded(result)) {
    Operation *terminator = func.front().getTerminator();
    if (isa<func::ReturnOp>(terminator))
      for (Value value : terminator->getOperands())
        results.push_back(state.get(value));
    else
      result = emitUnknownOp(terminator);
  }
  --callDepth;
  state.activation = outer;
  return result;
}

LogicalResult Evaluator::evaluate(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (callee && isTimer(callee)) {
    FailureOr<Kind> kind = state.requireKind(op, op.getResult(0).getType());
    if (failed(kind))
      return failure();
    state.get(op.getResult(0)) = Scalar{*kind, Cell::ofFloat(0, *kind)};
    return success();
  }
  if (!callee || callee.isExternal())
    return op.emitError("the interpreter expects a function with a body, got '")
           << op.getCallee() << "'";
  SmallVector<RuntimeValue> arguments, results;
  for (Value operand : op.getOperands())
    arguments.push_back(state.get(operand));
  if (failed(call(callee, std::move(arguments), results)))
    return failure();
  for (auto [target, value] : llvm::zip_equal(op.getResults(), results))
    state.get(target) = std::move(value);
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What nobody reads behind an op of a block that is evaluated.
ArrayRef<Value> Evaluator::getDying(Operation *op) const {
  const auto &dying = deaths.find(op->getBlock())->second;
  auto found = dying.find(op);
  return found == dying.end() ? ArrayRef<Value>() : found->second;
}

LogicalResult Evaluator::evaluateBlock(Block &block) {
  if (auto [it, isNew] = deaths.try_emplace(&block); isNew)
    it->second = getDeaths(block);
  for (Operation &op : block.without_terminator()) {
    if (failed(evaluateOp(&op)))
      return failure();
    // What nobody reads any more need not be kept from being written over.
    for (Value value : getDying(&op))
      if (isa<TempType>(value.getType()))
        state.activation->values.erase(value);
  }
  return success();
}

LogicalResult Evaluator::evaluateOp(Operation *op) {
  bool isOfTiles = isa_and_nonnull<tile::TileDialect>(op->getDialect());
  if (state.activation->block && (isOfTiles || isa<ApplyOp, ub::PoisonOp>(op)))
    return kernels.evaluateOp(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<CastOp, AllocOp, ExternalLoadOp, ExternalStoreOp, LoadOp, StoreOp,
            BoundaryOp, CombineOp, BufferOp, WindowOp, AccumulateOp, FoldOp,
            ScratchOp, FetchOp, ExtentOp, UnrealizedConversionCastOp,
            LLVM::LoadOp, LLVM::StoreOp>(
          [&](auto op) { return interp::evaluate(state, op); })
      .Case([&](ApplyOp op) {
        return interp::evaluate(state, bodies, op, getDying(op));
      })
      .Case([&](tile::KernelOp op) {
        // A loop over planes is no time loop.
        ++loopDepth;
        LogicalResult result = kernels.evaluate(op);
        --loopDepth;
        return result;
      })
      .Case([&](PipelineOp op) { return evaluateBlock(*op.getBodyBlock()); })
      .Case([&](ReduceOp op) {
        return op.emitError(
            "stencil.reduce has no result and cannot be run; use "
            "stencil.fold");
      })
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp, func::CallOp>(
          [&](auto op) { return evaluate(op); })
      .Case([&](scf::ParallelOp op) { return evaluate(op, 0); })
      .Case([&](cf::AssertOp op) {
        return state.getInteger(op.getArg()) != 0 ? LogicalResult(success())
                                                  : op.emitError(op.getMsg());
      })
      .Case<arith::ConstantOp, arith::SelectOp>(
          [&](auto op) { return scalars.evaluate(op); })
      .Default([&](Operation *op) {
        if (isOfTiles || isa<ub::PoisonOp>(op))
          return LogicalResult(emitUnknownOp(op));
        return isa_and_nonnull<memref::MemRefDialect>(op->getDialect())
                   ? evaluateMemRefOp(state, op)
                   : scalars.evaluate(op);
      });
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluate(scf::IfOp op) {
  state.noteBranch(op.getCondition());
  Region &region = state.getInteger(op.getCondition()) != 0
                       ? op.getThenRegion()
                       : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(evaluateBlock(region.front())))
    return failure();
  state.assign(op.getResults(), region.front().getTerminator()->getOperands());
  return success();
}

/// Any order is right; this is the one of the loops that it becomes.
LogicalResult Evaluator::evaluate(scf::ParallelOp op, unsigned axis) {
  if (op.getNumResults() > 0)
    return emitUnknownOp(op);
  if (axis == op.getNumLoops())
    return evaluateBlock(*op.getBody());
  int64_t step = state.getInteger(op.getStep()[axis]);
  if (step <= 0)
    return op.emitError(describe(FaultKind::BadStep)) << ", got " << step;
  int64_t upper = state.getInteger(op.getUpperBound()[axis]);
  Kind kind = state.getScalar(op.getLowerBound()[axis]).kind;
  for (int64_t i = state.getInteger(op.getLowerBound()[axis]); i < upper;) {
    state.get(op.getInductionVars()[axis]) =
        Scalar{kind, Cell::ofInteger(i, kind)};
    if (failed(evaluate(op, axis + 1)))
      return failure();
    if (upper - i <= step)
      break;
    i += step;
  }
  return success();
}

LogicalResult Evaluator::evaluate(scf::ForOp op) {
  bool isUnsigned = op.getUnsignedCmp();
  auto read = [&](Value value) -> __int128 {
    int64_t number = state.getInteger(value);
    if (!isUnsigned)
      return number;
    unsigned width = 8 * getSize(state.getScalar(value).kind);
    return static_cast<uint64_t>(number) & (~uint64_t(0) >> (64 - width));
  };
  Kind kind = state.getScalar(op.getLowerBound()).kind;
  __int128 lower = read(op.getLowerBound()), upper = read(op.getUpperBound());
  __int128 step = read(op.getStep());
  if (step <= 0)
    return op.emitError(describe(FaultKind::BadStep))
           << ", got " << static_cast<int64_t>(step);
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    state.noteBranch(bound);
  state.assign(op.getRegionIterArgs(), op.getInitArgs());
  uint64_t trips =
      lower < upper ? static_cast<uint64_t>((upper - lower + step - 1) / step)
                    : 0;
  ++loopDepth;
  for (uint64_t trip = 0; trip < trips; ++trip) {
    if (loopDepth == 1)
      reportProgress(trip, trips);
    state.get(op.getInductionVar()) = Scalar{
        kind, Cell::ofInteger(static_cast<int64_t>(lower + step * trip), kind)};
    if (failed(evaluateBlock(*op.getBody())))
      return failure();
    state.assign(op.getRegionIterArgs(),
                 op.getBody()->getTerminator()->getOperands());
  }
  if (loopDepth == 1)
    reportProgress(trips, trips);
  --loopDepth;
  state.assign(op.getResults(), op.getRegionIterArgs());
  return success();
}

/// Not more often than anybody can see.
void Evaluator::reportProgress(uint64_t done, uint64_t total) {
  if (!state.options.progress)
    return;
  auto now = std::chrono::steady_clock::now();
  if (done != total && now - lastReport < std::chrono::milliseconds(20))
    return;
  lastReport = now;
  state.options.progress(total == 0 ? 1.0
                                    : static_cast<double>(done) /
                                          static_cast<double>(total));
}

LogicalResult Evaluator::evaluate(scf::WhileOp op) {
  state.assign(op.getBeforeArguments(), op.getInits());
  ++loopDepth;
  while (true) {
    if (failed(evaluateBlock(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    state.noteBranch(condition.getCondition());
    if (state.getInteger(condition.getCondition()) == 0) {
      state.assign(op.getResults(), condition.getArgs());
      --loopDepth;
      return success();
    }
    state.assign(op.getAfterArguments(), condition.getArgs());
    if (failed(evaluateBlock(*op.getAfterBody())))
      return failure();
    state.assign(op.getBeforeArguments(), op.getYieldOp().getOperands());
  }
}
