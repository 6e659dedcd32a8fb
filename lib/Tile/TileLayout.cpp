//===- TileLayout.cpp - Which thread holds which point --------------------===//

#include "StencilDialect/Tile/LayoutDigits.h"
#include "StencilDialect/Tile/Tile.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// Syntax: <registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>
//===----------------------------------------------------------------------===//

static ParseResult parseDigits(AsmParser &parser, StringRef name,
                               SmallVectorImpl<LayoutDigit> &digits) {
  return failure(
      parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        LayoutDigit &digit = digits.emplace_back();
        return failure(parser.parseInteger(digit.axis) || parser.parseColon() ||
                       parser.parseInteger(digit.count) ||
                       parser.parseKeyword("by") ||
                       parser.parseInteger(digit.stride));
      }));
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<LayoutDigit> registers, threads;
  int64_t rank = 0;
  if (parser.parseLess() || parser.parseKeyword("rank") ||
      parser.parseEqual() || parser.parseInteger(rank) || parser.parseComma() ||
      parseDigits(parser, "registers", registers) || parser.parseComma() ||
      parseDigits(parser, "threads", threads) || parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), rank,
                                       ArrayRef(registers), ArrayRef(threads));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto printDigits = [&](ArrayRef<LayoutDigit> digits) {
    printer << '[';
    llvm::interleaveComma(digits, printer, [&](const LayoutDigit &digit) {
      printer << digit.axis << ": " << digit.count << " by " << digit.stride;
    });
    printer << ']';
  };
  printer << "<rank = " << getRank() << ", registers = ";
  printDigits(getRegisters());
  printer << ", threads = ";
  printDigits(getThreads());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

/// Of all digits of one axis: the extent of what they reach, if each point up
/// to that is reached once; 0 if not.
static int64_t findExtent(int64_t axis, ArrayRef<LayoutDigit> registers,
                          ArrayRef<LayoutDigit> threads) {
  SmallVector<LayoutDigit> digits;
  for (const LayoutDigit &digit :
       llvm::concat<const LayoutDigit>(registers, threads))
    if (digit.axis == axis && digit.count > 1)
      digits.push_back(digit);
  llvm::sort(digits, [](const LayoutDigit &a, const LayoutDigit &b) {
    return a.stride < b.stride;
  });
  int64_t extent = 1;
  for (const LayoutDigit &digit : digits) {
    if (digit.stride != extent)
      return 0;
    extent *= digit.count;
  }
  return extent;
}

LogicalResult
LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t rank, ArrayRef<LayoutDigit> registers,
                   ArrayRef<LayoutDigit> threads) {
  constexpr int64_t kMaxCount = 4096, kMaxRank = 64;
  if (rank < 1 || rank > kMaxRank)
    return emitError() << "expected 1 to " << kMaxRank << " axes, got " << rank;
  int64_t held = 1;
  for (const LayoutDigit &digit :
       llvm::concat<const LayoutDigit>(registers, threads)) {
    if (digit.axis < 0 || digit.axis >= rank)
      return emitError() << "expected an axis from 0 to " << rank - 1
                         << ", got " << digit.axis;
    if (digit.count < 1 || digit.count > kMaxCount || digit.stride < 1 ||
        digit.stride > kMaxCount * kMaxCount)
      return emitError() << "expected a count from 1 to " << kMaxCount
                         << " and a positive stride, got " << digit.count
                         << " by " << digit.stride;
    held = std::min(held * digit.count, kMaxCount * kMaxCount + 1);
  }
  if (held > kMaxCount * kMaxCount)
    return emitError() << "expected at most " << kMaxCount * kMaxCount
                       << " points";
  for (int64_t axis = 0; axis < rank; ++axis)
    if (findExtent(axis, registers, threads) == 0)
      return emitError() << "expected each point along axis " << axis
                         << " to be held once: the stride of a digit is the "
                            "product of the counts below it";
  return success();
}

LayoutAttr LayoutAttr::getBlocked(MLIRContext *context, ArrayRef<int64_t> block,
                                  ArrayRef<int64_t> points) {
  SmallVector<LayoutDigit> registers, threads;
  for (int64_t axis = static_cast<int64_t>(block.size()) - 1; axis >= 0;
       --axis) {
    if (points[axis] > 1)
      registers.push_back({axis, points[axis], 1});
    if (block[axis] > 1)
      threads.push_back({axis, block[axis], points[axis]});
  }
  return get(context, block.size(), registers, threads);
}

