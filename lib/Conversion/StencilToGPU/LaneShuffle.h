//===- LaneShuffle.h - Values of other lanes --------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_LANESHUFFLE_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_LANESHUFFLE_H

#include "mlir/IR/Builders.h"

namespace stencil {

/// The value that the lane with this number (i32) has, of the same warp. All
/// lanes of the warp come here.
mlir::Value shuffleLanes(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Value lane, int64_t warpSize);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_LANESHUFFLE_H
