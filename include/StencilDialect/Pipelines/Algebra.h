//===- Algebra.h - Rewrites of the mathematics ------------------*- C++ -*-===//

#ifndef STENCILDIALECT_PIPELINES_ALGEBRA_H
#define STENCILDIALECT_PIPELINES_ALGEBRA_H

#include "StencilDialect/IR/MathMode.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// What is known where several steps of a loop are taken at once on a CPU.
struct CPUSteps {
  /// Bytes of the cache that a core has to itself, and of the last one.
  uint64_t coreCache = 0, lastCache = 0;
  /// Bytes of its second-level cache.
  uint64_t ownCache = 0;
  /// The last one is nearly as fast.
  bool nearLastLevel = false;
  unsigned threads = 1;
  /// Of the interior; empty: any.
  std::vector<int64_t> extents;
};

/// What the mathematics of a program may become on its way to any target.
struct AlgebraOptions {
  /// What may be done to floating-point arithmetic.
  MathMode math = MathMode::Contract;
  /// False: bodies stay as they are written.
  bool enabled = true;
  /// For a CPU.
  std::optional<CPUSteps> cpu = {};
};

/// The same as options of a pipeline, which become its members.
struct AlgebraPipelineOptions {
  explicit AlgebraPipelineOptions(mlir::detail::PassOptions &parent)
      : math(parent, "math",
             llvm::cl::desc("what may be done to floating-point arithmetic"),
             getMathModeValues(), llvm::cl::init(MathMode::Contract)),
        enabled(parent, "algebra",
                llvm::cl::desc("rewrite sums and applies; false: bodies stay "
                               "as they are written"),
                llvm::cl::init(true)) {}

  AlgebraOptions get() const { return {math, enabled, {}}; }
  void set(const AlgebraOptions &options) {
    math = options.math;
    enabled = options.enabled;
  }

  mlir::detail::PassOptions::Option<MathMode> math;
  mlir::detail::PassOptions::Option<bool> enabled;
};

/// Measured schedules, which come before steps that are composed.
struct TunedSteps {
  /// The file; may be empty.
  std::string database;
  /// For the emulator.
  bool emulate = false;
};

/// Level 0 to level 1: sums in normal form, what does not contribute is gone,
/// applies are fused where that pays. Bodies stay what they compute, to the
/// freedom that `math` gives. `schedule` is what applies without a schedule are
/// going to get.
void buildStencilAlgebra(mlir::OpPassManager &manager,
                         const AlgebraOptions &options,
                         llvm::StringRef schedule = {},
                         const TunedSteps &tuned = {});

/// What becomes of fields between that and the choice of schedules.
void buildStencilFields(mlir::OpPassManager &manager);

/// Makes it known as `stencil-simplify`.
void registerAlgebraPipeline();

} // namespace stencil

#endif // STENCILDIALECT_PIPELINES_ALGEBRA_H
