//===- Benchmark.h - How fast a program is ------------------------*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_BENCHMARK_H
#define STENCILDIALECT_EXECUTION_BENCHMARK_H

#include "StencilDialect/Execution/Arguments.h"

#include <optional>
#include <vector>

namespace stencil {

/// What a call of a program has to do, whoever compiles it.
struct Work {
  /// Points stored by `stencil.store` (a point stored to two fields counts
  /// twice), in all steps. Halos that `stencil.boundary` fills do not count.
  uint64_t pointUpdates = 0;
  /// Bytes that have to move between memory and processor if nothing stays in
  /// caches from one step to the next: for each execution of a block (the body
  /// of a time loop, say), every field that its applies, folds and stores read
  /// counts once, with the box that they need of it, and every stored box
  /// counts once. Values between applies do not count, nor do reads for
  /// ownership.
  uint64_t bytes = 0;
};

/// Counts by following the control flow with the values of the scalar
/// arguments. Nothing if that depends on values of fields, if fields are passed
/// to other functions, or if the program is not valid.
std::optional<Work> countWork(mlir::func::FuncOp entry, const Extents &extents,
                              llvm::ArrayRef<InterpreterArgument> arguments);

/// Times of a number of equal runs.
struct Timing {
  /// In the order of the runs.
  std::vector<double> seconds;

  double getMedian() const;
  double getMin() const;
  double getMax() const;
};

/// Times `run` alone; `prepare` is called before each one. `warmUp` are the
/// seconds that an untimed run took just before; from them follows the number
/// of repeats if `repeats` is 0: 1.5 s in all, from 3 to 1000 repeats.
Timing benchmark(llvm::function_ref<void()> prepare,
                 llvm::function_ref<void()> run, double warmUp,
                 unsigned repeats);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_BENCHMARK_H
