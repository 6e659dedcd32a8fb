//===- TileOps.h - Ops of a tile to ops of its threads ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEOPS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEOPS_H

#include "StencilDialect/Tile/Tile.h"
#include "ThreadValues.h"
#include "TileBlock.h"

namespace stencil {

/// Whether a plane is known to be that of an iteration, counted from 0: the
/// first, or one of a loop.
bool isIteration(Value plane);

/// Whether the plane of an iteration is known to belong to the segment: the
/// loop begins behind the iterations before it.
bool isBehindLookback(Value plane, int64_t lookback);

/// The newest plane of a ring that an iteration waits for; none without waits.
std::optional<int64_t> getAwaited(Value ring);

/// How many iterations after its own one the plane of a copy is waited for; 0
/// without waits.
int64_t countUntilAwaited(tile::CopyOp copy);

/// The first plane of the first iteration that is copied to a ring: what comes
/// before the loops is of that one.
int64_t findFirstPlane(tile::RingOp ring);

/// Finds out where rings lie in the memory of the block, and where a thread's
/// own points are in them.
void placeRings(ThreadValues &held);

/// Rings with edges: what is beside the tile, and before the first plane, is
/// read and not specified, but it is some number. So are the first planes that
/// legs take.
void clearEdges(TileBlock &block);

/// The first element of a ring that a leg puts planes to.
Value getLegStart(TileBlock &block, Value ring, Value leg);

/// Loads a thread's own points. Where they are in the memory of the block, all
/// threads of a leg know alike.
void emitTake(ThreadValues &held, tile::TakeOp take);

/// Writes the values of a row of points.
void emitPut(ThreadValues &held, tile::PutOp put, ArrayRef<TilePoint> row);

/// Stores what a thread has computed of a row.
void emitStore(ThreadValues &held, tile::StoreOp store,
               ArrayRef<TilePoint> row);

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
void emitImages(ThreadValues &held, ArrayRef<tile::StoreOp> stores);

/// If there is a next tile, asks the second-level cache for the farthest rows
/// that it reads there, line by line: of each line, the thread whose point is
/// the first one.
LogicalResult emitPrefetch(ThreadValues &held, tile::PrefetchOp prefetch);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILEOPS_H
