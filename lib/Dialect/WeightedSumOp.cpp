//===- WeightedSumOp.cpp - stencil.weighted_sum ---------------------------===//

#include "BodyOps.h"
#include "StencilDialect/IR/Bounds.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Builders and accessors
//===----------------------------------------------------------------------===//

void WeightedSumOp::build(OpBuilder &builder, OperationState &state,
                          Value input, ArrayRef<int64_t> offsets,
                          ElementsAttr weights, stencil::IndexAttr mapping,
                          arith::FastMathFlags fastmath) {
  build(builder, state, weights.getElementType(), input, ValueRange(), offsets,
        weights, mapping, fastmath);
}

void WeightedSumOp::build(OpBuilder &builder, OperationState &state,
                          Value input, ArrayRef<int64_t> offsets,
                          ValueRange weights, stencil::IndexAttr mapping,
                          arith::FastMathFlags fastmath) {
  build(builder, state, weights.front().getType(), input, weights, offsets,
        ElementsAttr(), mapping, fastmath);
}

Type WeightedSumOp::getTapType() {
  if (auto grid = dyn_cast<GridType>(getInput().getType()))
    return grid.getElementType();
  return getInput().getType();
}

SmallVector<int64_t> WeightedSumOp::getAxes() {
  if (std::optional<stencil::IndexAttr> mapping = getOffsetMapping())
    return SmallVector<int64_t>(mapping->getValues());
  return llvm::to_vector(llvm::seq<int64_t>(0, getOffsetRank()));
}

bool WeightedSumOp::isSummable(Type type) {
  return isa<FloatType>(type) ||
         (type.isSignlessInteger() && !type.isInteger(1));
}

bool WeightedSumOp::isExactlyWider(FloatType wide, FloatType narrow) {
  return wide != narrow &&
         APFloat::isRepresentableBy(narrow.getFloatSemantics(),
                                    wide.getFloatSemantics());
}

/// The weights as a dense attribute; null if a resource has no data, or too
/// much or too little.
static DenseElementsAttr getDense(ElementsAttr weights) {
  if (auto dense = dyn_cast<DenseElementsAttr>(weights))
    return dense;
  auto resource = dyn_cast<DenseResourceElementsAttr>(weights);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                             blob->getData());
}

DenseElementsAttr WeightedSumOp::getDenseWeights() {
  return getWeights() ? getDense(*getWeights()) : DenseElementsAttr();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `%x fastmath<...> offsets [[...], ...] weights dense<...> : TENSOR
/// attributes {...} : TYPE -> TYPE`, or weights `(%a, ...)`.
ParseResult WeightedSumOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand input;
  SmallVector<OpAsmParser::UnresolvedOperand> uniforms;
  SmallVector<int64_t> offsets;
  MLIRContext *context = parser.getContext();
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseOperand(input))
    return failure();
  properties.fastmath =
      arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none);
  if (succeeded(parser.parseOptionalKeyword("fastmath"))) {
    auto flags = dyn_cast_or_null<arith::FastMathFlagsAttr>(
        arith::FastMathFlagsAttr::parse(parser, {}));
    if (!flags)
      return failure();
    properties.fastmath = flags;
  }
  std::optional<size_t> rank;
  auto parseOffset = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = offsets.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
          return parser.parseInteger(offsets.emplace_back());
        }))
      return failure();
    size_t length = offsets.size() - before;
    if (!rank)
      rank = length;
    if (length == 0)
      return parser.emitError(loc, "expected an offset");
    if (length != *rank)
      return parser.emitError(loc, "expected offsets of one rank, ")
             << *rank << ", got " << length;
    return success();
  };
  if (parser.parseKeyword("offsets"))
    return failure();
  SMLoc offsetsLoc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOffset))
    return failure();
  if (!rank)
    return parser.emitError(offsetsLoc, "expected at least one offset");
  size_t taps = offsets.size() / *rank;
  properties.offsets = DenseI64ArrayAttr::get(context, offsets);

  if (parser.parseKeyword("weights"))
    return failure();
  SMLoc weightsLoc = parser.getCurrentLocation();
  Type resultType;
  size_t given = 0;
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseOperandList(uniforms) || parser.parseRParen())
      return failure();
    given = uniforms.size();
  } else {
    ElementsAttr weights;
    if (parser.parseAttribute(weights))
      return failure();
    properties.weights = weights;
    resultType = weights.getElementType();
    given = weights.getNumElements();
  }
  // Here and not in the verifier: the offsets are told apart by their number.
  if (given != taps)
    return parser.emitError(weightsLoc, "expected a weight per offset, ")
           << taps << ", got " << given;
  SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      checkNotRepeated(parser, attributesLoc, result,
                       {"offsets", "weights", "fastmath"}))
    return failure();
  Type type;
  if (parser.parseColonType(type))
    return failure();
  if (!resultType) {
    resultType = type;
    if (auto grid = dyn_cast<GridType>(type))
      resultType = grid.getElementType();
  }
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(resultType))
    return failure();
  result.addTypes(resultType);
  return failure(parser.resolveOperand(input, type, result.operands) ||
                 parser.resolveOperands(uniforms, resultType, result.operands));
}

void WeightedSumOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput();
  if (getFastmath() != arith::FastMathFlags::none) {
    printer << " fastmath";
    getFastmathAttr().print(printer);
  }
  printer << " offsets [";
  llvm::interleaveComma(llvm::seq<int64_t>(0, getNumTaps()), printer,
                        [&](int64_t tap) {
                          printer << '[';
                          llvm::interleaveComma(getOffset(tap), printer);
                          printer << ']';
                        });
  printer << "] weights ";
  if (getWeights())
    printer << *getWeights();
  else
    printer << '(' << getUniforms() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"offsets", "weights", "fastmath"});
  printer << " : " << getInput().getType();
  if (getRes().getType() != getTapType())
    printer << " -> " << getRes().getType();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static LogicalResult verifyWeights(WeightedSumOp op) {
  Type type = op.getRes().getType();
  for (Value weight : op.getUniforms())
    if (weight.getType() != type)
      return op.emitOpError("expected weights of the result's type ")
             << type << ", got " << weight.getType();
  if (!op.getWeights())
    return success();
  ElementsAttr weights = *op.getWeights();
  if (weights.getShapedType().getRank() != 1)
    return op.emitOpError("expected weights of rank 1, one per offset, got ")
           << weights.getShapedType();
  if (weights.getElementType() != type)
    return op.emitOpError("expected weights of the result's type ")
           << type << ", got " << weights.getElementType();
  DenseElementsAttr dense = getDense(weights);
  if (!dense)
    return op.emitOpError("expected dense weights, or a resource with the data "
                          "of ")
           << weights.getShapedType();
  if (!isa<FloatType>(type))
    return success();
  if (dense.isSplat())
    return dense.getSplatValue<APFloat>().isFinite()
               ? success()
               : op.emitOpError("expected finite weights, got ")
                     << dense.getSplatValue<Attribute>();
  for (auto [tap, weight] : llvm::enumerate(dense.getValues<APFloat>()))
    if (!weight.isFinite()) {
      SmallString<16> text;
      weight.toString(text);
      return op.emitOpError("expected finite weights, got ")
             << text << " for offset " << tap;
    }
  return success();
}

/// Offsets are compared as what they are in memory.
static LogicalResult verifyUnique(WeightedSumOp op) {
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, op.getNumTaps()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::lexicographical_compare(
        op.getOffset(a).begin(), op.getOffset(a).end(), op.getOffset(b).begin(),
        op.getOffset(b).end());
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (op.getOffset(order[i - 1]) == op.getOffset(order[i])) {
      InFlightDiagnostic diag =
          op.emitOpError("expected every offset once, got [");
      llvm::interleaveComma(op.getOffset(order[i]), diag);
      return diag << "] twice";
    }
  return success();
}

LogicalResult WeightedSumOp::verify() {
  FailureOr<ApplyOp> apply = getEnclosingApply(*this);
  if (failed(apply))
    return failure();
  if (getWeights().has_value() == !getUniforms().empty())
    return emitOpError(
        "expected weights that are either constants or operands");
  int64_t taps = getNumTaps();
  if (taps == 0 || getOffsets().empty() || getOffsets().size() % taps != 0)
    return emitOpError("expected a weight per offset, got ")
           << taps << " for " << getOffsets().size() << " coordinates";
  for (int64_t offset : getOffsets())
    if (offset > kMaxBound || offset < -kMaxBound)
      return emitOpError(
                 "offset out of range: expected a magnitude of at most ")
             << kMaxBound << ", got " << offset;

  Type type = getTapType(), result = getRes().getType();
  if (!isSummable(type))
    return emitOpError(
               "expected floats, or integers of more than one bit, got ")
           << type;
  bool isWider = isa<FloatType>(type) && isa<FloatType>(result) &&
                 isExactlyWider(cast<FloatType>(result), cast<FloatType>(type));
  if (result != type && !isWider)
    return emitOpError("expected a result of the type of what is summed, ")
           << type << ", or a wider float, got " << result;

  int64_t rank = apply->getRank();
  if (auto grid = dyn_cast<GridType>(getInput().getType())) {
    if (failed(verifyIsInput(*this, *apply, getInput())) ||
        failed(verifyOffsetAxes(*this, *apply, grid, getOffsetRank(),
                                getOffsetMapping())))
      return failure();
  } else {
    Operation *source = getInput().getDefiningOp();
    if (!source || source->getBlock() != apply->getBodyBlock())
      return withNote(
          emitOpError(
              "expected an input of the apply, or a value computed at the top "
              "level of its body"),
          apply->getLoc(), "the stencil.apply is here");
    if (getOffsetMapping())
      return emitOpError("expected no offset mapping for a value of the body");
    if (rank != 0 && getOffsetRank() != rank)
      return emitOpError("expected offsets of rank ")
             << rank << " to match the apply, got " << getOffsetRank();
  }
  if (failed(verifyWeights(*this)))
    return failure();
  return verifyUnique(*this);
}
