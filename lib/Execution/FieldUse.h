//===- FieldUse.h - What a program does with an array -----------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_FIELDUSE_H
#define STENCIL_LIB_EXECUTION_FIELDUSE_H

#include "mlir/IR/Value.h"

namespace stencil {

struct FieldUse {
  bool isRead = false, isWritten = false;
};

/// What a level-0 program may do with the memory of an argument of its entry,
/// in loops, branches and functions that it calls, too. Never less than what it
/// does.
FieldUse getFieldUse(mlir::BlockArgument argument);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_FIELDUSE_H
