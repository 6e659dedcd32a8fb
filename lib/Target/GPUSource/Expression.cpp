//===- Expression.cpp - Pieces of C++ text --------------------------------===//

#include "Expression.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>
#include <charconv>

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

std::string gpusource::getCType(Type type, GPULanguage language) {
  bool cuda = language == GPULanguage::CUDA;
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (type.isF16())
    return "__half";
  if (type.isBF16())
    return cuda ? "__nv_bfloat16" : "__hip_bfloat16";
  if (type.isIndex() || type.isSignlessInteger(64))
    return "long long";
  if (type.isSignlessInteger(32))
    return "int";
  if (type.isSignlessInteger(16))
    return "short";
  if (type.isSignlessInteger(8))
    return "signed char";
  if (type.isSignlessInteger(1))
    return "bool";
  return "";
}

unsigned gpusource::getStorageBits(Type type) {
  return std::max(8u, getBitWidth(type));
}

llvm::StringRef gpusource::getUnsignedCType(Type type) {
  switch (getStorageBits(type)) {
  case 8:
    return "unsigned char";
  case 16:
    return "unsigned short";
  case 32:
    return "unsigned";
  default:
    return "unsigned long long";
  }
}

static Expression makeLiteral(std::string text, Form form = Form::Exact) {
  bool negative = llvm::StringRef(text).starts_with("-");
  return {std::move(text),
          negative ? Precedence::Unary : Precedence::Primary,
          form,
          /*stable=*/true,
          false,
          {}};
}

Expression gpusource::makeInteger(int64_t value) {
  // -9223372036854775808 is an expression in C++, and one that overflows.
  if (value == std::numeric_limits<int64_t>::min())
    return makeLiteral("(-9223372036854775807LL - 1)", Form::Literal);
  if (value == std::numeric_limits<int32_t>::min())
    return makeLiteral("(-2147483647 - 1)", Form::Literal);
  bool wide = value != static_cast<int32_t>(value);
  return makeLiteral(std::to_string(value) + (wide ? "LL" : ""), Form::Literal);
}

Expression gpusource::makeInteger(const llvm::APInt &value, Type type) {
  if (type.isInteger(1))
    return makeLiteral(value.isZero() ? "false" : "true");
  return makeInteger(value.getSExtValue());
}

