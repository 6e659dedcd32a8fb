//===- RegisterAllDialects.cpp - The dialects that the tools know ---------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Target/GPUTranslation.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void stencil::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // For gpu-module-to-binary.
  registerGPUTranslations(registry);
  registry.insert<stencil::StencilDialect>();
}
