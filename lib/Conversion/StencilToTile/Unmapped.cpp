//===- Unmapped.cpp - What has no tiles -----------------------------------===//

#include "StencilToTile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

static constexpr const char *kValues =
    "values outside of a pipeline: stencil-bufferize makes fields of them";

std::string stencil::findUnmapped(Operation *op) {
  auto isOfFields =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([](ApplyOp apply) { return apply.isBufferised(); })
          .Case([](FoldOp fold) {
            return llvm::all_of(fold.getTemps().getTypes(),
                                llvm::IsaPred<FieldType>);
          })
          .Default([](Operation *) { return true; });
  return isOfFields ? "" : kValues;
}
