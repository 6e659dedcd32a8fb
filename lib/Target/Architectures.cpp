//===- Architectures.cpp - What all products with a chip have -------------===//

#include "Architectures.h"
#include "StencilDialect/Target/Products.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>

using namespace llvm;
using namespace stencil;

static constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB;
static constexpr double kGiga = 1e9, kTera = 1e12;

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

using E = MatrixElement;

static constexpr MatrixInstruction kMmaSm80[] = {
    {8, 8, 4, 1, E::F64, E::F64},    {16, 8, 8, 1, E::F16, E::F16},
    {16, 8, 16, 1, E::F16, E::F16},  {16, 8, 8, 1, E::F16, E::F32},
    {16, 8, 16, 1, E::F16, E::F32},  {16, 8, 8, 1, E::BF16, E::F32},
    {16, 8, 16, 1, E::BF16, E::F32}, {16, 8, 4, 1, E::TF32, E::F32},
    {16, 8, 8, 1, E::TF32, E::F32},  {16, 8, 16, 1, E::I8, E::I32},
    {16, 8, 32, 1, E::I8, E::I32}};
// On sm_90 and later, m8n8k4 has half the rate of the larger FP64 shapes.
static constexpr MatrixInstruction kMmaSm90[] = {
    {8, 8, 4, 1, E::F64, E::F64, 0.5}, {16, 8, 4, 1, E::F64, E::F64},
    {16, 8, 8, 1, E::F64, E::F64},     {16, 8, 16, 1, E::F64, E::F64},
    {16, 8, 8, 1, E::F16, E::F16},     {16, 8, 16, 1, E::F16, E::F16},
    {16, 8, 8, 1, E::F16, E::F32},     {16, 8, 16, 1, E::F16, E::F32},
    {16, 8, 8, 1, E::BF16, E::F32},    {16, 8, 16, 1, E::BF16, E::F32},
    {16, 8, 4, 1, E::TF32, E::F32},    {16, 8, 8, 1, E::TF32, E::F32},
    {16, 8, 16, 1, E::I8, E::I32},     {16, 8, 32, 1, E::I8, E::I32}};
static constexpr MatrixInstruction kMfmaGfx908[] = {
    {32, 32, 2, 1, E::F32, E::F32},
    {16, 16, 4, 1, E::F32, E::F32},
    {4, 4, 1, 16, E::F32, E::F32},
    {32, 32, 8, 1, E::F16, E::F32},
    {16, 16, 16, 1, E::F16, E::F32}};
// Four passes for 4x4x4 of doubles in four blocks, eight for 16x16x4, four
// times as large (CDNA3 ISA, 7.5).
static constexpr MatrixInstruction kMfmaGfx90a[] = {
    {16, 16, 4, 1, E::F64, E::F64},  {4, 4, 4, 4, E::F64, E::F64, 0.5},
    {32, 32, 2, 1, E::F32, E::F32},  {16, 16, 4, 1, E::F32, E::F32},
    {4, 4, 1, 16, E::F32, E::F32},   {32, 32, 8, 1, E::F16, E::F32},
    {16, 16, 16, 1, E::F16, E::F32}, {32, 32, 8, 1, E::BF16, E::F32},
    {16, 16, 16, 1, E::BF16, E::F32}};
static constexpr MatrixInstruction kMfmaGfx942[] = {
    {16, 16, 4, 1, E::F64, E::F64},  {4, 4, 4, 4, E::F64, E::F64, 0.5},
    {32, 32, 2, 1, E::F32, E::F32},  {16, 16, 4, 1, E::F32, E::F32},
    {4, 4, 1, 16, E::F32, E::F32},   {32, 32, 4, 1, E::TF32, E::F32},
    {16, 16, 8, 1, E::TF32, E::F32}, {32, 32, 8, 1, E::F16, E::F32},
    {16, 16, 16, 1, E::F16, E::F32}, {32, 32, 8, 1, E::BF16, E::F32},
    {16, 16, 16, 1, E::BF16, E::F32}};
