//===- Elementwise.cpp - Ops on scalars and on each lane of vectors -------===//

#include "StencilDialect/Conversion/RuntimeCall.h"
#include "Writer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

static LogicalResult writeConstant(Writer &writer, arith::ConstantOp op) {
  Type type = getElementTypeOrSelf(op.getType());
  if (writer.getType(type).empty())
    return emitNoForm(op, "of type " + debugString(op.getType()));
  GPULanguage language = writer.prologue.language;
  auto makeScalar = [&](Attribute value) {
    if (auto number = dyn_cast<FloatAttr>(value))
      return makeFloat(number.getValue(), type, language);
    return makeInteger(cast<IntegerAttr>(value).getValue(), type);
  };
  if (!isa<VectorType>(op.getType())) {
    writer.bind(op, {makeScalar(op.getValue())});
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return emitNoForm(op);
  Parts parts;
  for (Attribute value : elements.getValues<Attribute>())
    parts.push_back(makeScalar(value));
  writer.bind(op, std::move(parts));
  return success();
}

/// On the host a division without a result would end the process.
static void writeDivisionCheck(Writer &writer, Operation *op,
                               std::vector<Parts> &operands) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  Type type = op->getResult(0).getType();
  APInt divisor;
  if (writer.device || isa<VectorType>(type) || type.isInteger(1) ||
      !(isSigned || isa<arith::DivUIOp, arith::RemUIOp>(op)) ||
      (matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
       !divisor.isZero() && !(isSigned && divisor.isAllOnes())))
    return;
  for (Parts &parts : operands)
    parts.front() = writer.makeStable(
        makeExact(parts.front(), type, writer.prologue.language), type);
  const std::string &by = operands[1].front().text;
  std::string fails = by + " == 0";
  if (isSigned) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    APInt smallest = APInt::getSignedMinValue(width);
    fails += " || (" + by + " == -1 && " + operands[0].front().text +
             " == " + makeInteger(smallest, type).text + ")";
  }
  writer.prologue.need(Helper::Errors);
  writer.line("if (" + fails + ")");
  std::string message;
  llvm::raw_string_ostream(message).write_escaped(
      describe(op->getLoc(), "integer division by zero, or of the smallest "
                             "number by -1"));
  writer.line("  return stencilReport(STENCIL_CHECK_FAILED, \"" + message +
              "\");");
}

LogicalResult gpusource::writeElementwise(Writer &writer, Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return writeConstant(writer, constant);
  if (op->getNumResults() != 1)
    return emitNoForm(op);
  Type type = op->getResult(0).getType();
  if (isa<arith::SelectOp>(op) && isa<MemRefType>(type))
    return writeMemRef(writer, op);
  for (Type any : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                     SmallVector<Type>{type}))
    if (writer.getType(getElementTypeOrSelf(any)).empty())
      return isa<MemRefType>(any)
                 ? emitNoForm(op, "on a memref")
                 : emitNoForm(op, "on type " + debugString(any));

  std::vector<Parts> operands;
  for (Value operand : op->getOperands())
    operands.push_back(writer.takeAll(operand));
  writeDivisionCheck(writer, op, operands);
  auto make =
      op->getName().getDialectNamespace() == "math" ? makeMath : makeArith;
  auto vector = dyn_cast<VectorType>(type);
  // A select between vectors may have one condition for all lanes.
  if (vector)
    for (auto [parts, operand] : llvm::zip_equal(operands, op->getOperands()))
      if (parts.size() == 1)
        parts.front() = writer.makeStable(
            parts.front(), getElementTypeOrSelf(operand.getType()));
  Parts results;
  for (int64_t lane = 0, e = vector ? vector.getNumElements() : 1; lane < e;
       ++lane) {
    SmallVector<Expression> scalars;
    for (const Parts &parts : operands)
      scalars.push_back(parts.size() == 1 ? parts.front() : parts[lane]);
    FailureOr<Expression> result =
        make(writer, op, scalars, getElementTypeOrSelf(type));
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  writer.define(op->getResult(0), std::move(results));
  return success();
}
