//===- GPUFront.cpp - Stencil programs to kernels -------------------------===//

#include "StencilDialect/Pipelines/GPUFront.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

void stencil::addTarget(OpPassManager &manager, llvm::StringRef chip) {
  if (chip.empty())
    return;
  StencilAttachTargetOptions attach;
  attach.chip = chip.str();
  manager.addPass(createStencilAttachTarget(attach));
}

namespace {
/// Options of `convert-stencil-to-gpu`.
struct FieldsToKernelsOptions : PassPipelineOptions<FieldsToKernelsOptions> {
  Option<bool> emulate{*this, "emulate",
                       llvm::cl::desc("the program is to run in the emulator"),
                       llvm::cl::init(false)};
  Option<MathMode> math{
      *this, "math",
      llvm::cl::desc("what may be done to floating-point arithmetic"),
      getMathModeValues(), llvm::cl::init(MathMode::Contract)};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("#stencil.schedule of applies that have none, or the name "
                     "of one")};
};
} // namespace

void stencil::buildStencilToFields(OpPassManager &manager,
                                   const GPUFrontOptions &options) {
  manager.addPass(createParallelForToNestedForsPass());
  manager.addNestedPass<func::FuncOp>(createStencilCheckSteps());
  if (options.deviceArrays)
    manager.addNestedPass<func::FuncOp>(createStencilRequestDeviceArrays());
  // Fields of a function that is called are copies on the device; inlined, they
  // are its caller's.
  manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  StencilSpecializeExtentsOptions specialize;
  specialize.extents.assign(options.extents.begin(), options.extents.end());
  manager.addPass(createStencilSpecializeExtents(specialize));

  // Level 0: canonical, the mathematics rewritten, shapes known. Then fields
  // instead of values.
  buildStencilAlgebra(manager, options.algebra, options.schedule,
                      {options.tuningDatabase, options.emulate});
  buildStencilFields(manager);
}

void stencil::addScheduleSelection(OpPassManager &manager,
                                   const GPUFrontOptions &options) {
  StencilSelectScheduleOptions select;
  select.schedule = options.schedule;
  select.math = options.algebra.math;
  select.tuningDb = options.tuningDatabase;
  select.emulate = options.emulate;
  manager.addPass(createStencilSelectSchedule(select));
}

void stencil::addVariants(OpPassManager &manager,
                          const GPUFrontOptions &options) {
  StencilVaryExtentsOptions vary;
  vary.schedule = options.schedule;
  vary.math = options.algebra.math;
  vary.tuningDb = options.tuningDatabase;
  manager.addPass(createStencilVaryExtents(vary));
}

void stencil::buildStencilToSchedules(OpPassManager &manager,
                                      const GPUFrontOptions &options) {
  addTarget(manager, options.chip);
  buildStencilToFields(manager, options);

  // Level 2.
  addVariants(manager, options);
  addScheduleSelection(manager, options);
}

void stencil::buildFieldsToKernels(OpPassManager &manager,
                                   const GPUFrontOptions &options) {
  // Level 4, in its two forms.
  manager.addPass(createStencilMapStages());
  manager.addNestedPass<func::FuncOp>(createStencilShuffleColumns());
  manager.addNestedPass<func::FuncOp>(createStencilPlaceBarriers());
  manager.addNestedPass<func::FuncOp>(createStencilExpandWalks());
  manager.addNestedPass<func::FuncOp>(createStencilRollStages());
  // Level 5.
  StencilDistributeTilesOptions distribute;
  distribute.math = options.algebra.math;
  manager.addPass(createStencilDistributeTiles(distribute));
  StencilPlaceFieldsOptions place;
  place.emulate = options.emulate;
  manager.addPass(createStencilPlaceFields(place));
}

/// Level 3: pipelines where schedules ask for windows.
static void addPipelines(OpPassManager &manager,
                         const GPUFrontOptions &options) {
  StencilStreamWindowsOptions stream;
  stream.math = options.algebra.math;
  manager.addPass(createStencilStreamWindows(stream));
  manager.addNestedPass<func::FuncOp>(createStencilSkewStages());
  manager.addPass(createStencilFoldBoundaries());
  manager.addPass(createStencilRotateBoundaries());
  manager.addNestedPass<func::FuncOp>(createStencilWrapStages());
  manager.addNestedPass<func::FuncOp>(createStencilExpandBoundaries());
  manager.addNestedPass<func::FuncOp>(createStencilShareNeighbours());
  manager.addNestedPass<func::FuncOp>(createStencilRollSums());
  manager.addPass(createStencilCoalesceStores());
  manager.addNestedPass<func::FuncOp>(createStencilTileRegisters());
  StencilMapToTensorCoresOptions matrices;
  matrices.math = options.algebra.math;
  manager.addNestedPass<func::FuncOp>(createStencilMapToTensorCores(matrices));
  manager.addNestedPass<func::FuncOp>(createStencilExpandWeightedSums());
  manager.addNestedPass<func::FuncOp>(createStencilHoistScalars());
  StencilOrderBodiesOptions order;
  order.math = options.algebra.math;
  manager.addNestedPass<func::FuncOp>(createStencilOrderBodies(order));
  manager.addPass(createStencilGroupRegions());
  manager.addPass(createStencilTileApplies());
}

void stencil::buildStencilToPipelines(OpPassManager &manager,
                                      const GPUFrontOptions &options) {
  buildStencilToSchedules(manager, options);
  addPipelines(manager, options);
}

void stencil::buildStencilToTiles(OpPassManager &manager,
                                  const GPUFrontOptions &options) {
  buildStencilToPipelines(manager, options);
  manager.addPass(createStencilMapStages());
  manager.addNestedPass<func::FuncOp>(createStencilShuffleColumns());
}

void stencil::buildStencilToGPU(OpPassManager &manager,
                                const GPUFrontOptions &options) {
  buildStencilToSchedules(manager, options);
  buildSchedulesToGPU(manager, options);
}

void stencil::buildSchedulesToGPU(OpPassManager &manager,
                                  const GPUFrontOptions &options) {
  addPipelines(manager, options);
  buildFieldsToKernels(manager, options);
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createStencilJoinLaunches());
  manager.addPass(createLoopInvariantCodeMotionPass());
  if (options.countSteps)
    manager.addPass(createStencilCountSteps());
  manager.addPass(createStencilCaptureGraphs());
  manager.addPass(createStencilOverlapLaunches());
}

void stencil::registerGPUFront() {
  PassPipelineRegistration<FieldsToKernelsOptions>(
      "convert-stencil-to-gpu",
      "Kernels of bufferised stencil programs, and the host's side of them",
      [](OpPassManager &manager, const FieldsToKernelsOptions &given) {
        StencilSelectScheduleOptions select;
        select.schedule = given.schedule;
        select.model = false;
        manager.addPass(createStencilSelectSchedule(select));
        manager.addPass(createStencilTileApplies());
        GPUFrontOptions options;
        options.emulate = given.emulate;
        options.algebra.math = given.math;
        buildFieldsToKernels(manager, options);
      });
}
