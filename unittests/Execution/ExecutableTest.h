//===- ExecutableTest.h - What tests of executables share -------*- C++ -*-===//

#ifndef STENCIL_UNITTESTS_EXECUTION_EXECUTABLETEST_H
#define STENCIL_UNITTESTS_EXECUTION_EXECUTABLETEST_H

#include "StencilDialect/Execution/Executable.h"

#include "gtest/gtest.h"

#include <vector>

namespace stencil {

using ExecutablePtr = std::shared_ptr<const Executable>;

/// v[i] = (u[i-1] + u[i+1]) / 2 on [0, N), of fields of [-1, N + 1).
inline constexpr char kAverage[] = R"mlir(
!dynamic = !stencil.field<?xf64>
!field = !stencil.field<[-1,?+1]xf64>
func.func @average(%u: !dynamic, %v: !dynamic) {
  %fu = stencil.cast %u : !dynamic -> !field
  %fv = stencil.cast %v : !dynamic -> !field
  %t = stencil.load %fu : !field -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %h = stencil.access %x[1] : !stencil.temp<?xf64>
    %s = arith.addf %l, %h : f64
    %c = arith.constant 0.5 : f64
    %m = arith.mulf %s, %c : f64
    stencil.return %m : f64
  }
  stencil.store %r to %fv(<[0], [?]>) : !stencil.temp<?xf64> to !field
  return
}
)mlir";

inline ArrayArgument makeArray(std::vector<double> &values,
                               llvm::ArrayRef<int64_t> shape) {
  ArrayArgument array;
  array.data = values.data();
  array.shape = shape;
  return array;
}

/// Compiles, and fails the test if that fails.
inline ExecutablePtr compileOrFail(llvm::StringRef program,
                                   const ExecutableOptions &options = {}) {
  auto executable = Executable::compile(program, "program.mlir", options);
  if (executable)
    return *executable;
  ADD_FAILURE() << llvm::toString(executable.takeError());
  return nullptr;
}

/// The error's text; empty without one.
inline std::string compileError(llvm::StringRef program,
                                const ExecutableOptions &options = {}) {
  auto executable = Executable::compile(program, "program.mlir", options);
  return executable ? std::string() : llvm::toString(executable.takeError());
}

inline std::string callError(const Executable &executable,
                             llvm::ArrayRef<ExecutableArgument> arguments,
                             void *stream = nullptr) {
  std::vector<ScalarArgument> results;
  return llvm::toString(executable.call(arguments, results, stream));
}

} // namespace stencil

#endif // STENCIL_UNITTESTS_EXECUTION_EXECUTABLETEST_H
