//===- FieldUses.h - Which arguments a program reads and writes -*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_FIELDUSES_H
#define STENCILDIALECT_ANALYSIS_FIELDUSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

namespace stencil {

/// What may be done to an array. Nothing is surely done.
struct FieldUse {
  bool isRead = false, isWritten = false;
};

/// One per argument of a function of level 0, also for scalars, of which
/// neither holds. Loops, branches and functions that it calls are followed. A
/// field that the function returns counts as read and written, as whoever gets
/// it may do both; so does one that is handed to what is not known.
llvm::SmallVector<FieldUse> getFieldUses(mlir::func::FuncOp function);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_FIELDUSES_H