int64_t LayoutAttr::getExtent(int64_t axis) const {
  return findExtent(axis, getRegisters(), getThreads());
}

static int64_t countDigits(ArrayRef<LayoutDigit> digits) {
  int64_t count = 1;
  for (const LayoutDigit &digit : digits)
    count *= digit.count;
  return count;
}

int64_t LayoutAttr::countRegisters() const {
  return countDigits(getRegisters());
}

int64_t LayoutAttr::countThreads() const { return countDigits(getThreads()); }

SmallVector<int64_t> LayoutAttr::getPoint(int64_t thread, int64_t reg) const {
  SmallVector<int64_t> point(getRank(), 0);
  auto add = [&](ArrayRef<LayoutDigit> digits, int64_t number) {
    for (const LayoutDigit &digit : digits) {
      point[digit.axis] += number % digit.count * digit.stride;
      number /= digit.count;
    }
  };
  add(getThreads(), thread);
  add(getRegisters(), reg);
  return point;
}

//===----------------------------------------------------------------------===//
// CoreAndRimAttr
//===----------------------------------------------------------------------===//

LogicalResult
CoreAndRimAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                       LayoutAttr core, BoundsAttr box, int64_t vector) {
  constexpr int64_t kMaxPoints = 1 << 20;
  if (box.getRank() != core.getRank())
    return emitError() << "expected a box of rank " << core.getRank()
                       << ", that of the core, got " << box.getRank();
  if (box.isSymbolic())
    return emitError() << "expected a box of numbers, got " << box;
  int64_t points = 1, held = 1;
  for (int64_t axis = 0; axis < core.getRank(); ++axis) {
    int64_t extent = core.getExtent(axis);
    if (box.getLb()[axis] > 0 || box.getUb()[axis] < extent)
      return emitError() << "expected a box that has the core, [0," << extent
                         << "] along axis " << axis << ", got ["
                         << box.getLb()[axis] << "," << box.getUb()[axis]
                         << "]";
    held *= extent;
    int64_t along = box.getUb()[axis] - box.getLb()[axis];
    if (along > kMaxPoints || points * along > kMaxPoints)
      return emitError() << "expected at most " << kMaxPoints << " points";
    points *= along;
  }
  if (points == held)
    return emitError() << "expected points beside the core, got a box of the "
                          "core alone";
  if (int64_t row = core.getExtent(core.getRank() - 1);
      vector < 1 || row % vector != 0)
    return emitError() << "expected a 'vector' that divides a row of the core, "
                       << row << " points, got " << vector;
  return success();
}

int64_t CoreAndRimAttr::countRim() const {
  int64_t points = 1, held = 1;
  for (int64_t axis = 0; axis < getCore().getRank(); ++axis) {
    points *= getBox().getUb()[axis] - getBox().getLb()[axis];
    held *= getCore().getExtent(axis);
  }
  return points - held;
}

int64_t CoreAndRimAttr::countRows() const {
  int64_t lines = 1, held = 1, last = getCore().getRank() - 1;
  for (int64_t axis = 0; axis < last; ++axis) {
    lines *= getBox().getUb()[axis] - getBox().getLb()[axis];
    held *= getCore().getExtent(axis);
  }
  return (lines - held) * getCore().getExtent(last);
}

int64_t CoreAndRimAttr::countDealt() const {
  return countRim() - countRows() + countRows() / getVector();
}

//===----------------------------------------------------------------------===//
// Where a thread's points are, as code
//===----------------------------------------------------------------------===//

SmallVector<Value> tile::findPoint(const Arithmetic &math,
                                   ArrayRef<LayoutDigit> digits, Value number,
                                   int64_t count, int64_t rank) {
  SmallVector<Value> point(rank, math.constant(0));
  for (const LayoutDigit &digit : digits) {
    if (count <= 1)
      break;
    // What is left of the number needs no remainder along the last digit.
    Value value = count == digit.count
                      ? number
                      : math.rem(number, math.constant(digit.count));
    Value &along = point[digit.axis];
    along = math.add(along, math.mul(value, digit.stride));
    number = math.div(number, math.constant(digit.count));
    count /= digit.count;
  }
  return point;
}
