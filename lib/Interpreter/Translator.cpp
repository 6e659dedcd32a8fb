//===- Translator.cpp - From the body of an apply to a program ------------===//

#include "Translator.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

llvm::DenseMap<Operation *, SmallVector<Value>>
stencil::interp::getDeaths(Block &block) {
  llvm::DenseMap<Operation *, SmallVector<Value>> deaths;
  for (Operation &op : block) {
    for (Value result : op.getResults()) {
      Operation *last = &op;
      for (Operation *user : result.getUsers())
        if (Operation *ancestor = block.findAncestorOpInBlock(*user))
          if (last->isBeforeInBlock(ancestor))
            last = ancestor;
      deaths[last].push_back(result);
    }
  }
  return deaths;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

unsigned Translator::newRegister(Kind kind, bool isPointer) {
  program->registers.push_back(kind);
  program->isPointer.push_back(isPointer);
  return program->registers.size() - 1;
}

unsigned Translator::allocate(Kind kind) {
  SmallVector<unsigned> &candidates = unused[getSize(kind)];
  return candidates.empty() ? newRegister(kind) : candidates.pop_back_val();
}

void Translator::release(unsigned reg) {
  unused[getSize(program->registers[reg])].push_back(reg);
}

unsigned Translator::getConstant(Cell value, Kind kind) {
  auto [known, isNew] = constantRegisters.try_emplace(
      {kind, std::string(value.bytes, sizeof(value.bytes))});
  if (isNew) {
    known->second = newRegister(kind);
    program->constants.push_back({known->second, value});
  }
  return known->second;
}

FailureOr<SmallVector<Kind, 2>> Translator::getKinds(Operation *op, Type type) {
  FailureOr<Kind> kind = requireKind(op, unwrapResult(type), precision);
  if (failed(kind))
    return failure();
  SmallVector<Kind, 2> kinds = {*kind};
  if (isa<ResultType>(type))
    kinds.push_back(Kind::I1);
  return kinds;
}

LogicalResult Translator::define(Operation *op, Value value) {
  FailureOr<SmallVector<Kind, 2>> kinds = getKinds(op, value.getType());
  if (failed(kinds))
    return failure();
  Operand operand;
  operand.isOwned = true;
  for (Kind kind : *kinds)
    operand.registers.push_back(allocate(kind));
  values()[value] = operand;
  return success();
}

void Translator::emitBlend(const Registers &to, const Registers &from) {
  for (auto [target, source] : llvm::zip_equal(to, from))
    if (target != source)
      emit<Blend>(target, source, program->registers[target]);
}

void Translator::emitSimultaneousBlend(ArrayRef<Registers> to,
                                       ValueRange from) {
  SmallVector<Registers> sources;
  SmallVector<unsigned> staged;
  for (size_t i = 0; i < to.size(); ++i) {
    Registers source = getRegisters(from[i]);
    if (source != to[i] && llvm::is_contained(to, source)) {
      Registers copy;
      for (unsigned reg : source)
        staged.push_back(copy.emplace_back(allocate(program->registers[reg])));
      emitBlend(copy, source);
      source = copy;
    }
    sources.push_back(source);
  }
  for (auto [target, source] : llvm::zip_equal(to, sources))
    emitBlend(target, source);
  llvm::for_each(staged, [&](unsigned reg) { release(reg); });
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

std::unique_ptr<Program> Translator::translate() {
  program->rank = apply.getRank();
  program->analysis = analysis;
  program->followsUnspecified =
      apply->getParentOfType<tile::KernelOp>() != nullptr;
  SmallVector<int64_t> unroll = apply.getUnrollFactors();
  program->unroll.assign(unroll.begin(), unroll.end());
  current = &program->body;
  shift.assign(program->rank, 0);
  shifted.emplace_back();
  Block &block = *apply.getBodyBlock();
  if (failed(bindArguments()) || failed(translateBlock(block, [&] {
        bindReturn(cast<ReturnOp>(block.back()));
        return success();
      })))
    return nullptr;
  // All registers of a chunk together stay in a second-level cache.
  constexpr int64_t cache = int64_t(1) << 18, longest = 1024, shortest = 128;
  int64_t bytes = 1;
  for (auto [kind, isPointer] :
       llvm::zip_equal(program->registers, program->isPointer))
    bytes +=
        (isPointer ? 0 : getSize(kind)) + (analysis ? 5 * sizeof(double) : 0);
  program->chunk = std::clamp(cache / bytes / 64 * 64, shortest, longest);
  return std::move(program);
}

LogicalResult Translator::bindArguments() {
  Footprint footprint(apply);
  for (BlockArgument argument : apply.getBodyBlock()->getArguments()) {
    if (auto grid = dyn_cast<GridType>(argument.getType())) {
      if (failed(requireKind(apply, grid.getElementType(), precision)))
        return failure();
      // Of what nobody reads, no box is known.
      bool isRead = false;
      footprint.forEachRead(argument.getArgNumber(),
                            [&](const InputRead &) { isRead = true; });
      if (isRead)
        program->inputs.push_back(argument.getArgNumber());
      continue;
    }
    FailureOr<Kind> kind = requireKind(apply, argument.getType(), precision);
    if (failed(kind))
      return failure();
    unsigned reg = newRegister(*kind);
    program->scalars.push_back({reg, argument.getArgNumber()});
    values()[argument] = {{reg}, false};
  }
  return success();
}

void Translator::bindReturn(ReturnOp op) {
  int64_t factor = 1;
  for (int64_t value : program->unroll)
    factor *= value;
  unsigned always = getConstant(Cell::ofInteger(1, Kind::I1), Kind::I1);
  for (auto [index, value] : llvm::enumerate(op.getArgs())) {
    Program::Output output;
    output.result = index / factor;
    output.offset.resize(program->rank);
    int64_t rest = index % factor;
    for (unsigned axis = program->rank; axis-- > 0;) {
      output.offset[axis] = rest % program->unroll[axis];
      rest /= program->unroll[axis];
    }
    const Operand &operand = values().find(value)->second;
    output.reg = operand.registers[0];
    if (operand.registers.size() == 2 && operand.registers[1] != always)
      output.set = operand.registers[1];
    // Not registers that are filled once, nor what two results share.
    output.isDirect = !program->followsUnspecified && factor == 1 &&
                      operand.isOwned && !output.set &&
                      llvm::count(op.getArgs(), value) == 1;
    program->outputs.push_back(output);
  }
}

bool Program::isMasked(unsigned result) const {
  return llvm::any_of(outputs, [&](const Output &output) {
    return output.result == result && output.set;
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult
Translator::translateBlock(Block &block,
                           llvm::function_ref<LogicalResult()> atEnd) {
  auto deaths = getDeaths(block);
  for (Operation &op : block) {
    if (!slices.isNeededHere(&op))
      continue;
    if (failed(&op == &block.back() ? atEnd() : translateOp(&op)))
      return failure();
    // Only now: results never share a register with operands.
    for (Value value : deaths.lookup(&op))
      if (auto it = values().find(value);
          it != values().end() && it->second.isOwned)
        llvm::for_each(it->second.registers,
                       [&](unsigned reg) { release(reg); });
  }
  return success();
}

LogicalResult Translator::translateOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constant) -> LogicalResult {
        FailureOr<Kind> kind = requireKind(op, constant.getType(), precision);
        if (failed(kind))
          return failure();
        std::optional<Cell> cell = getCell(constant.getValue(), *kind);
        if (!cell)
          return emitUnknownOp(op);
        values()[constant] = {{getConstant(*cell, *kind)}, false};
        return success();
      })
      .Case([&](ub::PoisonOp poison) -> LogicalResult {
        if (!program->followsUnspecified)
          return emitUnknownOp(op);
        if (failed(define(op, poison)))
          return failure();
        emit<Poison>(getRegisters(poison)[0]);
        if (analysis)
          emit<ClearError>(getRegisters(poison)[0]);
        return success();
      })
      .Case([&](AccessOp access) { return translateAccess(access); })
      .Case([&](DynAccessOp access) { return translateDynAccess(access); })
      .Case([&](WeightedSumOp sum) { return translateWeightedSum(sum); })
      .Case([&](MatVecOp product) { return translateMatVec(product); })
      .Case([&](IndexOp index) { return translateIndex(index); })
      .Case([&](StoreResultOp store) { return translateStoreResult(store); })
      .Case([&](PointwiseOpInterface pointwise) {
        return translatePointwise(pointwise);
      })
      .Case([&](arith::SelectOp) { return translateSelect(op); })
      .Case([&](scf::IfOp ifOp) { return translateIf(ifOp); })
      .Case([&](scf::ForOp forOp) { return translateFor(forOp); })
      .Case([&](scf::WhileOp whileOp) { return translateWhile(whileOp); })
      .Case([&](func::CallOp call) { return translateCall(call); })
      .Default([&](Operation *) { return translateElementOp(op); });
}

LogicalResult Translator::translatePointwise(PointwiseOpInterface op) {
  Expansion &expansion =
      *program->expansions.emplace_back(std::make_unique<Expansion>(op));
  Block &block = expansion.getBlock();
  for (auto [argument, operand] :
       llvm::zip_equal(block.getArguments(), op->getOperands()))
    values()[argument] = {getRegisters(operand), false};
  for (Operation &inner : block)
    if (failed(translateOp(&inner)))
      return failure();
  // Copies: what the ops compute is theirs, or that of an operand.
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), expansion.getResults())) {
    if (failed(define(op, result)))
      return failure();
    emitBlend(getRegisters(result), getRegisters(value));
  }
  for (Operation &inner : block)
    for (Value value : inner.getResults())
      if (const Operand &operand = values().find(value)->second;
          operand.isOwned)
        llvm::for_each(operand.registers, [&](unsigned reg) { release(reg); });
  return success();
}

