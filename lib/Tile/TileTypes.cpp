//===- TileTypes.cpp - Rings and cursors ----------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

#define GET_TYPEDEF_CLASSES
#include "StencilDialect/Tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "StencilDialect/Tile/TileTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// RingType: <4 x [0,1]x[-1,9]x[-1,33]xf64, pitch = 36, fill = tma>
//===----------------------------------------------------------------------===//

/// `1 of 8`.
static ParseResult parseEdges(AsmParser &parser, int64_t &edge, int64_t &rows) {
  return failure(parser.parseInteger(edge) || parser.parseKeyword("of") ||
                 parser.parseInteger(rows));
}

static LogicalResult
checkGaps(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t segment,
          int64_t gap) {
  constexpr int64_t kMaxSegment = 1 << 20, kMaxGap = 256;
  if (gap >= 0 && gap <= kMaxGap && segment >= 1 && segment <= kMaxSegment)
    return success();
  return emitError() << "expected segments of 1 to " << kMaxSegment
                     << " elements and gaps of at most " << kMaxGap << ", got "
                     << segment << " and " << gap;
}

Type RingType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t slots = 0;
  SmallVector<int64_t> lower, upper;
  Type elementType;
  if (parser.parseLess() || parser.parseInteger(slots) ||
      parser.parseXInDimensionList())
    return {};
  while (succeeded(parser.parseOptionalLSquare()))
    if (parser.parseInteger(lower.emplace_back()) || parser.parseComma() ||
        parser.parseInteger(upper.emplace_back()) || parser.parseRSquare() ||
        parser.parseXInDimensionList())
      return {};
  if (parser.parseType(elementType))
    return {};
  auto box = parser.getChecked<BoundsAttr>(loc, parser.getContext(),
                                           ArrayRef(lower), ArrayRef(upper));
  if (!box)
    return {};
  std::optional<int64_t> pitch, segment, gap;
  std::optional<Fill> fill;
  std::optional<int64_t> edge;
  int64_t groupRows = 0;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    std::optional<int64_t> *number =
        llvm::StringSwitch<std::optional<int64_t> *>(key)
            .Case("pitch", &pitch)
            .Case("segment", &segment)
            .Case("gap", &gap)
            .Default(nullptr);
    if ((number && *number) || (key == "fill" && fill) ||
        (key == "edges" && edge)) {
      parser.emitError(keyLoc, "expected '") << key << "' once";
      return {};
    }
    if (number) {
      if (parser.parseInteger(number->emplace()))
        return {};
    } else if (key == "fill") {
      auto parsed = FieldParser<Fill>::parse(parser);
      if (failed(parsed))
        return {};
      fill.emplace(*parsed);
    } else if (key == "edges") {
      if (parseEdges(parser, edge.emplace(), groupRows))
        return {};
      if (*edge < 1) {
        parser.emitError(keyLoc, "expected 'edges' of at least one row, got ")
            << *edge;
        return {};
      }
    } else {
      parser.emitError(
          keyLoc,
          "expected 'pitch', 'segment', 'gap', 'fill' or 'edges', got '")
          << key << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  if (segment.has_value() != gap.has_value()) {
    parser.emitError(loc, "expected 'segment' and 'gap', or neither");
    return {};
  }
  if (failed(checkGaps([&] { return parser.emitError(loc); },
                       segment.value_or(1), gap.value_or(0))))
    return {};
  if (!pitch && elementType.isIntOrIndexOrFloat())
    pitch = getDefaultPitch(box, elementType, fill.value_or(Fill::Threads),
                            segment.value_or(1), gap.value_or(0));
  return parser.getChecked<RingType>(
      loc, parser.getContext(), slots, box, elementType, pitch.value_or(0),
      fill.value_or(Fill::Threads), edge.value_or(0), groupRows,
      segment.value_or(1), gap.value_or(0));
}

void RingType::print(AsmPrinter &printer) const {
  printer << '<' << getSlots() << " x ";
  for (auto [lower, upper] :
       llvm::zip_equal(getBox().getLb(), getBox().getUb()))
    printer << '[' << lower << ',' << upper << "]x";
  printer << getElementType();
  if (getPitch() != getDefaultPitch(getBox(), getElementType(), getFill(),
                                    getSegment(), getGap()))
    printer << ", pitch = " << getPitch();
  if (getGap() != 0)
    printer << ", segment = " << getSegment() << ", gap = " << getGap();
  if (getFill() != Fill::Threads)
    printer << ", fill = " << stringifyFill(getFill());
  if (hasEdges())
    printer << ", edges = " << getEdge() << " of " << getGroupRows();
  printer << '>';
}

/// Slots begin at multiples of what the copy engine needs.
static int64_t getSlotBytes(int64_t elements, Type elementType) {
  constexpr int64_t kSlotBytes = 128;
  return llvm::alignTo(elements * getElementBytes(elementType), kSlotBytes);
}

