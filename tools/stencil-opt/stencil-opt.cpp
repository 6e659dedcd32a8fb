//===- stencil-opt.cpp - Pass driver --------------------------------------===//
//
// Exits with 0 if all went well, else with 1, also after wrong usage: that is
// how mlir-opt's driver does it. A failing run leaves no output file.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  // A disk that is full, too, is one line.
  stencil::installErrorHandlers();
  mlir::DialectRegistry registry;
  stencil::registerAllDialects(registry);
  stencil::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "StencilDialect optimizer driver\n", registry));
}
