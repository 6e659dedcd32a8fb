//===- TileImages.cpp - Periodic halos of what a tile stores --------------===//

#include "PointImages.h"
#include "TileKernel.h"

using namespace mlir;
using namespace stencil;

/// Behind the stores, for all points of a thread. Those that follow each other
/// and have their images at the same places share what finds them.
void TileKernel::emitImages(ArrayRef<tile::StoreOp> stores) {
  for (ArrayRef<tile::StoreOp> rest = stores; !rest.empty();) {
    tile::StoreOp model = rest.front();
    ArrayRef<tile::StoreOp> alike = rest.take_while([&](tile::StoreOp other) {
      return other.getField().getType() == model.getField().getType() &&
             other.getImagesAttr() == model.getImagesAttr();
    });
    rest = rest.drop_front(alike.size());
    SmallVector<ImageAxis> axes = model.getImageAxes();
    if (axes.empty())
      continue;
    SmallVector<Value> buffers;
    for (tile::StoreOp store : alike)
      buffers.push_back(fields[store.getField()].buffer);
    emitPointImages(kernel, grid, model.getLoc(), axes, getBase(Value()),
                    *fields[model.getField()].layout, buffers);
  }
}
