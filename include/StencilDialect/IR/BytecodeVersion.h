//===- BytecodeVersion.h - The dialect's version in bytecode ----*- C++ -*-===//

#ifndef STENCILDIALECT_IR_BYTECODEVERSION_H
#define STENCILDIALECT_IR_BYTECODEVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

#include <cstdint>

namespace stencil {

/// The form of the dialect's ops, types and attributes. It is counted up by a
/// change after which programs of before would be read wrongly or not at all;
/// what such a program needs is done on reading (`upgradeFromVersion`). 0 is
/// bytecode without a version, from before there was one; it is that of 1.
struct BytecodeVersion : mlir::DialectVersion {
  /// What this version of the project writes.
  static constexpr uint64_t kCurrent = 1;

  explicit BytecodeVersion(uint64_t number = kCurrent) : number(number) {}

  uint64_t number;
};

} // namespace stencil

#endif // STENCILDIALECT_IR_BYTECODEVERSION_H
