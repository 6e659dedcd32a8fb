//===- StencilAccessOps.cpp - Ops of an apply body ------------------------===//
//
// Syntax and verifiers of the ops that read an apply's inputs and position.
//
//===----------------------------------------------------------------------===//

#include "BodyOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

FailureOr<ApplyOp> stencil::getEnclosingApply(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto apply = dyn_cast<ApplyOp>(parent))
      return apply;
    if (parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return op->emitOpError("expects ancestor op 'stencil.apply'");
}

LogicalResult stencil::verifyIsInput(Operation *op, ApplyOp apply, Value temp) {
  if (auto argument = dyn_cast<BlockArgument>(temp))
    if (argument.getOwner()->getParentOp() == apply)
      return success();
  return withNote(
      op->emitOpError("expected an input of the enclosing stencil.apply"),
      apply.getLoc(), "the stencil.apply is here");
}

ParseResult stencil::checkNotRepeated(OpAsmParser &parser, SMLoc loc,
                                      const OperationState &result,
                                      ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (result.attributes.get(name))
      return parser.emitError(loc, "expected attribute '")
             << name << "' to be given once";
  return success();
}

LogicalResult
stencil::verifyOffsetAxes(Operation *op, ApplyOp apply, GridType type,
                          int64_t offsetRank,
                          std::optional<stencil::IndexAttr> mapping) {
  int64_t applyRank = apply.getRank();
  if (!mapping && applyRank != 0 && type.getRank() != applyRank)
    return op->emitOpError("expected an input of rank ")
           << applyRank << " to match its parent apply, got rank "
           << type.getRank() << " without offset mapping";
  if (offsetRank != type.getRank())
    return op->emitOpError("expected an offset of rank ")
           << type.getRank() << " to match the input, got " << offsetRank;
  if (!mapping)
    return success();
  ArrayRef<int64_t> axes = mapping->getValues();
  if (static_cast<int64_t>(axes.size()) != offsetRank)
    return op->emitOpError("expected an offset mapping of length ")
           << offsetRank << " to match the offset, got " << axes.size();
  for (size_t i = 1; i < axes.size(); ++i)
    if (axes[i - 1] >= axes[i])
      return op->emitOpError("expected a strictly increasing offset mapping");
  if (axes.front() < 0 || axes.back() >= applyRank)
    return op->emitOpError("expected offset mappings within the rank ")
           << applyRank << " of the apply, got "
           << (axes.front() < 0 ? axes.front() : axes.back());
  return success();
}

//===----------------------------------------------------------------------===//
// AccessOp
//===----------------------------------------------------------------------===//

void AccessOp::build(OpBuilder &builder, OperationState &state, Value temp,
                     ArrayRef<int64_t> offset, stencil::IndexAttr mapping) {
  build(builder, state, getElementType(temp), temp,
        stencil::IndexAttr::get(builder.getContext(), offset), mapping);
}

void AccessOp::build(OpBuilder &builder, OperationState &state, Value temp) {
  int64_t rank = cast<GridType>(temp.getType()).getRank();
  build(builder, state, temp, SmallVector<int64_t>(rank, 0));
}

SmallVector<int64_t> AccessOp::getAxes() {
  if (std::optional<stencil::IndexAttr> mapping = getOffsetMapping())
    return SmallVector<int64_t>(mapping->getValues());
  return llvm::to_vector(
      llvm::seq<int64_t>(0, cast<GridType>(getTemp().getType()).getRank()));
}

/// `%x[-1, _, 0] : TYPE`; `_` stands for an axis that the input does not have.
ParseResult AccessOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand temp;
  SmallVector<int64_t> offset, mapping;
  int64_t axis = 0;
  bool skipped = false;
  auto parseOffset = [&]() -> ParseResult {
    int64_t value;
    OptionalParseResult integer = parser.parseOptionalInteger(value);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      offset.push_back(value);
      mapping.push_back(axis);
    } else if (parser.parseKeyword("_", " or an offset")) {
      return failure();
    } else {
      skipped = true;
    }
    ++axis;
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(temp) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseOffset) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      checkNotRepeated(parser, loc, result, {"offset", "offset_mapping"}) ||
      parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  Type parsed;
  if (parser.parseType(parsed))
    return failure();
  auto type = dyn_cast<GridType>(parsed);
  if (!type)
    return parser.emitError(typeLoc,
                            "expected a stencil.temp or stencil.field, got ")
           << parsed;
  MLIRContext *context = parser.getContext();
  auto offsetAttr =
      parser.getChecked<stencil::IndexAttr>(loc, context, ArrayRef(offset));
  if (!offsetAttr || parser.resolveOperand(temp, type, result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.offset = offsetAttr;
  if (skipped)
    properties.offset_mapping = stencil::IndexAttr::get(context, mapping);
  result.addTypes(type.getElementType());
  return success();
}

void AccessOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTemp() << '[';
  // Verified before: the op is in an apply, the mapping is within its rank.
  int64_t rank = getOffset().getRank();
  if (getOffsetMapping())
    if (auto apply = (*this)->getParentOfType<ApplyOp>())
      rank = apply.getRank();
  SmallVector<int64_t> axes = getAxes();
  size_t next = 0;
  llvm::interleaveComma(llvm::seq<int64_t>(0, rank), printer,
                        [&](int64_t axis) {
                          if (next < axes.size() && axes[next] == axis)
                            printer << getOffset().getValues()[next++];
                          else
                            printer << '_';
                        });
  printer << ']';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"offset", "offset_mapping"});
  printer << " : " << getTemp().getType();
}