LogicalResult Translator::translateElementOp(Operation *op) {
  auto elementOps = getElementOps(op, precision);
  if (failed(elementOps))
    return failure();
  Registers operands;
  SmallVector<Kind> kinds;
  for (Value operand : op->getOperands()) {
    operands.push_back(getRegisters(operand)[0]);
    kinds.push_back(*getKind(operand.getType(), precision));
  }
  for (auto [index, result, element] :
       llvm::enumerate(op->getResults(), *elementOps)) {
    if (failed(define(op, result)))
      return failure();
    unsigned reg = getRegisters(result)[0];
    if (element.kernel)
      emit<Compute>(element.kernel, reg, operands);
    else
      emit<ComputeChecked>(op, element.checked, reg, operands[0], operands[1]);
    if (analysis)
      emit<PropagateError>(op, index, *analysis, element.kind, reg, kinds,
                           operands);
  }
  return success();
}

/// Also for values of `!stencil.result`, which are two registers.
LogicalResult Translator::translateSelect(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  if (!select.getCondition().getType().isInteger(1))
    return translateElementOp(op);
  if (failed(define(op, select)))
    return failure();
  unsigned condition = getRegisters(select.getCondition())[0];
  SmallVector<Kind, 2> kinds = *getKinds(op, select.getType());
  unsigned position = 0;
  for (auto [result, a, b] : llvm::zip_equal(
           getRegisters(select), getRegisters(select.getTrueValue()),
           getRegisters(select.getFalseValue()))) {
    Kind kind = kinds[position++];
    emit<Compute>(getSelectKernel(kind), result,
                  ArrayRef<unsigned>{condition, a, b});
    if (analysis)
      emit<PropagateError>(op, 0, *analysis, kind, result,
                           ArrayRef<Kind>{Kind::I1, kind, kind},
                           ArrayRef<unsigned>{condition, a, b});
    if (program->followsUnspecified)
      emit<SelectUnspecified>(result, condition, a, b);
  }
  return success();
}

