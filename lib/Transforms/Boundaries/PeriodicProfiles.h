//===- PeriodicProfiles.h - Fields of fewer axes that repeat ----*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_PERIODICPROFILES_H
#define STENCILDIALECT_LIB_TRANSFORMS_PERIODICPROFILES_H

#include "StencilDialect/IR/PipelinePlan.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>
#include <tuple>

namespace stencil {

/// Copies of fields that a pipeline reads and that have not all of its axes,
/// with periodic halos along some of them. They are made before the pipeline.
class PeriodicProfiles {
public:
  /// As far as `reach` beyond the box of the stores, along `axes`.
  PeriodicProfiles(PipelineOp op, const PipelinePlan &plan,
                   const llvm::SmallBitVector &axes, const OffsetBox &reach)
      : op(op), plan(plan), axes(axes), reach(reach) {}

  /// A load of what `stage` reads of `load` by an op along the axes `own`, at
  /// offsets `at`: at a point of the copy. Along `axes` it is that of the point
  /// within the box.
  LoadOp get(LoadOp load, ApplyOp stage, mlir::ArrayRef<int64_t> own,
             mlir::ArrayRef<int64_t> at);

private:
  using Key = std::tuple<mlir::Operation *, mlir::Operation *,
                         std::vector<int64_t>, std::vector<int64_t>>;

  mlir::Value fill(LoadOp load, ApplyOp stage, mlir::ArrayRef<int64_t> own,
                   mlir::ArrayRef<int64_t> at);

  PipelineOp op;
  const PipelinePlan &plan;
  const llvm::SmallBitVector &axes;
  const OffsetBox &reach;
  std::map<Key, LoadOp> made;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_PERIODICPROFILES_H
