//===- MatrixSchedule.h - Whether matrix instructions pay -------*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_MATRIXSCHEDULE_H
#define STENCIL_LIB_TRANSFORMS_MATRIXSCHEDULE_H

#include "FormBook.h"
#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/IR/MathMode.h"

namespace stencil {

struct MatrixSchedule {
  ScheduleAttr schedule;
  /// What a sweep is predicted to take.
  double seconds;
  /// Multiply-adds per output, and taps.
  int64_t depth, taps;
};

/// How an apply's sums would be computed as products of matrices, under
/// `math = reassociate`, or `tf32` for floats; nothing if they cannot be, or if
/// nothing is known of their speed: sums of doubles in rows and planes have
/// been measured, and of other types in planes.
std::optional<MatrixSchedule> findMatrixSchedule(ApplyOp apply,
                                                 const KernelProfile &profile,
                                                 const TargetInfo &target,
                                                 const FormBook &forms,
                                                 MathMode math);

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_MATRIXSCHEDULE_H
