//===- ProgramCheck.cpp - What must hold before a program is run ----------===//

#include "StencilDialect/Analysis/ProgramCheck.h"

mlir::LogicalResult stencil::checkProgram(mlir::Operation *) {
  return mlir::success();
}
