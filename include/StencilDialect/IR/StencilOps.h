//===- StencilOps.h - Operations of the stencil dialect ---------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_STENCILOPS_H
#define STENCILDIALECT_IR_STENCILOPS_H

#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/IR/StencilTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "StencilDialect/IR/StencilOps.h.inc"

namespace stencil {

/// Interior points that a boundary condition needs along an axis whose halo is
/// `halo` points wide on its side: mirrors read halo + 1, extrapolations
/// order + 1.
int64_t countInterior(mlir::Attribute condition, int64_t halo);

} // namespace stencil

#endif // STENCILDIALECT_IR_STENCILOPS_H
