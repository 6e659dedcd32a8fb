//===- Plugin.cpp - The dialect and its passes for stock MLIR tools -------===//
//
// mlir-opt loads this with --load-dialect-plugin and --load-pass-plugin. MLIR's
// own dialects, extensions and passes are those of the program that loads it.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Pipelines/Pipelines.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Tile/Passes.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static constexpr const char *kName = "StencilDialect";

/// What the passes make and gpu-module-to-binary translates is there, too.
static void registerDialects(mlir::DialectRegistry *registry) {
  registry->insert<stencil::StencilDialect, stencil::tile::TileDialect>();
  stencil::registerGPUTranslations(*registry);
}

static void registerPasses() {
  stencil::registerStencilTransformsPasses();
  stencil::registerStencilConversionPasses();
  stencil::registerStencilTilePasses();
  stencil::registerPipelines();
}

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, STENCIL_VERSION, registerDialects};
}

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, STENCIL_VERSION, registerPasses};
}
