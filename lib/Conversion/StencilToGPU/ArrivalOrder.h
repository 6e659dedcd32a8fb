//===- ArrivalOrder.h - Ops in the order in which values come ---*- C++ -*-===//
//
// A thread computes its points one after the other. What several of them read
// then waits in registers from the first to the last one. If sums of many
// points are added at once instead, row by row as values come from shared
// memory, a value is done with as soon as it is there, and what waits are sums:
// 83 instead of 240 values for eight points of a cube of 125.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_ARRIVALORDER_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_ARRIVALORDER_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// Where something lies that was loaded from shared memory: the oldest plane
/// first, then by window, then by rows.
using ReadPlace = std::tuple<int64_t, unsigned, int64_t>;

/// Puts the ops of [begin, end), of one block, in another order: what
/// has been loaded, the oldest plane first, row by row, and each op as soon as
/// its operands are there: `getPlace` is null for what is no such load. No
/// value is computed otherwise than before. Does nothing if at most `registers`
/// of 32 bits are taken as it is, if the other order takes no fewer, and if
/// there are ops with effects other than such loads and stores.
void orderByArrival(
    mlir::Block::iterator begin, mlir::Block::iterator end,
    llvm::function_ref<const ReadPlace *(mlir::Operation *)> getPlace,
    int64_t registers);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_ARRIVALORDER_H
