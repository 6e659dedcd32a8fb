//===- TileImages.cpp - Periodic halos of what a tile stores --------------===//
//
// A thread whose points have images in the halo reads back what it has stored,
// and stores it there, too.
//
//===----------------------------------------------------------------------===//

#include "TileKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

using ImageAxis = tile::StoreOp::ImageAxis;

/// Whether one of the points of a thread may have an image.
Value TileKernel::isNearEdge(tile::StoreOp store, const BasePoint &base) {
  Arithmetic math = kernel.math();
  Value isNear;
  for (const ImageAxis &along : store.getImageAxes()) {
    Value first = base.coordinates[along.axis];
    Value last = math.add(first, schedule.points[along.axis] - 1);
    for (Value side : {math.less(first, math.constant(along.low)),
                       math.lessEqual(math.constant(along.high), last)})
      isNear = isNear ? kernel.body().createOrFold<arith::OrIOp>(store.getLoc(),
                                                                 isNear, side)
                      : side;
  }
  return isNear;
}

/// The images of one point, in fields that have them at the same places.
void TileKernel::storeImages(ArrayRef<tile::StoreOp> stores,
                             const BasePoint &base) {
  OpBuilder &builder = kernel.body();
  tile::StoreOp model = stores.front();
  Location loc = model.getLoc();
  Arithmetic math = kernel.math();
  const DeviceLayout &layout = *fields[model.getField()].layout;
  Value position = math.toIndex(layout.getPosition(math, base.coordinates));
  SmallVector<Value> buffers, stored;
  for (tile::StoreOp store : stores) {
    buffers.push_back(fields[store.getField()].buffer);
    stored.push_back(
        memref::LoadOp::create(builder, loc, buffers.back(), position));
  }
  // How far away in memory the image along an axis is: an index, as what is
  // stored to is found by, so that no register is taken for both.
  Arithmetic wide(builder, loc, builder.getIndexType());
  SmallVector<Value> hasImage, distance;
  for (const ImageAxis &along : model.getImageAxes()) {
    Value coordinate = base.coordinates[along.axis];
    Value isLow = math.less(coordinate, math.constant(along.low));
    Value isHigh = math.lessEqual(math.constant(along.high), coordinate);
    hasImage.push_back(builder.createOrFold<arith::OrIOp>(loc, isLow, isHigh));
    Value span = along.axis + 1 == op.getGrid().getRank()
                     ? wide.constant(along.extent)
                     : wide.mul(wide.toIndex(layout.getStrides()[along.axis]),
                                along.extent);
    distance.push_back(
        wide.select(isLow, span, wide.sub(wide.constant(0), span)));
  }
  // One image for each set of axes that it lies beyond the domain along.
  for (size_t set = 1; set < size_t(1) << hasImage.size(); ++set) {
    Value exists, image = position;
    for (size_t number = 0; number < hasImage.size(); ++number)
      if (set >> number & 1) {
        exists = math.both(exists, hasImage[number]);
        image = wide.add(image, distance[number]);
      }
    auto branch = scf::IfOp::create(builder, loc, exists);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (auto [buffer, value] : llvm::zip_equal(buffers, stored))
      memref::StoreOp::create(builder, loc, value, buffer, image);
  }
}

/// Loops over the points of a thread; what is inside is built in the innermost
/// one, for those in the domain.
BasePoint TileKernel::visitPoints(Location loc, const BasePoint &base) {
  OpBuilder &builder = kernel.body();
  Arithmetic math = kernel.math();
  BasePoint point;
  for (auto [coordinate, count] :
       llvm::zip_equal(base.coordinates, schedule.points)) {
    Value along = coordinate;
    if (count > 1) {
      auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                     math.constant(count), math.constant(1));
      builder.setInsertionPoint(loop.getBody()->getTerminator());
      along = math.add(along, loop.getInductionVar());
    }
    point.coordinates.push_back(along);
  }
  SmallVector<int64_t> one(schedule.points.size(), 1);
  if (Value test = grid.isInside(kernel, point, one)) {
    auto branch = scf::IfOp::create(builder, loc, test);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  return point;
}

/// Behind the stores, for all points of a thread. Those that follow each other
/// and have their images at the same places share what finds them.
void TileKernel::emitImages(ArrayRef<tile::StoreOp> stores) {
  OpBuilder &builder = kernel.body();
  for (ArrayRef<tile::StoreOp> rest = stores; !rest.empty();) {
    tile::StoreOp model = rest.front();
    ArrayRef<tile::StoreOp> alike = rest.take_while([&](tile::StoreOp other) {
      return other.getField().getType() == model.getField().getType() &&
             other.getImagesAttr() == model.getImagesAttr();
    });
    rest = rest.drop_front(alike.size());
    if (model.getImageAxes().empty())
      continue;
    BasePoint base = getBase(Value());
    OpBuilder::InsertionGuard guard(builder);
    auto branch =
        scf::IfOp::create(builder, model.getLoc(), isNearEdge(model, base));
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    storeImages(alike, visitPoints(model.getLoc(), base));
  }
}
