//===- StencilOps.h - Operations of the stencil dialect ---------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_STENCILOPS_H
#define STENCILDIALECT_IR_STENCILOPS_H

#include "StencilDialect/IR/BodyInterfaces.h"
#include "StencilDialect/IR/OpTraits.h"
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

#endif // STENCILDIALECT_IR_STENCILOPS_H
