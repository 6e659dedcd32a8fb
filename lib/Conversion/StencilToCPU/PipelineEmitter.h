//===- PipelineEmitter.h - The loops of a pipeline --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H

#include "HaloSide.h"
#include "LoopKeys.h"
#include "LoopNest.h"
#include "NestEmitter.h"
#include "Patterns.h"
#include "PipelineWalk.h"
#include "ThreadCounters.h"

namespace stencil {

/// Where a thread keeps what a stage makes of a tile and its halo: along the
/// axis of a walk some planes, each at its number modulo theirs.
struct StageBuffer {
  /// A memref of the pipeline's rank.
  Value memory;
  std::optional<int64_t> axis;
  int64_t planes = 1;
  /// The point, or first plane, at index 0 along each axis.
  SmallVector<Value> origin;

  /// The indices of the point that is `offset`, and `further` where there is
  /// more, from `point`.
  SmallVector<Value> getIndices(LoopBuilder &b, ValueRange point,
                                ArrayRef<int64_t> offset,
                                ArrayRef<Value> further = {}) const;
};

/// What the operands and results of a stage are when its loops are made.
struct StageOperands {
  /// Memrefs of loads, and scalars; of what other stages make: null.
  SmallVector<Value> args;
  /// Of what other stages make, by the operand's number.
  SmallVector<const StageBuffer *> kept;
  /// Per result: where it is kept, or null; and the fields that it is stored
  /// to.
  SmallVector<const StageBuffer *> results;
  SmallVector<SmallVector<std::pair<GridType, Value>, 1>> stores;
  /// How far the rows of a stage that is kept begin before those that are
  /// stored, which are aligned in its buffer; nothing if that depends on the
  /// tile.
  std::optional<int64_t> margin;
};

/// Emits the loops of a stage over a box, or one plane of it.
class StageNest : public NestEmitter {
public:
  StageNest(const OpBuilder &builder, ApplyOp op, const StageOperands &operands,
            const Extents &known, MathMode mode)
      : NestEmitter(builder, op, operands.args, {}, mode), operands(operands) {
    extents = known;
  }

  /// Whether what it stores can be written around the cache, which takes rows
  /// one by one.
  bool canStoreAround();
  LogicalResult emitBox(const LoopBox &box, bool stream) {
    return emitTile(box, stream);
  }

private:
  std::unique_ptr<InputReader> makeReader(int64_t lanes) override;
  SmallVector<Place, 1> findPlaces(unsigned result, ValueRange point,
                                   ArrayRef<int64_t> position) override;
  bool isAligned() const override;
  Value countToAlignment(ValueRange point) override;

  const StageOperands &operands;
};

/// The points of a tile that a stage is about, at run time.
struct StageBoxes {
  /// What is computed of all tiles: the box of the boundary.
  LoopBox box;
  /// The tile and its halo: what there is memory for.
  LoopBox whole;
  /// What of it is in the box.
  LoopBox inner;
};

/// Fills the halo around the box in the memory of a result, as
/// `stencil.boundary` does: axis by axis, along those before over the halo as
/// well. Of a walk, plane by plane.
class StageHalo {
public:
  StageHalo(LoopBuilder &b, const StageResult &result,
            const StageBuffer &buffer, const StageBoxes &boxes,
            std::optional<int64_t> walk, const Extents &extents)
      : b(b), math(b.math), result(result), buffer(buffer), boxes(boxes),
        walk(walk), extents(extents), rank(boxes.box.lb.size()) {}

  /// The load that has the values of sides that keep them, which is the one
  /// whose window it is, if it is of a load; or null. Its memory has to be
  /// said.
  LoadOp getKeeper() const;
  void setKeeper(Value memory) { keeper = memory; }

  /// Copies a part of a load: what is beyond its box along axes that repeat is
  /// read at the other end.
  LogicalResult copyLoad(const LoopBox &part);

  /// Without a walk, all of it, when the tile has been computed.
  LogicalResult fillTile() { return fillBeside({}, 0); }
  /// When a plane of the box has been computed: what is beside it, and the
  /// planes before the first one, if they are made of it and those before.
  LogicalResult fillAfter(Value plane);
  /// In the place of a plane behind the last one.
  LogicalResult fillBehind(Value plane);

private:
  LogicalResult fillBeside(Value plane, int64_t firstAxis);
  LogicalResult fillPlane(bool upper, Value plane);
  LogicalResult fillLayer(int64_t axis, bool upper, Value coordinate,
                          Value plane);
  LogicalResult fillPoints(int64_t axis, SmallVectorImpl<Value> &point,
                           function_ref<void()> fill);
  std::pair<Value, Value> getLayers(int64_t axis, bool upper);
  Value readKept(ValueRange point);
  Value readKeeper(ValueRange point);
  Value readBeside(int64_t axis, ValueRange point);
  void setKept(ValueRange point, Value value);
  LogicalResult copyAlong(const LoopBox &part, const LoopBox &times,
                          SmallVectorImpl<Value> &point,
                          SmallVectorImpl<Value> &source);
  std::pair<Value, Value> getRange(int64_t along, int64_t axis);

