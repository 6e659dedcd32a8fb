//===- RegisterAll.cpp - What stencil-opt knows ---------------------------===//

#include "RegisterAll.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

void stencil::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<stencil::StencilDialect>();
}

void stencil::registerAllPasses() {
  mlir::registerAllPasses();
  registerStencilTransformsPasses();
  registerStencilConversionPasses();
  registerPipelines();
}
