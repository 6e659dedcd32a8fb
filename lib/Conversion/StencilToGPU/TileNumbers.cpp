//===- TileNumbers.cpp - Numbers and cursors of a kernel ------------------===//

#include "TileOps.h"

using namespace mlir;
using namespace stencil;

/// An op on numbers is the same op, on the kernel's integers.
LogicalResult stencil::emitNumber(TileBlock &block, Operation *inner) {
  // A division may have no result; who knows that it has one says by what.
  if (inner->getNumRegions() != 0 || !isPure(inner) ||
      !llvm::all_of(inner->getResultTypes(),
                    [](Type type) { return type.isIntOrIndexOrFloat(); }) ||
      !llvm::all_of(inner->getOperands(),
                    [&](Value value) { return block.numbers.contains(value); }))
    return inner->emitOpError("cannot be distributed to the threads of a "
                              "tile.kernel");
  if (auto constant = dyn_cast<arith::ConstantOp>(inner);
      constant && constant.getType().isIndex()) {
    block.numbers[constant] =
        block.math.constant(cast<IntegerAttr>(constant.getValue()).getInt());
    return success();
  }
  // Casts and all that has integers and indices: as it is, on indices.
  bool isPlain =
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
          arith::RemUIOp, arith::DivSIOp, arith::RemSIOp, arith::MinSIOp,
          arith::MaxSIOp, arith::MinUIOp, arith::CmpIOp, arith::SelectOp>(
          inner);
  SmallVector<Value> operands;
  for (Value operand : inner->getOperands())
    operands.push_back(isPlain || !operand.getType().isIndex()
                           ? block.getNumber(operand)
                           : block.math.toIndex(block.numbers.lookup(operand)));
  SmallVector<Type> types;
  for (Type type : inner->getResultTypes())
    types.push_back(isPlain && type.isIndex() ? block.math.getType() : type);
  OperationState state(inner->getLoc(), inner->getName(), operands, types,
                       inner->getAttrs());
  Operation *copy = block.kernel.body().create(state);
  // The kernel's integers have room for its coordinates.
  if (auto sum = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(copy);
      sum && isPlain && inner->getResult(0).getType().isIndex())
    copy->setAttr(sum.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      copy->getContext(), arith::IntegerOverflowFlags::nsw));
  for (auto [from, to] :
       llvm::zip_equal(inner->getResults(), copy->getResults()))
    block.numbers[from] = to;
  return success();
}

void stencil::emitCursor(TileBlock &block, tile::CursorOp cursor) {
  Value number = block.getNumber(cursor.getIteration());
  Value slots =
      block.math.constant(cast<tile::CursorType>(cursor.getType()).getSlots());
  Value round = block.math.div(number, slots);
  Value parity = block.math.compare(
      arith::CmpIPredicate::ne, block.math.rem(round, block.math.constant(2)),
      block.math.constant(0));
  block.cursors[cursor] = {block.math.rem(number, slots), parity, number};
}

void stencil::emitAdvance(TileBlock &block, tile::AdvanceOp advance) {
  TileCursor cursor = block.cursors[advance.getCursor()];
  Value depth =
      block.math.constant(cast<tile::CursorType>(advance.getType()).getSlots());
  for (uint64_t step = 0; step < advance.getDistance(); ++step) {
    Value next = block.math.add(cursor.slot, 1);
    Value wraps = block.math.compare(arith::CmpIPredicate::eq, next, depth);
    cursor.slot = block.math.select(wraps, block.math.constant(0), next);
    cursor.parity = block.kernel.body().createOrFold<arith::XOrIOp>(
        advance.getLoc(), cursor.parity, wraps);
    if (block.needsPlanes)
      cursor.number = block.math.add(cursor.number, 1);
  }
  block.cursors[advance] = cursor;
}
