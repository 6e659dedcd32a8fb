//===- PointImages.h - Periodic halos of what is stored ---------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_POINTIMAGES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_POINTIMAGES_H

#include "BlockGrid.h"
#include "StencilDialect/Tile/Tile.h"

namespace stencil {

using ImageAxis = tile::StoreOp::ImageAxis;

/// Stores to the images in the halo what a thread has stored at its points,
/// which begin at `base`. A thread whose points have images reads back what it
/// has stored. A point near the edges of two axes has three images, near those
/// of three axes seven. The buffers have one layout.
void emitPointImages(KernelBuilder &kernel, BlockGrid &grid, mlir::Location loc,
                     llvm::ArrayRef<ImageAxis> axes, const BasePoint &base,
                     const DeviceLayout &layout,
                     llvm::ArrayRef<mlir::Value> buffers);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_POINTIMAGES_H
