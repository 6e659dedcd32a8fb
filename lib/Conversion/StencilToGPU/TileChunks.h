//===- TileChunks.h - What each thread copies of a plane --------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TILECHUNKS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TILECHUNKS_H

#include "TileBlock.h"

namespace stencil {

/// A slot of a ring, dealt out to the threads of a block in vectors:
/// neighbouring threads copy neighbouring ones.
class TileChunks {
public:
  TileChunks(TileBlock &block, TileRing &ring, mlir::BlockArgument field,
             bool isTileOnly);

  struct Chunk {
    /// Where it is in a slot of the ring, and in the field but for the axis
    /// that the kernel walks along.
    mlir::Value inRing, inField;
    /// Whether it is one of the slot's (null: in any case), and whether the
    /// field has points there.
    mlir::Value exists, isInField;
  };

  const KernelField &getField() const { return field; }
  /// Elements of a vector.
  int64_t getLength() const { return length; }
  int64_t getBytes() const;
  mlir::VectorType getType() const;
  const std::vector<Chunk> &getChunks() const { return chunks; }

  /// The chunk's position in a slot, and in a plane of the field, as indices.
  mlir::Value getTarget(const Chunk &chunk, mlir::Value slot) const;
  mlir::Value getSource(const Chunk &chunk, mlir::Value plane) const;
  /// Whether the chunk of a plane is to be loaded; what is not is zero. Null
  /// `isPlane`: any plane is.
  mlir::Value isLoaded(const Chunk &chunk, mlir::Value isPlane) const;

private:
  Chunk makeChunk(mlir::Value number);

  TileBlock &block;
  TileRing &ring;
  const KernelField &field;
  int64_t length;
  /// Other blocks store to what is beside the tile.
  bool isTileOnly;
  std::vector<Chunk> chunks;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TILECHUNKS_H
