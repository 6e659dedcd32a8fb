//===- Evaluator.cpp - Control flow and scalars of functions --------------===//

#include "Evaluator.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "Translator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
  Extents &extents = activation->extents;
  for (BlockArgument argument : func.getArguments())
    if (auto *field = std::get_if<FieldValue>(&get(argument))) {
      auto grid = dyn_cast<GridType>(argument.getType());
      if (!grid || !grid.getBounds())
        continue;
      if (failed(extents.bind(func, grid.getBounds(), field->storage->shape)))
        return failure();
      std::optional<Box> box = extents.resolve(grid.getBounds(), func);
      if (!box)
        return failure();
      field->box = *box;
    }
  func.walk([&](Operation *op) {
    if (!isa<CastOp, ExternalLoadOp>(op))
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
    if (auto *field = std::get_if<FieldValue>(&get(argument)))
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
  Activation local;
  for (auto [argument, value] : llvm::zip_equal(func.getArguments(), arguments))
    local.values[argument] = std::move(value);
  arguments.clear();
  Activation *outer = activation;
  activation = &local;
  TileBlock *outerBlock = std::exchange(block, nullptr);
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
        results.push_back(get(value));
    else
      result = emitUnknownOp(terminator);
  }
  --callDepth;
  activation = outer;
  block = outerBlock;
  return result;
}

LogicalResult Evaluator::evaluateCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (callee && isTimer(callee)) {
    FailureOr<Kind> kind =
        requireKind(op, op.getResult(0).getType(), options.precision);
    if (failed(kind))
      return failure();
    get(op.getResult(0)) = Scalar{*kind, Cell::ofFloat(0, *kind)};
    return success();
  }
  if (!callee || callee.isExternal())
    return op.emitError("the interpreter expects a function with a body, got '")
           << op.getCallee() << "'";
  SmallVector<RuntimeValue> arguments, results;
  for (Value operand : op.getOperands())
    arguments.push_back(get(operand));
  if (failed(call(callee, std::move(arguments), results)))
    return failure();
  for (auto [target, value] : llvm::zip_equal(op.getResults(), results))
    get(target) = std::move(value);
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluateBlock(Block &block) {
  auto [it, isNew] = deaths.try_emplace(&block);
  if (isNew)
    it->second = getDeaths(block);
  for (Operation &op : block.without_terminator()) {
    if (failed(evaluateOp(&op)))
      return failure();
    // What nobody reads any more need not be kept from being written over.
    auto &dying = deaths.find(&block)->second;
    if (auto found = dying.find(&op); found != dying.end())
      for (Value value : found->second)
        if (isa<TempType>(value.getType()))
          activation->values.erase(value);
  }
  return success();
}

