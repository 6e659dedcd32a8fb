//===- StencilAttrs.h - Attributes of the stencil dialect -------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_STENCILATTRS_H
#define STENCILDIALECT_IR_STENCILATTRS_H

#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Diagnostics.h"
#include "StencilDialect/IR/HaloRule.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/OpImplementation.h"

#include "StencilDialect/IR/StencilEnums.h.inc"
#include "StencilDialect/IR/StencilInterfaces.h.inc"

namespace stencil {
struct TargetInfo;

/// True of the offset of the point itself.
inline bool isZero(llvm::ArrayRef<int64_t> offset) {
  return llvm::all_of(offset, [](int64_t along) { return along == 0; });
}
} // namespace stencil

#define GET_ATTRDEF_CLASSES
#include "StencilDialect/IR/StencilAttrs.h.inc"

namespace stencil {
/// That of a boundary condition (ConditionAttrInterface).
inline HaloRule getHaloRule(mlir::Attribute condition) {
  return mlir::cast<ConditionAttrInterface>(condition).getRule();
}
} // namespace stencil

#endif // STENCILDIALECT_IR_STENCILATTRS_H
