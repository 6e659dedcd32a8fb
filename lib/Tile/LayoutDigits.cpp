//===- LayoutDigits.cpp - Where a thread's points are, as code ------------===//

#include "StencilDialect/Tile/LayoutDigits.h"

using namespace mlir;
using namespace stencil;

SmallVector<Value> tile::findPoint(const Arithmetic &math,
                                   ArrayRef<LayoutDigit> digits, Value number,
                                   int64_t count, int64_t rank) {
  SmallVector<Value> point(rank, math.constant(0));
  for (const LayoutDigit &digit : digits) {
    if (count <= 1)
      break;
    // What is left of the number needs no remainder along the last digit.
    Value value = count == digit.count
                      ? number
                      : math.rem(number, math.constant(digit.count));
    Value &along = point[digit.axis];
    along = math.add(along, math.mul(value, digit.stride));
    number = math.div(number, math.constant(digit.count));
    count /= digit.count;
  }
  return point;
}