LogicalResult Evaluator::evaluateOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CastOp op) { return evaluateCast(op); })
      .Case([&](AllocOp op) { return evaluateAlloc(op); })
      .Case([&](ExternalLoadOp op) { return evaluateExternalLoad(op); })
      .Case([&](ExternalStoreOp op) { return evaluateExternalStore(op); })
      .Case([&](LoadOp op) { return evaluateLoad(op); })
      .Case([&](StoreOp op) { return evaluateStore(op); })
      .Case([&](BoundaryOp op) { return evaluateBoundary(op); })
      .Case([&](ApplyOp op) {
        return block ? evaluateStage(op) : evaluateApply(op);
      })
      .Case([&](tile::KernelOp op) { return evaluateKernel(op); })
      .Case([&](ub::PoisonOp op) {
        return block ? evaluatePoison(op) : emitUnknownOp(op);
      })
      .Case([&](CombineOp op) { return evaluateCombine(op); })
      .Case(
          [&](BufferOp op) { return evaluateCopy(op.getTemp(), op.getRes()); })
      .Case([&](PipelineOp op) { return evaluateBlock(*op.getBodyBlock()); })
      .Case([&](WindowOp op) {
        return op.hasBoundary() || getWithin(op)
                   ? evaluateWindow(op)
                   : evaluateCopy(op.getTemp(), op.getRes());
      })
      .Case([&](AccumulateOp op) { return evaluateAccumulate(op); })
      .Case([&](FoldOp op) { return evaluateFold(op); })
      .Case([&](ScratchOp op) { return evaluateMemRefAlloc(op); })
      .Case([&](FetchOp op) { return evaluateFetch(op); })
      .Case([&](ExtentOp op) { return evaluateExtent(op); })
      .Case([&](ReduceOp op) {
        return op.emitError(
            "stencil.reduce has no result and cannot be run; use "
            "stencil.fold");
      })
      .Case([&](scf::IfOp op) { return evaluateIf(op); })
      .Case([&](scf::ForOp op) { return evaluateFor(op); })
      .Case([&](scf::WhileOp op) { return evaluateWhile(op); })
      .Case([&](scf::ParallelOp op) { return evaluateParallel(op, 0); })
      .Case([&](UnrealizedConversionCastOp op) { return evaluateHostView(op); })
      .Case([&](func::CallOp op) { return evaluateCall(op); })
      .Case([&](LLVM::LoadOp op) { return evaluatePointerLoad(op); })
      .Case([&](LLVM::StoreOp op) { return evaluatePointerStore(op); })
      .Case([&](cf::AssertOp op) {
        return getInteger(op.getArg()) != 0 ? LogicalResult(success())
                                            : op.emitError(op.getMsg());
      })
      .Case([&](arith::ConstantOp op) -> LogicalResult {
        FailureOr<Kind> kind = requireKind(op, op.getType(), options.precision);
        if (failed(kind))
          return failure();
        std::optional<Cell> cell = getCell(op.getValue(), *kind);
        if (!cell)
          return emitUnknownOp(op);
        get(op) = Scalar{*kind, *cell};
        return success();
      })
      .Case([&](arith::SelectOp op) { return evaluateSelect(op); })
      .Default([&](Operation *op) {
        if (isa_and_nonnull<tile::TileDialect>(op->getDialect()))
          return evaluateTileOp(op);
        return isa_and_nonnull<memref::MemRefDialect>(op->getDialect())
                   ? evaluateMemRefOp(op)
                   : evaluateElementOp(op);
      });
}

/// Of any kind of values.
LogicalResult Evaluator::evaluateSelect(arith::SelectOp op) {
  if (!op.getCondition().getType().isInteger(1))
    return emitUnknownOp(op);
  RuntimeValue chosen =
      get(getInteger(op.getCondition()) != 0 ? op.getTrueValue()
                                             : op.getFalseValue());
  if (auto *scalar = std::get_if<Scalar>(&chosen); scalar && analysis)
    propagateError(op, 0, *scalar);
  else
    noteBranch(op.getCondition());
  get(op) = std::move(chosen);
  return success();
}

LogicalResult Evaluator::evaluateElementOp(Operation *op) {
  auto found = elementOps.find(op);
  if (found == elementOps.end()) {
    auto entries = getElementOps(op, options.precision);
    if (failed(entries))
      return failure();
    found = elementOps.try_emplace(op, std::move(*entries)).first;
  }
  // A row of one point.
  const void *operands[3] = {};
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    operands[i] = getScalar(operand).cell.bytes;
  SmallVector<Scalar, 2> results;
  for (const ElementOp &entry : found->second) {
    Scalar &result = results.emplace_back();
    result.kind = entry.kind;
    if (entry.kernel) {
      entry.kernel(result.cell.bytes, operands[0], operands[1], operands[2], 1);
      continue;
    }
    FaultKind fault = FaultKind::None;
    if (entry.checked(result.cell.bytes, operands[0], operands[1], nullptr, 1,
                      fault) == 0)
      return op->emitError(describe(fault));
  }
  if (analysis)
    for (auto [index, result] : llvm::enumerate(results))
      propagateError(op, index, result);
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    get(value) = result;
  return success();
}

