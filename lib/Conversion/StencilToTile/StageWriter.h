//===- StageWriter.h - The stages of a kernel -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEWRITER_H

#include "QueueWriter.h"

namespace stencil {

/// Sums that engines compute for a whole tile, apart from their stage.
class EngineSums {
public:
  EngineSums(const KernelDraft &draft, KernelWriter &writer,
             StageInputs &inputs)
      : draft(draft), writer(writer), inputs(inputs) {}

  /// Computes them; the stage reads their results, as inputs of its own. Fails
  /// with an error at a sum that its engine cannot compute here.
  mlir::LogicalResult add(ApplyOp stage,
                          llvm::SmallVectorImpl<StageExtra> &extras);

private:
  mlir::FailureOr<mlir::Value> addSum(ApplyOp stage, WeightedSumOp sum,
                                      mlir::Attribute engine);

  const KernelDraft &draft;
  KernelWriter &writer;
  StageInputs &inputs;
};

/// The stages of a pipeline, and what they are given.
class StageWriter {
public:
  StageWriter(const KernelDraft &draft, KernelWriter &writer,
              StageInputs &inputs, LaneWriter &lanes, const QueueWriter &queues)
      : draft(draft), writer(writer), inputs(inputs), lanes(lanes),
        queues(queues), sums(draft, writer, inputs) {}

  /// A stage that others follow.
  mlir::LogicalResult add(ApplyOp stage);
  /// What stands in front of the branch in which the final stages are.
  mlir::LogicalResult prepareFinals();
  /// The final stages.
  void addFinals();

private:
  mlir::LogicalResult addExtras(ApplyOp stage);
  ApplyOp move(ApplyOp stage, mlir::ValueRange given);
  llvm::SmallVector<ApplyOp> listFinals() const;
  llvm::SmallVector<mlir::Type> getResultTypes(ApplyOp stage) const;
  llvm::SmallVector<mlir::Value> getInputs(ApplyOp stage);
  void splitNeighbours(ApplyOp stage, unsigned index, WindowOp window,
                       llvm::SmallVectorImpl<mlir::Value> &given);

  const KernelDraft &draft;
  KernelWriter &writer;
  StageInputs &inputs;
  LaneWriter &lanes;
  const QueueWriter &queues;
  EngineSums sums;
  /// Of stages: what they are given beside their inputs in the pipeline.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<StageExtra>> extras;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_STAGEWRITER_H
