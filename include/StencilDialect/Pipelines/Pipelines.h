//===- Pipelines.h - Sequences of passes --------------------------*- C++
//-*-===//

#ifndef STENCILDIALECT_PIPELINES_PIPELINES_H
#define STENCILDIALECT_PIPELINES_PIPELINES_H

#include "StencilDialect/Conversion/VectorLibrary.h"
#include "StencilDialect/Pipelines/Algebra.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace stencil {

struct CPUInfo;

/// Options of `stencil-to-cpu`.
struct CPUPipelineOptions : mlir::PassPipelineOptions<CPUPipelineOptions> {
  Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("width of a vector register in bits"),
      llvm::cl::init(256)};
  Option<unsigned> wideVectorBits{
      *this, "wide-vector-bits",
      llvm::cl::desc("the same for bodies of hundreds of ops, if it is wider"),
      llvm::cl::init(0)};
  Option<unsigned> memoryVectorBits{
      *this, "memory-vector-bits",
      llvm::cl::desc("the same for what is known to exceed the caches, if it "
                     "is narrower; 0: as for others"),
      llvm::cl::init(0)};
  Option<uint64_t> cacheBytes{
      *this, "cache-bytes",
      llvm::cl::desc("size of the last-level cache; larger outputs bypass it"),
      llvm::cl::init(32 * 1024 * 1024)};
  Option<uint64_t> coreCacheBytes{
      *this, "core-cache-bytes",
      llvm::cl::desc("size of the cache that a core has to itself, which is to "
                     "hold the window of a volume; 0: do not block for it"),
      llvm::cl::init(1024 * 1024)};
  Option<uint64_t> ownCacheBytes{
      *this, "own-cache-bytes",
      llvm::cl::desc("size of a core's second-level cache, which is to hold a "
                     "tile of steps in diamonds"),
      llvm::cl::init(1024 * 1024)};
  Option<bool> nearLastLevel{
      *this, "near-last-level",
      llvm::cl::desc("the last-level cache is nearly as fast as a core's own, "
                     "so that steps are taken in diamonds only beyond it"),
      llvm::cl::init(false)};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("threads that the work is to be divided among"),
      llvm::cl::init(16)};
  ListOption<int64_t> tile{
      *this, "tile",
      llvm::cl::desc("tile per axis, 0 for a whole axis; default: chosen per "
                     "apply")};
  Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc("rows computed together; 0: chosen per apply"),
      llvm::cl::init(0)};
  Option<int64_t> columns{
      *this, "columns",
      llvm::cl::desc("vectors of a row computed together; 0: chosen per apply"),
      llvm::cl::init(0)};
  Option<int64_t> planes{
      *this, "planes",
      llvm::cl::desc("planes of a volume computed together, where these are "
                     "chosen at all; 0: chosen per apply"),
      llvm::cl::init(0)};
  Option<bool> stream{
      *this, "stream-stores",
      llvm::cl::desc("write outputs larger than the cache around it"),
      llvm::cl::init(true)};
  Option<bool> streamRows{
      *this, "stream-rows",
      llvm::cl::desc("compute rows one by one, which may be written around the "
                     "cache, where the output is larger than it, of planes of "
                     "few loads"),
      llvm::cl::init(false)};
  Option<bool> paddedRows{
      *this, "padded-rows",
      llvm::cl::desc("there may be gaps between the rows of fields"),
      llvm::cl::init(false)};
  Option<uint64_t> prefetchBytes{
      *this, "prefetch-bytes",
      llvm::cl::desc("distance along a row at which lines are fetched before "
                     "they are used; 0: not at all"),
      llvm::cl::init(0)};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("#stencil.schedule of applies that have none: several "
                     "steps at once (time), stages of one walk (chain); or "
                     "auto, model, measured or default")};
  ListOption<int64_t> extents{
      *this, "extents",
      llvm::cl::desc("the interior that the program is going to have, for "
                     "which steps are chosen; it may have others")};
  Option<uint64_t> streamRow{
      *this, "stream-row",
      llvm::cl::desc("elements of the shortest row that is written around the "
                     "cache"),
      llvm::cl::init(2048)};
  Option<uint64_t> streamRowOfVolume{
      *this, "stream-row-of-volume",
      llvm::cl::desc("elements of the shortest row of a volume that is written "
                     "around the cache"),
      llvm::cl::init(2048)};
  Option<uint64_t> lineBytes{*this, "line-bytes",
                             llvm::cl::desc("bytes of a line of the caches"),
                             llvm::cl::init(64)};
  Option<uint64_t> parallelPoints{
      *this, "parallel-points",
      llvm::cl::desc("points of the smallest apply that several threads share"),
      llvm::cl::init(8192)};
  Option<uint64_t> tileRows{
      *this, "tile-rows",
      llvm::cl::desc("rows of a plane that are dealt out to threads together"),
      llvm::cl::init(16)};
  Option<uint64_t> tilePlanes{
      *this, "tile-planes",
      llvm::cl::desc("planes of a volume that are dealt out to threads "
                     "together"),
      llvm::cl::init(8)};
  Option<int64_t> tileRow{
      *this, "tile-row",
      llvm::cl::desc("elements of a row of a tile of a pipeline"),
      llvm::cl::init(512)};
  Option<int64_t> jointOps{
      *this, "joint-ops",
      llvm::cl::desc("ops of the largest body of which there is code for "
                     "several rows"),
      llvm::cl::init(512)};
  Option<int64_t> fewLoads{
      *this, "few-loads",
      llvm::cl::desc("loads of a point up to which the memory bounds an apply"),
      llvm::cl::init(20)};
  Option<int64_t> fewLoadsOfVolume{
      *this, "few-loads-of-volume",
      llvm::cl::desc("the same of a point of a volume"), llvm::cl::init(25)};
  Option<int64_t> jointPlanes{
      *this, "joint-planes",
      llvm::cl::desc("planes of a volume that are computed together where that "
                     "saves loads"),
      llvm::cl::init(4)};
  Option<int64_t> jointPlanesPercent{
      *this, "joint-planes-percent",
      llvm::cl::desc(
          "per cent of the loads that are left then, up to which it pays"),
      llvm::cl::init(78)};
  Option<int64_t> wideLoadsOfVolume{
      *this, "wide-loads-of-volume",
      llvm::cl::desc("loads of a point from which on volumes take the widest "
                     "vectors around the cache"),
      llvm::cl::init(21)};
  Option<bool> jointPlanesPlain{
      *this, "joint-planes-plain",
      llvm::cl::desc("they pay where they are stored plainly, too"),
      llvm::cl::init(false)};
  Option<int64_t> jointRows{
      *this, "joint-rows",
      llvm::cl::desc("rows in tiles of steps that are computed together"),
      llvm::cl::init(2)};
  Option<uint64_t> jointRowsCache{
      *this, "joint-rows-cache",
      llvm::cl::desc("size of the largest second-level cache with which rows "
                     "of a volume in tiles of steps are computed together"),
      llvm::cl::init(2097152)};
  Option<int64_t> jointRowsPercent{
      *this, "joint-rows-percent",
      llvm::cl::desc(
          "per cent of the loads that are left then, up to which it pays"),
      llvm::cl::init(70)};
  Option<int64_t> dealtHalos{
      *this, "dealt-halos",
      llvm::cl::desc("planes of a pipeline that a thread takes at a time, for "
                     "each that its stages compute beside what they store"),
      llvm::cl::init(64)};
  Option<int64_t> deal{
      *this, "deal",
      llvm::cl::desc("tiles of what exceeds the caches that a thread takes at "
                     "a time; 0: each has its share"),
      llvm::cl::init(1)};
  Option<int64_t> manyLoads{
      *this, "many-loads",
      llvm::cl::desc("loads of a point from which on the widest vectors pay"),
      llvm::cl::init(27)};
  Option<bool> shareLoads{
      *this, "share-loads",
      llvm::cl::desc("make vectors that lie across two lines of the aligned "
                     "ones beside them (stencil-share-row-loads)"),
      llvm::cl::init(false)};
  Option<unsigned> acrossPercent{
      *this, "across-percent",
      llvm::cl::desc("loads across two lines, per cent of all of a body, from "
                     "which on that pays"),
      llvm::cl::init(40)};
  Option<unsigned> rolledTaps{
      *this, "rolled-taps",
      llvm::cl::desc("taps of the shortest sum that is a loop over its taps"),
      llvm::cl::init(24)};
  Option<bool> openmp{*this, "openmp",
                      llvm::cl::desc("run parallel loops on OpenMP threads"),
                      llvm::cl::init(true)};
  Option<bool> countSteps{
      *this, "count-steps",
      llvm::cl::desc("let the loops of the program say how far they are"),
      llvm::cl::init(false)};
  Option<VectorMathLibrary> vectorLibrary{
      *this, "vector-library",
      llvm::cl::desc("where vectors of exponentials and their like come from, "
                     "unless the math is strict"),
      getVectorLibraryValues(), llvm::cl::init(VectorMathLibrary::None)};
  AlgebraPipelineOptions algebra{*this};
};

