//===- QueueWriter.h - Windows and sums in registers ------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUEWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUEWRITER_H

#include "LaneWriter.h"

namespace stencil {

/// Windows that threads keep in registers.
class QueueWriter {
public:
  QueueWriter(const KernelDraft &draft, KernelWriter &writer, WalkWriter &walk,
              RingWriter &rings, StageInputs &inputs, LaneWriter &lanes)
      : draft(draft), writer(writer), walk(walk), rings(rings), inputs(inputs),
        lanes(lanes) {}

  /// The newest plane of a window, and what the next iteration has of it.
  void add(WindowOp window);

  /// What threads keep of the plane of a window that is stored; null if none.
  mlir::Value getStored(WindowOp window) const { return stored.lookup(window); }
  /// What threads keep of each offset of a window that has neighbours.
  llvm::ArrayRef<mlir::Value> getNeighbours(WindowOp window) const {
    auto found = neighbours.find(window);
    return found == neighbours.end() ? llvm::ArrayRef<mlir::Value>()
                                     : llvm::ArrayRef(found->second);
  }

private:
  mlir::Value takePlane(WindowOp window);
  llvm::SmallVector<mlir::Value> copyColumns(WindowOp window);
  mlir::Value takeHeld(WindowOp window);
  llvm::SmallVector<mlir::Value> makeNewest(WindowOp window);
  void keep(WindowOp window, size_t number, mlir::Value newest);
  mlir::Value joinPlanes(WindowOp window, llvm::ArrayRef<mlir::Value> planes);

  const KernelDraft &draft;
  KernelWriter &writer;
  WalkWriter &walk;
  RingWriter &rings;
  StageInputs &inputs;
  LaneWriter &lanes;
  /// Of the windows that are carried, or have just been made.
  llvm::DenseMap<mlir::Operation *, mlir::Value> stored;
  /// By the offsets of the queue.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> neighbours;
};

/// Sums over planes, whose terms come one after the other.
class SumWriter {
public:
  SumWriter(const KernelDraft &draft, KernelWriter &writer, WalkWriter &walk,
            StageInputs &inputs)
      : draft(draft), writer(writer), walk(walk), inputs(inputs) {}

  /// Adds the terms of this iteration to the partial sums.
  void add(AccumulateOp sum);

private:
  mlir::Value addTerm(AccumulateOp sum, mlir::Value partial, mlir::Value term,
                      int64_t lead, int64_t plane);
  mlir::Value fuseTerm(AccumulateOp sum, mlir::Value partial, mlir::Value term,
                       int64_t lead, int64_t plane);

  const KernelDraft &draft;
  KernelWriter &writer;
  WalkWriter &walk;
  StageInputs &inputs;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_QUEUEWRITER_H