std::optional<unsigned> Translator::getInput(Operation *op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == apply.getBodyBlock()) {
    auto *found = llvm::find(program->inputs, argument.getArgNumber());
    return found - program->inputs.begin();
  }
  op->emitError("the interpreter expects the input to be an argument of the "
                "body");
  return std::nullopt;
}

LogicalResult Translator::translateIndex(IndexOp op) {
  if (failed(define(op, op.getIdx())))
    return failure();
  unsigned axis = op.getDim().getZExtValue();
  emit<Coordinate>(getRegisters(op.getIdx())[0], axis,
                   op.getOffset().getValues()[axis] + shift[axis]);
  if (analysis)
    emit<ClearError>(getRegisters(op.getIdx())[0]);
  return success();
}

LogicalResult Translator::translateAccess(AccessOp op) {
  FailureOr<unsigned> reg =
      readInput(op, op.getTemp(), op.getAxes(), op.getOffset().getValues());
  if (failed(reg))
    return failure();
  values()[op] = {{*reg}, false};
  return success();
}

FailureOr<unsigned> Translator::readInput(Operation *op, Value value,
                                          ArrayRef<int64_t> axes,
                                          ArrayRef<int64_t> offset) {
  std::optional<unsigned> input = getInput(op, value);
  if (!input)
    return failure();
  std::vector<int64_t> position(offset);
  for (auto [i, axis] : llvm::enumerate(axes))
    position[i] += shift[axis];
  auto *view = llvm::find_if(program->views, [&](const Program::View &other) {
                 return other.input == *input && ArrayRef(other.axes) == axes;
               }).base();
  unsigned viewIndex = view - program->views.data();
  if (viewIndex == program->views.size())
    program->views.push_back({*input, {axes.begin(), axes.end()}});
  emit<CheckSet>(op, *input, axes, position);
  auto [known, isNew] = accessRegisters.try_emplace({viewIndex, position});
  if (!isNew)
    return known->second;
  FailureOr<Kind> kind = requireKind(
      op, cast<GridType>(value.getType()).getElementType(), precision);
  if (failed(kind))
    return failure();
  // Lanes that are neighbours in memory are read where they are.
  bool isContiguous = axes.back() + 1 == static_cast<int64_t>(program->rank) &&
                      program->unroll.back() == 1;
  unsigned reg = newRegister(*kind, isContiguous);
  program->accesses.push_back(
      {viewIndex, {position.begin(), position.end()}, reg, op});
  known->second = reg;
  return reg;
}

