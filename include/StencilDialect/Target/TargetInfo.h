//===- TargetInfo.h - What GPUs have and can do -----------------*- C++ -*-===//
//
// The one place where GPUs and their vendors differ: passes ask a description
// for what it has, not for its name. They get it from the module's attribute
// `stencil.target` (IR/Target.h).
//
// A GPU is named by its chip, as LLVM does ("sm_90"), which stands for one
// product with it, or by a product ("h100"). What all products with a chip have
// is in lib/Target/Architectures.cpp; what each of them has, in Products.cpp.
//
// Descriptions of the GPUs that we compile for: what limits a kernel (shared
// memory, registers, threads) and what it can use (matrix instructions,
// asynchronous copies). Numbers come from the CUDA C++ Programming Guide 13.0
// (appendix "Compute Capabilities"), NVIDIA's A100, H100 and Blackwell
// architecture papers, and AMD's CDNA2, CDNA3 and CDNA4 instruction set guides
// and data sheets. Caches: Luo et al., "Benchmarking and Dissecting the Nvidia
// Hopper GPU Architecture via Microbenchmarking" (IPDPS 2024), and the same
// guides.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_TARGETINFO_H
#define STENCILDIALECT_TARGET_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace stencil {

enum class GPUVendor { NVIDIA, AMD };

/// Types that matrix instructions multiply and sum.
enum class MatrixElement { F64, F32, TF32, F16, BF16, I8, I32 };

/// A matrix instruction of a warp: D[m x n] = A[m x k] B[k x n] + C, `blocks`
/// times side by side. NVIDIA: mma.sync; AMD: v_mfma.
struct MatrixInstruction {
  unsigned m, n, k, blocks;
  /// Of A and B; of C and D.
  MatrixElement operand, accumulator;
  /// Multiply-adds per time, of those of the type's fastest instruction.
  double share = 1;

  /// Of all blocks, one above the other, which have a B in common.
  int64_t getRows() const { return static_cast<int64_t>(m) * blocks; }
};

/// How programs ask for matrix instructions.
enum class MatrixForm {
  None,
  /// NVIDIA's mma.sync.
  MmaSync,
  /// AMD's v_mfma.
  Mfma
};

/// Copies from global to shared memory past the registers.
enum AsyncCopy : unsigned {
  /// cp.async of 4, 8 or 16 bytes per thread.
  AsyncCopyElements = 1,
  /// cp.async.bulk and its tensor form (TMA), which completes on an mbarrier.
  AsyncCopyTensor = 2,
  /// AMD's loads to LDS (buffer_load ... lds) of 4 bytes per lane.
  AsyncCopyToLDS4 = 4,
  /// The same of 16 bytes per lane.
  AsyncCopyToLDS16 = 8,
};

/// Sizes are in bytes, rates per second. In a description that is not exact,
/// what varies between GPUs of the vendor is 0 for "not known".
struct TargetInfo {
  /// The name that LLVM compiles for, such as "sm_90a".
  std::string chip;
  /// The product, such as "h100"; empty if the chip was named.
  std::string product;
  GPUVendor vendor;
  /// False: a GPU that we know no more of than its vendor, described by what
  /// every one of them has.
  bool exact;

