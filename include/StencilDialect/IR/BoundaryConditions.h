//===- BoundaryConditions.h - What is around a box --------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_BOUNDARYCONDITIONS_H
#define STENCILDIALECT_IR_BOUNDARYCONDITIONS_H

#include "StencilDialect/IR/StencilOps.h"

namespace stencil {

/// `[cond, lower | upper, ...]`, one entry per axis; as a list, two per axis.
/// As custom directives are.
mlir::ParseResult parseConditions(mlir::AsmParser &parser,
                                  mlir::ArrayAttr &conditions);
void printConditions(mlir::AsmPrinter &printer, mlir::Operation *op,
                     mlir::ArrayAttr conditions);

/// Checks that a list, two entries per axis, has conditions only, that their
/// rules are within their limits, and that those that wrap are on both sides.
mlir::LogicalResult verifyRules(mlir::Operation *op,
                                mlir::ArrayAttr conditions);
/// Checks a list of boundary conditions, two per axis, for a field of this
/// type: all but the widths of interior and halo.
mlir::LogicalResult verifyConditions(mlir::Operation *op,
                                     mlir::ArrayAttr conditions, GridType type);
/// Checks that the interior is as wide as a condition needs it for a halo of
/// this width.
mlir::LogicalResult verifyInterior(mlir::Operation *op, BoundsAttr interior,
                                   int64_t axis, mlir::Attribute condition,
                                   int64_t halo);

} // namespace stencil

#endif // STENCILDIALECT_IR_BOUNDARYCONDITIONS_H
