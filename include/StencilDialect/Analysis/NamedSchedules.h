//===- NamedSchedules.h - Schedules that have names -------------*- C++ -*-===//
//
// The kernels that papers on stencils compare, as schedules: those of the
// seismic paper (Sai et al., "Accelerating high-order stencils on GPUs"),
// hardware- and software-managed caching of Astaroth (Pekkila et al., "Stencil
// computations on AMD and Nvidia graphics processors"), and BrickLib's vector
// code on plain arrays. docs/schedules.md has the table.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_NAMEDSCHEDULES_H
#define STENCILDIALECT_ANALYSIS_NAMEDSCHEDULES_H

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Support/LLVM.h"
#include "StencilDialect/Target/TargetInfo.h"

#include <string>

namespace stencil {

/// What a named schedule depends on.
struct KernelShape {
  int64_t rank;
  /// Of the largest element that is read.
  int64_t elementBytes;
  /// For every field input, the greatest distance along any axis at which it is
  /// read. 0 for an input that no window can hold: one that is read at computed
  /// coordinates, or has less axes.
  SmallVector<int64_t> radii;
};

KernelShape getKernelShape(ApplyOp apply);

/// The names, in the order of the documentation.
ArrayRef<StringRef> getScheduleNames();

/// True if there is a schedule of this name.
bool isScheduleName(StringRef name);

/// The schedule of this name, which there must be, for a kernel of this shape
/// on a GPU. Null if it makes no sense for the shape; `why` says why then.
ScheduleAttr getNamedSchedule(StringRef name, const KernelShape &shape,
                              const TargetInfo &target, MLIRContext *context,
                              std::string &why);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_NAMEDSCHEDULES_H
