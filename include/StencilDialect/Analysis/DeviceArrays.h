//===- DeviceArrays.h - Fields that are the caller's memory -----*- C++ -*-===//
//
// Of functions with `stencil.device_arrays`, fields lie on the GPU as the
// caller has them: row-major without gaps.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_DEVICEARRAYS_H
#define STENCILDIALECT_ANALYSIS_DEVICEARRAYS_H

#include "StencilDialect/IR/StencilTypes.h"

#include <optional>

namespace stencil {

/// What rows have to be a multiple of, and arrays aligned to, for tensor maps.
inline constexpr int64_t kTensorMapRowBytes = 16;

/// Whether the function around `op` has the attribute.
bool hasDeviceArrays(mlir::Operation *op);

/// Bytes of a row without gaps; nothing if the extent is known at run time
/// only. `type` has bounds.
std::optional<int64_t> getDenseRowBytes(GridType type);

/// Whether a tensor map can describe rows without gaps, as far as is known.
bool denseRowsFitTensorMap(GridType type);

/// That, and whether rows without gaps have coordinate 0 at a multiple of 16
/// bytes: tiles begin at such a one, and so have all copies to.
bool denseRowsFitCopies(GridType type);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_DEVICEARRAYS_H
