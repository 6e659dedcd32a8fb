//===- TileDialect.cpp - The tile dialect ---------------------------------===//

#include "Engines/Engines.h"
#include "StencilDialect/IR/StencilDialect.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

#include "StencilDialect/Tile/TileDialect.cpp.inc"
#include "StencilDialect/Tile/TileInterfaces.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/Tile/TileOps.cpp.inc"
      >();
  attachFma(getContext());
  attachTaps(getContext());
}

EngineAttrInterface tile::getEngine(ApplyOp stage) {
  auto engine =
      stage->getAttrOfType<EngineAttrInterface>(TileDialect::kEngineAttrName);
  return engine ? engine
                : cast<EngineAttrInterface>(FmaAttr::get(stage.getContext()));
}

LayoutAttr tile::getStageLayout(ApplyOp stage, KernelOp kernel) {
  auto layout = stage->getAttrOfType<LayoutAttr>(TileDialect::kLayoutAttrName);
  return layout ? layout : kernel.getLayout();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  bool isLayout = name == kLayoutAttrName;
  if (!isLayout && name != kEngineAttrName)
    return op->emitError("unknown attribute '")
           << name << "', expected " << kLayoutAttrName << " or "
           << kEngineAttrName;
  if (isLayout ? !isa<LayoutAttr, CoreAndRimAttr>(attribute.getValue())
               : !isa<EngineAttrInterface>(attribute.getValue()))
    return op->emitError("expected '")
           << name << "' to be "
           << (isLayout ? "a #tile.layout or a #tile.core_and_rim"
                        : "an engine, such as #tile.fma")
           << ", got " << attribute.getValue();
  if (!isa<ApplyOp>(op) || !op->getParentOfType<KernelOp>())
    return op->emitError("expected '")
           << name << "' on a stencil.apply of a tile.kernel only";
  return success();
}
