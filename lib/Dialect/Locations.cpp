//===- Locations.cpp - Where errors are -----------------------------------===//

#include "StencilDialect/IR/Locations.h"

using namespace mlir;

Location stencil::getStart(Operation *program) {
  auto place = dyn_cast<FileLineColLoc>(program->getLoc());
  if (!place || place.getLine() > 0)
    return program->getLoc();
  return FileLineColLoc::get(place.getFilename(), /*line=*/1, /*column=*/1);
}
