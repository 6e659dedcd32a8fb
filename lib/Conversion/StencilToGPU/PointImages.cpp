//===- PointImages.cpp - Periodic halos of what is stored -----------------===//

#include "TileOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;
using ImageAxis = tile::StoreOp::ImageAxis;

/// Whether one of the points of a thread may have an image.
static Value isNearEdge(const TileBlock &block, ArrayRef<ImageAxis> axes,
                        const BasePoint &base) {
  const Arithmetic &math = block.math;
  Value isNear;
  for (const ImageAxis &along : axes) {
    Value first = base.coordinates[along.axis];
    Value last = math.add(first, block.tiles.getPoints()[along.axis] - 1);
    for (Value side :
         {math.less(first, along.low), math.lessEqual(along.high, last)})
      isNear = math.either(isNear, side);
  }
  return isNear;
}

/// The images of one point.
static void storeImages(TileBlock &block, Location loc,
                        ArrayRef<ImageAxis> axes, const BasePoint &point,
                        const DeviceLayout &layout, ArrayRef<Value> buffers) {
  OpBuilder &builder = block.kernel.body();
  const Arithmetic &math = block.math;
  Value position = math.toIndex(layout.getPosition(math, point.coordinates));
  SmallVector<Value> stored;
  for (Value buffer : buffers)
    stored.push_back(memref::LoadOp::create(builder, loc, buffer, position));
  // How far away in memory the image along an axis is: an index, as what is
  // stored to is found by, so that no register is taken for both.
  Arithmetic wide(builder, loc, builder.getIndexType());
  auto last = static_cast<int64_t>(point.coordinates.size()) - 1;
  SmallVector<Value> hasImage, distance;
  for (const ImageAxis &along : axes) {
    Value coordinate = point.coordinates[along.axis];
    Value isLow = math.less(coordinate, along.low);
    Value isHigh = math.lessEqual(along.high, coordinate);
    hasImage.push_back(math.either(isLow, isHigh));
    Value span = along.axis == last
                     ? wide.constant(along.extent)
                     : wide.mul(wide.toIndex(layout.getStrides()[along.axis]),
                                along.extent);
    distance.push_back(
        wide.select(isLow, span, wide.sub(wide.constant(0), span)));
  }
  // One image for each set of axes that it lies beyond the box along.
  for (size_t set = 1; set < size_t(1) << axes.size(); ++set) {
    Value exists, image = position;
    for (size_t number = 0; number < axes.size(); ++number)
      if (set >> number & 1) {
        exists = math.both(exists, hasImage[number]);
        image = wide.add(image, distance[number]);
      }
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, loc, exists);
    for (auto [buffer, value] : llvm::zip_equal(buffers, stored))
      memref::StoreOp::create(builder, loc, value, buffer, image);
  }
}

void stencil::emitImages(ThreadValues &held, ArrayRef<tile::StoreOp> stores) {
  TileBlock &block = held.block;
  OpBuilder &builder = block.kernel.body();
  for (ArrayRef<tile::StoreOp> rest = stores; !rest.empty();) {
    tile::StoreOp model = rest.front();
    Location loc = model.getLoc();
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
      buffers.push_back(block.fields[store.getField()].buffer);
    BasePoint base = held.getBase(Value());
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, loc, isNearEdge(block, axes, base));
    SmallVector<int64_t> one(base.coordinates.size(), 1);
    storeImages(block, loc, axes, block.grid.visitPoints(loc, base, one),
                *block.fields[model.getField()].layout, buffers);
  }
}
