//===- StencilDialect.h - The stencil dialect -------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_STENCILDIALECT_H
#define STENCILDIALECT_IR_STENCILDIALECT_H

#include "mlir/IR/Dialect.h"

#include "StencilDialect/IR/StencilDialect.h.inc"

#endif // STENCILDIALECT_IR_STENCILDIALECT_H
