//===- TileDialect.cpp - The tile dialect ---------------------------------===//

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Tile/Tile.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

#include "StencilDialect/Tile/TileDialect.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/Tile/TileOps.cpp.inc"
      >();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kLayoutAttrName)
    return op->emitError("unknown attribute '")
           << attribute.getName().getValue() << "', expected "
           << kLayoutAttrName;
  if (!isa<LayoutAttr>(attribute.getValue()))
    return op->emitError("expected '")
           << kLayoutAttrName << "' to be a #tile.layout, got "
           << attribute.getValue();
  if (!isa<ApplyOp>(op) || !op->getParentOfType<KernelOp>())
    return op->emitError("expected '") << kLayoutAttrName
                                       << "' on a stencil.apply of a "
                                          "tile.kernel only";
  return success();
}
