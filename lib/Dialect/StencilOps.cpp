//===- StencilOps.cpp - Operations of the stencil dialect -----------------===//
//
// Verifiers and syntax of the ops outside of apply bodies.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/StencilOps.h"
#include "BodyOps.h"
#include "LaunchSyntax.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

#define GET_OP_CLASSES
#include "StencilDialect/IR/StencilOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// Rank and element type agree. Tensors agree whatever their extents: xDSL
/// tensorises an axis with its halo in fields and without it in values.
static LogicalResult verifySameGrid(Operation *op, GridType a, GridType b) {
  if (a.getRank() != b.getRank())
    return op->emitOpError("expected one rank, got ")
           << Type(a) << " and " << Type(b);
  auto tensorA = dyn_cast<RankedTensorType>(a.getElementType());
  auto tensorB = dyn_cast<RankedTensorType>(b.getElementType());
  bool match = tensorA && tensorB
                   ? tensorA.getRank() == tensorB.getRank() &&
                         tensorA.getElementType() == tensorB.getElementType()
                   : a.getElementType() == b.getElementType();
  if (!match)
    return op->emitOpError("expected one element type, got ")
           << a.getElementType() << " and " << b.getElementType();
  return success();
}

LogicalResult stencil::verifyFieldHasBounds(Operation *op, Value field) {
  if (getBounds(field))
    return success();
  return op->emitOpError("expected a field with bounds, got ")
         << field.getType() << "; cast it first";
}

LogicalResult stencil::verifyBoxIn(Operation *op, BoundsAttr box, GridType type,
                                   StringRef what) {
  if (box.getRank() != type.getRank())
    return op->emitOpError("expected bounds of rank ")
           << type.getRank() << ", got " << box;
  if (type.getBounds() && !type.getBounds().contains(box))
    return op->emitOpError("expected the box ")
           << box << " to lie in the " << what << ' ' << Type(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  auto from = cast<GridType>(getField().getType());
  auto to = cast<GridType>(getResult().getType());
  if (from.getElementType() != to.getElementType())
    return emitOpError("expected input and output to have the same element "
                       "type, got ")
           << from.getElementType() << " and " << to.getElementType();
  if (from.getRank() != to.getRank())
    return emitOpError("expected input and output to have the same rank, got ")
           << from.getRank() << " and " << to.getRank();
  if (from.getBounds() && from.getBounds() != to.getBounds())
    return emitOpError("expected the output to have the bounds of the input ")
           << Type(from) << ", got " << Type(to);
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  // A cast may be its own operand where dominance does not hold.
  if (getField().getType() == getResult().getType() &&
      getField() != getResult())
    return getField();
  return {};
}

LogicalResult AllocOp::verify() {
  if (getBounds(getField()))
    return success();
  return emitOpError("expected a field with bounds, got ")
         << getField().getType();
}

/// A field and a memref that stand for the same memory.
static LogicalResult verifyExternal(Operation *op, Type field, Type external) {
  auto grid = dyn_cast<FieldType>(field);
  auto memref = dyn_cast<MemRefType>(external);
  // The axes of tensor elements are axes of the memref too.
  if (!grid || !memref || isa<ShapedType>(grid.getElementType()))
    return success();
  if (grid.getRank() != memref.getRank())
    return op->emitOpError("expected one rank, got ")
           << field << " and " << external;
  if (grid.getElementType() != memref.getElementType())
    return op->emitOpError("expected one element type, got ")
           << grid.getElementType() << " and " << memref.getElementType();
  if (!grid.getBounds())
    return success();
  for (auto [axis, extent, size] :
       llvm::enumerate(grid.getBounds().getShape(), memref.getShape()))
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size) &&
        extent != size)
      return op->emitOpError("expected extent ")
             << extent << " on axis " << axis << " of " << external
             << " to match " << field << ", got " << size;
  return success();
}

LogicalResult ExternalLoadOp::verify() {
  return verifyExternal(*this, getResult().getType(), getField().getType());
}

LogicalResult ExternalStoreOp::verify() {
  return verifyExternal(*this, getTemp().getType(), getField().getType());
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value field) {
  auto type = cast<GridType>(field.getType());
  build(builder, state, TempType::get(type.getRank(), type.getElementType()),
        field);
}

LogicalResult LoadOp::verify() {
  auto field = cast<GridType>(getField().getType());
  auto temp = cast<GridType>(getRes().getType());
  if (failed(verifyFieldHasBounds(*this, getField())) ||
      failed(verifySameGrid(*this, field, temp)))
    return failure();
  if (temp.getBounds())
    return verifyBoxIn(*this, temp.getBounds(), field, "field");
  return success();
}

