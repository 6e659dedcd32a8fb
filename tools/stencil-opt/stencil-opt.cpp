//===- stencil-opt.cpp - Pass driver --------------------------------------===//

#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  stencil::registerAllDialects(registry);
  stencil::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "StencilDialect optimizer driver\n", registry));
}
