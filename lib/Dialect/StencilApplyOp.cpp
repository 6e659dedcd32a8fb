//===- StencilApplyOp.cpp - stencil.apply and stencil.return --------------===//

#include "BodyOps.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Builders and accessors
//===----------------------------------------------------------------------===//

static void addBody(OpBuilder &builder, OperationState &state,
                    ValueRange args) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(args.size(), state.location);
  builder.createBlock(state.addRegion(), {}, args.getTypes(), locations);
}

void ApplyOp::build(OpBuilder &builder, OperationState &state,
                    TypeRange resultTypes, ValueRange args) {
  state.addOperands(args);
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(args.size()), 0};
  state.addTypes(resultTypes);
  addBody(builder, state, args);
}

void ApplyOp::build(OpBuilder &builder, OperationState &state, ValueRange args,
                    ValueRange dest, BoundsAttr bounds) {
  state.addOperands(args);
  state.addOperands(dest);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(args.size()),
                                    static_cast<int32_t>(dest.size())};
  properties.bounds = bounds;
  addBody(builder, state, args);
}

int64_t ApplyOp::getRank() {
  if (!getRes().empty())
    return cast<GridType>(getRes().front().getType()).getRank();
  if (std::optional<BoundsAttr> bounds = getBounds())
    return bounds->getRank();
  return getDest().empty()
             ? 0
             : cast<GridType>(getDest().front().getType()).getRank();
}

Type ApplyOp::getOutputElementType(unsigned index) {
  Type type =
      isBufferised() ? getDest()[index].getType() : getRes()[index].getType();
  return cast<GridType>(type).getElementType();
}

SmallVector<Type> ApplyOp::getTempTypes(BoundsAttr box) {
  SmallVector<Type> types;
  for (unsigned index = 0; index < getNumOutputs(); ++index) {
    Type element = getOutputElementType(index);
    types.push_back(box ? TempType::get(box, element)
                        : TempType::get(getRank(), element));
  }
  return types;
}

BlockArgument ApplyOp::addInput(Value input, Location loc) {
  getArgsMutable().append(input);
  return getBodyBlock()->addArgument(input.getType(), loc);
}

void ApplyOp::retypeArguments() {
  for (auto [argument, input] :
       llvm::zip_equal(getBodyBlock()->getArguments(), getArgs()))
    argument.setType(input.getType());
}

void ApplyOp::returnInput(ArrayRef<SmallVector<int64_t>> offsets) {
  auto b = ImplicitLocOpBuilder::atBlockEnd(getLoc(), getBodyBlock());
  Value input = getBodyBlock()->getArgument(0);
  ReturnOp::create(b, llvm::map_to_vector(offsets, [&](ArrayRef<int64_t> at) {
                     return AccessOp::create(b, input, at).getRes();
                   }));
}

BlockArgument ApplyOp::getOrAddInput(Value input, Location loc) {
  auto known = llvm::find(getArgs(), input);
  return known == getArgs().end()
             ? addInput(input, loc)
             : getBodyBlock()->getArgument(known - getArgs().begin());
}

BoundsAttr ApplyOp::getDomain() {
  if (std::optional<BoundsAttr> bounds = getBounds())
    return *bounds;
  if (getRes().empty())
    return {};
  return stencil::getBounds(getRes().front());
}

SmallVector<int64_t> ApplyOp::getUnrollFactors() {
  if (auto terminator = dyn_cast<ReturnOp>(getBodyBlock()->back()))
    if (std::optional<stencil::IndexAttr> unroll = terminator.getUnroll())
      return SmallVector<int64_t>(unroll->getValues());
  return SmallVector<int64_t>(getRank(), 1);
}

void ApplyOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &dest : getDestMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &dest);
  for (OpOperand &arg : getArgsMutable())
    if (isa<FieldType>(arg.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &arg);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult stencil::parseBindings(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    SmallVectorImpl<Type> &types) {
  auto parseBinding = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    types.push_back(argument.type);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                        parseBinding);
}

