//===- KernelSerializer.h - Parts of compileKernels -------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TARGET_KERNELSERIALIZER_H
#define STENCILDIALECT_LIB_TARGET_KERNELSERIALIZER_H

#include "CodegenErrors.h"
#include "StencilDialect/Target/GPUBinary.h"
#include "llvm/Support/CommandLine.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace stencil {

mlir::FailureOr<GPUBinary> compileForNVIDIA(mlir::gpu::GPUModuleOp module,
                                            const GPUBinaryOptions &options);
mlir::FailureOr<GPUBinary> compileForAMD(mlir::gpu::GPUModuleOp module,
                                         const GPUBinaryOptions &options);

/// Where to report what is wrong with the function of this name: there, or at
/// the module.
mlir::Location getKernelLocation(mlir::gpu::GPUModuleOp module,
                                 llvm::StringRef function);

/// Emits an error that names a function that is used and undefined and who
/// calls it, unless `isProvided` by the driver or the hardware. `advice` ends
/// the message. Unused declarations are dropped.
mlir::LogicalResult
checkDefined(llvm::Module &code, mlir::gpu::GPUModuleOp module,
             llvm::function_ref<bool(llvm::StringRef)> isProvided,
             llvm::StringRef advice);

/// True if a function is used and undefined whose name begins so.
bool needsFunctions(llvm::Module &code, llvm::StringRef prefix);

/// Of kernels with the attribute `stencil.eviction` = `last`, loads of what the
/// kernel only reads get a policy by which the second-level cache gives up
/// their lines last. To be called after optimisation, for NVIDIA's GPUs.
void keepLoads(llvm::Module &code, llvm::TargetMachine &machine);

/// Stores of a kernel that are all a branch is for get a predicate instead, and
/// the code before and behind them is one block. To be called after
/// optimisation, for NVIDIA's GPUs.
void predicateStores(llvm::Function &kernel);

/// Innermost loops that are left behind their last instruction only are left at
/// their head instead: what they hand on is what they carry, and no copy of it.
/// To be called after optimisation, which would take it back.
void leaveLoopsAtHead(llvm::Function &kernel);

/// Emits it, at the kernel that it is about.
mlir::LogicalResult reportCodegenError(const CodegenError &error,
                                       mlir::gpu::GPUModuleOp module);

/// Makes machine code or assembly. Emits the errors that the code generator
/// has.
mlir::FailureOr<std::string> generateCode(llvm::Module &code,
                                          llvm::TargetMachine &machine,
                                          bool assembly,
                                          mlir::gpu::GPUModuleOp module);

/// Gives one of LLVM's command line options another value while it lives, where
/// LLVM has no other way to say so.
class LLVMFlag {
public:
  LLVMFlag(llvm::StringRef name, bool value);
  ~LLVMFlag();
  LLVMFlag(const LLVMFlag &) = delete;
  LLVMFlag &operator=(const LLVMFlag &) = delete;

private:
  llvm::cl::opt<bool> *option = nullptr;
  bool before = false;
};

/// Adds the time since its construction to what takeGPUBinaryTimes returns.
class TimeAccount {
public:
  explicit TimeAccount(double GPUBinaryTimes::*member);
  ~TimeAccount();

private:
  double GPUBinaryTimes::*member;
  double start;
};

/// The messages of `ptxas -v` on the kernels of a module.
std::vector<KernelResources> parsePtxasLog(llvm::StringRef log);

/// Emits one error for what ptxas complained of in the text `ptx`.
mlir::LogicalResult reportPtxasErrors(llvm::StringRef log,
                                      mlir::gpu::GPUModuleOp module,
                                      llvm::StringRef chip,
                                      llvm::StringRef ptx);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_KERNELSERIALIZER_H
