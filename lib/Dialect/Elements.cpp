//===- Elements.cpp - What fields hold ------------------------------------===//

#include "StencilDialect/IR/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static constexpr unsigned kBitsPerByte = 8;

bool stencil::hasStorage(Type elementType) {
  if (auto floating = dyn_cast<FloatType>(elementType))
    return floating.getWidth() % kBitsPerByte == 0;
  return elementType.isIntOrIndex();
}

unsigned stencil::getBitWidth(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth()
                             : IndexType::kInternalStorageBitWidth;
}

int64_t stencil::getElementBytes(Type elementType) {
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(getBitWidth(elementType), kBitsPerByte));
}

bool stencil::hasVectorLayout(Type elementType) {
  return hasStorage(elementType) &&
         getBitWidth(elementType) ==
             kBitsPerByte * getElementBytes(elementType);
}
