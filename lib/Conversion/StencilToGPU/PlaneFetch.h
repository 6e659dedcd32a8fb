//===- PlaneFetch.h - How planes come into shared memory --------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANEFETCH_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANEFETCH_H

#include "SharedRing.h"

namespace stencil {

/// Fills the shared windows of loads with one way of prefetching. Per iteration
/// a kernel calls `arrive`, has its threads meet at a barrier, and calls
/// `proceed`.
class PlaneFetch {
public:
  virtual ~PlaneFetch() = default;

  /// Adds a window, whose planes come from `field`, which the program calls
  /// `name`.
  virtual void add(SharedRing &ring, const KernelField &field,
                   mlir::Value name) = 0;
  /// Bytes of shared memory beside those of the windows, and where they are.
  virtual mlir::LogicalResult prepare() { return mlir::success(); }
  /// Brings what the first iterations read, before the loop.
  virtual void start() = 0;
  /// What has to happen before the barrier, so that after it all threads can
  /// read plane number i.
  virtual void arrive(const PipelineStep &step) = 0;
  /// After the barrier: brings a later plane in the place of one that nobody
  /// reads any more.
  virtual void proceed(const PipelineStep &step) = 0;
  /// Values of a thread that go from iteration to iteration.
  virtual void appendState(llvm::SmallVectorImpl<mlir::Value> &) const {}
  virtual void restoreState(mlir::ValueRange &) {}
  /// Whether a plane is written before the barrier that lets it be read, so
  /// that the slowest thread may still read what it replaces.
  virtual bool writesEarly(const SharedRing &) const { return false; }
};

/// Loads by all threads, with a store to shared memory at once or, with
/// `delayed`, one iteration later.
std::unique_ptr<PlaneFetch> createThreadFetch(const PipelineContext &context,
                                              bool delayed);
/// cp.async by all threads.
std::unique_ptr<PlaneFetch> createAsyncFetch(const PipelineContext &context);
/// The tensor memory accelerator.
std::unique_ptr<PlaneFetch> createTmaFetch(const PipelineContext &context);

/// Orders what this thread has written to shared memory before what the copy
/// engine does there later.
void fenceCopyEngine(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_PLANEFETCH_H
