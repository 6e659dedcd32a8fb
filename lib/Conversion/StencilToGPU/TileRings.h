//===- TileRings.h - Rings in the memory of a block -------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILERINGS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILERINGS_H

#include "ThreadValues.h"

namespace stencil {

/// Finds out where rings lie in the memory of the block, and where a thread's
/// own points are in them.
void placeRings(ThreadValues &held);

/// Rings with edges: what is beside the tile, and before the first plane, is
/// read and not specified, but it is some number. So are the first planes that
/// legs take.
void clearEdges(TileBlock &block);

/// The first element of a ring that a leg puts planes to.
mlir::Value getLegStart(TileBlock &block, mlir::Value ring, mlir::Value leg);

/// Loads a thread's own points. Where they are in the memory of the block, all
/// threads of a leg know alike.
void emitTake(ThreadValues &held, tile::TakeOp take);

/// Writes the values of a row of points.
void emitPut(ThreadValues &held, tile::PutOp put,
             llvm::ArrayRef<TilePoint> row);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILERINGS_H
