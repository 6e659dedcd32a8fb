//===- Diamonds.h - A time loop that is cut into diamonds -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDS_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDS_H

#include "PipelineWalk.h"
#include "StencilDialect/IR/CPULoops.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <array>

namespace stencil {

/// A halo that changes from step to step: a boundary at the beginning of a
/// step, whose points are made by a phase of the step before.
struct DiamondLoopHalo {
  BoundaryOp boundary;
  /// Which field of the loop it is that of; the number of the phase, and which
  /// of its results that is in the next step.
  unsigned place = 0, phase = 0, result = 0;
};

/// What a kernel reads of a field, from the points that it stores.
struct DiamondRead {
  Value field;
  OffsetBox box;
  Operation *op = nullptr;
};

/// An apply of the step, or a pipeline, whose stages are one phase: a tile
/// computes as much more of each as the last one reads.
struct DiamondKernel {
  Operation *op = nullptr;
  BoundsAttr domain;
  /// Of a pipeline.
  std::optional<PipelineWalk> walk;
  SmallVector<Value> stored;
  SmallVector<DiamondRead> reads;

  explicit DiamondKernel(ApplyOp apply);
  DiamondKernel(PipelineOp pipeline, PipelineWalk walk);
  /// Calls `body` with each field that it reads or stores.
  void forEachField(function_ref<void(Value)> body) const;
};

/// What a step does at all points before it goes on: a kernel, or a boundary
/// along some of its axes.
struct DiamondPhase {
  Operation *op = nullptr;
  int64_t firstAxis = 0, endAxis = 0;
};

/// A bufferised time loop that has `stencil.diamonds`.
struct DiamondLoop {
  mlir::scf::ForOp loop;
  DiamondsAttr diamonds;
  /// What a step computes, one after the other.
  std::vector<DiamondKernel> kernels;
  SmallVector<DiamondPhase> phases;
  /// Halos that are filled with the points that they are made of. If there is
  /// a boundary that cannot be, all are phases.
  SmallVector<DiamondLoopHalo, 1> halos;
  /// Whether the loop says how far it is (stencil-count-steps).
  bool countsSteps = false;
  /// How far a phase reads what another one stores, along either tiled axis and
  /// in either direction, which is how far a tile moves from one phase to the
  /// next one.
  int64_t reach = 0, skew = 0;
  /// Tiled axes that are periodic. They are folded in the middle: a point and
  /// its mirror image have one place, so that both ends are next to each other
  /// as all other neighbours are.
  std::array<bool, 2> folds = {false, false};
  /// Of each field that the loop carries, which one it is in the next step;
  /// after `period` steps all are in their places.
  SmallVector<unsigned> next;
  unsigned period = 1;

  /// Takes a loop apart. Fails with an error if its steps cannot be cut.
  static FailureOr<DiamondLoop> create(mlir::scf::ForOp loop);

  /// The fields that the loop carries, one step later.
  SmallVector<Value> getNext(ValueRange fields) const {
    return llvm::map_to_vector(next,
                               [&](unsigned place) { return fields[place]; });
  }
  int64_t getRank() const { return kernels.front().domain.getRank(); }
  int64_t countPhases() const { return static_cast<int64_t>(phases.size()); }
  /// Steps from the beginning of a diamond to where it is widest.
  int64_t getHalf() const { return (diamonds.getSteps() + 1) / 2; }
  /// How many points of the domain are at one place of it.
  int64_t countFolded() const {
    return (folds[0] ? 2 : 1) * (folds[1] ? 2 : 1);
  }
  /// Planes of a diamond where it is widest.
  int64_t getWidth() const { return 2 * reach * getHalf() * countPhases(); }
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDS_H