LogicalResult Translator::translateDynAccess(DynAccessOp op) {
  std::optional<unsigned> input = getInput(op, op.getTemp());
  if (!input || failed(define(op, op.getRes())))
    return failure();
  Registers coordinates;
  for (Value coordinate : op.getOffset())
    coordinates.push_back(getRegisters(coordinate)[0]);
  SmallVector<int64_t, 4> lower(op.getLb().getValues()),
      upper(op.getUb().getValues());
  for (auto [axis, distance] : llvm::enumerate(shift)) {
    lower[axis] += distance;
    upper[axis] += distance;
  }
  program->ranges.push_back({*input, lower, upper, op});
  emit<DynAccess>(op, *input, getRegisters(op.getRes())[0], coordinates, lower,
                  upper);
  return success();
}

LogicalResult Translator::translateStoreResult(StoreResultOp op) {
  FailureOr<SmallVector<Kind, 2>> kinds = getKinds(op, op.getRes().getType());
  if (failed(kinds))
    return failure();
  unsigned set =
      getConstant(Cell::ofInteger(op.getArg() ? 1 : 0, Kind::I1), Kind::I1);
  if (!op.getArg()) {
    values()[op] = {{getConstant(Cell(), (*kinds)[0]), set}, false};
    return success();
  }
  // A copy: the register of the operand may be reused after its last use.
  unsigned copy = allocate((*kinds)[0]);
  emit<Blend>(copy, getRegisters(op.getArg())[0], (*kinds)[0]);
  values()[op] = {{copy, set}, false};
  return success();
}
