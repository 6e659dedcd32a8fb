//===- PlaneChunks.h - What each thread copies of a plane -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANECHUNKS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANECHUNKS_H

#include "SharedRing.h"

namespace stencil {

/// A plane of a shared window, dealt out to the threads of a block in vectors:
/// neighbouring threads copy neighbouring ones.
class PlaneChunks {
public:
  /// Vectors have at most `widestBytes` bytes.
  PlaneChunks(const PipelineContext &context, SharedRing &ring,
              const KernelField &field, int64_t widestBytes);

  struct Chunk {
    /// Where it is in a plane of the window, and in the field but for the axis
    /// that the kernel walks along.
    mlir::Value inWindow, inField;
    /// Whether it is one of the plane's (null: in any case), and whether the
    /// field has points there.
    mlir::Value exists, isInField;
  };

  SharedRing &getRing() const { return ring; }
  const KernelField &getField() const { return field; }
  /// Elements of a vector.
  int64_t getLength() const { return length; }
  mlir::Type getType() const;
  const std::vector<Chunk> &getChunks() const { return chunks; }

  /// The chunk's position in a slot of the window, and in plane `number` of the
  /// field, as indices.
  mlir::Value getTarget(const Chunk &chunk, mlir::Value slot) const;
  mlir::Value getSource(const Chunk &chunk, mlir::Value number) const;
  /// Whether the chunk of a plane is to be loaded; what is not is zero.
  mlir::Value isLoaded(const Chunk &chunk, mlir::Value number) const;

private:
  mlir::Value getPlane(mlir::Value number) const;
  Chunk makeChunk(mlir::Value number);

  const PipelineContext &context;
  SharedRing &ring;
  const KernelField &field;
  int64_t length;
  /// Other blocks store to what is beside the tile.
  bool isTileOnly;
  std::vector<Chunk> chunks;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANECHUNKS_H
