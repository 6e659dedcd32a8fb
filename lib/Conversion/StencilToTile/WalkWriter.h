//===- WalkWriter.h - The walk of a kernel ----------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_WALKWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_WALKWRITER_H

#include "KernelDraft.h"
#include "KernelWriter.h"

namespace stencil {

/// The walk of a kernel, if it has one, and what it carries from one iteration
/// to the next.
class WalkWriter {
public:
  WalkWriter(const KernelDraft &draft, KernelWriter &writer)
      : draft(draft), writer(writer) {}

  void open();
  void close();

  /// The cursor of a ring of this iteration; null without a walk.
  mlir::Value getCursor(const MappedRing &ring) const {
    return cursors.lookup(ring.type.getSlots());
  }
  /// What the iteration before has left: the planes of one offset of a queue,
  /// or of all.
  llvm::ArrayRef<mlir::Value> getCarried(const MappedQueue &queue) const {
    auto found = carried.find(&queue);
    return found == carried.end() ? llvm::ArrayRef<mlir::Value>()
                                  : llvm::ArrayRef(found->second);
  }
  /// Hands a value on to the next iteration, as one of this type.
  void push(const MappedQueue &queue, mlir::Location loc, mlir::Value value,
            mlir::Type type);

private:
  const KernelDraft &draft;
  KernelWriter &writer;
  tile::WalkOp walk;
  /// By number of slots.
  llvm::SmallDenseMap<int64_t, mlir::Value> cursors;
  llvm::DenseMap<const MappedQueue *, llvm::SmallVector<mlir::Value>> carried,
      next;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_WALKWRITER_H
