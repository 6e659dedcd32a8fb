//===- DiamondStep.h - Tiles of diamonds, and what they do ------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H

#include "Diamonds.h"
#include "LoopNest.h"
#include "PipelineEmitter.h"
#include "ThreadCounters.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace stencil {

/// Where a tile is.
struct DiamondTile {
  /// The plane that the diamond is around, and where the tile begins in its
  /// first step.
  Value center, start;
  /// The step at which the diamond would begin, its first step, and the one
  /// after its last.
  Value base, first, end;
};

/// What is cut into diamonds and tiles: the points of a box, of which those of
/// a periodic axis are folded (`folds` of the two that are tiled).
class DiamondPlaces {
public:
  DiamondPlaces(LoopBuilder &b, const LoopBox &domain,
                std::array<bool, 2> folds);

  /// Calls `body` with the points at some places: of a folded axis one half
  /// after the other.
  LogicalResult forEachImage(const LoopBox &some, TileBody body) const {
    return forEachImage(some, /*axis=*/0, body);
  }

  /// All places; along folded axes fewer than points.
  LoopBox box;

private:
  LogicalResult forEachImage(const LoopBox &some, int64_t axis,
                             TileBody body) const;

  LoopBuilder &b;
  LoopBox domain;
  std::array<bool, 2> folds;
};

/// The tiles of diamonds: how large they are, and where in each phase.
class DiamondBoxes {
public:
  DiamondBoxes(LoopBuilder &b, const DiamondLoop &found, CPULoopsAttr loops,
               const LoopBox &domain);

  /// The places that a tile has in a phase of the loop. `phase` is counted from
  /// the base of the diamond, `moved` from its first step.
  LoopBox getBox(const DiamondTile &tile, Value phase, Value moved) const;
  /// The most points that there are along each axis of a tile.
  SmallVector<Value> getMostPoints() const;

  LoopBox domain;
  DiamondPlaces places;
  /// Points of a tile along the second axis.
  Value size;

private:
  Value getTileSize() const;

  const Arithmetic &math;
  const DiamondLoop &found;
  CPULoopsAttr loops;
};

/// The rows of diamonds of a time loop, each of `countOfRow`, on threads, at
/// most `sharers` of them. Those at the ends of a row are halves, and cores are
/// not equally fast: whoever is done with a diamond takes the next one.
class DiamondSharing {
public:
  DiamondSharing(LoopBuilder &b, CPULoopsAttr loops, Value countOfRow,
                 Value sharers);

  /// The diamonds of a row, by their places in it. All are done behind it.
  LogicalResult emitOneRow(LoopBody emit) { return share(countOfRow, emit); }

  /// All rows. A diamond begins when the two of the row before that it is
  /// between are done: all that it reads, and all that read what it
  /// overwrites, are these or before them.
  LogicalResult
  emitRows(Value rows,
           function_ref<LogicalResult(Value row, Value place)> emit);

  /// In a diamond: who computes it, one of `sharers`.
  Value getSharer() const { return sharer; }

  /// Behind the last row.
  void end();

private:
  LogicalResult share(Value count, LoopBody emit);
  void waitFor(Value place, Value row);

  LoopBuilder &b;
  const Arithmetic &math;
  CPULoopsAttr loops;
  Value countOfRow, sharers, sharer;
  /// How many diamonds threads have taken; up to which row those at each place
  /// of a row are done.
  ThreadCounters taken, done;
};

/// Emits the phases of a step, each at the points that a tile has in it.
class DiamondStep {
public:
  /// `steps`: how many there are in all.
  DiamondStep(LoopBuilder &b, const DiamondLoop &found,
              const DiamondBoxes &boxes, const Extents &extents, MathMode mode,
              Value steps, function_ref<Value(Value)> getMemory)
      : b(b), math(b.math), found(found), boxes(boxes), extents(extents),
        mode(mode), steps(steps), getMemory(getMemory),
        pipelines(found.kernels.size()) {}
  /// What it has emitted with asks it for values.
  DiamondStep(const DiamondStep &) = delete;
  DiamondStep &operator=(const DiamondStep &) = delete;

  /// Whether tiles need buffers.
  bool hasBuffers() const;
  /// Buffers, before any tile, so many copies of them; which of them the tiles
  /// use that follow; and their end.
  void allocate(Value copies);
  void useCopy(Value number);
  void release();

  /// A step of a tile. `fields` are those that the loop carries.
  LogicalResult emit(const DiamondTile &tile, Value step, ValueRange fields);

private:
  LogicalResult fillHalo(const DiamondLoopHalo &halo, const LoopBox &box,
                         Value step, Value memory);
  LogicalResult emitHaloPhase(const DiamondPhase &phase, Value memory,
                              const LoopBox &box);
  LogicalResult emitPipeline(PipelineEmitter &emitter, const LoopBox &box);
  LogicalResult emitKernel(unsigned number, Value step, const LoopBox &box);
  Value find(Value value) const {
    return copies.contains(value) ? copies.lookup(value) : getMemory(value);
  }

  LoopBuilder &b;
  const Arithmetic &math;
  const DiamondLoop &found;
  const DiamondBoxes &boxes;
  const Extents &extents;
  MathMode mode;
  Value steps;
  function_ref<Value(Value)> getMemory;
  /// What values of the loop's body are in the step that is emitted.
  mlir::IRMapping copies;
  const std::function<Value(Value)> findInStep = [this](Value value) {
    return find(value);
  };
  /// By the number of the kernel: of pipelines.
  std::vector<std::optional<PipelineEmitter>> pipelines;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H