int64_t RingType::getDefaultPitch(BoundsAttr box, Type elementType, Fill fill,
                                  int64_t segment, int64_t gap) {
  constexpr int64_t kRowBytes = 32;
  int64_t row = RingPlaces{{}, segment, gap}.getRow(box.getLb().back(),
                                                    box.getUb().back());
  // The copy engine fills the gap behind the last segment, too.
  if (fill == Fill::Tma)
    return row + gap;
  int64_t bytes = getElementBytes(elementType);
  return llvm::alignTo(row, std::max<int64_t>(1, kRowBytes / bytes));
}

/// Of which rows that the copy engine brings are a multiple, and begin at one.
static constexpr int64_t kUnitBytes = 16;

/// What the copy engine brings of a plane.
static SmallVector<int64_t> getCopiedShape(BoundsAttr box, int64_t segment,
                                           int64_t gap) {
  SmallVector<int64_t> shape;
  for (auto [lower, upper] : llvm::zip_equal(box.getLb(), box.getUb()))
    shape.push_back(upper - lower);
  if (gap != 0) {
    shape.back() /= segment;
    shape.push_back(segment + gap);
  }
  return shape;
}

/// What the copy engine can do (PTX ISA, cuTensorMapEncodeTiled).
static LogicalResult
verifyTma(llvm::function_ref<InFlightDiagnostic()> emitError, BoundsAttr box,
          Type elementType, int64_t pitch, int64_t segment, int64_t gap) {
  constexpr int64_t kMaxAxes = 5, kMaxExtent = 256;
  if (!RingType::isOfTensorMap(elementType))
    return emitError() << "expected elements of a tensor map for 'fill = tma', "
                          "floats and integers of 1 to 8 bytes, got "
                       << elementType;
  int64_t bytes = getElementBytes(elementType);
  int64_t first = box.getLb().back(), end = box.getUb().back();
  if (gap != 0 && (first % segment != 0 || end % segment != 0))
    return emitError() << "expected rows of whole segments for 'fill = tma', "
                          "got ["
                       << first << "," << end << "] in segments of " << segment;
  if (gap != 0 &&
      (segment * bytes % kUnitBytes != 0 || gap * bytes % kUnitBytes != 0))
    return emitError() << "expected segments and gaps of multiples of "
                       << kUnitBytes << " bytes for 'fill = tma', got "
                       << segment * bytes << " and " << gap * bytes;
  SmallVector<int64_t> shape = getCopiedShape(box, segment, gap);
  auto axes = static_cast<int64_t>(shape.size());
  if (axes > kMaxAxes)
    return emitError() << "expected at most " << kMaxAxes
                       << " axes for 'fill = tma', got " << axes
                       << (gap != 0 ? " with that of segments" : "");
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent <= kMaxExtent)
      continue;
    InFlightDiagnostic error = emitError() << "expected at most " << kMaxExtent;
    if (gap == 0 || static_cast<int64_t>(axis) < axes - 2)
      error << " points along axis " << axis;
    else if (static_cast<int64_t>(axis) == axes - 2)
      error << " segments of a row";
    else
      error << " elements of a segment and its gap";
    return error << " for 'fill = tma', got " << extent;
  }
  if (int64_t row =
          RingType::getDefaultPitch(box, elementType, Fill::Tma, segment, gap);
      pitch != row)
    return emitError() << "expected rows without a gap for 'fill = tma': a "
                          "pitch of "
                       << row << ", got " << pitch;
  if (int64_t row = shape.back() * bytes; row % kUnitBytes != 0)
    return emitError() << "expected rows of a multiple of " << kUnitBytes
                       << " bytes for 'fill = tma', got " << row;
  return success();
}

/// Of a ring for rows beside those of a thread.
static LogicalResult
verifyEdges(llvm::function_ref<InFlightDiagnostic()> emitError, BoundsAttr box,
            Fill fill, int64_t edge, int64_t rows) {
  if (edge < 0 || edge > kMaxReach || rows < 0 || rows > kMaxReach ||
      (edge > 0) != (rows > 0))
    return emitError() << "expected 'edges' of 1 to " << kMaxReach
                       << " rows, of as many at most, got " << edge << " of "
                       << rows;
  if (edge == 0)
    return success();
  if (fill != Fill::Stage)
    return emitError() << "expected 'fill = stage' with 'edges', got '"
                       << stringifyFill(fill) << "'";
  if (box.getRank() < 2)
    return emitError() << "expected two axes or more with 'edges', got "
                       << box.getRank();
  int64_t axis = box.getRank() - 2;
  int64_t first = box.getLb()[axis], end = box.getUb()[axis];
  if (first == -edge && end > edge && (end - edge) % rows == 0)
    return success();
  return emitError() << "expected groups of " << rows << " rows from 0 on, and "
                     << edge << " more on either side, along axis " << axis
                     << ", got [" << first << "," << end << "]";
}

