//===- StencilAttrs.cpp - Attributes of the stencil dialect ---------------===//

#include "StencilDialect/IR/StencilAttrs.h"
#include "BoundsSyntax.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect/IR/StencilEnums.cpp.inc"
#include "StencilDialect/IR/StencilInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "StencilDialect/IR/StencilAttrs.cpp.inc"

void StencilDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "StencilDialect/IR/StencilAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text form of bounds
//===----------------------------------------------------------------------===//

void stencil::printBound(llvm::raw_ostream &os, int64_t bound) {
  if (!isSymbolic(bound)) {
    os << bound;
    return;
  }
  int64_t offset = symbolicOffset(bound);
  os << '?';
  if (offset > 0)
    os << '+';
  if (offset != 0)
    os << offset;
}

static ParseResult checkMagnitude(AsmParser &parser, SMLoc loc, int64_t value) {
  if (value > kMaxBound || value < -kMaxBound)
    return parser.emitError(
               loc, "bound out of range: expected a magnitude of at most ")
           << kMaxBound << ", got " << value;
  return success();
}

ParseResult stencil::parseSymbolOffset(AsmParser &parser, int64_t &bound) {
  int64_t offset = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalPlus())) {
    if (parser.parseInteger(offset))
      return failure();
  } else if (OptionalParseResult minus = parser.parseOptionalInteger(offset);
             minus.has_value()) {
    if (failed(*minus))
      return failure();
    if (offset >= 0)
      return parser.emitError(loc, "expected '+' or '-' after '?'");
  }
  bound = makeSymbolic(offset);
  return checkMagnitude(parser, loc, offset);
}

ParseResult stencil::parseBound(AsmParser &parser, int64_t &bound) {
  if (succeeded(parser.parseOptionalQuestion()))
    return parseSymbolOffset(parser, bound);
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(bound))
    return failure();
  return checkMagnitude(parser, loc, bound);
}

LogicalResult
stencil::verifyBox(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<int64_t> lb, ArrayRef<int64_t> ub) {
  if (lb.size() != ub.size())
    return emitError() << "expected lower and upper bounds of one rank, got "
                       << lb.size() << " and " << ub.size();
  if (lb.empty())
    return emitError() << "expected at least one axis";
  for (auto [axis, lower, upper] : llvm::enumerate(lb, ub)) {
    for (int64_t bound : {lower, upper})
      if (int64_t offset =
              ::stencil::isSymbolic(bound) ? symbolicOffset(bound) : bound;
          offset < -kMaxBound || offset > kMaxBound)
        return emitError() << "bound out of range on axis " << axis;
    if (upper > lower)
      continue;
    std::string lowerText, upperText;
    llvm::raw_string_ostream lowerStream(lowerText), upperStream(upperText);
    printBound(lowerStream, lower);
    printBound(upperStream, upper);
    return emitError() << "expected the upper bound of axis " << axis
                       << " to be greater than the lower bound " << lowerText
                       << ", got " << upperText;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// IndexAttr
//===----------------------------------------------------------------------===//

// The parsers of attributes and types are written out: those that TableGen
// makes add a second error, about a C++ type, to that of a parameter.

Attribute stencil::IndexAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> values;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(values.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<stencil::IndexAttr>(loc, parser.getContext(),
                                               ArrayRef(values));
}

void stencil::IndexAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getValues(), printer);
  printer << "]>";
}

LogicalResult
stencil::IndexAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                           ArrayRef<int64_t> values) {
  if (values.empty())
    return emitError() << "expected at least one axis";
  for (int64_t value : values)
    if (value > kMaxBound || value < -kMaxBound)
      return emitError()
             << "index out of range: expected a magnitude of at most "
             << kMaxBound << ", got " << value;
  return success();
}

//===----------------------------------------------------------------------===//
// BoundsAttr
//===----------------------------------------------------------------------===//

LogicalResult
BoundsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<int64_t> lb, ArrayRef<int64_t> ub) {
  return verifyBox(emitError, lb, ub);
}

