//===- LaneWriter.h - What threads get from each other ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_LANEWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_LANEWRITER_H

#include "StageInputs.h"

namespace stencil {

/// Has threads give each other points of shuffle windows, and stages read them.
class LaneWriter {
public:
  LaneWriter(const KernelDraft &draft, KernelWriter &writer, WalkWriter &walk,
             RingWriter &rings, StageInputs &inputs)
      : draft(draft), writer(writer), walk(walk), rings(rings), inputs(inputs) {
  }

  /// Of a plane of a window that a thread has, the columns that threads give
  /// each other.
  void add(WindowOp window, int64_t plane, mlir::Value values);
  /// Gives a stage inputs of their own for what it reads beside its points.
  void split(ApplyOp stage, llvm::SmallVectorImpl<StageExtra> &extras);

private:
  mlir::Value widen(WindowOp window, mlir::Value values);
  mlir::Value makeSource(WindowOp window, int64_t plane, mlir::Value values);
  void keep(const MappedLanes &columns, mlir::Location loc, int64_t plane,
            mlir::Value value);
  StageExtra getExtra(ApplyOp stage, WindowOp window,
                      llvm::ArrayRef<int64_t> offset, StageExtra &memory);

  const KernelDraft &draft;
  KernelWriter &writer;
  WalkWriter &walk;
  RingWriter &rings;
  StageInputs &inputs;
  /// What a thread has of others, by plane.
  llvm::DenseMap<std::pair<const MappedLanes *, int64_t>, mlir::Value> planes;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_LANEWRITER_H
