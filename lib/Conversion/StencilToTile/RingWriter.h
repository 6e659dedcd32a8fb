//===- RingWriter.h - What is brought to shared memory ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGWRITER_H

#include "WalkWriter.h"

namespace stencil {

/// The rings in a kernel, and the copies and waits that fill them.
class RingWriter {
public:
  RingWriter(const KernelDraft &draft, KernelWriter &writer,
             const WalkWriter &walk)
      : draft(draft), writer(writer), walk(walk),
        pendingGroups(listGroups(draft.rings)) {}

  /// Makes the rings, of windows and of rows that are exchanged.
  void make();

  mlir::Value getRing(const MappedRing &ring) const {
    return made.lookup(&ring);
  }
  mlir::Value getCursor(const MappedRing &ring) const {
    return walk.getCursor(ring);
  }
  /// Planes of a ring, as what a stage reads.
  tile::SourceOp makeSource(const MappedRing &ring, int64_t oldest,
                            int64_t newest);
  /// Puts what threads have made of a plane there, for others.
  void put(const MappedRing &ring, mlir::Value values);

  /// Fetches the windows of no group.
  void fetchAhead() { fetchGroup(std::nullopt); }
  /// Fetches the groups that an op reads; null: all.
  void fetchUpTo(mlir::Operation *reader);

private:
  void fetchGroup(std::optional<int64_t> group);
  void copy(const MappedRing &ring);
  void wait(const MappedRing &ring);
  void loadHalo(const MappedRing &ring);
  void patch(const MappedRing &ring);

  const KernelDraft &draft;
  KernelWriter &writer;
  const WalkWriter &walk;
  llvm::DenseMap<const MappedRing *, mlir::Value> made;
  /// Those whose windows are still to be fetched, in order.
  llvm::SmallVector<int64_t> pendingGroups;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_RINGWRITER_H
