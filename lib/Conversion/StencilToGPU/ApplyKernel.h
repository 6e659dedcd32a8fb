//===- ApplyKernel.h - The kernel of one apply ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H

#include "GPUSchedule.h"
#include "Window.h"

namespace stencil {

/// Emits the kernel of one apply.
class ApplyKernel {
public:
  ApplyKernel(ApplyOp op, HostFunction &host, GPUSchedule schedule)
      : op(op), host(host), schedule(std::move(schedule)),
        unroll(op.getUnrollFactors()), domain(op.getDomain()),
        kernel(host, op, "apply", chooseType(), this->schedule.getThreads(),
               this->schedule.launchBounds) {}

  mlir::LogicalResult emit();

private:
  mlir::Type chooseType();
  void addFields();
  int64_t tileOf(int64_t axis) const {
    return schedule.block[axis] * pointsOf(axis);
  }
  /// Points of a thread along an axis.
  int64_t pointsOf(int64_t axis) const {
    return schedule.points[axis] * unroll[axis];
  }
  std::optional<int64_t> getStart(int64_t axis) const;
  llvm::SmallVector<mlir::Value> countBlocks(mlir::Value &total);
  llvm::SmallVector<mlir::Value> findBlock(llvm::ArrayRef<mlir::Value> counts);
  mlir::Value isInside(const BasePoint &base, llvm::ArrayRef<int64_t> points);
  bool needsTest(int64_t axis, bool upper) const;
  mlir::LogicalResult emitPoints(const BasePoint &base,
                                 llvm::ArrayRef<int64_t> points);
  mlir::LogicalResult emitOneByOne(const BasePoint &base);
  void store(CacheWindow &window, const BasePoint &base, PointList points,
             llvm::ArrayRef<llvm::SmallVector<LaneValue>> results);

  ApplyOp op;
  HostFunction &host;
  GPUSchedule schedule;
  llvm::SmallVector<int64_t> unroll;
  BoundsAttr domain;
  KernelBuilder kernel;
  llvm::SmallVector<KernelField> inputs, outputs;
  llvm::SmallVector<mlir::Value> arguments;
  mlir::Value errorWord;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_APPLYKERNEL_H
