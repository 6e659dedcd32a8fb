//===- Tiles.cpp - Types and attributes of the tile dialect ---------------===//

#include "StencilDialect-c/Tiles.h"
#include "Checked.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/CAPI/Wrap.h"

using namespace mlir;
using namespace stencil;
using capi::get;

/// The location, if it is one, and both dialects can be used there.
static std::optional<Location> check(MlirLocation handle) {
  std::optional<Location> location = capi::check(handle);
  if (!location || !capi::loadDialect<tile::TileDialect>(*location))
    return std::nullopt;
  return location;
}

//===----------------------------------------------------------------------===//
// Rings and cursors
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(tile::Fill::Threads) ==
                  STENCIL_TILE_FILL_THREADS &&
              static_cast<int>(tile::Fill::Delayed) ==
                  STENCIL_TILE_FILL_DELAYED &&
              static_cast<int>(tile::Fill::Async) == STENCIL_TILE_FILL_ASYNC &&
              static_cast<int>(tile::Fill::Tma) == STENCIL_TILE_FILL_TMA &&
              static_cast<int>(tile::Fill::Stage) == STENCIL_TILE_FILL_STAGE);

bool stencilTypeIsATileRing(MlirType type) {
  return get<tile::RingType>(type) != nullptr;
}

MlirTypeID stencilTileRingTypeGetTypeID(void) {
  return wrap(tile::RingType::getTypeID());
}

MlirType stencilTileRingTypeGetChecked(MlirLocation handle, int64_t slots,
                                       MlirAttribute bounds,
                                       MlirType elementType, int64_t pitch,
                                       StencilTileFill fill) {
  std::optional<Location> location = check(handle);
  if (!location)
    return MlirType{nullptr};
  auto box = get<BoundsAttr>(bounds);
  auto kind = tile::symbolizeFill(static_cast<uint32_t>(fill));
  if (!box || box.isSymbolic() || mlirTypeIsNull(elementType) || !kind) {
    emitError(*location) << "expected a #stencil.bounds of numbers, an element "
                            "type and a fill from 0 to "
                         << static_cast<int>(STENCIL_TILE_FILL_STAGE);
    return MlirType{nullptr};
  }
  Type element = unwrap(elementType);
  if (!capi::checkContext(*location, box.getContext()) ||
      !capi::checkContext(*location, element.getContext()))
    return MlirType{nullptr};
  if (pitch == 0 && element.isIntOrIndexOrFloat())
    pitch = tile::RingType::getDefaultPitch(box, element, *kind);
  return wrap(Type(capi::getChecked<tile::RingType>(
      *location, slots, box, element, pitch, *kind, /*edge=*/int64_t(0),
      /*groupRows=*/int64_t(0), /*segment=*/int64_t(1), /*gap=*/int64_t(0))));
}

int64_t stencilTileRingTypeGetSlots(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return ring ? ring.getSlots() : 0;
}

MlirAttribute stencilTileRingTypeGetBox(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return wrap(ring ? Attribute(ring.getBox()) : Attribute());
}

MlirType stencilTileRingTypeGetElementType(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return wrap(ring ? ring.getElementType() : Type());
}

int64_t stencilTileRingTypeGetPitch(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return ring ? ring.getPitch() : 0;
}

int64_t stencilTileRingTypeGetSegment(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return ring ? ring.getSegment() : 0;
}

int64_t stencilTileRingTypeGetGap(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return ring ? ring.getGap() : 0;
}

StencilTileFill stencilTileRingTypeGetFill(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return static_cast<StencilTileFill>(ring ? ring.getFill()
                                           : tile::Fill::Threads);
}

int64_t stencilTileRingTypeGetBytes(MlirType type) {
  auto ring = get<tile::RingType>(type);
  return ring ? ring.getBytes() : 0;
}

bool stencilTypeIsATileCursor(MlirType type) {
  return get<tile::CursorType>(type) != nullptr;
}

MlirTypeID stencilTileCursorTypeGetTypeID(void) {
  return wrap(tile::CursorType::getTypeID());
}

MlirType stencilTileCursorTypeGetChecked(MlirLocation handle, int64_t slots) {
  std::optional<Location> location = check(handle);
  if (!location)
    return MlirType{nullptr};
  return wrap(Type(capi::getChecked<tile::CursorType>(*location, slots)));
}

int64_t stencilTileCursorTypeGetSlots(MlirType type) {
  auto cursor = get<tile::CursorType>(type);
  return cursor ? cursor.getSlots() : 0;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A list of digits; nothing, after an error, if it cannot be one.
static std::optional<SmallVector<tile::LayoutDigit>>
getDigits(Location location, intptr_t count, const StencilTileDigit *list) {
  if (!capi::checkCount(location, count, list, "digits", capi::kMaxRank))
    return std::nullopt;
  return llvm::map_to_vector(
      ArrayRef(list, count), [](const StencilTileDigit &digit) {
        return tile::LayoutDigit{digit.axis, digit.count, digit.stride};
      });
}

bool stencilAttributeIsATileLayout(MlirAttribute attribute) {
  return get<tile::LayoutAttr>(attribute) != nullptr;
}

MlirAttribute stencilTileLayoutAttrGetChecked(MlirLocation handle, int64_t rank,
                                              intptr_t numRegisters,
                                              const StencilTileDigit *registers,
                                              intptr_t numThreads,
                                              const StencilTileDigit *threads) {
  std::optional<Location> location = check(handle);
  if (!location)
    return MlirAttribute{nullptr};
  auto held = getDigits(*location, numRegisters, registers);
  auto shared = held ? getDigits(*location, numThreads, threads) : std::nullopt;
  if (!shared)
    return MlirAttribute{nullptr};
  return wrap(Attribute(capi::getChecked<tile::LayoutAttr>(
      *location, rank, ArrayRef(*held), ArrayRef(*shared))));
}

int64_t stencilTileLayoutAttrCountRegisters(MlirAttribute attribute) {
  auto layout = get<tile::LayoutAttr>(attribute);
  return layout ? layout.countRegisters() : 0;
}

int64_t stencilTileLayoutAttrCountThreads(MlirAttribute attribute) {
  auto layout = get<tile::LayoutAttr>(attribute);
  return layout ? layout.countThreads() : 0;
}

int64_t stencilTileLayoutAttrGetExtent(MlirAttribute attribute, int64_t axis) {
  auto layout = get<tile::LayoutAttr>(attribute);
  return layout && axis >= 0 && axis < layout.getRank() ? layout.getExtent(axis)
                                                        : 0;
}

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

#define STENCIL_DEFINE_ENGINE(name)                                            \
  bool stencilAttributeIsATile##name(MlirAttribute attribute) {                \
    return get<tile::name##Attr>(attribute) != nullptr;                        \
  }                                                                            \
  MlirAttribute stencilTile##name##AttrGet(MlirContext context) {              \
    if (mlirContextIsNull(context) || !capi::loadDialect<tile::TileDialect>(   \
                                          UnknownLoc::get(unwrap(context))))   \
      return MlirAttribute{nullptr};                                           \
    return wrap(Attribute(tile::name##Attr::get(unwrap(context))));            \
  }

STENCIL_DEFINE_ENGINE(Fma)
STENCIL_DEFINE_ENGINE(Taps)
STENCIL_DEFINE_ENGINE(Lanes)

#undef STENCIL_DEFINE_ENGINE
