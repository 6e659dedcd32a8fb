//===- Types.cpp - Types of the stencil dialect ---------------------------===//

#include "StencilDialect-c/Types.h"
#include "Checked.h"
#include "StencilDialect/IR/StencilTypes.h"

using namespace mlir;
using namespace stencil;
using capi::get;

/// True if there is a type for elements, of the same context.
static bool checkElement(Location location, MlirType elementType) {
  if (mlirTypeIsNull(elementType)) {
    emitError(location) << "expected an element type, got a null handle";
    return false;
  }
  return capi::checkContext(location, unwrap(elementType).getContext());
}

template <typename T>
static MlirType getGrid(MlirLocation handle, MlirAttribute bounds,
                        MlirType elementType) {
  std::optional<Location> location = capi::check(handle);
  if (!location || !checkElement(*location, elementType))
    return MlirType{nullptr};
  auto box = get<BoundsAttr>(bounds);
  if (!box) {
    emitError(*location) << "expected a #stencil.bounds";
    return MlirType{nullptr};
  }
  if (!capi::checkContext(*location, box.getContext()))
    return MlirType{nullptr};
  return wrap(Type(T::getChecked([&] { return emitError(*location); }, box,
                                 unwrap(elementType))));
}

template <typename T>
static MlirType getUnboundedGrid(MlirLocation handle, intptr_t rank,
                                 MlirType elementType) {
  std::optional<Location> location = capi::check(handle);
  if (!location || !checkElement(*location, elementType))
    return MlirType{nullptr};
  if (rank > capi::kMaxRank) {
    emitError(*location) << "expected at most " << capi::kMaxRank
                         << " axes, got " << rank;
    return MlirType{nullptr};
  }
  return wrap(
      Type(T::getChecked([&] { return emitError(*location); },
                         static_cast<int64_t>(rank), unwrap(elementType))));
}

bool stencilTypeIsAField(MlirType type) {
  return get<FieldType>(type) != nullptr;
}

MlirTypeID stencilFieldTypeGetTypeID(void) {
  return wrap(FieldType::getTypeID());
}

MlirType stencilFieldTypeGetChecked(MlirLocation location, MlirAttribute bounds,
                                    MlirType elementType) {
  return getGrid<FieldType>(location, bounds, elementType);
}

MlirType stencilFieldTypeGetUnboundedChecked(MlirLocation location,
                                             intptr_t rank,
                                             MlirType elementType) {
  return getUnboundedGrid<FieldType>(location, rank, elementType);
}

bool stencilTypeIsATemp(MlirType type) {
  return get<TempType>(type) != nullptr;
}

MlirTypeID stencilTempTypeGetTypeID(void) {
  return wrap(TempType::getTypeID());
}

MlirType stencilTempTypeGetChecked(MlirLocation location, MlirAttribute bounds,
                                   MlirType elementType) {
  return getGrid<TempType>(location, bounds, elementType);
}

MlirType stencilTempTypeGetUnboundedChecked(MlirLocation location,
                                            intptr_t rank,
                                            MlirType elementType) {
  return getUnboundedGrid<TempType>(location, rank, elementType);
}

intptr_t stencilGridTypeGetRank(MlirType type) {
  auto grid = get<GridType>(type);
  return grid ? grid.getRank() : 0;
}

MlirAttribute stencilGridTypeGetBounds(MlirType type) {
  auto grid = get<GridType>(type);
  return wrap(Attribute(grid ? grid.getBounds() : BoundsAttr()));
}

MlirType stencilGridTypeGetElementType(MlirType type) {
  auto grid = get<GridType>(type);
  return wrap(grid ? grid.getElementType() : Type());
}

bool stencilTypeIsAResult(MlirType type) {
  return get<ResultType>(type) != nullptr;
}

MlirTypeID stencilResultTypeGetTypeID(void) {
  return wrap(ResultType::getTypeID());
}

MlirType stencilResultTypeGetChecked(MlirLocation handle,
                                     MlirType elementType) {
  std::optional<Location> location = capi::check(handle);
  if (!location || !checkElement(*location, elementType))
    return MlirType{nullptr};
  return wrap(
      Type(capi::getChecked<ResultType>(*location, unwrap(elementType))));
}

MlirType stencilResultTypeGetElementType(MlirType type) {
  auto result = get<ResultType>(type);
  return wrap(result ? result.getElem() : Type());
}
