//===- StageInputs.h - What stages are given --------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEINPUTS_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEINPUTS_H

#include "RingWriter.h"

namespace stencil {

/// What stands in the kernel for values of the pipeline: a source of a ring or
/// a field, or values that threads hold.
class StageInputs {
public:
  StageInputs(const KernelDraft &draft, KernelWriter &writer, RingWriter &rings)
      : draft(draft), writer(writer), rings(rings) {}

  /// What a stage is given for a value of the pipeline. Sources are made when
  /// they are first asked for.
  mlir::Value get(mlir::Value value);
  /// What a window is filled from, as a source of these planes.
  mlir::Value getSourceOf(WindowOp window, int64_t oldest, int64_t newest);

  /// What threads hold of it.
  void set(mlir::Value value, mlir::Value made) { values[value] = made; }
  bool isMade(ApplyOp stage) const {
    return values.contains(stage.getRes().front());
  }

private:
  std::pair<int64_t, int64_t> findPlanes(WindowOp window);

  const KernelDraft &draft;
  KernelWriter &writer;
  RingWriter &rings;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEINPUTS_H
