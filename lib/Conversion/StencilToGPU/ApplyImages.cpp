//===- ApplyImages.cpp - Periodic halos of what an apply stores -----------===//
//
// A thread whose points have images in the halo reads back what it has stored,
// and stores it there, too. A point near the edges of two axes has three
// images, near those of three axes seven.
//
//===----------------------------------------------------------------------===//

#include "ApplyKernel.h"
#include "StencilDialect/Analysis/PeriodicImages.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Along one axis, which of its points have an image.
struct ImageAxis {
  int64_t axis;
  /// Points below `low` have one above the box, those from `high` on below it.
  int64_t low, high, extent;
};
} // namespace

static SmallVector<ImageAxis> findImageAxes(BoundaryOp boundary) {
  SmallVector<ImageAxis> axes;
  BoundsAttr box = boundary.getBounds();
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t lower = getHaloWidth(boundary, axis, /*upper=*/false);
    int64_t upper = getHaloWidth(boundary, axis, /*upper=*/true);
    if (!isa<PeriodicAttr>(boundary.getCondition(axis, false)) ||
        lower + upper == 0)
      continue;
    int64_t first = box.getLb()[axis], end = box.getUb()[axis];
    axes.push_back({axis, first + upper, end - lower, end - first});
  }
  return axes;
}

/// Whether one of the points of a thread may have an image.
Value ApplyKernel::isNearEdge(BoundaryOp boundary, const BasePoint &base) {
  Arithmetic math = kernel.math();
  Value isNear;
  for (const ImageAxis &along : findImageAxes(boundary)) {
    Value first = base.coordinates[along.axis];
    Value last = math.add(first, pointsOf(along.axis) - 1);
    for (Value side : {math.less(first, math.constant(along.low)),
                       math.lessEqual(math.constant(along.high), last)})
      isNear = isNear ? kernel.body().createOrFold<arith::OrIOp>(op.getLoc(),
                                                                 isNear, side)
                      : side;
  }
  return isNear;
}

/// The images of one point, in fields with one boundary.
void ApplyKernel::storeImages(ArrayRef<BoundaryOp> boundaries,
                              const BasePoint &base) {
  OpBuilder &builder = kernel.body();
  Location loc = op.getLoc();
  Arithmetic math = kernel.math();
  SmallVector<const KernelField *> fields;
  for (BoundaryOp boundary : boundaries) {
    auto dest = llvm::find(op.getDest(), boundary.getField());
    fields.push_back(&outputs[dest - op.getDest().begin()]);
  }
  const DeviceLayout &layout = *fields.front()->layout;
  Value position = math.toIndex(layout.getPosition(math, base.coordinates));
  SmallVector<Value> values;
  for (const KernelField *field : fields)
    values.push_back(
        memref::LoadOp::create(builder, loc, field->buffer, position));
  // How far away in memory the image along an axis is: an index, as what is
  // stored to is found by, so that no register is taken for both.
  Arithmetic wide(builder, loc, builder.getIndexType());
  SmallVector<Value> hasImage, distance;
  SmallVector<ImageAxis> axes = findImageAxes(boundaries.front());
  for (const ImageAxis &along : axes) {
    Value coordinate = base.coordinates[along.axis];
    Value isLow = math.less(coordinate, math.constant(along.low));
    Value isHigh = math.lessEqual(math.constant(along.high), coordinate);
    hasImage.push_back(builder.createOrFold<arith::OrIOp>(loc, isLow, isHigh));
    Value span = along.axis + 1 == domain.getRank()
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
    auto branch = scf::IfOp::create(builder, loc, exists);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (auto [field, value] : llvm::zip_equal(fields, values))
      memref::StoreOp::create(builder, loc, value, field->buffer, image);
  }
}

void ApplyKernel::emitImages(const BasePoint &base) {
  OpBuilder &builder = kernel.body();
  for (ArrayRef<BoundaryOp> rest = images; !rest.empty();) {
    BoundaryOp model = rest.front();
    ArrayRef<BoundaryOp> alike = rest.take_while([&](BoundaryOp other) {
      return other.getField().getType() == model.getField().getType() &&
             other.getConditions() == model.getConditions();
    });
    rest = rest.drop_front(alike.size());
    OpBuilder::InsertionGuard guard(builder);
    auto branch =
        scf::IfOp::create(builder, op.getLoc(), isNearEdge(model, base));
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    SmallVector<int64_t> one(domain.getRank(), 1);
    storeImages(alike, visitPoints(base, one));
  }
}
