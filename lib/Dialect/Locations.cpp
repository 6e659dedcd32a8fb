//===- Locations.cpp - Where errors are -----------------------------------===//

#include "StencilDialect/IR/Locations.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

static constexpr llvm::StringLiteral kOptionPrefix = "--";

Location stencil::getOptionLocation(llvm::StringRef option, Location place) {
  return NameLoc::get(
      StringAttr::get(place.getContext(), kOptionPrefix + option), place);
}

llvm::StringRef stencil::getOptionName(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  return named && named.getName().getValue().starts_with(kOptionPrefix)
             ? named.getName().getValue()
             : llvm::StringRef();
}

Location stencil::getStart(Operation *program) {
  if (auto module = program->getParentOfType<ModuleOp>())
    program = module;
  auto place = dyn_cast<FileLineColLoc>(program->getLoc());
  if (!place || place.getLine() > 0)
    return program->getLoc();
  return FileLineColLoc::get(place.getFilename(), /*line=*/1, /*column=*/1);
}
