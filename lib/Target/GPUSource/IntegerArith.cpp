//===- IntegerArith.cpp - Arithmetic of integers --------------------------===//
//
// MLIR's integers have no sign and wrap. C++'s signed ones must not overflow,
// so that what may wrap is computed with unsigned ones. Two things are known
// not to wrap: ops that say so (nsw), and sums and products of type index,
// which are sizes and positions.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "Writer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

namespace {

/// Makes the result of one op on one lane.
struct IntegerArith {
  Writer &writer;
  Operation *op;
  ArrayRef<Expression> operands;
  Type type;

  unsigned getBits() const { return getBitWidth(type); }
  Expression exact(unsigned index) const {
    return makeExact(operands[index], type, writer.prologue.language);
  }
  /// With the unsigned type. Literals convert by themselves where C++ computes
  /// in that type.
  Expression unsignedOperand(unsigned index) const {
    if (operands[index].form == Form::Literal && getBits() >= 32)
      return operands[index];
    return makeUnsigned(operands[index], type);
  }

  bool neverWraps() const;
  bool isNeverNegative() const;
  Expression makeSigned(StringRef symbol, Precedence precedence) const;
  Expression makeModular(StringRef symbol, Precedence precedence) const;
  Expression makeUnsignedDivision(StringRef symbol) const;
  Expression makeBitwise(StringRef symbol, Precedence precedence) const;
  Expression makeComparison(arith::CmpIPredicate predicate) const;
  Expression makeExtremum(StringRef function, bool isUnsigned) const;
  FailureOr<Expression> makeBool() const;
  FailureOr<Expression> make() const;
};

} // namespace

static bool isSmall(const Expression &expression) {
  return expression.form == Form::Narrow || expression.form == Form::Literal;
}

bool IntegerArith::neverWraps() const {
  if (type.isIndex() || writer.context.ranges.getBits(op->getResult(0)))
    return true;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// True if the value is only ever the index of an array whose elements an int
/// can count: then it fits where it is used.
static bool isPositionInSmallArray(Value value) {
  auto isSmallArray = [](MemRefType type) {
    return type.getRank() == 1 && type.hasStaticShape() &&
           type.getNumElements() < (int64_t(1) << 31);
  };
  return value.getType().isIndex() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           if (auto load = dyn_cast<memref::LoadOp>(user))
             return isSmallArray(load.getMemRefType());
           if (auto store = dyn_cast<memref::StoreOp>(user))
             return store.getValueToStore() != value &&
                    isSmallArray(store.getMemRefType());
           return false;
         });
}

/// Sums, differences and products.
Expression IntegerArith::makeModular(StringRef symbol,
                                     Precedence precedence) const {
  Expression left = operands[0], right = operands[1];
  if (getBits() < 32)
    return makeCast(writer.getType(type),
                    makeBinary(symbol, precedence, exact(0), exact(1)));
  if (neverWraps()) {
    if (left.form == Form::Address && symbol == "+")
      return makePointerSum(left, exact(1));
    if (getBits() == 64 && isSmall(left) && isSmall(right) &&
        isPositionInSmallArray(op->getResult(0))) {
      Expression result = makeBinary(symbol, precedence, left, right);
      result.form = Form::Narrow;
      return result;
    }
    if (getBits() == 64)
      return makeIndexBinary(symbol, precedence, left, right);
    return makeBinary(symbol, precedence, exact(0), exact(1));
  }
  // One unsigned operand makes the operation unsigned.
  if (left.form != Form::Unsigned && right.form != Form::Unsigned) {
    if (left.form == Form::Literal && right.form != Form::Literal)
      right = makeUnsigned(right, type);
    else
      left = makeUnsigned(left, type);
  }
  Expression result = makeBinary(symbol, precedence, left, right);
  result.form = Form::Unsigned;
  return result;
}

/// True if signed and unsigned numbers are the same here.
bool IntegerArith::isNeverNegative() const {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return writer.context.ranges.getBits(operand).has_value();
  });
}