// CDNA4 has no TF32 (xf32) any more.
static constexpr MatrixInstruction kMfmaGfx950[] = {
    {16, 16, 4, 1, E::F64, E::F64},   {4, 4, 4, 4, E::F64, E::F64, 0.5},
    {32, 32, 2, 1, E::F32, E::F32},   {16, 16, 4, 1, E::F32, E::F32},
    {4, 4, 1, 16, E::F32, E::F32},    {32, 32, 8, 1, E::F16, E::F32},
    {16, 16, 16, 1, E::F16, E::F32},  {32, 32, 16, 1, E::F16, E::F32},
    {16, 16, 32, 1, E::F16, E::F32},  {32, 32, 8, 1, E::BF16, E::F32},
    {16, 16, 16, 1, E::BF16, E::F32}, {32, 32, 16, 1, E::BF16, E::F32},
    {16, 16, 32, 1, E::BF16, E::F32}};

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// What all NVIDIA GPUs have that LLVM 22 compiles for.
static TargetInfo describeNVIDIA(StringRef chip) {
  TargetInfo info = {};
  info.chip = chip.str();
  info.vendor = GPUVendor::NVIDIA;
  info.warpSize = 32;
  info.threadsPerBlock = 1024;
  info.threadsPerMultiprocessor = 1024;
  info.blocksPerMultiprocessor = 16;
  info.registersPerThread = 255;
  info.registersPerMultiprocessor = 65536;
  info.staticSharedPerBlock = 48 * kKiB;
  info.sharedPerBlock = 48 * kKiB;
  info.sharedPerMultiprocessor = 64 * kKiB;
  info.vectorBytes = 16;
  info.l1BytesPerCycle = 128;
  info.issuedWarps = 4;
  // Compute Capabilities, CUDA C++ Programming Guide.
  info.threadsAlongZ = 64;
  info.constantBytes = 64 * kKiB;
  info.hasL2Prefetch = true;
  info.hasMeasuredRegisters = true;
  info.hasMeasuredBlocks = true;
  info.matrixForm = MatrixForm::MmaSync;
  unsigned version = 0;
  if (!chip.drop_front(3).rtrim("af").getAsInteger(10, version)) {
    info.hasEvictionPolicies = version >= 80;
    if (version >= 80)
      info.asyncCopies |= AsyncCopyElements;
    if (version >= 90)
      info.asyncCopies |= AsyncCopyTensor;
  }
  return info;
}

/// What all AMD GPUs have: a wavefront is of 64 lanes up to gfx9, then of 32.
static TargetInfo describeAMD(StringRef chip) {
  TargetInfo info = {};
  info.chip = chip.str();
  info.vendor = GPUVendor::AMD;
  info.warpSize = chip.starts_with("gfx1") ? 32 : 64;
  info.threadsPerBlock = 1024;
  info.threadsPerMultiprocessor = 1024;
  info.blocksPerMultiprocessor = 16;
  info.registersPerThread = 256;
  info.registersPerMultiprocessor = 65536;
  info.staticSharedPerBlock = 64 * kKiB;
  info.sharedPerBlock = 64 * kKiB;
  info.sharedPerMultiprocessor = 64 * kKiB;
  info.vectorBytes = 16;
  info.threadsAlongZ = info.threadsPerBlock;
  info.constantBytes = UINT64_MAX;
  info.replacesAsyncCopies = true;
  info.hasScalarCoefficients = true;
  // Registers that another block does not take are those of matrices, and each
  // use is a move.
  info.hasMeasuredBlocks = false;
  info.matrixForm = MatrixForm::Mfma;
  info.roundsTF32 = true;
  return info;
}

/// What its chip's name stands for: the figures of a product.
static void setFigures(TargetInfo &info, StringRef name) {
  const Product *product = find_if(
      getProducts(), [&](const Product &known) { return known.name == name; });
  assert(product != getProducts().end() && "expected the name of a product");
  info.multiprocessors = product->multiprocessors;
  info.clock = product->clock;
  info.l2Bytes = product->l2Bytes;
  info.dramBandwidth = product->dramBandwidth;
  info.measuredBandwidth = product->measuredBandwidth;
}

/// Data centre GPUs of NVIDIA, from sm_80.
static TargetInfo describeDataCentreNVIDIA(StringRef chip,
                                           uint64_t sharedPerBlock) {
  TargetInfo info = describeNVIDIA(chip);
  info.exact = true;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  info.sharedPerBlock = sharedPerBlock;
  // The system keeps 1 KiB for each block.
  info.sharedPerMultiprocessor = sharedPerBlock + kKiB;
  info.matrixInstructions = kMmaSm90;
  return info;
}

/// The A100 of 80 GB.
static TargetInfo describeSm80() {
  TargetInfo info = describeDataCentreNVIDIA("sm_80", 163 * kKiB);
  info.matrixInstructions = kMmaSm80;
  setFigures(info, "a100");
  info.fp64 = 9.7 * kTera;
  info.fp32 = 19.5 * kTera;
  info.fp64Matrix = 19.5 * kTera;
  info.l1Bytes = 192 * kKiB;
  // 5120 bytes per cycle; the share of it that sm_90 reaches.
  info.l2Bandwidth = 4900 * kGiga;
  return info;
}