  LoopBuilder &b;
  const Arithmetic &math;
  const StageResult &result;
  const StageBuffer &buffer;
  const StageBoxes &boxes;
  std::optional<int64_t> walk;
  Value keeper;
  const Extents &extents;
  int64_t rank;
};

/// The tiles across the axis of a pipeline's walk, whole along that axis; those
/// of a pipeline without an axis are whole along none. A core's own cache holds
/// what a thread keeps of one. Threads have equal numbers of planes: the end of
/// one tile, some whole ones, the beginning of another. Where they are dealt
/// out, a share is in pieces, which threads that are done take of others.
class PipelineTiles {
public:
  PipelineTiles(LoopBuilder &b, const PipelineWalk &walk, const LoopBox &box,
                CPULoopsAttr loops);

  /// The largest size of a tile along each axis.
  ArrayRef<Value> getSizes() const { return sizes; }

  using Prepare = function_ref<void()>;
  /// Runs `prepare` on every thread, then `body` for its tiles, then `finish`.
  LogicalResult emit(Prepare prepare, TileBody body, Prepare finish) const;

private:
  void findSizes(const PipelineWalk &walk);
  LoopBox getTile(Value number) const;
  ThreadCounters makeCounters() const;
  LogicalResult emitPiece(Value first, Value end, TileBody body) const;
  LogicalResult emitDealt(Value thread, Value total, Value pieces,
                          const ThreadCounters &counters, TileBody body) const;

  LoopBuilder &b;
  const Arithmetic &math;
  std::optional<int64_t> axis;
  LoopBox box;
  CPULoopsAttr loops;
  /// Per axis; numbers of tiles.
  SmallVector<Value> lengths, sizes, counts;
};

/// Emits the loops of a pipeline, tile by tile (PipelineToLoops.cpp).
class PipelineEmitter {
public:
  using GetMemory = function_ref<Value(Value)>;
  PipelineEmitter(const OpBuilder &builder, PipelineOp op,
                  const PipelineWalk &walk, MathMode mode, GetMemory getMemory)
      : b(op.getLoc(), builder), math(b.math), op(op), walk(walk),
        axis(walk.getAxis()), mode(mode), loops(getLoops(op)),
        getMemory(getMemory) {}

  LogicalResult emit(FactsOfFunctions &facts);

  /// For who has tiles of his own: what is known of the fields; buffers for
  /// tiles of at most these sizes, so many copies if that is not null; whose
  /// copies tiles use from here on; and their end.
  void setDomain(const Extents &known, const LoopBox &box) {
    extents = known;
    domain = box;
  }
  void allocate(ArrayRef<Value> tile, Value copies = {});
  /// Goes where this builder is.
  PipelineEmitter &at(const OpBuilder &builder) {
    b.restoreInsertionPoint(builder.saveInsertionPoint());
    return *this;
  }
  void useCopy(Value number);
  LogicalResult emitTile(const LoopBox &tile);
  void release();

private:
  LogicalResult learnExtents(FactsOfFunctions &facts);
  void place(const LoopBox &tile);
  int64_t getLine(Type element) const;
  int64_t getFirst(const PlannedStage &stage, Type element,
                   int64_t along) const;
  StageOperands getOperands(const PlannedStage &stage);
  Value isLarge();
  StageBoxes getBoxes(const PlannedStage &stage, const LoopBox &tile);
  LogicalResult fillHalos(const PlannedStage &stage, const StageBoxes &boxes,
                          function_ref<LogicalResult(StageHalo &)> fill);
  LogicalResult emitNest(const PlannedStage &stage, const StageBoxes &boxes,
                         const LoopBox &box);
  LogicalResult emitStage(const PlannedStage &stage, const LoopBox &tile,
                          Value plane);

  LoopBuilder b;
  const Arithmetic &math;
  PipelineOp op;
  const PipelineWalk &walk;
  std::optional<int64_t> axis;
  MathMode mode;
  CPULoopsAttr loops;
  GetMemory getMemory;
  Extents extents;
  /// The points that are stored.
  LoopBox domain;
  /// Of the results that are kept.
  llvm::MapVector<Value, StageBuffer> buffers;
  SmallVector<Value> memories;
  /// Whether what is stored is larger than the last cache; null: it is not
  /// written around it.
  Value storesAround;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_PIPELINEEMITTER_H