/// Sets what the choices for a CPU depend on.
void setCPU(CPUPipelineOptions &options, const CPUInfo &cpu);

/// Control flow, arithmetic and vectors of code for the CPU to cf and to the
/// LLVM dialect. Memory, calls and what is particular to a target are left.
void addHostComputation(mlir::OpPassManager &manager);

/// Level 0 to the LLVM dialect (and omp, if asked for). Functions get a C
/// interface: `_mlir_ciface_NAME` takes a pointer to a memref descriptor per
/// field, and scalars by value.
void buildStencilToCPUPipeline(mlir::OpPassManager &manager,
                               const CPUPipelineOptions &options);

/// Options of `gpu-to-emulator`.
struct EmulatorPipelineOptions
    : mlir::PassPipelineOptions<EmulatorPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("the GPU whose limits and warps the emulator has; "
                     "default: the module's stencil.target, if it has one")};
  Option<unsigned> warpSize{
      *this, "warp-size",
      llvm::cl::desc("lanes of a warp, 32 or 64; 0: the target's, or 32"),
      llvm::cl::init(0)};
  Option<uint64_t> sharedMemory{
      *this, "shared-memory",
      llvm::cl::desc("bytes of shared memory that a block can have; 0: the "
                     "target's, or 227 KiB"),
      llvm::cl::init(0)};
};

/// GPU kernels and their host code (level 4) to the LLVM dialect, for the
/// emulator. Functions get a C interface, as those of `stencil-to-cpu`.
void buildGPUToEmulatorPipeline(mlir::OpPassManager &manager,
                                const EmulatorPipelineOptions &options);

/// Makes the pipelines known by name.
void registerPipelines();

} // namespace stencil

#endif // STENCILDIALECT_PIPELINES_PIPELINES_H
