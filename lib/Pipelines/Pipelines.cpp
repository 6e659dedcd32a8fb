//===- Pipelines.cpp - Sequences of passes --------------------------------===//

#include "StencilDialect/Pipelines/Pipelines.h"
#include "Raising.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Pipelines/GPUPipelines.h"
#include "StencilDialect/Target/CPUInfo.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

void stencil::addHostComputation(OpPassManager &manager) {
  manager.addPass(createConvertVectorToSCFPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  // Functions of bf16 are computed in f32. Those of f16 LLVM knows.
  math::MathExtendToSupportedTypesOptions extend;
  extend.extraTypeStrs = {"f16"};
  manager.addPass(math::createMathExtendToSupportedTypes(extend));
  manager.addPass(createStencilLowerScalarMath());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertMathToLLVMPass());
  // Takes vectors apart, by ops on vectors.
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertVectorToLLVMPass());
}

void stencil::setCPU(CPUPipelineOptions &options, const CPUInfo &cpu) {
  options.threads = cpu.cores;
  options.vectorBits = cpu.vectorBits;
  options.wideVectorBits = cpu.wideVectorBits;
  options.memoryVectorBits = cpu.memoryVectorBits;
  options.cacheBytes = cpu.getLastLevelBytes();
  options.coreCacheBytes = cpu.getWindowBytes();
  options.ownCacheBytes = cpu.getOwnBytes();
  options.nearLastLevel = cpu.windowLevel > 2;
  options.streamRows = cpu.streamsRows;
  options.prefetchBytes = cpu.prefetchBytes;
  options.streamRow = cpu.streamedRow;
  options.streamRowOfVolume = cpu.streamedRowOfVolume;
  options.lineBytes = cpu.lineBytes;
  options.shareLoads = cpu.lineLoads == 1;
  options.acrossPercent = cpu.acrossPercent;
  options.rolledTaps = cpu.rolledTaps;
  options.parallelPoints = cpu.parallelPoints;
  options.tileRows = cpu.tileRows;
  options.tilePlanes = cpu.tilePlanes;
  options.tileRow = cpu.tileRow;
  options.jointOps = cpu.jointOps;
  options.fewLoads = cpu.fewLoads;
  options.fewLoadsOfVolume = cpu.fewLoadsOfVolume;
  options.manyLoads = cpu.manyLoads;
  options.jointPlanes = cpu.jointPlanes;
  options.jointPlanesPercent = cpu.jointPlanesPercent;
  options.wideLoadsOfVolume = cpu.wideLoadsOfVolume;
  options.jointPlanesPlain = cpu.jointPlanesPlain;
  options.jointRows = cpu.jointRows;
  options.jointRowsCache = cpu.jointRowsCache;
  options.jointRowsPercent = cpu.jointRowsPercent;
  options.dealtHalos = cpu.dealtHalos;
  options.deal = cpu.deal;
}

/// What the loops of a program look like.
static void addLoopShapes(OpPassManager &manager,
                          const CPUPipelineOptions &options) {
  StencilShapeLoopsOptions shape;
  shape.vectorBits = options.vectorBits;
  shape.wideVectorBits = options.wideVectorBits;
  shape.memoryVectorBits = options.memoryVectorBits;
  shape.cacheBytes = options.cacheBytes;
  shape.coreCacheBytes = options.coreCacheBytes;
  shape.ownCacheBytes = options.ownCacheBytes;
  shape.threads = options.threads;
  shape.tile.assign(options.tile.begin(), options.tile.end());
  shape.rows = options.rows;
  shape.columns = options.columns;
  shape.planes = options.planes;
  shape.stream = options.stream;
  shape.streamRows = options.streamRows;
  shape.prefetchBytes = options.prefetchBytes;
  shape.streamRow = options.streamRow;
  shape.streamRowOfVolume = options.streamRowOfVolume;
  shape.lineBytes = options.lineBytes;
  shape.parallelPoints = options.parallelPoints;
  shape.tileRows = options.tileRows;
  shape.tilePlanes = options.tilePlanes;
  shape.tileRow = options.tileRow;
  shape.jointOps = options.jointOps;
  shape.fewLoads = options.fewLoads;
  shape.fewLoadsOfVolume = options.fewLoadsOfVolume;
  shape.manyLoads = options.manyLoads;
  shape.jointPlanes = options.jointPlanes;
  shape.jointPlanesPercent = options.jointPlanesPercent;
  shape.wideLoadsOfVolume = options.wideLoadsOfVolume;
  shape.jointPlanesPlain = options.jointPlanesPlain;
  shape.jointRows = options.jointRows;
  shape.jointRowsCache = options.jointRowsCache;
  shape.jointRowsPercent = options.jointRowsPercent;
  shape.dealtHalos = options.dealtHalos;
  shape.deal = options.deal;
  manager.addPass(createStencilShapeLoops(shape));
}