/// `(%x = %t : T, ...) -> (T, ...) attributes {...} { body }` or
/// `(%x = %f : F, ...) outs (%g : F, ...) attributes {...} { body } to <lb,
/// ub>`.
ParseResult ApplyOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands, dest;
  SmallVector<Type> argTypes, destTypes, resultTypes;
  auto parseDest = [&]() -> ParseResult {
    return failure(parser.parseOperand(dest.emplace_back()) ||
                   parser.parseColonType(destTypes.emplace_back()));
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parseBindings(parser, arguments, operands, argTypes))
    return failure();
  SMLoc destLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalArrow())) {
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
          return parser.parseType(resultTypes.emplace_back());
        }))
      return failure();
  } else if (parser.parseKeyword("outs", " or '->' in stencil.apply") ||
             parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                            parseDest)) {
    return failure();
  }
  SMLoc attributesLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (StringRef name : {"bounds", "operandSegmentSizes"})
    if (result.attributes.get(name))
      return parser.emitError(attributesLoc, "expected no attribute '")
             << name << "': the syntax of stencil.apply gives it";
  if (parser.parseRegion(*result.addRegion(), arguments,
                         /*enableNameShadowing=*/true))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  if (succeeded(parser.parseOptionalKeyword("to"))) {
    properties.bounds =
        dyn_cast_or_null<BoundsAttr>(BoundsAttr::parse(parser, Type()));
    if (!properties.bounds)
      return failure();
  }
  properties.operandSegmentSizes = {static_cast<int32_t>(operands.size()),
                                    static_cast<int32_t>(dest.size())};
  result.addTypes(resultTypes);
  return failure(
      parser.resolveOperands(operands, argTypes, loc, result.operands) ||
      parser.resolveOperands(dest, destTypes, destLoc, result.operands));
}

void ApplyOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(getBodyBlock()->getArguments(), getArgs()), printer,
      [&](auto pair) {
        auto [argument, operand] = pair;
        printer.printRegionArgument(argument, {}, /*omitType=*/true);
        printer << " = " << operand << " : " << operand.getType();
      });
  printer << ')';
  if (isBufferised()) {
    printer << " outs (";
    llvm::interleaveComma(getDest(), printer, [&](Value dest) {
      printer << dest << " : " << dest.getType();
    });
  } else {
    printer << " -> (";
    llvm::interleaveComma(getRes().getTypes(), printer);
  }
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getOperandSegmentSizesAttrName(), "bounds"});
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false);
  if (std::optional<BoundsAttr> bounds = getBounds()) {
    printer << " to ";
    bounds->print(printer);
  }
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Casts may form a cycle where dominance does not hold, as in the body of a
/// module.
Value stencil::lookThroughCasts(Value value) {
  llvm::SmallPtrSet<Operation *, 4> seen;
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!hasTrait<FieldView>(op) || !seen.insert(op).second)
      return value;
    value = op->getOperand(0);
  }
}

LogicalResult stencil::verifyBindings(Operation *op, Block &body,
                                      ValueRange operands) {
  if (body.getNumArguments() != operands.size())
    return op->emitOpError("expected ")
           << operands.size() << " block arguments to match the operands, got "
           << body.getNumArguments();
  for (auto [index, argument, operand] :
       llvm::enumerate(body.getArguments(), operands))
    if (argument.getType() != operand.getType())
      return op->emitOpError("expected block argument ")
             << index << " to have the operand's type " << operand.getType()
             << ", got " << argument.getType();
  return success();
}

