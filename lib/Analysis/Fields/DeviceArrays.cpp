//===- DeviceArrays.cpp - Fields that are the caller's memory -------------===//

#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace stencil;

bool stencil::hasDeviceArrays(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(kDeviceArraysAttr);
}

std::optional<int64_t> stencil::getDenseRowBytes(GridType type) {
  int64_t extent = type.getBounds().getShape().back();
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  return extent * getElementBytes(type.getElementType());
}

bool stencil::denseRowsFitTensorMap(GridType type) {
  if (type.getRank() == 1)
    return true;
  std::optional<int64_t> bytes = getDenseRowBytes(type);
  return bytes && *bytes % kTensorMapRowBytes == 0;
}

bool stencil::denseRowsFitCopies(GridType type) {
  int64_t first = type.getBounds().getLb().back();
  return denseRowsFitTensorMap(type) && !isSymbolic(first) &&
         first * getElementBytes(type.getElementType()) % kTensorMapRowBytes ==
             0;
}