void stencil::buildStencilToCPUPipeline(OpPassManager &manager,
                                        const CPUPipelineOptions &options) {
  manager.addPass(createParallelForToNestedForsPass());
  manager.addNestedPass<func::FuncOp>(createStencilCheckSteps());
  StencilSelectCPUScheduleOptions select;
  select.schedule = options.schedule;
  manager.addPass(createStencilSelectCPUSchedule(select));
  // Level 0: canonical, the mathematics rewritten, shapes known.
  AlgebraOptions algebra = options.algebra.get();
  algebra.cpu = CPUSteps{options.coreCacheBytes, options.cacheBytes,
                         options.ownCacheBytes,  options.nearLastLevel,
                         options.threads,        {}};
  algebra.cpu->extents.assign(options.extents.begin(), options.extents.end());
  buildStencilAlgebra(manager, algebra, options.schedule);

  // Fields instead of values, loops instead of applies and pipelines.
  buildStencilFields(manager);
  StencilStreamWindowsOptions windows;
  if (!parseScheduleChoice(options.schedule))
    windows.schedule = options.schedule;
  windows.math = options.algebra.math;
  manager.addPass(createStencilStreamWindows(windows));
  manager.addNestedPass<func::FuncOp>(createStencilWrapStages());
  StencilRollSumsOptions roll;
  roll.withoutWindows = true;
  roll.minTaps = options.rolledTaps;
  manager.addNestedPass<func::FuncOp>(createStencilRollSums(roll));
  manager.addNestedPass<func::FuncOp>(createStencilExpandWeightedSums());
  if (options.countSteps)
    manager.addPass(createStencilCountSteps());
  addLoopShapes(manager, options);
  ConvertStencilToCPUOptions convert;
  convert.math = options.algebra.math;
  convert.paddedRows = options.paddedRows;
  manager.addPass(createConvertStencilToCPU(convert));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addNestedPass<func::FuncOp>(createStencilHoistBuffers());
  if (options.shareLoads) {
    StencilShareRowLoadsOptions share;
    share.lineBytes = options.lineBytes;
    share.acrossPercent = options.acrossPercent;
    manager.addNestedPass<func::FuncOp>(createStencilShareRowLoads(share));
  }

  // Upstream: to the LLVM dialect.
  manager.addNestedPass<func::FuncOp>(createStencilRequestCInterfaces());
  if (options.openmp) {
    manager.addNestedPass<func::FuncOp>(createStencilOrderReductions());
    manager.addNestedPass<func::FuncOp>(createStencilDealTiles());
    manager.addPass(createConvertSCFToOpenMPPass());
    manager.addNestedPass<func::FuncOp>(createStencilInlineAllocationScopes());
    manager.addNestedPass<func::FuncOp>(createStencilRelaxTeams());
    manager.addPass(createCanonicalizerPass());
  }
  if (options.algebra.math != MathMode::Strict) {
    StencilCallVectorLibraryOptions call;
    call.library = options.vectorLibrary;
    manager.addPass(createStencilCallVectorLibrary(call));
  }
  addHostComputation(manager);
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  if (options.openmp)
    manager.addPass(createConvertOpenMPToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void stencil::registerPipelines() {
  PassPipelineRegistration<CPUPipelineOptions>(
      "stencil-to-cpu", "Compile stencil programs for the CPU (LLVM dialect)",
      buildStencilToCPUPipeline);
  PassPipelineRegistration<EmulatorPipelineOptions>(
      "gpu-to-emulator",
      "Compile GPU kernels and their host code for the emulator (LLVM dialect)",
      buildGPUToEmulatorPipeline);
  registerAlgebraPipeline();
  registerRaisingPipeline();
  registerGPUFront();
  registerGPUPipelines();
}
