//===- ScheduleAttr.cpp - How an apply is to be computed ------------------===//

#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

/// Numbers in a schedule beyond this are typing errors, and could overflow.
static constexpr int64_t kMaxNumber = int64_t(1) << 20;

int64_t ScheduleAttr::getRank() const {
  for (ArrayRef<int64_t> list :
       {getBlock(), getPoints(), getOrder(), getPanel()})
    if (!list.empty())
      return list.size();
  return 0;
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> block, points, order, panel;
  std::optional<Window> window;
  int64_t launchBounds = 0;
  llvm::SmallVector<StringRef> seen;
  SMLoc start = parser.getCurrentLocation();

  auto parseList = [&](SmallVector<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    });
  };
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key))
      return failure();
    if (llvm::is_contained(seen, key))
      return parser.emitError(loc, "expected '") << key << "' once";
    seen.push_back(key);
    if (parser.parseEqual())
      return failure();
    if (key == "block")
      return parseList(block);
    if (key == "points")
      return parseList(points);
    if (key == "order")
      return parseList(order);
    if (key == "panel")
      return parseList(panel);
    SMLoc valueLoc = parser.getCurrentLocation();
    if (key == "launch_bounds") {
      if (parser.parseInteger(launchBounds))
        return failure();
      if (launchBounds <= 0)
        return parser.emitError(valueLoc,
                                "expected a positive number of blocks per "
                                "multiprocessor, got ")
               << launchBounds;
      return success();
    }
    if (key == "window") {
      StringRef name;
      if (parser.parseKeyword(&name))
        return failure();
      window = symbolizeWindow(name);
      if (!window)
        return parser.emitError(valueLoc, "expected 'cache', got '")
               << name << "'";
      return success();
    }
    return parser.emitError(loc, "expected 'block', 'points', 'window', "
                                 "'order', 'panel' or 'launch_bounds', got '")
           << key << "'";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return parser.getChecked<ScheduleAttr>(
      start, parser.getContext(), ArrayRef(block), ArrayRef(points), window,
      ArrayRef(order), ArrayRef(panel), launchBounds);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  llvm::raw_ostream &os = printer.getStream();
  os << '<';
  llvm::ListSeparator separator;
  auto printList = [&](StringRef key, ArrayRef<int64_t> list) {
    if (list.empty())
      return;
    os << separator << key << " = [";
    llvm::interleaveComma(list, os);
    os << ']';
  };
  printList("block", getBlock());
  printList("points", getPoints());
  if (getWindow())
    os << separator << "window = " << stringifyWindow(*getWindow());
  printList("order", getOrder());
  printList("panel", getPanel());
  if (getLaunchBounds())
    os << separator << "launch_bounds = " << getLaunchBounds();
  os << '>';
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ArrayRef<int64_t> block, ArrayRef<int64_t> points,
                     std::optional<Window>, ArrayRef<int64_t> order,
                     ArrayRef<int64_t> panel, int64_t) {
  size_t rank = 0;
  StringRef first;
  for (auto [key, list, least] : {std::tuple(StringRef("block"), block, 1),
                                  std::tuple(StringRef("points"), points, 1),
                                  std::tuple(StringRef("order"), order, 0),
                                  std::tuple(StringRef("panel"), panel, 0)}) {
    if (list.empty())
      continue;
    if (rank == 0) {
      rank = list.size();
      first = key;
    }
    if (list.size() != rank)
      return emitError() << "expected '" << key << "' to have " << rank
                         << " entries as '" << first << "' has, got "
                         << list.size();
    for (int64_t value : list)
      if (value < least || value > kMaxNumber)
        return emitError() << "expected numbers from " << least << " to "
                           << kMaxNumber << " in '" << key << "', got "
                           << value;
  }
  llvm::SmallBitVector axes(order.size());
  for (int64_t axis : order) {
    if (axis >= static_cast<int64_t>(order.size()) || axes.test(axis))
      return emitError() << "expected 'order' to be a permutation of the axes";
    axes.set(axis);
  }
  return success();
}