LogicalResult ApplyOp::verify() {
  Block *body = getBodyBlock();
  if (failed(verifyBindings(*this, *body, getArgs())))
    return failure();
  if (!getRes().empty() && !getDest().empty())
    return emitOpError("expected results or destination operands, got both");
  if (getNumOutputs() == 0)
    return emitOpError("expected at least 1 result, got 0");
  if (!getRes().empty()) {
    auto first = cast<GridType>(getRes().front().getType());
    for (Type type : getRes().getTypes()) {
      auto grid = cast<GridType>(type);
      if (grid.getRank() != first.getRank() ||
          grid.getBounds() != first.getBounds())
        return emitOpError("expected all results to have the bounds of ")
               << Type(first) << ", got " << type;
    }
    if (getBounds() && getBoundsAttr() != first.getBounds())
      return emitOpError("expected 'to' bounds on a bufferised apply only");
    return success();
  }
  if (!getBounds())
    return emitOpError("expected bounds with destination operands");
  llvm::SmallDenseSet<Value> written;
  for (Value dest : getDest())
    if (!written.insert(lookThroughCasts(dest)).second)
      return emitOpError("expected destinations that are different fields");
  for (Value dest : getDest()) {
    auto type = cast<GridType>(dest.getType());
    if (type.getRank() != getBounds()->getRank())
      return emitOpError("expected destinations of rank ")
             << getBounds()->getRank() << " to match the bounds, got "
             << dest.getType();
    if (type.getBounds() && !type.getBounds().contains(*getBounds()))
      return emitOpError("expected the bounds ")
             << *getBounds() << " to lie in the destination, got "
             << dest.getType();
  }
  return success();
}

InFlightDiagnostic stencil::emitBeyond(Operation *op, int64_t first,
                                       int64_t end, int64_t axis,
                                       GridType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "accesses [";
  printBound(os, first);
  os << ',';
  printBound(os, end);
  os << ") of axis " << axis << ", expected to stay in ";
  return op->emitOpError(text) << Type(type);
}

/// Checks that the access at offsets `lower`..`upper` from every point at which
/// the body runs stays in the input.
static LogicalResult verifyInBounds(Operation *op, ApplyOp apply, GridType type,
                                    ArrayRef<int64_t> axes,
                                    ArrayRef<int64_t> lower,
                                    ArrayRef<int64_t> upper) {
  BoundsAttr domain = apply.getDomain();
  BoundsAttr bounds = type.getBounds();
  if (!domain || !bounds)
    return success();
  SmallVector<int64_t> unroll = apply.getUnrollFactors();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t first = domain.getLb()[axis] + lower[i];
    int64_t end = domain.getUb()[axis] - (unroll[axis] - 1) + upper[i];
    if (first >= bounds.getLb()[i] && end <= bounds.getUb()[i])
      continue;
    InFlightDiagnostic diag = emitBeyond(op, first, end, i, type);
    diag.attachNote(apply.getLoc()) << "evaluated on " << domain << " here";
    return diag;
  }
  return success();
}

/// Checks that no input of a bufferised apply is memory that it writes, but for
/// reads of the very point that is written.
static LogicalResult verifyInPlace(Operation *op, ApplyOp apply, Value input,
                                   bool pointwise) {
  Value operand = apply.getInput(input);
  Value memory = lookThroughCasts(operand);
  for (Value dest : apply.getDest()) {
    if (lookThroughCasts(dest) != memory ||
        (pointwise && dest.getType() == operand.getType()))
      continue;
    return withNote(
        op->emitOpError(
            "reads an output of its bufferised apply at a non-zero offset"),
        apply.getLoc(), "the output is written here");
  }
  return success();
}

