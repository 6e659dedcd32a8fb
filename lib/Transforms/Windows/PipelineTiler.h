//===- PipelineTiler.h - The tiles of one pipeline --------------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_PIPELINETILER_H
#define STENCIL_LIB_TRANSFORMS_PIPELINETILER_H

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

namespace stencil {

/// Completes the schedule of one pipeline.
class PipelineTiler {
public:
  PipelineTiler(PipelineOp op, const PipelinePlan &plan,
                const TargetInfo &target)
      : op(op), size(op, plan), target(target), walk(op.getWalkAxis()),
        rank(op.getRank()), shape(op.getDomain().getShape()) {}

  LogicalResult run();
  /// Says what was chosen.
  void remark();

private:
  void read();
  FormFacts getFacts() const;
  KernelNumbers getProductNumbers();
  void choosePoints();
  void chooseBlock();
  void limitToBox();
  bool foldRow();
  void limitToMemory();
  int64_t chooseSegmentLength() const;
  void chooseSegments();
  void choosePanel();
  void chooseEviction();
  LogicalResult checkCounts();
  LogicalResult checkMemory();
  LogicalResult checkSegments();
  bool isJoined() const;
  bool needsRegisters();
  SmallVector<int64_t> getTile() const {
    return getTilePoints(keys.block, keys.points);
  }
  /// Of all windows, and of the rows that threads give each other.
  int64_t getSharedBytes() const {
    return size.getSharedBytes(getTile()) +
           size.getExchangedBytes(getTile(), keys.points);
  }
  int64_t getGapBytes();
  int64_t countTiles() const;
  bool isTiled(int64_t axis) const { return axis >= 0 && axis != walk; }
  SmallVector<int64_t> listTiledAxes() const;
  int64_t getLength(int64_t axis) const;

  PipelineOp op;
  PipelineSize size;
  const TargetInfo &target;
  std::optional<int64_t> walk;
  int64_t rank;
  SmallVector<int64_t> shape;
  ScheduleKeys keys;
  /// Those of such pipelines.
  std::optional<KernelNumbers> numbers;
  bool choosesPoints = false, choosesBlock = false;
};

/// The product, or something larger than any limit.
inline int64_t multiplyCounts(ArrayRef<int64_t> factors) {
  constexpr int64_t kMany = int64_t(1) << 32;
  int64_t product = 1;
  for (int64_t factor : factors)
    product = std::min(product * factor, kMany);
  return product;
}

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_PIPELINETILER_H
