//===- CompiledProgram.h - Programs in machine code ---------------*- C++
//-*-===//
//
// Compiles a level-0 program for the CPU at hand and calls it.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_EXECUTION_COMPILEDPROGRAM_H
#define STENCILDIALECT_EXECUTION_COMPILEDPROGRAM_H

#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Execution/GPUCompilation.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>

namespace stencil {

class LoadedObject;

struct CompileOptions {
  /// 0: one on each usable CPU. 1: code without OpenMP.
  unsigned threads = 0;
  /// Where the IR after each pass, the LLVM IR and the assembly go; empty:
  /// nowhere.
  std::string dumpDirectory;
  /// Options of the stencil-to-cpu pipeline as text, such as "rows=2
  /// vector-bits=128"; what is not named is chosen for this machine.
  std::string pipelineOptions;
  /// Bytes of all fields that a program for the CPU is going to get, if they
  /// are known: where the caches hold them, less code is made.
  std::optional<uint64_t> fieldBytes;
  /// The interior that it is going to have, if that is known: how many steps
  /// are taken at once is chosen for it. It may be called for others.
  std::vector<int64_t> extents;
  /// Whether fields of a program for the CPU may have gaps between their rows
  /// (Arguments::padRows). `pipelineOptions` may say otherwise.
  bool paddedRows = false;
  /// The schedule of a program for the CPU: `#stencil.schedule<...>`, or auto,
  /// model, measured or default; empty: auto.
  std::string schedule;
  /// Of programs for the CPU; `device` has its own.
  AlgebraOptions algebra;
  /// Loops say how far they are (getStepProgress in StencilRuntime/Backend.h):
  /// for programs of which somebody watches the progress.
  bool countSteps = false;
  /// Shared libraries, paths or names that the system finds, that have the
  /// functions without a body which the program calls.
  std::vector<std::string> libraries;
  /// Compile for a GPU, or the emulator of one, instead of the CPU.
  std::optional<GPUCompileOptions> device;
};

/// Seconds that the parts of a compilation took: MLIR passes, LLVM passes, code
/// generation and linking.
struct CompileTimes {
  double passes = 0, optimize = 0, codegen = 0, link = 0;
  /// Parts of `passes`: kernels to PTX or AMD's machine code in LLVM, and
  /// ptxas or the linker.
  double kernelCodegen = 0, kernelAssembly = 0;
};

/// A program in machine code that is not loaded yet; another process on the
/// same machine may do so.
struct CompiledObject {
  /// An object file.
  std::string object;
  /// Its functions to be called after loading and before unloading, in order.
  std::vector<std::string> constructors, destructors;
  /// Where each scalar result lies in the bytes of all results.
  std::vector<uint64_t> resultOffsets;
  uint64_t resultSize = 0;
  /// Threads that a parallel loop runs on.
  unsigned threads = 1;
  /// Where the program expects its arrays, if in the memory of a device.
  const GPUTarget *arraysOn = nullptr;
  CompileTimes times;
  std::vector<KernelResources> kernels;
  /// Functions that the program calls in libraries: their names, and where they
  /// are.
  std::vector<std::pair<std::string, std::string>> externals;
};

/// Whether fields of a program can have gaps between their rows on a CPU:
/// memrefs, which it may share memory with, have none.
bool mayPadRows(mlir::func::FuncOp entry);

/// Whether a program that is compiled so takes fields with gaps between rows.
bool takesPaddedRows(const CompileOptions &options);

/// `entry` and what it calls as stencil-select-schedule sees it on the way to a
/// GPU: what tuning databases know programs by, also those for a CPU. Null
/// after an error. `extents`: interior points per axis; 0 where they are not
/// known. `device`: what steps are composed for, where that pays; null: none
/// are.
mlir::OwningOpRef<mlir::ModuleOp>
lowerToFields(mlir::func::FuncOp entry, const AlgebraOptions &algebra,
              llvm::ArrayRef<int64_t> extents,
              const GPUCompileOptions *device = nullptr);

/// The functions that `entry` and what it calls have no body of, and the first
/// of the libraries that has each. Emits an error if there is none.
mlir::FailureOr<std::vector<std::pair<std::string, std::string>>>
findExternals(mlir::func::FuncOp entry, llvm::ArrayRef<std::string> libraries);

/// Compiles `entry` and what it calls; the module stays as it is. Emits an
/// error if that fails, or if a function without a body is in no library. If
/// there is no OpenMP runtime library, emits a remark and compiles for one
/// thread.
mlir::FailureOr<CompiledObject> compileObject(mlir::func::FuncOp entry,
                                              const CompileOptions &options);

class CompiledProgram {
public:
  /// Loads an object; binaries for a GPU go to its driver. Emits an error if
  /// that fails.
  static mlir::FailureOr<std::unique_ptr<CompiledProgram>>
  load(const CompiledObject &object, const Signature &signature,
       mlir::MLIRContext *context);
  /// Compiles and loads.
  static mlir::FailureOr<std::unique_ptr<CompiledProgram>>
  compile(mlir::func::FuncOp entry, const Signature &signature,
          const CompileOptions &options);
  ~CompiledProgram();

  /// Runs the program on arrays in the memory of the host, which are copied to
  /// the device and back if the program expects them there. They are in the
  /// program's types, and their extents have been checked (resolveExtents).
  /// Appends the scalar results. Fails with a ProgramError
  /// (Support/ProgramError.h) for what only the run finds: an index out of
  /// range, no memory, an integer division by zero, a device. What fields that
  /// are written hold is unspecified then.
  llvm::Error run(llvm::ArrayRef<InterpreterArgument> arguments,
                  llvm::SmallVectorImpl<ScalarValue> &results);

  /// Threads that a parallel loop runs on.
  unsigned getNumThreads() const { return threads; }

  const CompileTimes &getTimes() const { return times; }

  /// What the kernels of a program for a GPU need; empty if that is not known
  /// before they are loaded.
  llvm::ArrayRef<KernelResources> getKernels() const { return kernels; }

private:
  CompiledProgram();

  Signature signature;
  std::unique_ptr<LoadedObject> loaded;
  /// Where each scalar result lies in the result bytes.
  llvm::SmallVector<uint64_t> resultOffsets;
  uint64_t resultSize = 0;
  unsigned threads = 1;
  const GPUTarget *arraysOn = nullptr;
  CompileTimes times;
  std::vector<KernelResources> kernels;
};

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_COMPILEDPROGRAM_H
