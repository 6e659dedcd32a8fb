//===- TileStores.h - What a tile stores ------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILESTORES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILESTORES_H

#include "ThreadValues.h"

namespace stencil {

/// Stores what a thread has computed of a row.
void emitStore(ThreadValues &held, tile::StoreOp store,
               llvm::ArrayRef<TilePoint> row);

/// Deals what the block stores of its tile out to the threads in vectors. What
/// threads have written to a ring, a thread need not store to memory where it
/// has computed it: neighbouring threads store neighbouring vectors, and memory
/// is written in whole sectors, however many points of a row a thread computes.
void emitSharedStore(ThreadValues &held, tile::StoreOp store);

/// Behind the stores, for all points of a thread: stores to their images in
/// periodic halos. A thread whose points have images reads back what it has
/// stored. A point near the edges of two axes has three images, near those of
/// three axes seven. Stores that follow each other and have their images at the
/// same places share what finds them.
void emitImages(ThreadValues &held, llvm::ArrayRef<tile::StoreOp> stores);

/// If there is a next tile, asks the second-level cache for the farthest rows
/// that it reads there, line by line: of each line, the thread whose point is
/// the first one.
mlir::LogicalResult emitPrefetch(ThreadValues &held, tile::PrefetchOp prefetch);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILESTORES_H