void Evaluator::propagateError(Operation *op, unsigned index, Scalar &result) {
  // Registers of one lane.
  Frame frame;
  frame.n = frame.chunk = 1;
  std::array<std::array<double, 5>, 4> numbers{};
  SmallVector<Kind> kinds;
  SmallVector<unsigned> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Scalar &scalar = std::get<Scalar>(get(operand));
    // All in one direction.
    numbers[i][0] = numbers[i][3] = numbers[i][4] = scalar.error;
    kinds.push_back(scalar.kind);
    operands.push_back(i);
    frame.registers.push_back(scalar.cell.bytes);
  }
  frame.registers.push_back(result.cell.bytes);
  for (size_t i = 0; i < frame.registers.size(); ++i)
    frame.shadows.push_back({&numbers[i][0], &numbers[i][1], &numbers[i][2],
                             &numbers[i][3], &numbers[i][4]});
  unsigned last = operands.size();
  PropagateError(op, index, *analysis, result.kind, last, kinds, operands)
      .run(frame);
  // Scalars have no mark.
  result.error = markBlind(frame.shadows[last].getError(0), false);
}

void Evaluator::noteBranch(Value condition) {
  if (analysis && getScalar(condition).error > 0)
    ++analysis->undecidedBranches;
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

/// All at once: fields may be swapped.
void Evaluator::assign(ValueRange targets, ValueRange sources) {
  SmallVector<RuntimeValue> values;
  for (Value source : sources)
    values.push_back(get(source));
  for (auto [target, value] : llvm::zip_equal(targets, values))
    get(target) = std::move(value);
}

LogicalResult Evaluator::evaluateIf(scf::IfOp op) {
  noteBranch(op.getCondition());
  Region &region = getInteger(op.getCondition()) != 0 ? op.getThenRegion()
                                                      : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(evaluateBlock(region.front())))
    return failure();
  assign(op.getResults(), region.front().getTerminator()->getOperands());
  return success();
}

/// Any order is right; this is the one of the loops that it becomes.
LogicalResult Evaluator::evaluateParallel(scf::ParallelOp op, unsigned axis) {
  if (op.getNumResults() > 0)
    return emitUnknownOp(op);
  if (axis == op.getNumLoops())
    return evaluateBlock(*op.getBody());
  int64_t step = getInteger(op.getStep()[axis]);
  if (step <= 0)
    return op.emitError(describe(FaultKind::BadStep)) << ", got " << step;
  int64_t upper = getInteger(op.getUpperBound()[axis]);
  Kind kind = getScalar(op.getLowerBound()[axis]).kind;
  for (int64_t i = getInteger(op.getLowerBound()[axis]); i < upper;) {
    get(op.getInductionVars()[axis]) = Scalar{kind, Cell::ofInteger(i, kind)};
    if (failed(evaluateParallel(op, axis + 1)))
      return failure();
    if (upper - i <= step)
      break;
    i += step;
  }
  return success();
}

LogicalResult Evaluator::evaluateFor(scf::ForOp op) {
  bool isUnsigned = op.getUnsignedCmp();
  auto read = [&](Value value) -> __int128 {
    int64_t number = getInteger(value);
    if (!isUnsigned)
      return number;
    unsigned width = 8 * getSize(getScalar(value).kind);
    return static_cast<uint64_t>(number) & (~uint64_t(0) >> (64 - width));
  };
  Kind kind = getScalar(op.getLowerBound()).kind;
  __int128 lower = read(op.getLowerBound()), upper = read(op.getUpperBound());
  __int128 step = read(op.getStep());
  if (step <= 0)
    return op.emitError(describe(FaultKind::BadStep))
           << ", got " << static_cast<int64_t>(step);
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    noteBranch(bound);
  assign(op.getRegionIterArgs(), op.getInitArgs());
  uint64_t trips =
      lower < upper ? static_cast<uint64_t>((upper - lower + step - 1) / step)
                    : 0;
  ++loopDepth;
  for (uint64_t trip = 0; trip < trips; ++trip) {
    if (loopDepth == 1)
      reportProgress(trip, trips);
    get(op.getInductionVar()) = Scalar{
        kind, Cell::ofInteger(static_cast<int64_t>(lower + step * trip), kind)};
    if (failed(evaluateBlock(*op.getBody())))
      return failure();
    assign(op.getRegionIterArgs(),
           op.getBody()->getTerminator()->getOperands());
  }
  if (loopDepth == 1)
    reportProgress(trips, trips);
  --loopDepth;
  assign(op.getResults(), op.getRegionIterArgs());
  return success();
}

