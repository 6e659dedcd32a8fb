//===- RegisterAll.cpp - What stencil-opt knows ---------------------------===//

#include "RegisterAll.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

void stencil::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<stencil::StencilDialect>();
}

void stencil::registerAllPasses() { mlir::registerAllPasses(); }
