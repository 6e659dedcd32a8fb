//===- TranslateSums.cpp - Weighted sums ----------------------------------===//

#include "Translator.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

FailureOr<unsigned> Translator::evaluateAt(WeightedSumOp sum,
                                           ArrayRef<int64_t> offset) {
  Value value = sum.getInput();
  std::vector<int64_t> target = shift;
  for (auto [axis, distance] : llvm::enumerate(offset))
    target[axis] += distance;
  if (target == shift)
    if (auto it = values().find(value); it != values().end())
      return it->second.registers[0];
  for (auto &layer : shifted)
    if (auto scope = layer.find(target); scope != layer.end())
      if (auto it = scope->second.find(value); it != scope->second.end())
        return it->second.registers[0];
  if (shiftDepth >= kMaxShiftDepth) {
    sum.emitError("expected at most ")
        << kMaxShiftDepth << " sums over sums at other points";
    return failure();
  }

  // Ops find their operands, and leave their results, in the scope.
  Values *outer = scope;
  Values &inner = shifted.back()[target];
  if (inner.empty())
    for (BlockArgument argument : apply.getBodyBlock()->getArguments())
      if (auto it = valuesHere.find(argument); it != valuesHere.end())
        inner.insert(*it);
  scope = &inner;
  std::swap(shift, target);
  ++shiftDepth;
  LogicalResult result = success();
  for (Operation *op : slices.getSlice(value.getDefiningOp())) {
    if (values().contains(op->getResult(0)))
      continue;
    if (++numShiftedOps > kMaxShiftedOps)
      result = sum.emitError("expected a body that evaluates at most ")
               << kMaxShiftedOps << " ops at other points";
    if (failed(result) || failed(translateOp(op))) {
      result = failure();
      break;
    }
    // Kept until the end of the sequence: another sum may ask for it.
    for (Value defined : op->getResults())
      values()[defined].isOwned = false;
  }
  --shiftDepth;
  std::swap(shift, target);
  scope = outer;
  if (failed(result))
    return failure();
  return inner.find(value)->second.registers[0];
}

/// As a weighted sum is, column by column.
LogicalResult Translator::translateMatVec(MatVecOp op) {
  std::optional<unsigned> input = getInput(op, op.getTemp());
  FailureOr<Kind> kind = requireKind(op, op.getRes().getType(), precision);
  if (!input || failed(kind))
    return failure();
  Kernel multiply = getFloatKernel("arith.mulf", *kind),
         plus = getFloatKernel("arith.addf", *kind);
  if (!multiply || !plus)
    return emitUnknownOp(op);
  program->ranges.push_back({*input, {op.getLower()}, {op.getUpper()}, op});
  unsigned row = getRegisters(op.getRow())[0];
  unsigned sum = getConstant(Cell::ofFloat(-0.0L, *kind), *kind);
  bool isOwned = false;
  auto elements = op.getDenseMatrix().getValues<Attribute>();
  int64_t rows = op.getNumRows(), columns = op.getNumColumns();
  auto compute = [&](ErrorRule rule, Kernel kernel,
                     ArrayRef<unsigned> operands) {
    unsigned result = allocate(*kind);
    emit<Compute>(kernel, result, operands);
    if (analysis)
      emit<PropagateError>(op, rule, *analysis, *kind, result, operands,
                           /*isDifference=*/false);
    return result;
  };
  for (int64_t column = 0; column < columns; ++column) {
    std::vector<Cell> cells;
    bool hasTap = false;
    for (int64_t number = 0; number < rows; ++number) {
      Cell cell = *getCell(elements[number * columns + column], *kind);
      bool isTap = cell.getFloat(*kind) != 0;
      cells.push_back(isTap ? cell : Cell::ofFloat(0, *kind));
      hasTap |= isTap;
    }
    if (!hasTap)
      continue;
    unsigned weight = allocate(*kind), value = allocate(*kind);
    emit<MatrixTap>(op, *input, row, op.getFromAttr().getInt() + column,
                    std::move(cells), weight, value, *kind);
    if (analysis)
      emit<ClearError>(weight);
    unsigned product = compute(ErrorRule::Multiply, multiply, {weight, value});
    unsigned after = compute(ErrorRule::Add, plus, {sum, product});
    for (unsigned reg : {weight, value, product})
      release(reg);
    if (isOwned)
      release(sum);
    sum = after;
    isOwned = true;
  }
  values()[op] = {{sum}, isOwned};
  return success();
}

