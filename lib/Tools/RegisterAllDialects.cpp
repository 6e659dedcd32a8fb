//===- RegisterAllDialects.cpp - The dialects that the tools know ---------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void stencil::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For gpu-module-to-binary.
  registerGPUTranslations(registry);
  // MLIR ends the process for a second dialect of one name: that of another
  // copy of this library stays, and whoever loads it finds out.
  if (!registry.getDialectAllocator(StencilDialect::getDialectNamespace()))
    registry.insert<StencilDialect, tile::TileDialect>();
}
