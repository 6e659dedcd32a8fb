//===- ApplyImages.cpp - Periodic halos of what an apply stores -----------===//

#include "ApplyKernel.h"
#include "PointImages.h"
#include "StencilDialect/Analysis/PeriodicImages.h"

using namespace mlir;
using namespace stencil;

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

void ApplyKernel::emitImages(const BasePoint &base) {
  for (ArrayRef<BoundaryOp> rest = images; !rest.empty();) {
    BoundaryOp model = rest.front();
    ArrayRef<BoundaryOp> alike = rest.take_while([&](BoundaryOp other) {
      return other.getField().getType() == model.getField().getType() &&
             other.getConditions() == model.getConditions();
    });
    rest = rest.drop_front(alike.size());
    const DeviceLayout *layout = nullptr;
    SmallVector<Value> buffers;
    for (BoundaryOp boundary : alike) {
      auto dest = llvm::find(op.getDest(), boundary.getField());
      const KernelField &field = outputs[dest - op.getDest().begin()];
      layout = layout ? layout : &*field.layout;
      buffers.push_back(field.buffer);
    }
    emitPointImages(kernel, grid, op.getLoc(), findImageAxes(model), base,
                    *layout, buffers);
  }
}
