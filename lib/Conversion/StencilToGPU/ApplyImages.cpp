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
  SmallVector<Value> values;
  for (BoundaryOp boundary : boundaries) {
    auto dest = llvm::find(op.getDest(), boundary.getField());
    fields.push_back(&outputs[dest - op.getDest().begin()]);
  }
  auto getPosition = [&](const KernelField &field, ValueRange point) {
    return math.toIndex(field.layout->getPosition(math, point));
  };
  for (const KernelField *field : fields)
    values.push_back(memref::LoadOp::create(
        builder, loc, field->buffer, getPosition(*field, base.coordinates)));
  // Along each axis the point itself, and then its image, if it has one.
  SmallVector<Value> point(base.coordinates);
  Value isImage;
  Value one = math.constant(1), two = math.constant(2);
  for (const ImageAxis &along : findImageAxes(boundaries.front())) {
    Value coordinate = base.coordinates[along.axis];
    Value isLow = math.less(coordinate, math.constant(along.low));
    Value isHigh = math.lessEqual(math.constant(along.high), coordinate);
    Value hasImage = builder.createOrFold<arith::OrIOp>(loc, isLow, isHigh);
    Value image = math.select(isLow, math.add(coordinate, along.extent),
                              math.add(coordinate, -along.extent));
    auto loop = scf::ForOp::create(builder, loc, math.constant(0),
                                   math.select(hasImage, two, one), one);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    Value isOther = math.less(math.constant(0), loop.getInductionVar());
    point[along.axis] = math.select(isOther, image, coordinate);
    isImage = isImage
                  ? builder.createOrFold<arith::OrIOp>(loc, isImage, isOther)
                  : isOther;
  }
  auto branch = scf::IfOp::create(builder, loc, isImage);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  for (auto [field, value] : llvm::zip_equal(fields, values))
    memref::StoreOp::create(builder, loc, value, field->buffer,
                            getPosition(*field, point));
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