/// The operands for an op that is the same for signed numbers.
Expression IntegerArith::makeSigned(StringRef symbol,
                                    Precedence precedence) const {
  bool narrow = getBits() == 64 && isSmall(operands[0]) && isSmall(operands[1]);
  auto convert = [&](unsigned index) {
    return operands[index].form == Form::Narrow ? operands[index]
                                                : exact(index);
  };
  Expression result = makeBinary(symbol, precedence, convert(0), convert(1));
  if (narrow)
    result.form = Form::Narrow;
  return result;
}

Expression IntegerArith::makeUnsignedDivision(StringRef symbol) const {
  if (isNeverNegative())
    return makeSigned(symbol, Precedence::Multiply);
  Expression result =
      makeBinary(symbol, Precedence::Multiply, makeUnsigned(operands[0], type),
                 unsignedOperand(1));
  result.form = Form::Unsigned;
  return result;
}

Expression IntegerArith::makeBitwise(StringRef symbol,
                                     Precedence precedence) const {
  Expression left = operands[0], right = operands[1];
  Form form = Form::Exact;
  if (isSmall(left) && isSmall(right) && getBits() == 64)
    form = Form::Narrow;
  else if (left.form == Form::Unsigned || right.form == Form::Unsigned)
    form = Form::Unsigned;
  if (form == Form::Unsigned) {
    left = unsignedOperand(0);
    right = unsignedOperand(1);
  } else if (form == Form::Exact) {
    left = exact(0);
    right = exact(1);
  }
  Expression result = makeBinary(symbol, precedence, left, right);
  result.form = form;
  return result;
}

Expression IntegerArith::makeComparison(arith::CmpIPredicate predicate) const {
  using Predicate = arith::CmpIPredicate;
  auto [symbol, isUnsigned] = [&]() -> std::pair<StringRef, bool> {
    switch (predicate) {
    case Predicate::eq:
      return {"==", false};
    case Predicate::ne:
      return {"!=", false};
    case Predicate::slt:
      return {"<", false};
    case Predicate::sle:
      return {"<=", false};
    case Predicate::sgt:
      return {">", false};
    case Predicate::sge:
      return {">=", false};
    case Predicate::ult:
      return {"<", true};
    case Predicate::ule:
      return {"<=", true};
    case Predicate::ugt:
      return {">", true};
    case Predicate::uge:
      return {">=", true};
    }
    llvm_unreachable("a predicate");
  }();
  Type operandType = getElementTypeOrSelf(op->getOperand(0).getType());
  Expression left = operands[0], right = operands[1];
  bool equality = symbol == "==" || symbol == "!=";
  if (operandType.isInteger(1)) {
    // As a signed number, true is -1.
    if (!isUnsigned && !equality)
      std::swap(left, right);
  } else if (isUnsigned && !isNeverNegative()) {
    bool wide = getStorageBits(operandType) >= 32;
    left = makeUnsigned(left, operandType);
    if (right.form != Form::Literal || !wide)
      right = makeUnsigned(right, operandType);
  } else if (!equality || left.form != right.form) {
    for (Expression *operand : {&left, &right})
      if (operand->form != Form::Narrow)
        *operand = makeExact(*operand, operandType, writer.prologue.language);
  }
  return makeBinary(symbol,
                    equality ? Precedence::Equality : Precedence::Relational,
                    left, right);
}

/// min and max.
Expression IntegerArith::makeExtremum(StringRef function,
                                      bool isUnsigned) const {
  Expression left, right;
  Form form = isUnsigned ? Form::Unsigned : Form::Exact;
  if (isUnsigned) {
    left = makeUnsigned(operands[0], type);
    right = makeUnsigned(operands[1], type);
  } else if (getBits() == 64 && isSmall(operands[0]) && isSmall(operands[1])) {
    left = operands[0];
    right = operands[1];
    form = Form::Narrow;
  } else {
    auto convert = [&](Expression operand) {
      if (writer.device && getBits() == 64 && operand.form == Form::Literal)
        operand.form = Form::Narrow;
      return makeExact(operand, type, writer.prologue.language);
    };
    left = convert(operands[0]);
    right = convert(operands[1]);
  }
  Expression result;
  if (writer.device) {
    result = makeCall(function, {left, right});
  } else {
    left = writer.makeStable(left, type);
    right = writer.makeStable(right, type);
    result = makeConditional(makeBinary(function == "min" ? "<" : ">",
                                        Precedence::Relational, left, right),
                             left, right);
  }
  result.form = form;
  return result;
}

