//===- TileDialect.cpp - The tile dialect ---------------------------------===//

#include "Engines/Engines.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

#include "StencilDialect/Tile/TileDialect.cpp.inc"
#include "StencilDialect/Tile/TileInterfaces.cpp.inc"

namespace {

/// A boundary is long, and said several times.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<BoundaryAttr>(attribute))
      return AliasResult::NoAlias;
    os << "edge";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void TileDialect::initialize() {
  addInterfaces<TileAsmInterface>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "StencilDialect/Tile/TileOps.cpp.inc"
      >();
  attachFma(getContext());
  attachLanes(getContext());
  attachMma(getContext());
  attachTaps(getContext());
}

EngineAttrInterface tile::getEngine(ApplyOp stage) {
  auto engine =
      stage->getAttrOfType<EngineAttrInterface>(TileDialect::kEngineAttrName);
  return engine ? engine
                : cast<EngineAttrInterface>(FmaAttr::get(stage.getContext()));
}

bool tile::takesWholeSums(ApplyOp stage) {
  Attribute engine = stage->getAttr(TileDialect::kEngineAttrName);
  return engine && !isa<FmaAttr>(engine);
}

LayoutAttr tile::getStageLayout(ApplyOp stage, KernelOp kernel) {
  auto layout = stage->getAttrOfType<LayoutAttr>(TileDialect::kLayoutAttrName);
  return layout ? layout : kernel.getLayout();
}

/// Whether an attribute has a value of its kind.
static LogicalResult verifyPlaneAttr(Operation *op, Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  uint64_t count = op->getNumOperands();
  if (number && number.getValue().ult(count) &&
      op->getOperand(number.getInt()).getType().isIndex())
    return success();
  return op->emitError("expected '")
         << kPlaneAttrName << "' to be the number of an index among " << count
         << " arguments, got " << value;
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  bool isLayout = name == kLayoutAttrName, isPlane = name == kPlaneAttrName;
  if (!isLayout && !isPlane && name != kEngineAttrName)
    return op->emitError("unknown attribute '")
           << name << "', expected " << kLayoutAttrName << ", "
           << kEngineAttrName << " or " << kPlaneAttrName;
  if (!isa<ApplyOp>(op) || !op->getParentOfType<KernelOp>())
    return op->emitError("expected '")
           << name << "' on a stencil.apply of a tile.kernel only";
  if (isPlane)
    return verifyPlaneAttr(op, attribute.getValue());
  if (isLayout ? !isa<LayoutAttr, CoreAndRimAttr>(attribute.getValue())
               : !isa<EngineAttrInterface>(attribute.getValue()))
    return op->emitError("expected '")
           << name << "' to be "
           << (isLayout ? "a #tile.layout or a #tile.core_and_rim"
                        : "an engine, such as #tile.fma")
           << ", got " << attribute.getValue();
  return success();
}

bool tile::usesCoordinates(ApplyOp stage) {
  return anyWithin(stage.getRegion(),
                   [](Operation *op) { return usesCoordinate(op); });
}

Value tile::getPlaneOf(ApplyOp stage) {
  auto number = stage->getAttrOfType<IntegerAttr>(kPlaneAttrName);
  return number ? stage.getArgs()[number.getInt()] : Value();
}
