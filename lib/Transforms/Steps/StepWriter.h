//===- StepWriter.h - The ops of composed steps -----------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_STEPWRITER_H
#define STENCILDIALECT_LIB_TRANSFORMS_STEPWRITER_H

#include "StepComposition.h"
#include "mlir/IR/IRMapping.h"

namespace stencil {

/// Where the state is, and where it will be: the two fields of a time loop.
struct StateFields {
  mlir::Value now, then;
};

/// Writes the ops of which all parts of a composed loop consist.
struct StepWriter {
  StepWriter(const StepComposition &plan, MathMode math)
      : plan(plan), math(math), loop(plan.time.loop), loc(loop.getLoc()),
        builder(loop) {}

  mlir::Value load(mlir::Value field);
  /// The coordinate that a bound is: an index.
  mlir::Value getIndex(int64_t bound, int64_t axis);
  /// What the step computes besides stencils: scalars that it takes.
  void copyScalars();

  mlir::Type getElementType() const {
    return plan.getRimType().getElementType();
  }
  /// Of what is computed on a box. By that the slabs of a rim are told apart,
  /// which CSE would join.
  mlir::Type getValueType(BoundsAttr box) const {
    return TempType::get(box, getElementType());
  }
  /// An apply with an empty body.
  ApplyOp makeApply(mlir::ValueRange args, BoundsAttr box);
  /// One step, as the program has it.
  ApplyOp makeStep(mlir::Value source, mlir::Type type);
  /// One step on a box.
  ApplyOp step(mlir::Value source, BoundsAttr box, mlir::Value field);
  /// Slabs of one level are one launch, that of the last one beside the apply
  /// that takes all steps.
  void setLaunch(ApplyOp apply, RegionLaunch how) const;

  /// Point p of the field becomes point p + `shift` of the source.
  void copy(mlir::Value source, BoundsAttr box, mlir::Value field,
            int64_t shift = 0);
  void fill(mlir::Value field, BoundsAttr box, mlir::TypedAttr value);
  /// Copies the halo of `source` to that of a field of the rim.
  void fillHalo(mlir::Value field, mlir::Value source);
  void setBoundary(mlir::Value field);

  const StepComposition &plan;
  MathMode math;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  /// Scalars of the loop's body in the composed one.
  mlir::IRMapping scalars;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_STEPWRITER_H