LogicalResult
RingType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t slots, BoundsAttr box, Type elementType, int64_t pitch,
                 Fill fill, int64_t edge, int64_t groupRows, int64_t segment,
                 int64_t gap) {
  constexpr int64_t kMaxElements = 1 << 20, kMaxElementBytes = 16;
  // More than the shared memory of any GPU.
  constexpr int64_t kMaxBytes = 1 << 24;
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots, got "
                       << slots;
  if (!elementType.isIntOrIndexOrFloat() || !hasStorage(elementType) ||
      getElementBytes(elementType) > kMaxElementBytes)
    return emitError() << "expected integers or floats of at most "
                       << kMaxElementBytes << " bytes as elements, got "
                       << elementType;
  if (fill == Fill::Async && elementType.isIndex())
    return emitError() << "no asynchronous copy has elements of type "
                       << elementType;
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    if (box.getLb()[axis] < -kMaxReach || box.getUb()[axis] > kMaxReach)
      return emitError() << "expected a box from " << -kMaxReach << " to "
                         << kMaxReach << " along axis " << axis << ", got "
                         << box;
  if (failed(verifyEdges(emitError, box, fill, edge, groupRows)) ||
      failed(checkGaps(emitError, segment, gap)))
    return failure();
  if (gap != 0 && fill == Fill::Stage)
    return emitError() << "expected rows without gaps for 'fill = "
                       << stringifyFill(fill) << "'";
  int64_t row = RingPlaces{{}, segment, gap}.getRow(box.getLb().back(),
                                                    box.getUb().back());
  if (pitch < row)
    return emitError() << "expected a pitch of at least the " << row
                       << " elements of a row, got " << pitch;
  int64_t elements = 1;
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t extent = axis == box.getRank() - 1
                         ? pitch
                         : box.getUb()[axis] - box.getLb()[axis];
    if (extent > kMaxElements || elements * extent > kMaxElements)
      return emitError() << "expected a slot of at most " << kMaxElements
                         << " elements";
    elements *= extent;
  }
  if (int64_t bytes = slots * getSlotBytes(elements, elementType);
      bytes > kMaxBytes)
    return emitError() << "expected slots of together at most " << kMaxBytes
                       << " bytes, got " << bytes;
  if (fill != Fill::Tma)
    return success();
  return verifyTma(emitError, box, elementType, pitch, segment, gap);
}

int64_t RingType::getTensorMapStep(Type elementType) {
  return std::max<int64_t>(1, kUnitBytes / getElementBytes(elementType));
}

bool RingType::isOfTensorMap(Type elementType) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
             elementType) ||
         (elementType.isInteger() &&
          llvm::is_contained({8, 16, 32, 64}, getBitWidth(elementType)));
}

SmallVector<int64_t> RingType::getCopiedShape() const {
  return ::getCopiedShape(getBox(), getSegment(), getGap());
}

int64_t RingType::countStoredRows(int64_t rows) const {
  return hasEdges() ? std::min(rows, 2 * getEdge()) : rows;
}

std::optional<int64_t> RingType::findStoredRow(int64_t row) const {
  int64_t inside = getGroupRows() - countStoredRows(getGroupRows());
  if (row < getEdge() || inside == 0)
    return row;
  if (row < getGroupRows() - getEdge())
    return std::nullopt;
  return row - inside;
}

/// Rows that a ring has in memory, along the axis before the last.
static int64_t countRows(RingType ring) {
  int64_t axis = ring.getBox().getRank() - 2;
  int64_t first = ring.getBox().getLb()[axis];
  int64_t rows = ring.getBox().getUb()[axis] - first;
  if (!ring.hasEdges())
    return rows;
  int64_t groups = (rows - 2 * ring.getEdge()) / ring.getGroupRows();
  return 2 * ring.getEdge() +
         groups * ring.countStoredRows(ring.getGroupRows());
}

RingPlaces RingType::getPlaces() const {
  int64_t rank = getBox().getRank();
  RingPlaces places{SmallVector<int64_t>(rank, 1), getSegment(), getGap()};
  SmallVector<int64_t> &strides = places.strides;
  for (int64_t axis = rank - 2; axis >= 0; --axis)
    strides[axis] = axis == rank - 2 ? getPitch()
                    : axis == rank - 3
                        ? getPitch() * countRows(*this)
                        : strides[axis + 1] * (getBox().getUb()[axis + 1] -
                                               getBox().getLb()[axis + 1]);
  return places;
}

int64_t RingType::getSlotElements() const {
  int64_t elements =
      getBox().getRank() == 1
          ? getPitch()
          : getPlaces().strides.front() *
                (getBox().getRank() == 2
                     ? countRows(*this)
                     : getBox().getUb()[0] - getBox().getLb()[0]);
  return getSlotBytes(elements, getElementType()) /
         getElementBytes(getElementType());
}

int64_t RingType::getBytes() const {
  return getSlots() * getSlotElements() * getElementBytes(getElementType());
}

int64_t RingType::getVectorLength(int64_t points) const {
  if (!hasVectorLayout(getElementType()))
    return 1;
  constexpr int64_t kVectorBytes = 16;
  int64_t factors =
      points | getBox().getLb().back() | getPitch() | getSlotElements();
  if (getGap() != 0)
    factors |= getSegment() | getGap();
  return std::min<int64_t>(
      factors & -factors,
      std::max<int64_t>(1, kVectorBytes / getElementBytes(getElementType())));
}

//===----------------------------------------------------------------------===//
// CursorType
//===----------------------------------------------------------------------===//

LogicalResult
CursorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t slots) {
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots, got "
                       << slots;
  return success();
}