Attribute BoundsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lb, ub;
  auto parseList = [&](SmallVector<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parseBound(parser, list.emplace_back());
    });
  };
  if (parser.parseLess() || parseList(lb) || parser.parseComma() ||
      parseList(ub) || parser.parseGreater())
    return {};
  return parser.getChecked<BoundsAttr>(parser.getContext(), ArrayRef(lb),
                                       ArrayRef(ub));
}

void BoundsAttr::print(AsmPrinter &printer) const {
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << '[';
    llvm::interleaveComma(list, printer, [&](int64_t bound) {
      printBound(printer.getStream(), bound);
    });
    printer << ']';
  };
  printer << '<';
  printList(getLb());
  printer << ", ";
  printList(getUb());
  printer << '>';
}

bool BoundsAttr::isSymbolic() const {
  return llvm::any_of(getLb(), ::stencil::isSymbolic) ||
         llvm::any_of(getUb(), ::stencil::isSymbolic);
}

SmallVector<int64_t> BoundsAttr::getShape() const {
  SmallVector<int64_t> shape;
  for (auto [lower, upper] : llvm::zip_equal(getLb(), getUb()))
    shape.push_back(::stencil::isSymbolic(lower) == ::stencil::isSymbolic(upper)
                        ? upper - lower
                        : ShapedType::kDynamic);
  return shape;
}

BoundsAttr BoundsAttr::withAxis(int64_t axis, int64_t lb, int64_t ub) const {
  SmallVector<int64_t> lower(getLb()), upper(getUb());
  lower[axis] = lb;
  upper[axis] = ub;
  return get(getContext(), lower, upper);
}

bool BoundsAttr::contains(BoundsAttr other) const {
  if (getRank() != other.getRank())
    return false;
  for (int64_t axis = 0; axis < getRank(); ++axis)
    if (other.getLb()[axis] < getLb()[axis] ||
        other.getUb()[axis] > getUb()[axis])
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Boundary conditions
//===----------------------------------------------------------------------===//

Attribute DirichletAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  TypedAttr value;
  if (parser.parseLess() || parser.parseAttribute(value) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<DirichletAttr>(loc, parser.getContext(), value);
}

void DirichletAttr::print(AsmPrinter &printer) const {
  printer << '<' << getValue() << '>';
}

LogicalResult
DirichletAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      TypedAttr value) {
  if (!isa<FloatAttr, IntegerAttr>(value))
    return emitError() << "expected a number as the value of a Dirichlet "
                          "condition, got "
                       << value;
  if (auto type = dyn_cast<IntegerType>(value.getType());
      type && (type.isInteger(1) || type.isUnsigned()))
    return emitError() << "expected a number as the value of a Dirichlet "
                          "condition, got "
                       << value;
  return success();
}

Attribute ExtrapolateAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t order = 0;
  if (parser.parseLess() || parser.parseInteger(order) || parser.parseGreater())
    return {};
  return parser.getChecked<ExtrapolateAttr>(loc, parser.getContext(), order);
}

void ExtrapolateAttr::print(AsmPrinter &printer) const {
  printer << '<' << getOrder() << '>';
}

LogicalResult
ExtrapolateAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                        int64_t order) {
  if (order < 0 || order > HaloRule::kMaxOrder)
    return emitError() << "expected an extrapolation order from 0 to "
                       << HaloRule::kMaxOrder << ", got " << order;
  return success();
}

//===----------------------------------------------------------------------===//
// TimeLoopAttr
//===----------------------------------------------------------------------===//

LogicalResult
TimeLoopAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     BoundsAttr interior, stencil::IndexAttr lower,
                     stencil::IndexAttr upper, uint64_t buffers, uint64_t,
                     uint64_t stages, uint64_t period, bool) {
  for (stencil::IndexAttr radius : {lower, upper})
    if (radius.getRank() != interior.getRank())
      return emitError() << "expected an offset for each of "
                         << interior.getRank() << " axes, got " << radius;
  for (auto [low, high] : llvm::zip_equal(lower.getValues(), upper.getValues()))
    if (low > high)
      return emitError() << "expected lower offsets up to the upper ones, got "
                         << low << " and " << high;
  if (buffers == 0 || stages == 0 || period == 0)
    return emitError() << "expected positive numbers of buffers, stages and "
                          "steps, got "
                       << buffers << ", " << stages << " and " << period;
  return success();
}
