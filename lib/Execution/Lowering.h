//===- Lowering.h - Programs to the LLVM dialect ----------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_LOWERING_H
#define STENCIL_LIB_EXECUTION_LOWERING_H

#include "StencilDialect/Execution/CompiledProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace stencil {

/// Writes the intermediate forms of a program to a directory, if there is one.
class Dump {
public:
  explicit Dump(llvm::StringRef directory) : directory(directory) {}

  explicit operator bool() const { return !directory.empty(); }

  llvm::Error
  write(llvm::StringRef name,
        llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print) const;
  llvm::Error write(llvm::StringRef name, const llvm::Module &module) const;

private:
  std::string directory;
};

/// Whether fields are larger than the caches of the processor: all that code
/// for a CPU depends on of their size.
bool exceedsCaches(const CompileOptions &options);

/// A copy of the module in which only `entry` is public.
mlir::OwningOpRef<mlir::ModuleOp> cloneFor(mlir::func::FuncOp entry);

/// Runs the pipeline of the target on a copy of the module in which only
/// `entry` is public. Null, after an error, if that fails.
mlir::OwningOpRef<mlir::ModuleOp>
lowerToLLVMDialect(mlir::func::FuncOp entry, llvm::TargetMachine &machine,
                   unsigned threads, const Dump &dump,
                   const CompileOptions &options);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_LOWERING_H