/// The shortest decimal number that reads back as `value`.
template <typename T> static std::string printShortest(T value) {
  std::array<char, 64> buffer;
  auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

Expression gpusource::makeFloat(const llvm::APFloat &value, Type type,
                                GPULanguage language) {
  std::string ctype = getCType(type, language);
  if (value.isNaN() || value.isInfinity()) {
    std::string text = value.isNaN() ? "NAN" : "INFINITY";
    // These are of type float; a NaN's payload is not kept.
    if (!type.isF32())
      text = "(" + ctype + ")" + text;
    if (value.isNegative() && value.isInfinity())
      text = "-" + text;
    Expression result = makeLiteral(text);
    if (!type.isF32() || value.isNegative())
      result.precedence = Precedence::Unary;
    return result;
  }
  if (type.isF64())
    return makeLiteral(printShortest(value.convertToDouble()));
  // Each value of a 16-bit type is one of float.
  llvm::APFloat single = value;
  bool inexact = false;
  single.convert(llvm::APFloat::IEEEsingle(),
                 llvm::APFloat::rmNearestTiesToEven, &inexact);
  std::string text = printShortest(single.convertToFloat()) + "f";
  return makeLiteral(type.isF32() ? text : ctype + "(" + text + ")");
}

std::string gpusource::inside(const Expression &expression, Precedence around) {
  if (expression.precedence >= around)
    return expression.text;
  return "(" + expression.text + ")";
}

/// What surrounds an operand of `outer`, a little tighter than C++ needs:
/// people (and compilers' warnings) want to see `(a && b) || c` and `(a & b) ==
/// c`.
static Precedence getSurroundings(Precedence outer, Precedence inner,
                                  bool right) {
  switch (outer) {
  case Precedence::Or:
  case Precedence::And:
    // These are associative.
    return inner == outer || inner > Precedence::BitAnd ? outer
                                                        : Precedence::Unary;
  case Precedence::BitOr:
  case Precedence::BitXor:
  case Precedence::BitAnd:
    return inner == outer && !right ? outer : Precedence::Unary;
  case Precedence::Shift:
    return Precedence::Unary;
  case Precedence::Equality:
  case Precedence::Relational:
    return Precedence::Add;
  default:
    // A sum of floating-point numbers is not associative.
    return static_cast<Precedence>(static_cast<uint8_t>(outer) + right);
  }
}

Expression gpusource::makeBinary(llvm::StringRef op, Precedence precedence,
                                 const Expression &left,
                                 const Expression &right) {
  Expression result;
  Precedence aroundLeft =
      getSurroundings(precedence, left.precedence, /*right=*/false);
  Precedence aroundRight =
      getSurroundings(precedence, right.precedence, /*right=*/true);
  result.text = inside(left, aroundLeft) + " " + op.str() + " " +
                inside(right, aroundRight);
  // `a + -1` is `a - 1`.
  if (op == "+" && llvm::StringRef(right.text).starts_with("-") &&
      right.precedence == Precedence::Unary)
    result.text = inside(left, aroundLeft) + " - " + right.text.substr(1);
  else if (op == "-" && llvm::StringRef(right.text).starts_with("-") &&
           right.precedence == Precedence::Unary)
    result.text = inside(left, aroundLeft) + " + " + right.text.substr(1);
  result.precedence = precedence;
  result.reads = left.reads || right.reads;
  return result;
}

Expression gpusource::makeIndexBinary(llvm::StringRef op, Precedence precedence,
                                      Expression left, Expression right) {
  auto isSmall = [](const Expression &operand) {
    return operand.form == Form::Narrow || operand.form == Form::Literal;
  };
  // int's arithmetic would overflow early.
  if (isSmall(left) && isSmall(right)) {
    Expression &number = left.form == Form::Literal ? right : left;
    number = makeCast("long long", number);
  }
  for (Expression *operand : {&left, &right})
    if (operand->form == Form::Unsigned || operand->form == Form::Address)
      *operand = makeCast("long long", *operand);
  return makeBinary(op, precedence, left, right);
}

Expression gpusource::makePointerSum(const Expression &pointer,
                                     const Expression &bytes) {
  unsigned size = llvm::StringSwitch<unsigned>(pointer.type)
                      .Cases({"double", "long long"}, 8)
                      .Cases({"float", "int"}, 4)
                      .Default(0);
  std::string factor = " * " + std::to_string(size);
  int64_t distance = 0;
  llvm::StringRef text = bytes.text;
  Expression result = pointer;
  // In elements, where that can be seen.
  if (size && bytes.form == Form::Literal && !text.getAsInteger(10, distance) &&
      distance % size == 0) {
    if (distance == 0)
      return pointer;
    result =
        makeBinary("+", Precedence::Add, pointer, makeInteger(distance / size));
  } else if (size && bytes.precedence == Precedence::Multiply &&
             text.consume_back(factor)) {
    Expression elements = bytes;
    elements.text = text.str();
    result = makeBinary("+", Precedence::Add, pointer, elements);
  } else {
    result =
        makeBinary("+", Precedence::Add, makeCast("char *", pointer), bytes);
    result.form = Form::Address;
    return result;
  }
  result.form = Form::Address;
  result.type = pointer.type;
  return result;
}

Expression gpusource::makeUnary(llvm::StringRef op, const Expression &operand) {
  bool twice = op == "-" && llvm::StringRef(operand.text).starts_with("-");
  Expression result;
  result.text = op.str() + (twice ? "(" + operand.text + ")"
                                  : inside(operand, Precedence::Unary));
  result.precedence = Precedence::Unary;
  result.reads = operand.reads;
  return result;
}

Expression gpusource::makeCast(llvm::StringRef type,
                               const Expression &operand) {
  Expression result = makeUnary(("(" + type + ")").str(), operand);
  // A conversion of floating-point numbers is work.
  result.stable = operand.stable && type != "float" && type != "double";
  return result;
}

Expression gpusource::makeCall(llvm::StringRef function,
                               llvm::ArrayRef<Expression> operands) {
  Expression result;
  result.text = function.str() + "(";
  for (auto [index, operand] : llvm::enumerate(operands)) {
    result.text += (index ? ", " : "") + operand.text;
    result.reads |= operand.reads;
  }
  result.text += ")";
  return result;
}

Expression gpusource::makeConditional(const Expression &condition,
                                      const Expression &left,
                                      const Expression &right) {
  Expression result;
  result.text = inside(condition, Precedence::Or) + " ? " +
                inside(left, Precedence::Or) + " : " +
                inside(right, Precedence::Conditional);
  result.precedence = Precedence::Conditional;
  result.reads = condition.reads || left.reads || right.reads;
  return result;
}

Expression gpusource::makeExact(const Expression &expression, Type type,
                                GPULanguage language) {
  Expression result = expression;
  switch (expression.form) {
  case Form::Exact:
  case Form::Literal:
    return expression;
  case Form::Address:
    result = makeCast("long long", expression);
    break;
  case Form::Unsigned:
  case Form::Narrow:
    result = makeCast(getCType(type, language), expression);
    break;
  }
  result.form = Form::Exact;
  result.type.clear();
  return result;
}

Expression gpusource::makeUnsigned(const Expression &expression, Type type) {
  if (expression.form == Form::Unsigned)
    return expression;
  Expression result = makeCast(getUnsignedCType(type), expression);
  result.form = Form::Unsigned;
  return result;
}
