//===- StencilTypes.h - Types of the stencil dialect ------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_STENCILTYPES_H
#define STENCILDIALECT_IR_STENCILTYPES_H

#include "StencilDialect/IR/StencilAttrs.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"

#define GET_TYPEDEF_CLASSES
#include "StencilDialect/IR/StencilTypes.h.inc"

namespace stencil {

/// What fields and temps have in common.
class GridType : public mlir::Type {
public:
  using mlir::Type::Type;

  static bool classof(mlir::Type type) {
    return mlir::isa<FieldType, TempType>(type);
  }

  int64_t getRank() const;

  /// The box of points; null if it is not known.
  BoundsAttr getBounds() const;

  mlir::Type getElementType() const;

  /// The same type with another box. Null `bounds` forget it.
  GridType withBounds(BoundsAttr bounds) const;
};

/// Of a field or a temp.
inline BoundsAttr getBounds(mlir::Value value) {
  return mlir::cast<GridType>(value.getType()).getBounds();
}
inline mlir::Type getElementType(mlir::Value value) {
  return mlir::cast<GridType>(value.getType()).getElementType();
}

/// The element type of a `!stencil.result`, else the type itself.
mlir::Type unwrapResult(mlir::Type type);

} // namespace stencil

#endif // STENCILDIALECT_IR_STENCILTYPES_H
