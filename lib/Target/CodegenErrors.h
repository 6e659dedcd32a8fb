//===- CodegenErrors.h - What LLVM's code generators say --------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_TARGET_CODEGENERRORS_H
#define STENCILDIALECT_LIB_TARGET_CODEGENERRORS_H

#include "llvm/Support/CodeGen.h"

#include <string>

namespace llvm {
class LLVMContext;
class Module;
class raw_pwrite_stream;
class TargetMachine;
} // namespace llvm

namespace stencil {

/// The first error of LLVM's, in our words.
struct CodegenError {
  bool found = false;
  std::string text;
  /// The function that it is about, if that is known.
  std::string function;
};

/// From now on errors of the context go there, while it lives, and nothing of
/// what LLVM says is printed.
void collectErrors(llvm::LLVMContext &context, CodegenError &error);

/// Writes code of the module, which is used up. What would have ended the
/// process is an error, too.
CodegenError runCodegen(llvm::Module &module, llvm::TargetMachine &machine,
                        llvm::CodeGenFileType type,
                        llvm::raw_pwrite_stream &os);

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_CODEGENERRORS_H
