//===- ApplyKernel.h - The kernel of one apply ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H

#include "GPUSchedule.h"
#include "Window.h"

namespace stencil {

/// Emits the kernel of one apply.
class ApplyKernel {
public:
  /// The kernel fills the halos of the boundary ops `images`, too.
  ApplyKernel(ApplyOp op, KernelSet &kernels, GPUSchedule schedule,
              llvm::ArrayRef<BoundaryOp> images)
      : op(op), kernels(kernels), schedule(std::move(schedule)), images(images),
        unroll(op.getUnrollFactors()), domain(op.getDomain()),
        grid(kernels, domain, this->schedule, getPoints(), getAlignment()),
        kernel(kernels, op, "apply", chooseType(), this->schedule.getThreads(),
               this->schedule.launchBounds) {}

  mlir::LogicalResult emit();

private:
  mlir::Type chooseType();
  void addFields();
  /// Points of a thread along an axis.
  int64_t pointsOf(int64_t axis) const {
    return schedule.points[axis] * unroll[axis];
  }
  llvm::SmallVector<int64_t> getPoints() const {
    llvm::SmallVector<int64_t> points;
    for (size_t axis = 0; axis < schedule.points.size(); ++axis)
      points.push_back(pointsOf(axis));
    return points;
  }
  /// What the first tile begins at a multiple of: an unrolled body has points
  /// at fixed distances from the lower bound.
  int64_t getAlignment() const {
    int64_t points = pointsOf(domain.getRank() - 1);
    return unroll.back() == 1 ? points & -points : 1;
  }
  mlir::LogicalResult emitPoints(const BasePoint &base,
                                 llvm::ArrayRef<int64_t> points);
  mlir::LogicalResult emitOneByOne(const BasePoint &base);
  void emitPrefetches(const BasePoint &base);
  void emitImages(const BasePoint &base);
  void store(RowAddresses &addresses, const BasePoint &base, PointList points,
             llvm::ArrayRef<llvm::SmallVector<LaneValue>> results);

  ApplyOp op;
  KernelSet &kernels;
  GPUSchedule schedule;
  llvm::ArrayRef<BoundaryOp> images;
  llvm::SmallVector<int64_t> unroll;
  BoundsAttr domain;
  BlockGrid grid;
  KernelBuilder kernel;
  llvm::SmallVector<KernelField> inputs, outputs;
  llvm::SmallVector<mlir::Value> arguments;
  mlir::Value errorWord;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H
