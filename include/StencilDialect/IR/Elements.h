//===- Elements.h - What fields hold ----------------------------*- C++ -*-===//
//
// The size of elements in memory, the same on all targets.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_ELEMENTS_H
#define STENCILDIALECT_IR_ELEMENTS_H

#include "mlir/IR/Types.h"

namespace stencil {

/// True for the elements that memory can hold: integers, indices, and floats
/// that are a number of bytes. The dialect allows others, which no lowering
/// takes.
bool hasStorage(mlir::Type elementType);

/// Bits of a value of a type that has storage; an index takes 64 on all
/// targets. 64 for other types, so that estimates can be asked of any field.
unsigned getBitWidth(mlir::Type type);

/// Bytes that an element takes in memory: a power of two.
int64_t getElementBytes(mlir::Type elementType);

/// True if a vector of such elements lies in memory as they do one by one: an
/// i24 takes four bytes, but three in a vector.
bool hasVectorLayout(mlir::Type elementType);

} // namespace stencil

#endif // STENCILDIALECT_IR_ELEMENTS_H
