//===- RegisterAllPasses.cpp - The passes that the tools know -------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/InitAllPasses.h"

void stencil::registerAllPasses() {
  mlir::registerAllPasses();
  registerStencilTransformsPasses();
  registerStencilTilePasses();
  registerStencilConversionPasses();
  registerPipelines();
}
