//===- Scalars.cpp - Numbers in and out -----------------------------------===//

#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace stencil;

static llvm::Error expected(const llvm::Twine &what, Type type,
                            llvm::StringRef text) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return llvm::createStringError("expected " + what + " of type " + name +
                                 ", got '" + text + "'");
}

llvm::Expected<ScalarValue> stencil::parseScalar(llvm::StringRef text,
                                                 Type type) {
  llvm::StringRef digits = text;
  digits.consume_front("+");
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    llvm::APFloat value(semantics);
    // APFloat knows inf and nan in lower case only.
    auto status = value.convertFromString(digits.lower(),
                                          llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return expected("a number", type, text);
    }
    if (*status & llvm::APFloat::opOverflow)
      return expected("a number in the range", type, text);
    // No type of a program is wider than a double.
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &inexact);
    return ScalarValue(static_cast<long double>(value.convertToDouble()));
  }

  llvm::APInt value;
  bool negative = digits.consume_front("-");
  if (digits.getAsInteger(0, value))
    return expected("an integer", type, text);
  unsigned width = getBitWidth(type);
  value = value.zext(std::max(value.getBitWidth(), width) + 1);
  if (negative)
    value.negate();
  // Signless: what fits as a signed or as an unsigned number.
  if (negative || type.isIndex() ? !value.isSignedIntN(width)
                                 : !value.isIntN(width))
    return expected("an integer in the range", type, text);
  value = value.trunc(width);
  return ScalarValue(width == 1 ? int64_t(value.getZExtValue())
                                : value.getSExtValue());
}

std::string stencil::formatScalar(ScalarValue value, Type type) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  llvm::APFloat number(static_cast<double>(std::get<long double>(value)));
  if (auto floatType = dyn_cast<FloatType>(type)) {
    bool inexact = false;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
  }
  llvm::SmallString<32> text;
  number.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/6);
  return text.str().str();
}