LogicalResult StoreOp::verify() {
  auto field = cast<GridType>(getField().getType());
  auto temp = cast<GridType>(getTemp().getType());
  if (failed(verifyFieldHasBounds(*this, getField())) ||
      failed(verifySameGrid(*this, temp, field)) ||
      failed(verifyBoxIn(*this, getBounds(), field, "field")))
    return failure();
  return verifyBoxIn(*this, getBounds(), temp, "value");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Checks that `operand` has the points that `result` takes from it: those
/// below the position of the combine, or those from there on.
static LogicalResult verifyCombined(CombineOp op, Value operand, Value result,
                                    bool upper) {
  auto from = cast<GridType>(operand.getType());
  auto to = cast<GridType>(result.getType());
  if (failed(verifySameGrid(op, from, to)))
    return failure();
  if (!from.getBounds() || !to.getBounds())
    return success();
  int64_t axis = op.getDim().getSExtValue();
  int64_t index = op.getIndex().getSExtValue();
  SmallVector<int64_t> lb(to.getBounds().getLb()), ub(to.getBounds().getUb());
  if (upper)
    lb[axis] = std::max(lb[axis], index);
  else
    ub[axis] = std::min(ub[axis], index);
  if (lb[axis] >= ub[axis])
    return success();
  auto box = BoundsAttr::get(op.getContext(), lb, ub);
  if (from.getBounds().contains(box))
    return success();
  return op.emitOpError("expected the box ")
         << box << " of the " << (upper ? "upper" : "lower")
         << " side to lie in the operand " << Type(from);
}

LogicalResult CombineOp::verify() {
  size_t pairs = getLower().size();
  if (pairs != getUpper().size())
    return emitOpError("expected as many lower as upper operands, got ")
           << pairs << " and " << getUpper().size();
  size_t expected = pairs + getLowerext().size() + getUpperext().size();
  if (pairs == 0)
    return emitOpError("expected at least one pair of operands");
  if (getNumResults() != expected)
    return emitOpError("expected ")
           << expected << " results, one per pair and extra operand, got "
           << getNumResults();
  int64_t rank = cast<GridType>(getResult(0).getType()).getRank();
  for (Value result : getResults())
    if (cast<GridType>(result.getType()).getRank() != rank)
      return emitOpError("expected all results to have rank ") << rank;
  if (getDim().isNegative() || getDim().getZExtValue() >= uint64_t(rank))
    return emitOpError("expected an axis below the rank ")
           << rank << ", got " << getDim().getSExtValue();
  int64_t index = getIndex().getSExtValue();
  if (index > kMaxBound || index < -kMaxBound)
    return emitOpError("expected a position of magnitude at most ")
           << kMaxBound << ", got " << index;
  for (size_t i = 0; i < expected; ++i) {
    Value result = getResult(i);
    bool isLowerExt = i >= pairs && i - pairs < getLowerext().size();
    if (i < pairs || isLowerExt) {
      Value lower = i < pairs ? getLower()[i] : getLowerext()[i - pairs];
      if (failed(verifyCombined(*this, lower, result, /*upper=*/false)))
        return failure();
    }
    if (!isLowerExt) {
      Value upper = i < pairs ? getUpper()[i]
                              : getUpperext()[i - pairs - getLowerext().size()];
      if (failed(verifyCombined(*this, upper, result, /*upper=*/true)))
        return failure();
    }
  }
  return success();
}

/// A combine of a value with itself is that value.
LogicalResult CombineOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  if (!getLowerext().empty() || !getUpperext().empty())
    return failure();
  for (auto [lower, upper, result] :
       llvm::zip_equal(getLower(), getUpper(), getResults())) {
    if (lower != upper || lower.getType() != result.getType() ||
        lower == result)
      return failure();
    results.push_back(lower);
  }
  return success();
}

LogicalResult BufferOp::verify() {
  auto temp = cast<GridType>(getTemp().getType());
  auto res = cast<GridType>(getRes().getType());
  if (temp.getRank() != res.getRank() || temp.getBounds() != res.getBounds())
    return emitOpError(
               "expected input and output to have the same bounds, got ")
           << getTemp().getType() << " and " << getRes().getType();
  if (temp.getElementType() != res.getElementType())
    return emitOpError("expected input and output to have the same element "
                       "type, got ")
           << getTemp().getType() << " and " << getRes().getType();
  // A buffer that makes a field is the remnant of an unfinished
  // bufferisation, which xDSL accepts.
  if (isa<FieldType>(getRes().getType()))
    return success();
  Operation *producer = getTemp().getDefiningOp();
  if (!producer || !isa<ApplyOp, CombineOp>(producer)) {
    InFlightDiagnostic diag =
        emitOpError("expected the operand to be a result of stencil.apply or "
                    "stencil.combine, got ");
    return producer ? diag << producer->getName() : diag << "a block argument";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult
FoldOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr, OpaqueProperties,
                         RegionRange,
                         SmallVectorImpl<Type> &inferredReturnTypes) {
  if (operands.empty())
    return emitOptionalError(loc, "stencil.fold expects at least one operand");
  auto type = dyn_cast<GridType>(operands.front().getType());
  if (!type)
    return emitOptionalError(
        loc, "stencil.fold expects a stencil.field or stencil.temp, got ",
        operands.front().getType());
  inferredReturnTypes.push_back(type.getElementType());
  return success();
}

void FoldOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getTempsMutable())
    if (isa<FieldType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult FoldOp::verify() {
  if (getTemps().empty())
    return emitOpError("expected at least one operand");
  auto first = cast<GridType>(getTemps().front().getType());
  Type elementType = first.getElementType();
  if (!isa<FloatType, IntegerType>(elementType))
    return emitOpError(
               "expected an integer or floating-point element type, got ")
           << elementType;
  bool needsFloat = getKind() == FoldKind::Rms || getTemps().size() > 1;
  if (needsFloat && !isa<FloatType>(elementType))
    return emitOpError("expected a floating-point element type for rms or "
                       "the length of a vector, got ")
           << elementType;
  for (Value temp : getTemps()) {
    auto type = cast<GridType>(temp.getType());
    if (failed(verifySameGrid(*this, first, type)) ||
        failed(verifyBoxIn(*this, getBounds(), type, "value")))
      return failure();
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 2)
    return emitOpError("expected a body with 2 arguments, got ")
           << body.getNumArguments();
  for (Type type : body.getArgumentTypes())
    if (type != getAcc().getType())
      return emitOpError("expected body arguments of type ")
             << getAcc().getType() << ", got " << type;
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return emitOpError("expected the body to end with stencil.yield");
  if (yield.getOperand().getType() != getAcc().getType())
    return emitOpError("expected the body to yield ")
           << getAcc().getType() << ", got " << yield.getOperand().getType();
  return success();
}
