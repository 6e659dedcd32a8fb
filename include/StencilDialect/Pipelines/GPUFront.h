//===- GPUFront.h - Stencil programs to kernels -----------------*- C++ -*-===//

#ifndef STENCILDIALECT_PIPELINES_GPUFRONT_H
#define STENCILDIALECT_PIPELINES_GPUFRONT_H

#include "StencilDialect/Pipelines/Algebra.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace stencil {

/// What the way from level 0 to level 4 can be told.
struct GPUFrontOptions {
  /// A name of LLVM's, such as "sm_90"; empty: the module has a target.
  std::string chip;
  /// For the emulator.
  bool emulate = false;
  /// The `#stencil.schedule` of applies that have none, or the name of one; may
  /// be empty.
  std::string schedule;
  /// File of measured schedules; may be empty.
  std::string tuningDatabase;
  /// Interior points per axis, if they are known; 0 for an axis whose are not.
  std::vector<int64_t> extents;
  AlgebraOptions algebra;
  /// Loops say how far they are.
  bool countSteps = false;
  /// Fields are arrays of the caller in the memory of the GPU, row-major
  /// without gaps.
  bool deviceArrays = false;
};

/// The module gets the attribute `stencil.target`; nothing if `chip` is empty.
void addTarget(mlir::OpPassManager &manager, llvm::StringRef chip);

/// Level 0 to level 1, and fields instead of values: the applies that become
/// kernels. The target has no influence yet.
void buildStencilToFields(mlir::OpPassManager &manager,
                          const GPUFrontOptions &options);

/// The part of the way to level 4 that ends with bufferised applies, each with
/// the schedule that it is to have, or none.
void buildStencilToSchedules(mlir::OpPassManager &manager,
                             const GPUFrontOptions &options);

/// The last step but one: applies of open extents get variants, one of which a
/// launch takes.
void addVariants(mlir::OpPassManager &manager, const GPUFrontOptions &options);

/// The last step of it: bufferised applies get their schedules.
void addScheduleSelection(mlir::OpPassManager &manager,
                          const GPUFrontOptions &options);

/// Level 0 to level 3: pipelines and applies with schedules, their bodies in
/// the form that kernels have.
void buildStencilToPipelines(mlir::OpPassManager &manager,
                             const GPUFrontOptions &options);

/// Level 0 to level 4a: kernels of tiles, as far as `stencil-map-stages` makes
/// them.
void buildStencilToTiles(mlir::OpPassManager &manager,
                         const GPUFrontOptions &options);

/// Level 0 to level 4: kernels in gpu.module, and functions on memrefs that
/// launch them.
void buildStencilToGPU(mlir::OpPassManager &manager,
                       const GPUFrontOptions &options);

/// The part of it from bufferised applies with schedules on.
void buildSchedulesToGPU(mlir::OpPassManager &manager,
                         const GPUFrontOptions &options);

/// The last step of it: bufferised programs, with pipelines and schedules, to
/// kernels and the host's side. Of the options, `chip`, `emulate`, `schedule`
/// and `algebra.math` count.
void buildFieldsToKernels(mlir::OpPassManager &manager,
                          const GPUFrontOptions &options);

/// Makes that known as `convert-stencil-to-gpu`.
void registerGPUFront();

} // namespace stencil

#endif // STENCILDIALECT_PIPELINES_GPUFRONT_H
