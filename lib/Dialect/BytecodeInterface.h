//===- BytecodeInterface.h - Versions of bytecode ---------------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_DIALECT_BYTECODEINTERFACE_H
#define STENCILDIALECT_LIB_DIALECT_BYTECODEINTERFACE_H

namespace stencil {

class StencilDialect;

/// Makes bytecode carry the dialect's version, and refuses that of a newer one.
void addBytecodeInterface(StencilDialect &dialect);

} // namespace stencil

#endif // STENCILDIALECT_LIB_DIALECT_BYTECODEINTERFACE_H