/// Not more often than anybody can see.
void Evaluator::reportProgress(uint64_t done, uint64_t total) {
  if (!options.progress)
    return;
  auto now = std::chrono::steady_clock::now();
  if (done != total && now - lastReport < std::chrono::milliseconds(20))
    return;
  lastReport = now;
  options.progress(total == 0 ? 1.0
                              : static_cast<double>(done) /
                                    static_cast<double>(total));
}

LogicalResult Evaluator::evaluateWhile(scf::WhileOp op) {
  assign(op.getBeforeArguments(), op.getInits());
  ++loopDepth;
  while (true) {
    if (failed(evaluateBlock(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    noteBranch(condition.getCondition());
    if (getInteger(condition.getCondition()) == 0) {
      assign(op.getResults(), condition.getArgs());
      --loopDepth;
      return success();
    }
    assign(op.getAfterArguments(), condition.getArgs());
    if (failed(evaluateBlock(*op.getAfterBody())))
      return failure();
    assign(op.getBeforeArguments(), op.getYieldOp().getOperands());
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TempValue *Evaluator::getTemp(Operation *op, Value value) {
  if (auto *temp = std::get_if<TempValue>(&get(value)))
    return temp;
  op->emitError("the box on which its operand is needed is not known; run "
                "stencil-infer-shapes first");
  return nullptr;
}

LogicalResult stencil::interp::emitTooLarge(Operation *op, const Box &box,
                                            Kind kind) {
  std::string text;
  llvm::raw_string_ostream(text) << box;
  return op->emitError("an array of ")
         << text << " with " << getSize(kind)
         << " bytes per point does not fit in memory";
}

FailureOr<TempValue> Evaluator::makeTemp(Operation *op, Kind kind,
                                         const Box &box, bool isMasked) {
  TempValue temp;
  temp.kind = kind;
  temp.box = box;
  temp.contents = std::make_shared<Snapshot>();
  std::optional<int64_t> points = box.getNumPoints();
  uint64_t bytes;
  if (!points || __builtin_mul_overflow(*points, getSize(kind), &bytes))
    return emitTooLarge(op, box, kind);
  temp.contents->own = pool.allocate(bytes);
  temp.contents->data = temp.contents->own.get();
  if (isMasked)
    temp.mask = pool.allocate(*points);
  if (analysis) {
    temp.contents->ownErrors = allocateErrors(*points);
    if (!temp.contents->ownErrors)
      return emitTooLarge(op, box, kind);
    temp.contents->errors =
        reinterpret_cast<PointError *>(temp.contents->ownErrors.get());
  }
  if (!temp.contents->own || (isMasked && !temp.mask))
    return emitTooLarge(op, box, kind);
  return temp;
}

MemoryPool::Block Evaluator::allocateErrors(int64_t points) {
  uint64_t bytes;
  if (__builtin_mul_overflow(points, sizeof(PointError), &bytes))
    return nullptr;
  MemoryPool::Block block = pool.allocate(bytes);
  if (block)
    std::memset(block.get(), 0, bytes);
  return block;
}

LogicalResult Evaluator::prepareWrite(Operation *op, FieldStorage &storage) {
  if (storage.detach(pool))
    return success();
  return op->emitError(
      "not enough memory for the copy of a field that is written "
      "while an earlier load of it is in use");
}
