//===- ScalarOps.cpp - Elementwise ops on scalars -------------------------===//

#include "ScalarOps.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

LogicalResult ScalarOps::evaluate(arith::ConstantOp op) {
  FailureOr<Kind> kind = state.requireKind(op, op.getType());
  if (failed(kind))
    return failure();
  std::optional<Cell> cell = getCell(op.getValue(), *kind);
  if (!cell)
    return emitUnknownOp(op);
  state.get(op) = Scalar{*kind, *cell};
  return success();
}

LogicalResult ScalarOps::evaluate(arith::SelectOp op) {
  if (!op.getCondition().getType().isInteger(1))
    return emitUnknownOp(op);
  RuntimeValue chosen =
      state.get(state.getInteger(op.getCondition()) != 0 ? op.getTrueValue()
                                                         : op.getFalseValue());
  if (auto *scalar = std::get_if<Scalar>(&chosen); scalar && state.analysis)
    propagateError(op, 0, *scalar);
  else
    state.noteBranch(op.getCondition());
  state.get(op) = std::move(chosen);
  return success();
}

LogicalResult ScalarOps::evaluate(Operation *op) {
  auto found = elementOps.find(op);
  if (found == elementOps.end()) {
    auto entries = getElementOps(op, state.options.precision);
    if (failed(entries))
      return failure();
    found = elementOps.try_emplace(op, std::move(*entries)).first;
  }
  // A row of one point.
  const void *operands[3] = {};
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    operands[i] = state.getScalar(operand).cell.bytes;
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
  if (state.analysis)
    for (auto [index, result] : llvm::enumerate(results))
      propagateError(op, index, result);
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    state.get(value) = result;
  return success();
}

void ScalarOps::propagateError(Operation *op, unsigned index, Scalar &result) {
  // Registers of one lane.
  Frame frame;
  frame.n = frame.chunk = 1;
  std::array<std::array<double, 5>, 4> numbers{};
  SmallVector<Kind> kinds;
  SmallVector<unsigned> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Scalar &scalar = std::get<Scalar>(state.get(operand));
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
  PropagateError(op, index, *state.analysis, result.kind, last, kinds, operands)
      .run(frame);
  // Scalars have no mark.
  result.error = markBlind(frame.shadows[last].getError(0), false);
}
