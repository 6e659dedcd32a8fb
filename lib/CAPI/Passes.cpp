//===- Passes.cpp - Passes and pipelines ----------------------------------===//

#include "StencilDialect-c/Passes.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace stencil;

#include "StencilDialect-c/ConversionPasses.cpp.inc"
#include "StencilDialect-c/TilePasses.cpp.inc"
#include "StencilDialect-c/TransformsPasses.cpp.inc"

/// Registers what is ours, unless the name of one of our passes is taken: MLIR
/// ends the process for a second pass of the same name.
static bool registerOwnPasses() {
  static const bool isDone = [] {
    if (PassInfo::lookup(createStencilInferShapes()->getArgument()))
      return false;
    registerStencilTransformsPasses();
    registerStencilConversionPasses();
    registerStencilTilePasses();
    registerPipelines();
    return true;
  }();
  return isDone;
}

MlirLogicalResult stencilRegisterPasses(void) {
  return wrap(success(registerOwnPasses()));
}

MlirLogicalResult stencilRegisterAllPasses(void) {
  static const bool isDone = [] {
    mlir::registerAllPasses();
    return true;
  }();
  (void)isDone;
  return stencilRegisterPasses();
}
