//===- LaneShuffle.cpp - Values of other lanes ----------------------------===//

#include "LaneShuffle.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace stencil;

Value stencil::shuffleLanes(OpBuilder &builder, Location loc, Value value,
                            Value lane, int64_t warpSize) {
  Type type = value.getType();
  unsigned width = getBitWidth(type);
  constexpr unsigned kWord = 32;
  Type word = builder.getIntegerType(kWord);
  Type bits = builder.getIntegerType(width);
  auto convert = [&](Value from, Type to) -> Value {
    if (from.getType() == to)
      return from;
    if (type.isIndex())
      return arith::IndexCastOp::create(builder, loc, to, from);
    return arith::BitcastOp::create(builder, loc, to, from);
  };
  Value whole = convert(value, bits);
  Value all = arith::ConstantIntOp::create(builder, loc, warpSize, kWord);
  auto move = [&](Value part) -> Value {
    return gpu::ShuffleOp::create(builder, loc, part, lane, all,
                                  gpu::ShuffleMode::IDX)
        .getShuffleResult();
  };
  Value moved;
  if (width <= kWord) {
    Value part = width == kWord
                     ? whole
                     : arith::ExtUIOp::create(builder, loc, word, whole);
    moved = move(part);
    if (width < kWord)
      moved = arith::TruncIOp::create(builder, loc, bits, moved);
  } else {
    // Registers have 32 bits.
    for (unsigned shift = 0; shift < width; shift += kWord) {
      Value by = arith::ConstantIntOp::create(builder, loc, shift, width);
      Value part = arith::TruncIOp::create(
          builder, loc, word, arith::ShRUIOp::create(builder, loc, whole, by));
      Value wide = arith::ShLIOp::create(
          builder, loc, arith::ExtUIOp::create(builder, loc, bits, move(part)),
          by);
      moved = moved ? arith::OrIOp::create(builder, loc, moved, wide) : wide;
    }
  }
  return convert(moved, type);
}
