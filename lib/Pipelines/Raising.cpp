//===- Raising.cpp - Tensors to stencils ----------------------------------===//

#include "Raising.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stencil;

void stencil::buildStencilRaiseTensors(OpPassManager &manager) {
  // Upstream: arrays instead of tensors, without layouts of their own, and
  // results by arguments.
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.modifyPublicFunctions = true;
  results.hoistStaticAllocs = true;
  results.hoistDynamicAllocs = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  manager.addNestedPass<func::FuncOp>(
      bufferization::createBufferLoopHoistingPass());
  manager.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(manager);

  StencilRaiseLoopsOptions raise;
  raise.fieldArguments = true;
  manager.addPass(createStencilRaiseLoops(raise));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void stencil::registerRaisingPipeline() {
  PassPipelineRegistration<>("stencil-raise-tensors",
                             "Make stencil programs of linalg on tensors",
                             buildStencilRaiseTensors);
}
