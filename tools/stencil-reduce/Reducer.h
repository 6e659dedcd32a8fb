//===- Reducer.h - The search for a smaller program -------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_STENCILREDUCE_REDUCER_H
#define STENCILDIALECT_TOOLS_STENCILREDUCE_REDUCER_H

#include "Simplifications.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <string>

/// Holds a program that shows a fault, and takes every smaller one that does.
class Reducer {
public:
  /// `isFaulty` looks at a file. For MLIR's pass the same is done by `program`
  /// with `arguments` and a file. Diagnostics of the module's context are to be
  /// ignored.
  Reducer(mlir::OwningOpRef<mlir::ModuleOp> module,
          std::function<bool(const std::string &file)> isFaulty,
          std::string program, llvm::SmallVector<std::string> arguments);

  /// Whether the program as it was given shows the fault.
  bool showsFault() { return test(module.get()); }

  /// Until nothing makes it smaller.
  void reduce();

  mlir::ModuleOp getModule() { return module.get(); }
  /// Programs that were looked at, without those of MLIR's pass.
  unsigned countTests() const { return tests; }

private:
  bool test(mlir::ModuleOp candidate);
  bool runPass(std::unique_ptr<mlir::Pass> pass);
  bool runTree();
  bool runPasses();
  bool simplify(Simplification simplification);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::function<bool(const std::string &)> isFaulty;
  std::string program;
  llvm::SmallVector<std::string> arguments;
  unsigned tests = 0;
};

#endif // STENCILDIALECT_TOOLS_STENCILREDUCE_REDUCER_H