  /// Lanes of a warp (wavefront).
  unsigned warpSize;
  unsigned threadsPerBlock;
  /// A multiprocessor is a CU on AMD GPUs.
  unsigned threadsPerMultiprocessor;
  unsigned blocksPerMultiprocessor;
  /// Of 32 bits.
  unsigned registersPerThread;
  unsigned registersPerMultiprocessor;
  /// A kernel gets this much without asking (static memory) ...
  uint64_t staticSharedPerBlock;
  /// ... and up to this much if its launch asks for it (dynamic memory).
  uint64_t sharedPerBlock;
  uint64_t sharedPerMultiprocessor;
  /// The widest load of a thread.
  unsigned vectorBytes;
  /// The same of shared memory.
  unsigned sharedVectorBytes = 16;
  /// A set of AsyncCopy.
  unsigned asyncCopies;
  llvm::ArrayRef<MatrixInstruction> matrixInstructions;
  MatrixForm matrixForm;
  /// They round factors to TF32; else they cut off what it does not have.
  bool roundsTF32;
  /// Threads of a block along the third axis.
  unsigned threadsAlongZ;
  /// Memory for the constant arrays of a module; UINT64_MAX where it is not
  /// another memory than the rest.
  uint64_t constantBytes;
  /// A thread can ask the second-level cache for lines that others will read.
  bool hasL2Prefetch;
  /// Accesses can say which lines the second-level cache is to give up last.
  bool hasEvictionPolicies;
  /// What asks for asynchronous copies to shared memory gets loads to registers
  /// and stores, where these take their place.
  bool replacesAsyncCopies;
  /// Coefficients of a body are in scalar registers, of which there are few;
  /// else they are operands of instructions.
  bool hasScalarCoefficients;
  /// How many registers its compiler takes, and what it spills, is known from
  /// measurements.
  bool hasMeasuredRegisters;
  /// The model's constants were fitted to what its kernels take: predictions
  /// need no margin (docs/cost-model.md).
  bool isModelFitted;
  /// More blocks at once, or others, were measured to gain where
  /// multiprocessors would have nothing to do (docs/notebook.md, "Blocks for
  /// all multiprocessors").
  bool hasMeasuredBlocks;
  /// What LLVM is told of the version of PTX; empty: its own choice.
  llvm::StringRef ptxFeature;

  unsigned multiprocessors;
  uint64_t l2Bytes;
  /// What a multiprocessor has for its first-level cache and its shared memory;
  /// of AMD GPUs the cache alone, shared memory is another one.
  uint64_t l1Bytes;
  /// Bytes per cycle and multiprocessor of these.
  unsigned l1BytesPerCycle;
  /// Warps per cycle and multiprocessor whose instructions are issued.
  unsigned issuedWarps;
  /// Cycles per second that the peaks below are for.
  double clock;
  /// Between the second-level cache and the multiprocessors, both directions
  /// together: what programs reach (docs/cost-model.md).
  double l2Bandwidth;
  /// Peak of the data sheet.
  double dramBandwidth;
  /// Bytes of its memory; 0 where only the chip is known.
  uint64_t dramBytes;
  /// Peak floating-point operations of the vector units, and of the matrix
  /// units in double.
  double fp64, fp32, fp64Matrix;
  /// What programs reached where it was measured, else 0: a copy within the
  /// memory (bytes read and bytes written), chains of FMAs.
  double measuredBandwidth, measuredFp64, measuredFp32;
  /// The same of sums in planes by matrix units (docs/notebook.md, "Sums on
  /// matrix units"): of doubles, of floats whose factors are TF32, of 16 bits.
  double measuredMatrix64, measuredMatrix32, measuredMatrix16;

  /// What was named: the product, or the chip.
  llvm::StringRef getName() const { return product.empty() ? chip : product; }
  /// What a copy reaches, as measured, else as a share of the peak that others
  /// reached.
  double getCopyBandwidth() const;
  bool hasAsyncCopy(AsyncCopy kind) const { return asyncCopies & kind; }
};

/// The description of `name`: a product, in upper or lower case, or a chip, a
/// name of LLVM's NVPTX or AMDGPU target such as "sm_90" or "gfx942". A feature
/// suffix ("sm_90a", "sm_100f") does not matter. Fails on a name that is
/// neither, the empty one included, and says what there is. It is made once,
/// and lives as long as the process.
llvm::Expected<const TargetInfo &> getTargetInfo(llvm::StringRef name);

/// Whose chip it is, by the form of its name alone; nothing for a name that is
/// neither's.
std::optional<GPUVendor> getVendorOfChip(llvm::StringRef chip);

/// The chips with exact descriptions.
llvm::ArrayRef<llvm::StringRef> getDescribedChips();

/// "NVIDIA", "AMD".
llvm::StringRef getVendorName(GPUVendor vendor);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_TARGETINFO_H