/// s = w0 * x0, s = s + w1 * x1, ...: every product and every sum is rounded.
LogicalResult Translator::translateWeightedSum(WeightedSumOp op) {
  FailureOr<Kind> from = requireKind(op, op.getTapType(), precision);
  FailureOr<Kind> kind = requireKind(op, op.getRes().getType(), precision);
  if (failed(from) || failed(kind))
    return failure();
  bool isFloating = isFloat(*kind);
  auto getKernel = [&](StringRef name) {
    return isFloating ? getFloatKernel(("arith." + name + "f").str(), *kind)
                      : getIntegerKernel(("arith." + name + "i").str(), *kind);
  };
  Kernel multiply = getKernel("mul"), plus = getKernel("add"),
         minus = getKernel("sub");
  Kernel extend =
      *from == *kind ? nullptr : getCastKernel("arith.extf", *from, *kind);
  if (!multiply || !plus || !minus || (*from != *kind && !extend))
    return emitUnknownOp(op);

  Cell one = isFloating ? Cell::ofFloat(1, *kind) : Cell::ofInteger(1, *kind);
  Cell minusOne =
      isFloating ? Cell::ofFloat(-1, *kind) : Cell::ofInteger(-1, *kind);
  Cell zero = isFloating ? Cell::ofFloat(0, *kind) : Cell::ofInteger(0, *kind);
  auto isCell = [](const Cell &a, const Cell &b) {
    return std::memcmp(a.bytes, b.bytes, sizeof(a.bytes)) == 0;
  };
  SmallVector<int64_t> axes = op.getAxes();
  SmallVector<Attribute> weights;
  if (DenseElementsAttr dense = op.getDenseWeights())
    llvm::append_range(weights, dense.getValues<Attribute>());
  std::optional<unsigned> sum;
  for (int64_t tap = 0, end = op.getNumTaps(); tap < end; ++tap) {
    std::optional<Cell> weight;
    if (!weights.empty()) {
      weight = getCell(weights[tap], *kind);
      bool isZero = isFloating ? weight->getFloat(*kind) == 0
                               : weight->getInteger(*kind) == 0;
      if (isZero)
        continue;
    }
    FailureOr<unsigned> read =
        op.isOverInput() ? readInput(op, op.getInput(), axes, op.getOffset(tap))
                         : evaluateAt(op, op.getOffset(tap));
    if (failed(read))
      return failure();
    unsigned value = *read;
    SmallVector<unsigned> temporaries;
    auto compute = [&](ErrorRule rule, Kernel kernel,
                       ArrayRef<unsigned> operands) {
      unsigned result = allocate(*kind);
      emit<Compute>(kernel, result, operands);
      if (analysis)
        emit<PropagateError>(op, rule, *analysis, *kind, result, operands,
                             kernel == minus);
      return result;
    };
    if (extend)
      temporaries.push_back(value = compute(ErrorRule::Pass, extend, {value}));
    bool isMinus = weight && isCell(*weight, minusOne);
    // Matrix units multiply by 1, too, and then round what they multiply.
    bool isProduct = !weight || !(isMinus || isCell(*weight, one)) ||
                     (analysis && analysis->math == MathMode::TF32 &&
                      op.getRes().getType().isF32());
    if (isProduct)
      temporaries.push_back(
          value = compute(isFloating ? ErrorRule::Multiply
                                     : ErrorRule::IntegerProduct,
                          multiply,
                          {weight ? getConstant(*weight, *kind)
                                  : getRegisters(op.getUniforms()[tap])[0],
                           value}));
    unsigned before = sum.value_or(getConstant(zero, *kind));
    // -0 + x is x for every x, and -0 - x is -x.
    if (!sum && isFloating)
      before = getConstant(Cell::ofFloat(-0.0L, *kind), *kind);
    unsigned after =
        compute(isFloating ? ErrorRule::Add : ErrorRule::IntegerSum,
                isMinus && !isProduct ? minus : plus, {before, value});
    if (sum)
      release(*sum);
    sum = after;
    llvm::for_each(temporaries, [&](unsigned reg) { release(reg); });
  }
  if (!sum) {
    values()[op] = {{getConstant(zero, *kind)}, false};
    return success();
  }
  values()[op] = {{*sum}, true};
  return success();
}