/// Weights must not depend on the point.
static LogicalResult verifyUniforms(ApplyOp apply) {
  std::optional<UniformValues> uniform;
  WalkResult walk = apply.getRegion().walk([&](WeightedSumOp sum) {
    if (sum.getUniforms().empty())
      return WalkResult::advance();
    if (!uniform)
      uniform.emplace(apply);
    for (auto [tap, weight] : llvm::enumerate(sum.getUniforms()))
      if (!uniform->contains(weight))
        return WalkResult(withNote(
            sum.emitOpError("expected weights that follow from constants and "
                            "scalar arguments of the apply, got another for "
                            "offset ")
                << tap,
            weight.getLoc(), "the weight is computed here"));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A row of a matrix belongs to one point: it is not evaluated at others.
static LogicalResult verifyProducts(ApplyOp apply) {
  Block *body = apply.getBodyBlock();
  auto products = body->getOps<MatVecOp>();
  if (products.empty())
    return success();
  if (llvm::any_of(apply.getUnrollFactors(), [](int64_t n) { return n != 1; }))
    return (*products.begin())
        .emitOpError("expected an apply that returns one point at a time");
  for (auto sum : body->getOps<WeightedSumOp>())
    if (!sum.isOverInput())
      return withNote((*products.begin())
                          .emitOpError("expected an apply without "
                                       "sums of its own values"),
                      sum.getLoc(), "the sum is here");
  return success();
}

/// Checks of the body that need the whole apply. Here and not in the accesses,
/// because the apply itself has been verified when these run.
LogicalResult ApplyOp::verifyRegions() {
  if (!isa<ReturnOp>(getBodyBlock()->back()))
    return emitOpError("expected the body to end with stencil.return");
  WalkResult walk =
      getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (op->getDialect() == (*this)->getDialect() &&
            !op->hasTrait<InBody>() && !isa<ReturnOp, ReduceOp, YieldOp>(op))
          return withNote(
              op->emitOpError(
                  "expected to be outside of the body of a stencil.apply"),
              getLoc(), "the stencil.apply is here");
        return WalkResult::advance();
      });
  if (walk.wasInterrupted() || failed(verifyUniforms(*this)) ||
      failed(verifyProducts(*this)))
    return failure();
  bool isRight = true;
  Footprint(*this).forEachRead([&](const InputRead &read) {
    isRight = isRight &&
              succeeded(verifyInBounds(read.op, *this,
                                       cast<GridType>(read.input.getType()),
                                       read.axes, read.lower, read.upper)) &&
              succeeded(verifyInPlace(read.op, *this, read.input,
                                      read.isPointwise(getRank())));
  });
  return success(isRight);
}

LogicalResult ReturnOp::verify() {
  auto apply = cast<ApplyOp>((*this)->getParentOp());
  int64_t factor = 1;
  if (std::optional<stencil::IndexAttr> unroll = getUnroll()) {
    if (apply.getRank() != 0 && unroll->getRank() != apply.getRank())
      return emitOpError("expected one unroll factor per axis of the apply, ")
             << apply.getRank() << ", got " << unroll->getRank();
    for (int64_t value : unroll->getValues()) {
      if (value < 1)
        return emitOpError("expected positive unroll factors, got ") << value;
      if (value > 1024 || factor * value > 65536)
        return emitOpError("expected unroll factors of at most 1024 and a "
                           "product of at most 65536, got ")
               << *unroll;
      factor *= value;
    }
  }
  unsigned outputs = apply.getNumOutputs();
  if (getArgs().size() != outputs * static_cast<size_t>(factor))
    return emitOpError("expected ")
           << outputs * factor
           << " operands to match the parent stencil.apply result types, got "
           << getArgs().size();
  for (auto [index, type] : llvm::enumerate(getArgs().getTypes())) {
    Type expected = apply.getOutputElementType(index / factor);
    Type got = unwrapResult(type);
    if (got == expected)
      continue;
    // Tensors of one rank and element type match: the frontend of a tensorised
    // axis computes its interior only (xDSL).
    auto gotTensor = dyn_cast<RankedTensorType>(got);
    auto expectedTensor = dyn_cast<RankedTensorType>(expected);
    if (gotTensor && expectedTensor &&
        gotTensor.getRank() == expectedTensor.getRank() &&
        gotTensor.getElementType() == expectedTensor.getElementType())
      continue;
    return emitOpError("expected operand types to match the parent "
                       "stencil.apply result element types, got ")
           << got << " at index " << index << ", expected " << expected;
  }
  return success();
}