/// The H200.
static TargetInfo describeSm90() {
  TargetInfo info = describeDataCentreNVIDIA("sm_90", 227 * kKiB);
  setFigures(info, "h200");
  info.fp64 = 33.5 * kTera;
  info.fp32 = 67 * kTera;
  info.fp64Matrix = 67 * kTera;
  // At 1.98 GHz, ECC on.
  info.measuredFp64 = 30.7 * kTera;
  info.measuredFp32 = 64.9 * kTera;
  info.measuredMatrix64 = 57 * kTera;
  info.measuredMatrix32 = 190 * kTera;
  info.measuredMatrix16 = 320 * kTera;
  info.isModelFitted = true;
  info.l1Bytes = 256 * kKiB;
  // Fitted to the kernels of docs/benchmarks.md: 68 % of 5120 bytes per cycle.
  info.l2Bandwidth = 6870 * kGiga;
  return info;
}

static TargetInfo describeSm100() {
  TargetInfo info = describeDataCentreNVIDIA("sm_100", 227 * kKiB);
  info.vectorBytes = 32;
  setFigures(info, "b200");
  info.fp64 = 37 * kTera;
  info.fp32 = 75 * kTera;
  info.fp64Matrix = 37 * kTera;
  info.l1Bytes = 256 * kKiB;
  // As on sm_90, relative to the bandwidth of memory.
  info.l2Bandwidth = 11500 * kGiga;
  return info;
}

/// Tesla V100. Matrix instructions of sm_70 are of another kind.
static TargetInfo describeSm70() {
  TargetInfo info = describeDataCentreNVIDIA("sm_70", 96 * kKiB);
  // All of it is the block's.
  info.sharedPerMultiprocessor = 96 * kKiB;
  info.matrixInstructions = {};
  setFigures(info, "v100");
  info.fp64 = 7.8 * kTera;
  info.fp32 = 15.7 * kTera;
  info.l1Bytes = 128 * kKiB;
  // 64 bytes per cycle in each of 64 slices, by the share of sm_90.
  info.l2Bandwidth = 2100 * kGiga;
  return info;
}

/// Of GPUs that are made for graphics: 100 KiB of 128 are shared memory, and
/// doubles are computed at 1/64 of the rate of floats, by matrix units, too.
static TargetInfo describeGraphicsNVIDIA(StringRef chip) {
  TargetInfo info = describeDataCentreNVIDIA(chip, 99 * kKiB);
  info.threadsPerMultiprocessor = 1536;
  info.blocksPerMultiprocessor = 24;
  info.matrixInstructions = kMmaSm80;
  info.l1Bytes = 128 * kKiB;
  return info;
}

/// The A10.
static TargetInfo describeSm86() {
  TargetInfo info = describeGraphicsNVIDIA("sm_86");
  info.blocksPerMultiprocessor = 16;
  setFigures(info, "a10");
  info.fp64 = 0.488 * kTera;
  info.fp32 = 31.2 * kTera;
  info.fp64Matrix = 0.488 * kTera;
  // 64 bytes per cycle in each of 48 slices, by the share of sm_90.
  info.l2Bandwidth = 3500 * kGiga;
  return info;
}

/// The L40S.
static TargetInfo describeSm89() {
  TargetInfo info = describeGraphicsNVIDIA("sm_89");
  setFigures(info, "l40s");
  info.fp64 = 1.43 * kTera;
  info.fp32 = 91.6 * kTera;
  info.fp64Matrix = 1.43 * kTera;
  // As of sm_86, by the clock.
  info.l2Bandwidth = 5200 * kGiga;
  return info;
}

/// The RTX 5090.
static TargetInfo describeSm120() {
  TargetInfo info = describeGraphicsNVIDIA("sm_120");
  info.multiprocessors = 170;
  info.l2Bytes = 96 * kMiB;
  info.dramBandwidth = 1792 * kGiga;
  info.fp64 = 1.64 * kTera;
  info.fp32 = 104.8 * kTera;
  info.fp64Matrix = 1.64 * kTera;
  info.clock = 2.41 * kGiga;
  info.l2Bandwidth = 6600 * kGiga;
  return info;
}

/// AMD's CDNA2 to CDNA4: 512 KiB of vector registers in each CU (four SIMDs of
/// 512 registers of 64 lanes), of which a lane can have 512, half of them only
/// for matrices and spills.
static TargetInfo describeCDNA(StringRef chip) {
  TargetInfo info = describeAMD(chip);
  info.exact = true;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  info.registersPerThread = 512;
  info.registersPerMultiprocessor = 131072;
  // A wavefront of 64 takes 4 cycles on one of four SIMDs.
  info.l1BytesPerCycle = 64;
  info.issuedWarps = 1;
  return info;
}

