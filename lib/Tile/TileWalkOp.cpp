//===- TileWalkOp.cpp - Walks ---------------------------------------------===//

#include "../Dialect/BodyOps.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Tile/Tile.h"
#include "TileChecks.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

ParseResult WalkOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  Builder &builder = parser.getBuilder();
  int64_t lookback = 0, unroll = 1;
  if (succeeded(parser.parseOptionalKeyword("lookback")) &&
      parser.parseInteger(lookback))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("unroll")) &&
      parser.parseInteger(unroll))
    return failure();
  if (parser.parseKeyword("plane") ||
      parser.parseArgument(arguments.emplace_back()))
    return failure();
  arguments.back().type = builder.getIndexType();
  if (succeeded(parser.parseOptionalKeyword("cursors")) &&
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("carry")) &&
      parseBindings(parser, arguments, inits, types))
    return failure();
  if (parseOtherAttributes(parser, result, {"lookback", "unroll"}) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.resolveOperands(inits, types, loc, result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.lookback = builder.getI64IntegerAttr(lookback);
  properties.unroll = builder.getI64IntegerAttr(unroll);
  result.addTypes(types);
  ensureTerminator(*result.regions.front(), builder, result.location);
  return success();
}

void WalkOp::print(OpAsmPrinter &printer) {
  if (getLookback())
    printer << " lookback " << getLookback();
  if (getUnroll() != 1)
    printer << " unroll " << getUnroll();
  printer << " plane " << getPlane();
  if (!getCursors().empty()) {
    printer << " cursors(";
    llvm::interleaveComma(getCursors(), printer, [&](BlockArgument cursor) {
      printer.printRegionArgument(cursor);
    });
    printer << ')';
  }
  if (!getInits().empty()) {
    printer << " carry(";
    llvm::interleaveComma(
        llvm::zip_equal(getCarried(), getInits()), printer, [&](auto pair) {
          auto [argument, init] = pair;
          printer << argument << " = " << init << " : " << init.getType();
        });
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"lookback", "unroll"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

/// Both numbers in one attribute, where there was the lookback alone: it is
/// still written like that, if the other one is 1.
LogicalResult WalkOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  Attribute numbers;
  if (failed(reader.readOptionalAttribute(numbers)))
    return failure();
  Builder builder(state.getContext());
  properties.lookback = builder.getI64IntegerAttr(0);
  properties.unroll = builder.getI64IntegerAttr(1);
  if (!numbers)
    return success();
  if (auto both = dyn_cast<DenseI64ArrayAttr>(numbers);
      both && both.size() == 2) {
    properties.lookback = builder.getI64IntegerAttr(both[0]);
    properties.unroll = builder.getI64IntegerAttr(both[1]);
    return success();
  }
  properties.lookback = dyn_cast<IntegerAttr>(numbers);
  if (!properties.lookback)
    return reader.emitError("expected the lookback of a tile.walk, and perhaps "
                            "'unroll'");
  return success();
}

void WalkOp::writeProperties(DialectBytecodeWriter &writer) {
  if (getUnroll() == 1)
    return writer.writeOptionalAttribute(getLookbackAttr());
  writer.writeOptionalAttribute(
      DenseI64ArrayAttr::get(getContext(), {getLookback(), getUnroll()}));
}

LogicalResult WalkOp::verify() {
  if (failed(verifyLookback(*this, getLookback())))
    return failure();
  constexpr int64_t kMostUnrolled = 1024;
  if (int64_t unroll = getUnroll(); unroll < 1 || unroll > kMostUnrolled)
    return emitOpError("expected 'unroll' to be from 1 to ")
           << kMostUnrolled << ", got " << unroll;
  if (auto given = (*this)->getAttrOfType<IntegerAttr>(kUnrollAttr);
      given && given.getInt() % static_cast<int64_t>(getUnroll()) != 0)
    return emitOpError("expected '")
           << kUnrollAttr << "' to be a multiple of 'unroll', " << getUnroll()
           << ", got " << given.getInt();
  Block *body = getBodyBlock();
  if (body->getNumArguments() < 1 + getInits().size() ||
      !body->getArgument(0).getType().isIndex())
    return emitOpError("expected a plane (index), cursors and ")
           << getInits().size() << " carried values as block arguments";
  llvm::SmallDenseSet<int64_t> slots;
  for (BlockArgument cursor : getCursors()) {
    auto type = dyn_cast<CursorType>(cursor.getType());
    if (!type)
      return emitOpError("expected cursors, got ") << cursor.getType();
    if (!slots.insert(type.getSlots()).second)
      return emitOpError("expected cursors of different numbers of slots, got "
                         "two of ")
             << type.getSlots();
  }
  for (auto [index, carried, init] : llvm::enumerate(getCarried(), getInits()))
    if (carried.getType() != init.getType())
      return emitOpError("expected carried value ")
             << index << " to have the type of its first one, "
             << init.getType() << ", got " << carried.getType();
  for (Type type : getInits().getTypes())
    if (!isa<TempType>(type) && !type.isIntOrIndexOrFloat())
      return emitOpError("expected to carry values on boxes and numbers, got ")
             << type;
  if (getResultTypes() != getInits().getTypes())
    return emitOpError("expected results of the types of the carried values");
  return success();
}

LogicalResult WalkOp::verifyRegions() {
  Operation *terminator = getBodyBlock()->getTerminator();
  if (terminator->getOperandTypes() != getInits().getTypes())
    return terminator->emitOpError("expected to yield values of the types that "
                                   "the walk carries, ")
           << getInits().getTypes() << ", got "
           << terminator->getOperandTypes();
  return success();
}
