//===- GPUBinary.h - From lowered kernels to GPU binaries -------*- C++ -*-===//
//
// The last step for kernels: LLVM IR, PTX or AMD's machine code, cubin, fat
// binary, HSACO. What was learnt about each kernel on the way is kept.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUBINARY_H
#define STENCILDIALECT_TARGET_GPUBINARY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace stencil {

enum class GPUFormat {
  /// PTX; AMD's assembly.
  Assembly,
  /// cubin; HSACO.
  Binary,
  /// cubin and PTX, so that later GPUs can run it, too; HSACO.
  Fatbin,
  /// Fatbin; PTX, with a remark, if there is no ptxas.
  Auto
};

/// Reads "isa", "bin", "fatbin" or "auto".
llvm::Expected<GPUFormat> parseGPUFormat(llvm::StringRef text);

struct GPUBinaryOptions {
  GPUFormat format = GPUFormat::Fatbin;
  /// Directory of the CUDA toolkit or of ROCm; empty: searched for.
  std::string toolkit;
};

/// What one thread of a kernel needs, in bytes, and in registers of 32 bits.
struct KernelResources {
  std::string kernel;
  /// Vector registers; on AMD GPUs with those for matrices.
  uint64_t registers = 0;
  /// AMD's registers that a wavefront shares.
  uint64_t scalarRegisters = 0;
  /// CUDA: bytes stored to and loaded from spilled registers, in the code.
  uint64_t spillStores = 0, spillLoads = 0;
  /// AMD: registers that are spilled.
  uint64_t spilledRegisters = 0;
  /// Local (private) memory of a thread.
  uint64_t stackBytes = 0;
  /// Static shared memory of a block.
  uint64_t sharedBytes = 0;

  bool spills() const { return spillStores || spillLoads || spilledRegisters; }
  /// Bytes of memory that a thread spills to. AMD's scalar registers may be in
  /// lanes of vector registers instead.
  uint64_t getSpilledBytes() const { return spills() ? stackBytes : 0; }
};

/// Registers of the kernel that takes most, and bytes that all of them store to
/// and load from spilled ones.
inline int64_t countRegisters(llvm::ArrayRef<KernelResources> kernels) {
  int64_t most = 0;
  for (const KernelResources &kernel : kernels)
    most = std::max<int64_t>(most, kernel.registers);
  return most;
}
inline int64_t countSpilled(llvm::ArrayRef<KernelResources> kernels) {
  int64_t bytes = 0;
  for (const KernelResources &kernel : kernels)
    bytes += kernel.spillStores + kernel.spillLoads;
  return bytes;
}

struct GPUBinary {
  /// The format that was made: not Auto.
  GPUFormat format;
  std::string data;
  /// In the order of their names; empty for PTX, which has no registers yet.
  std::vector<KernelResources> kernels;
};

/// Compiles a module, lowered to the LLVM dialect and one of NVVM and ROCDL,
/// for its only target. Emits one error if that fails, at a kernel if it is at
/// fault.
mlir::FailureOr<GPUBinary> compileKernels(mlir::gpu::GPUModuleOp module,
                                          const GPUBinaryOptions &options);

/// `gpu.binary` in place of the module.
mlir::gpu::BinaryOp replaceByBinary(mlir::gpu::GPUModuleOp module,
                                    const GPUBinary &binary);

/// What `compileKernels` found out, from the attributes of the op.
std::vector<KernelResources> getKernelResources(mlir::gpu::BinaryOp binary);

/// Seconds that this thread has spent since the last call.
struct GPUBinaryTimes {
  /// In LLVM.
  double codegen = 0;
  /// In ptxas and fatbinary, or in the linker.
  double assembly = 0;
};
GPUBinaryTimes takeGPUBinaryTimes();

} // namespace stencil

#endif // STENCILDIALECT_TARGET_GPUBINARY_H
