//===- Runner.h - Evaluates programs over boxes -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_RUNNER_H
#define STENCIL_LIB_INTERPRETER_RUNNER_H

#include "Program.h"
#include "StencilDialect/IR/StencilOps.h"
#include "llvm/Support/ThreadPool.h"

namespace stencil::interp {

/// Threads that are kept for a whole run. The calling thread is one of them.
class ThreadTeam {
public:
  /// 0: one per usable CPU.
  explicit ThreadTeam(unsigned threads);

  unsigned size() const { return threads; }

  /// Calls task(thread) on `count` threads at once and waits for all.
  void run(unsigned count, llvm::function_ref<void(unsigned)> task);

private:
  unsigned threads;
  std::unique_ptr<llvm::DefaultThreadPool> pool;
};

struct BoundOutput {
  ArrayView array;
  /// Bytes over the array's box that are set to what is stored; or null: points
  /// at which nothing is stored keep the array's value.
  char *mask = nullptr;
  /// An input shares the memory.
  bool isAliased = false;
};

/// One evaluation of a program.
struct Evaluation {
  ApplyOp op;
  Program *program = nullptr;
  /// As the program's `inputs`, `scalars` and the results of the apply.
  llvm::SmallVector<BoundInput, 4> inputs;
  llvm::SmallVector<Cell, 4> scalars;
  llvm::SmallVector<double, 4> scalarErrors;
  llvm::SmallVector<BoundOutput, 2> outputs;
  Box domain;
  /// Another number for each evaluation.
  uint64_t salt = 0;
};

/// Fails with an error at the access if one leaves its input, or at the apply
/// if its extent is not a multiple of the unroll factors. To be called before
/// memory for the results is allocated.
mlir::LogicalResult checkAccesses(const Evaluation &evaluation);

/// Evaluates the body at every point. The outcome, also which of several errors
/// is reported, does not depend on the number of threads.
mlir::LogicalResult evaluate(Evaluation &evaluation, ThreadTeam &team,
                             MemoryPool &pool);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_RUNNER_H
