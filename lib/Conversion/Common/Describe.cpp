//===- Describe.cpp - Messages of compiled programs -----------------------===//

#include "StencilDialect/Conversion/Describe.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/raw_ostream.h"

std::string stencil::describe(mlir::Location loc, const llvm::Twine &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(loc))
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn() << ": ";
  os << what;
  return text;
}
