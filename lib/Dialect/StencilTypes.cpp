//===- StencilTypes.cpp - Types of the stencil dialect --------------------===//

#include "StencilDialect/IR/StencilTypes.h"
#include "BoundsSyntax.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

#define GET_TYPEDEF_CLASSES
#include "StencilDialect/IR/StencilTypes.cpp.inc"

void StencilDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "StencilDialect/IR/StencilTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GridType
//===----------------------------------------------------------------------===//

int64_t GridType::getRank() const {
  return llvm::TypeSwitch<Type, int64_t>(*this).Case<FieldType, TempType>(
      [](auto type) { return type.getRank(); });
}

BoundsAttr GridType::getBounds() const {
  return llvm::TypeSwitch<Type, BoundsAttr>(*this).Case<FieldType, TempType>(
      [](auto type) { return type.getBounds(); });
}

Type GridType::getElementType() const {
  return llvm::TypeSwitch<Type, Type>(*this).Case<FieldType, TempType>(
      [](auto type) { return type.getElementType(); });
}

GridType GridType::withBounds(BoundsAttr bounds) const {
  return llvm::TypeSwitch<Type, GridType>(*this).Case<FieldType, TempType>(
      [&](auto type) -> GridType {
        using T = decltype(type);
        Type result = bounds
                          ? Type(T::get(bounds, type.getElementType()))
                          : Type(T::get(type.getRank(), type.getElementType()));
        return cast<GridType>(result);
      });
}

Type stencil::unwrapResult(Type type) {
  if (auto result = dyn_cast<ResultType>(type))
    return result.getElem();
  return type;
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses `<[-4,68]x[-4,?+4]xf64>` or `<?x?xf64>`. An axis is an interval or a
/// `?`; they do not mix.
template <typename T> static Type parseGrid(AsmParser &parser) {
  SmallVector<int64_t> lb, ub;
  int64_t dynamicAxes = 0;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  while (true) {
    if (succeeded(parser.parseOptionalQuestion())) {
      ++dynamicAxes;
    } else if (succeeded(parser.parseOptionalLSquare())) {
      if (parseBound(parser, lb.emplace_back()) || parser.parseComma() ||
          parseBound(parser, ub.emplace_back()) || parser.parseRSquare())
        return {};
    } else if (lb.empty() && dynamicAxes == 0) {
      parser.emitError(parser.getCurrentLocation(),
                       "expected '?' or '[' to start an axis");
      return {};
    } else {
      break;
    }
    if (parser.parseXInDimensionList())
      return {};
  }
  if (parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (dynamicAxes > 0 && !lb.empty()) {
    parser.emitError(loc, "stencil types can only be fully dynamic or sized");
    return {};
  }
  BoundsAttr bounds;
  if (!lb.empty()) {
    bounds = parser.getChecked<BoundsAttr>(loc, parser.getContext(),
                                           ArrayRef(lb), ArrayRef(ub));
    if (!bounds)
      return {};
  }
  int64_t rank = bounds ? bounds.getRank() : dynamicAxes;
  return parser.getChecked<T>(loc, parser.getContext(), rank, bounds,
                              elementType);
}

static void printGrid(AsmPrinter &printer, GridType type) {
  printer << '<';
  if (BoundsAttr bounds = type.getBounds()) {
    for (auto [lower, upper] :
         llvm::zip_equal(bounds.getLb(), bounds.getUb())) {
      printer << '[';
      printBound(printer.getStream(), lower);
      printer << ',';
      printBound(printer.getStream(), upper);
      printer << "]x";
    }
  } else {
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      printer << "?x";
  }
  printer << type.getElementType() << '>';
}

static LogicalResult
verifyGrid(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t rank,
           BoundsAttr bounds, Type elementType) {
  if (rank < 1)
    return emitError() << "expected at least one axis";
  if (bounds && bounds.getRank() != rank)
    return emitError() << "expected bounds of rank " << rank << ", got "
                       << bounds.getRank();
  if (isa<GridType, ResultType>(elementType))
    return emitError()
           << "expected an element type that is not a stencil type, got "
           << elementType;
  return success();
}

Type FieldType::parse(AsmParser &parser) {
  return parseGrid<FieldType>(parser);
}
void FieldType::print(AsmPrinter &printer) const {
  printGrid(printer, cast<GridType>(Type(*this)));
}
LogicalResult
FieldType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  int64_t rank, BoundsAttr bounds, Type elementType) {
  return verifyGrid(emitError, rank, bounds, elementType);
}

Type TempType::parse(AsmParser &parser) { return parseGrid<TempType>(parser); }
void TempType::print(AsmPrinter &printer) const {
  printGrid(printer, cast<GridType>(Type(*this)));
}
LogicalResult
TempType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t rank, BoundsAttr bounds, Type elementType) {
  return verifyGrid(emitError, rank, bounds, elementType);
}

//===----------------------------------------------------------------------===//
// ResultType
//===----------------------------------------------------------------------===//

Type ResultType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type elem;
  if (parser.parseLess() || parser.parseType(elem) || parser.parseGreater())
    return {};
  return parser.getChecked<ResultType>(loc, parser.getContext(), elem);
}

void ResultType::print(AsmPrinter &printer) const {
  printer << '<' << getElem() << '>';
}

LogicalResult
ResultType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   Type elem) {
  if (isa<GridType, ResultType>(elem))
    return emitError() << "expected an element type that is not a stencil "
                          "type, got "
                       << elem;
  return success();
}
