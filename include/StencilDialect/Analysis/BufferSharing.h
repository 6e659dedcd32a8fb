//===- BufferSharing.h - Memory for what does not live together -*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_BUFFERSHARING_H
#define STENCILDIALECT_ANALYSIS_BUFFERSHARING_H

#include "mlir/IR/Types.h"

namespace stencil {

/// When a buffer is in use: from position `first` to `last`, both included.
struct LiveInterval {
  mlir::Type type;
  unsigned first, last;
};

/// A slot for every interval, numbered from 0 in order of first use. Intervals
/// share a slot only if they have one type and no position in common. There are
/// no more slots of a type than intervals of it that meet in one position
/// (linear scan).
llvm::SmallVector<unsigned> shareSlots(llvm::ArrayRef<LiveInterval> intervals);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_BUFFERSHARING_H