/// The MI100. Registers for matrices are others than those of threads, and it
/// multiplies no matrices of doubles; those of BF16 have shapes of their own.
static TargetInfo describeGfx908() {
  TargetInfo info = describeCDNA("gfx908");
  info.threadsPerMultiprocessor = 2560;
  info.blocksPerMultiprocessor = 40;
  info.registersPerThread = 256;
  info.registersPerMultiprocessor = 65536;
  info.matrixInstructions = kMfmaGfx908;
  setFigures(info, "mi100");
  info.fp64 = 11.5 * kTera;
  info.fp32 = 23.1 * kTera;
  info.l1Bytes = 16 * kKiB;
  // 64 bytes per cycle in each of 32 channels, by the share of sm_90.
  info.l2Bandwidth = 2100 * kGiga;
  return info;
}

/// One of the two dies of an MI250X, which is one device to a program.
static TargetInfo describeGfx90a() {
  TargetInfo info = describeCDNA("gfx90a");
  info.asyncCopies = AsyncCopyToLDS4;
  info.matrixInstructions = kMfmaGfx90a;
  setFigures(info, "mi250x");
  info.fp64 = 23.9 * kTera;
  info.fp32 = 23.9 * kTera;
  info.fp64Matrix = 47.9 * kTera;
  info.l1Bytes = 16 * kKiB;
  // 128 bytes per cycle in each of 32 channels, by the share of sm_90.
  info.l2Bandwidth = 4700 * kGiga;
  return info;
}

/// The MI300X: eight dies with 4 MiB of L2 each, as one device.
static TargetInfo describeGfx942() {
  TargetInfo info = describeCDNA("gfx942");
  info.asyncCopies = AsyncCopyToLDS4;
  info.matrixInstructions = kMfmaGfx942;
  setFigures(info, "mi300x");
  info.fp64 = 81.7 * kTera;
  info.fp32 = 163.4 * kTera;
  info.fp64Matrix = 163.4 * kTera;
  info.l1Bytes = 32 * kKiB;
  // The Infinity Cache behind it, 17.2 TB/s, by the share of sm_90.
  info.l2Bandwidth = 11700 * kGiga;
  return info;
}

/// The MI355X.
static TargetInfo describeGfx950() {
  TargetInfo info = describeCDNA("gfx950");
  info.staticSharedPerBlock = 160 * kKiB;
  info.sharedPerBlock = 160 * kKiB;
  info.sharedPerMultiprocessor = 160 * kKiB;
  info.asyncCopies = AsyncCopyToLDS4 | AsyncCopyToLDS16;
  info.matrixInstructions = kMfmaGfx950;
  setFigures(info, "mi355x");
  info.fp64 = 78.6 * kTera;
  info.fp32 = 157.3 * kTera;
  info.fp64Matrix = 78.6 * kTera;
  info.l1Bytes = 32 * kKiB;
  info.l2Bandwidth = 11700 * kGiga;
  return info;
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

ArrayRef<TargetInfo> stencil::getChipDescriptions() {
  static const TargetInfo descriptions[] = {describeSm80(),   describeSm90(),
                                            describeSm100(),  describeGfx90a(),
                                            describeGfx942(), describeGfx950()};
  return descriptions;
}

/// Of these, products differ so much that the chip alone says nothing of rates.
static ArrayRef<TargetInfo> getOtherArchitectures() {
  static const TargetInfo descriptions[] = {describeSm70(), describeSm86(),
                                            describeSm89(), describeSm120(),
                                            describeGfx908()};
  return descriptions;
}

const TargetInfo *stencil::findArchitecture(StringRef chip) {
  for (ArrayRef<TargetInfo> list :
       {getChipDescriptions(), getOtherArchitectures()})
    for (const TargetInfo &info : list)
      if (info.chip == chip)
        return &info;
  return nullptr;
}

TargetInfo stencil::describeAny(StringRef chip, GPUVendor vendor) {
  switch (vendor) {
  case GPUVendor::NVIDIA:
    return describeNVIDIA(chip);
  case GPUVendor::AMD:
    return describeAMD(chip);
  }
  llvm_unreachable("a vendor without a description");
}

/// PTX 8.0, of CUDA 12, has all instructions of sm_90; LLVM would take 7.8.
/// Loads with a policy are in PTX 7.4, of CUDA 11.4; LLVM would take 7.0
/// or 7.1.
StringRef stencil::getPTXFeature(StringRef chip) {
  return StringSwitch<StringRef>(chip)
      .Case("sm_90", "+ptx80")
      .Cases({"sm_80", "sm_86"}, "+ptx74")
      .Default("");
}
