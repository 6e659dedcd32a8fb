//===- StoreWriter.h - The end of an iteration ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_STOREWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_STOREWRITER_H

#include "QueueWriter.h"

namespace stencil {

class StoreWriter {
public:
  StoreWriter(const KernelDraft &draft, KernelWriter &writer, RingWriter &rings,
              StageInputs &inputs, const QueueWriter &queues)
      : draft(draft), writer(writer), rings(rings), inputs(inputs),
        queues(queues) {}

  /// Stores what is in shared memory, which any thread may do.
  void addShared();
  /// Whether nothing else is stored.
  bool areAllShared() const;
  /// Reads what stores ahead of the walk store, where somebody needs it.
  void readEarly();
  /// Has threads store what is theirs.
  void addOwn();

private:
  bool isShared(StoreOp store) const;
  const MappedRing *findRead(StoreOp store) const;
  mlir::Value getStored(StoreOp store);

  const KernelDraft &draft;
  KernelWriter &writer;
  RingWriter &rings;
  StageInputs &inputs;
  const QueueWriter &queues;
  /// What has been read for stores.
  llvm::DenseMap<mlir::Operation *, mlir::Value> early;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_STOREWRITER_H
