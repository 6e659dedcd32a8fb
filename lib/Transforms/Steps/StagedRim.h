//===- StagedRim.h - Near a boundary, step by step --------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STAGEDRIM_H
#define STENCILDIALECT_LIB_TRANSFORMS_STAGEDRIM_H

#include "StagedSteps.h"
#include "StepBodies.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// The rim of steps of several states: the program itself, step by step, on
/// copies of its fields, over slabs that shrink from step to step. Lists of
/// fields are by position.
class StagedRim {
public:
  StagedRim(const StagedSteps &plan, mlir::OpBuilder &builder);

  /// Fields for it, outside of all loops, with the halos of those with which
  /// the program begins.
  llvm::SmallVector<mlir::Value> makeFields(mlir::ValueRange program);

  /// T steps in `rim`, of what `from` has, to `targets`. After it, `rim` has
  /// the fields where they are then. `scalars` are by step.
  void build(llvm::ArrayRef<mlir::Value> from,
             llvm::ArrayRef<mlir::Value> targets,
             llvm::SmallVectorImpl<mlir::Value> &rim,
             llvm::ArrayRef<mlir::IRMapping> scalars);

private:
  void runStep(llvm::SmallVectorImpl<mlir::Value> &rim);
  ApplyOp compute(unsigned stage, BoundsAttr box,
                  llvm::ArrayRef<mlir::Value> rim);
  void copy(mlir::Value source, BoundsAttr box, mlir::Value field);
  std::optional<unsigned> getPosition(mlir::Value field) {
    return plan.time.getPosition(field, aliases);
  }

  const StagedSteps &plan;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  FieldAliasAnalysis aliases;
  llvm::ArrayRef<mlir::Value> from;
  llvm::ArrayRef<mlir::IRMapping> scalars;
  /// The number of the next stage.
  unsigned next = 0;
};

/// Stores zeros to all of a field.
void fillZeros(mlir::OpBuilder &builder, mlir::Value field);
/// Copies what is around the interior, as far as a field has it.
void copyHalo(const StagedSteps &plan, mlir::OpBuilder &builder,
              mlir::Value field, mlir::Value source);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STAGEDRIM_H
