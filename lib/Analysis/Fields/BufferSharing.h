//===- BufferSharing.h - Memory for what does not live together -*- C++ -*-===//

#ifndef STENCIL_LIB_ANALYSIS_BUFFERSHARING_H
#define STENCIL_LIB_ANALYSIS_BUFFERSHARING_H

#include "StencilDialect/IR/StencilTypes.h"

namespace stencil {

/// When a buffer is in use: from position `first` to `last`, both included.
struct LiveInterval {
  FieldType type;
  unsigned first, last;
};

/// Memory for intervals that have no position in common.
struct BufferSlots {
  /// Every slot is as large as the first interval in it.
  llvm::SmallVector<FieldType> types;
  /// The slot of every interval.
  llvm::SmallVector<unsigned> slotOf;
};

/// Shares memory by linear scan. An interval goes to a slot of its rank and
/// element type whose box contains its own whatever the extents are, if there
/// is a free one: never is there more memory than there would be without
/// sharing.
BufferSlots shareBuffers(llvm::ArrayRef<LiveInterval> intervals);

} // namespace stencil

#endif // STENCIL_LIB_ANALYSIS_BUFFERSHARING_H
