//===- TileTypes.cpp - Rings and cursors ----------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
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
  std::optional<int64_t> pitch;
  std::optional<Fill> fill;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    if ((key == "pitch" && pitch) || (key == "fill" && fill)) {
      parser.emitError(keyLoc, "expected '") << key << "' once";
      return {};
    }
    if (key == "pitch") {
      if (parser.parseInteger(pitch.emplace()))
        return {};
    } else if (key == "fill") {
      auto parsed = FieldParser<Fill>::parse(parser);
      if (failed(parsed))
        return {};
      fill.emplace(*parsed);
    } else {
      parser.emitError(keyLoc, "expected 'pitch' or 'fill', got '")
          << key << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  if (!pitch && elementType.isIntOrIndexOrFloat())
    pitch = getDefaultPitch(box, elementType, fill.value_or(Fill::Threads));
  return parser.getChecked<RingType>(loc, parser.getContext(), slots, box,
                                     elementType, pitch.value_or(0),
                                     fill.value_or(Fill::Threads));
}

void RingType::print(AsmPrinter &printer) const {
  printer << '<' << getSlots() << " x ";
  for (auto [lower, upper] :
       llvm::zip_equal(getBox().getLb(), getBox().getUb()))
    printer << '[' << lower << ',' << upper << "]x";
  printer << getElementType();
  if (getPitch() != getDefaultPitch(getBox(), getElementType(), getFill()))
    printer << ", pitch = " << getPitch();
  if (getFill() != Fill::Threads)
    printer << ", fill = " << stringifyFill(getFill());
  printer << '>';
}

/// Slots begin at multiples of what the copy engine needs.
static int64_t getSlotBytes(int64_t elements, Type elementType) {
  constexpr int64_t kSlotBytes = 128;
  return llvm::alignTo(elements * getElementBytes(elementType), kSlotBytes);
}

static int64_t getRow(BoundsAttr box) {
  return box.getUb().back() - box.getLb().back();
}

int64_t RingType::getDefaultPitch(BoundsAttr box, Type elementType, Fill fill) {
  constexpr int64_t kRowBytes = 32;
  if (fill == Fill::Tma)
    return getRow(box);
  int64_t bytes = getElementBytes(elementType);
  return llvm::alignTo(getRow(box), std::max<int64_t>(1, kRowBytes / bytes));
}

/// Of which rows that the copy engine brings are a multiple, and begin at one.
static constexpr int64_t kUnitBytes = 16;

LogicalResult
RingType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t slots, BoundsAttr box, Type elementType, int64_t pitch,
                 Fill fill) {
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
  int64_t row = getRow(box);
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
  constexpr int64_t kMaxAxes = 5, kMaxExtent = 256;
  if (!isOfTensorMap(elementType))
    return emitError() << "expected elements of a tensor map for 'fill = tma', "
                          "floats and integers of 1 to 8 bytes, got "
                       << elementType;
  if (box.getRank() > kMaxAxes)
    return emitError() << "expected at most " << kMaxAxes
                       << " axes for 'fill = tma', got " << box.getRank();
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    if (int64_t extent = box.getUb()[axis] - box.getLb()[axis];
        extent > kMaxExtent)
      return emitError() << "expected at most " << kMaxExtent
                         << " points along axis " << axis
                         << " for 'fill = tma', got " << extent;
  if (pitch != row)
    return emitError() << "expected rows without a gap for 'fill = tma': a "
                          "pitch of "
                       << row << ", got " << pitch;
  if (int64_t bytes = row * getElementBytes(elementType); bytes % kUnitBytes)
    return emitError() << "expected rows of a multiple of " << kUnitBytes
                       << " bytes for 'fill = tma', got " << bytes;
  return success();
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

SmallVector<int64_t> RingType::getStrides() const {
  int64_t rank = getBox().getRank();
  SmallVector<int64_t> strides(rank, 1);
  for (int64_t axis = rank - 2; axis >= 0; --axis)
    strides[axis] = axis == rank - 2
                        ? getPitch()
                        : strides[axis + 1] * (getBox().getUb()[axis + 1] -
                                               getBox().getLb()[axis + 1]);
  return strides;
}

int64_t RingType::getSlotElements() const {
  int64_t elements =
      getBox().getRank() == 1
          ? getPitch()
          : getStrides().front() * (getBox().getUb()[0] - getBox().getLb()[0]);
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