LogicalResult AccessOp::verify() {
  FailureOr<ApplyOp> apply = getEnclosingApply(*this);
  if (failed(apply))
    return failure();
  auto type = cast<GridType>(getTemp().getType());
  if (getRes().getType() != type.getElementType())
    return emitOpError("expected result type to be the input's element type ")
           << type.getElementType() << ", got " << getRes().getType();
  if (failed(verifyIsInput(*this, *apply, getTemp())))
    return failure();
  return verifyOffsetAxes(*this, *apply, type, getOffset().getRank(),
                          getOffsetMapping());
}

//===----------------------------------------------------------------------===//
// DynAccessOp
//===----------------------------------------------------------------------===//

LogicalResult DynAccessOp::verify() {
  FailureOr<ApplyOp> apply = getEnclosingApply(*this);
  if (failed(apply))
    return failure();
  if (failed(verifyIsInput(*this, *apply, getTemp())))
    return failure();
  int64_t rank = cast<GridType>(getTemp().getType()).getRank();
  if (rank != apply->getRank())
    return emitOpError("expected an input of rank ")
           << apply->getRank() << " to match its parent apply, got rank "
           << rank;
  if (static_cast<int64_t>(getOffset().size()) != rank)
    return emitOpError("expected ")
           << rank << " coordinates to match the input, got "
           << getOffset().size();
  if (getLb().getRank() != rank || getUb().getRank() != rank)
    return emitOpError("expected a range of rank ")
           << rank << ", got " << getLb().getRank() << " and "
           << getUb().getRank();
  for (auto [axis, lower, upper] :
       llvm::enumerate(getLb().getValues(), getUb().getValues()))
    if (upper < lower)
      return emitOpError("expected a range that is not empty, got ")
             << lower << " : " << upper << " on axis " << axis;
  return success();
}

//===----------------------------------------------------------------------===//
// MatVecOp
//===----------------------------------------------------------------------===//

LogicalResult MatVecOp::verify() {
  FailureOr<ApplyOp> apply = getEnclosingApply(*this);
  if (failed(apply) || failed(verifyIsInput(*this, *apply, getTemp())))
    return failure();
  auto input = cast<GridType>(getTemp().getType());
  if ((*this)->getParentOp() != *apply)
    return emitOpError("expected to be at the top level of the apply's body");
  if (apply->getRank() != 1 || input.getRank() != 1)
    return emitOpError("expected an apply and an input of one axis, got ")
           << apply->getRank() << " and " << input.getRank();
  if (!isa<FloatType>(input.getElementType()))
    return emitOpError("expected an input of floats, got ")
           << input.getElementType();
  auto matrix = dyn_cast<DenseElementsAttr>(getMatrix());
  if (!matrix || matrix.getType().getRank() != 2 ||
      matrix.getElementType() != input.getElementType() ||
      llvm::is_contained(matrix.getType().getShape(), 0))
    return emitOpError("expected a dense matrix of ")
           << input.getElementType()
           << " with at least one row and one column, got "
           << getMatrix().getShapedType();
  // The number of all elements may be more than an i64 has.
  auto rows = static_cast<uint64_t>(getNumRows());
  auto columns = static_cast<uint64_t>(getNumColumns());
  if (rows > kMostElements || columns > kMostElements ||
      rows * columns > kMostElements)
    return emitOpError("expected a matrix of at most ")
           << kMostElements << " elements, got " << rows << " x " << columns;
  constexpr int64_t kMostPlaces = int64_t(1) << 32;
  int64_t from = getFromAttr().getInt();
  if (from < -kMostPlaces || from > kMostPlaces)
    return emitOpError("expected a first point within 2^32 of the row's, got ")
           << from;
  for (const APFloat &element : matrix.getValues<APFloat>())
    if (!element.isFinite())
      return emitOpError("expected finite elements, got ")
             << FloatAttr::get(input.getElementType(), element);
  return success();
}

//===----------------------------------------------------------------------===//
// IndexOp
//===----------------------------------------------------------------------===//

LogicalResult IndexOp::verify() {
  FailureOr<ApplyOp> apply = getEnclosingApply(*this);
  if (failed(apply))
    return failure();
  int64_t rank = apply->getRank();
  if (getDim().isNegative() || getDim().getZExtValue() >= uint64_t(rank))
    return emitOpError("expected an axis below the rank ")
           << rank << " of the apply, got " << getDim().getSExtValue();
  if (getOffset().getRank() != rank)
    return emitOpError("expected an offset of rank ")
           << rank << " to match the apply, got " << getOffset().getRank();
  return success();
}

//===----------------------------------------------------------------------===//
// StoreResultOp
//===----------------------------------------------------------------------===//

/// `%v : !stencil.result<f64>` or ` : !stencil.result<f64>`.
ParseResult StoreResultOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand arg;
  OptionalParseResult hasArg = parser.parseOptionalOperand(arg);
  if (hasArg.has_value() && failed(*hasArg))
    return failure();
  ResultType type;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  if (hasArg.has_value() &&
      parser.resolveOperand(arg, type.getElem(), result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void StoreResultOp::print(OpAsmPrinter &printer) {
  if (getArg())
    printer << ' ' << getArg();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " : " << getRes().getType();
}

LogicalResult StoreResultOp::verify() {
  if (failed(getEnclosingApply(*this)))
    return failure();
  Type elem = cast<ResultType>(getRes().getType()).getElem();
  if (getArg() && getArg().getType() != elem)
    return emitOpError("expected the operand to have the wrapped type ")
           << elem << ", got " << getArg().getType();
  return success();
}