/// Arithmetic of one bit.
FailureOr<Expression> IntegerArith::makeBool() const {
  auto isTrue = [](const Expression &operand) {
    return operand.text == "true";
  };
  if (isa<arith::AndIOp, arith::MulIOp, arith::MinUIOp, arith::MaxSIOp>(op))
    return makeBinary("&&", Precedence::And, operands[0], operands[1]);
  if (isa<arith::OrIOp, arith::MaxUIOp, arith::MinSIOp>(op))
    return makeBinary("||", Precedence::Or, operands[0], operands[1]);
  if (isa<arith::XOrIOp, arith::AddIOp, arith::SubIOp>(op)) {
    if (isTrue(operands[1]))
      return makeUnary("!", operands[0]);
    return makeBinary("!=", Precedence::Equality, operands[0], operands[1]);
  }
  return emitNoForm(op, "on type i1");
}

FailureOr<Expression> IntegerArith::make() const {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return makeComparison(compare.getPredicate());
  if (type.isInteger(1))
    return makeBool();
  return llvm::TypeSwitch<Operation *, FailureOr<Expression>>(op)
      .Case([&](arith::AddIOp) { return makeModular("+", Precedence::Add); })
      .Case([&](arith::SubIOp) { return makeModular("-", Precedence::Add); })
      .Case(
          [&](arith::MulIOp) { return makeModular("*", Precedence::Multiply); })
      .Case([&](arith::DivSIOp) {
        return makeBinary("/", Precedence::Multiply, exact(0), exact(1));
      })
      .Case([&](arith::RemSIOp) {
        return makeBinary("%", Precedence::Multiply, exact(0), exact(1));
      })
      .Case([&](arith::DivUIOp) { return makeUnsignedDivision("/"); })
      .Case([&](arith::RemUIOp) { return makeUnsignedDivision("%"); })
      .Case([&](arith::AndIOp) { return makeBitwise("&", Precedence::BitAnd); })
      .Case([&](arith::OrIOp) { return makeBitwise("|", Precedence::BitOr); })
      .Case([&](arith::XOrIOp) { return makeBitwise("^", Precedence::BitXor); })
      .Case([&](arith::ShLIOp) {
        Expression result = makeBinary(
            "<<", Precedence::Shift, makeUnsigned(operands[0], type), exact(1));
        if (getBits() < 32)
          return makeCast(writer.getType(type), result);
        result.form = Form::Unsigned;
        return result;
      })
      .Case([&](arith::ShRSIOp) {
        Expression value = exact(0);
        if (value.form == Form::Literal)
          value = makeCast(writer.getType(type), value);
        return makeBinary(">>", Precedence::Shift, value, exact(1));
      })
      .Case([&](arith::ShRUIOp) {
        if (isNeverNegative())
          return makeSigned(">>", Precedence::Shift);
        Expression result = makeBinary(
            ">>", Precedence::Shift, makeUnsigned(operands[0], type), exact(1));
        result.form = Form::Unsigned;
        return result;
      })
      .Case([&](arith::MinSIOp) { return makeExtremum("min", false); })
      .Case([&](arith::MaxSIOp) { return makeExtremum("max", false); })
      .Case([&](arith::MinUIOp) {
        return makeExtremum("min", !isNeverNegative());
      })
      .Case([&](arith::MaxUIOp) {
        return makeExtremum("max", !isNeverNegative());
      })
      .Default([](Operation *op) -> FailureOr<Expression> {
        return emitNoForm(op);
      });
}

FailureOr<Expression> gpusource::makeIntegerArith(Writer &writer, Operation *op,
                                                  ArrayRef<Expression> operands,
                                                  Type type) {
  return IntegerArith{writer, op, operands, type}.make();
}
