//===- Codegen.h - From LLVM IR to machine code -------------------*- C++
//-*-===//
//
// The last steps that the JIT of stencil-run and the object files of
// stencil-translate have in common.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_CODEGEN_H
#define STENCILDIALECT_TARGET_CODEGEN_H

#include "StencilDialect/Conversion/VectorLibrary.h"
#include "StencilDialect/Target/CPUInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace stencil {

/// A machine that makes position-independent code for the operating system at
/// hand and for `cpu`: "native", the CPU at hand with all that it can do, or a
/// name of LLVM's such as "x86-64-v3". Fails on a name that LLVM does not know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef cpu);

/// Bits of the vectors that this machine computes fastest with; 64 if it has
/// none.
unsigned getVectorBits(llvm::TargetMachine &machine);

/// What is known of the CPU that `machine` is for: the one at hand, or any one
/// of its name.
CPUInfo describeCPU(llvm::TargetMachine &machine, bool isHost);

/// The functions of vectors that this machine can call, if the C library of the
/// system has them.
VectorMathLibrary findVectorLibrary(llvm::TargetMachine &machine);

/// The file that `findVectorLibrary` looks for; it stays loaded.
inline constexpr char kVectorLibraryFile[] = "libmvec.so.1";

/// Makes `module` one for this machine (triple, data layout, and the CPU of its
/// functions).
void setTarget(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs LLVM's standard optimisations of a level from 0 to 3 on a module of
/// this machine.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level = 3);

enum class CodeFile { Object, Assembly };

/// Writes machine code. `module` is used up.
llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &machine,
                     CodeFile kind, llvm::raw_pwrite_stream &os);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_CODEGEN_H
