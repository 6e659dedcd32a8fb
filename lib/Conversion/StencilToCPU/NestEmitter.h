//===- NestEmitter.h - The loops of one apply -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H

#include "LoopKeys.h"
#include "LoopNest.h"
#include "Patterns.h"

namespace stencil {

/// Emits the loops of one apply (ApplyToLoops.cpp), its stores
/// (NestStores.cpp), and what is fetched for later (NestPrefetches.cpp).
class NestEmitter {
public:
  /// Of the place where the builder is.
  NestEmitter(const OpBuilder &builder, ApplyOp op, ValueRange args,
              ValueRange dests, MathMode mode)
      : b(op.getLoc(), builder), op(op), args(args), dests(dests), mode(mode),
        loops(getLoops(op)),
        schedule{loops.getLanes(), loops.getRows(), loops.getColumns()},
        unroll(op.getUnrollFactors()) {}
  virtual ~NestEmitter() = default;

  LogicalResult emit(FactsOfFunctions &facts);

protected:
  /// How a row is walked at some place.
  struct Lanes {
    /// Points at once; 1: no vectors.
    int64_t count = 1;
    /// Vectors are aligned in the output, and stored around the cache.
    bool stream = false;
    /// Lanes to be stored; null: all.
    Value mask = {};
    /// Vectors of each row side by side.
    int64_t columns = 1;
    /// Instead of a mask: how many of the first, or of the last lanes are
    /// stored, one by one.
    Value numStored = {};
    bool fromEnd = false;
  };

  /// An element of a memref.
  struct Place {
    Value memory;
    SmallVector<Value> indices;
  };

  /// Where the body reads its inputs, `lanes` at once.
  virtual std::unique_ptr<InputReader> makeReader(int64_t lanes);
  /// Where a result is stored, of the point so far from another.
  virtual SmallVector<Place, 1> findPlaces(unsigned result, ValueRange point,
                                           ArrayRef<int64_t> position);
  /// Whether vectors are aligned in the output even where it is not written
  /// around the cache.
  virtual bool isAligned() const { return false; }
  /// Points from `point` on until the output is aligned to a vector.
  virtual Value countToAlignment(ValueRange point);

  Value getStride(Value memory, int64_t axis);

  LogicalResult emitNest(const LoopBox &box, bool stream);
  LogicalResult emitTile(const LoopBox &tile, bool stream);
  LogicalResult emitPlain(const LoopBox &box);
  LogicalResult emitAround(const LoopBox &box);
  Value alignsPlanes();
  LogicalResult emitPlanes(const LoopBox &tile, bool stream);
  LogicalResult
  emitGroups(const LoopBox &tile, int64_t axis, int64_t count,
             function_ref<LogicalResult(Value first, int64_t count)> emit);
  LogicalResult emitRows(const LoopBox &tile, ArrayRef<SmallVector<Value>> rows,
                         bool stream);
  LogicalResult emitAt(ArrayRef<SmallVector<Value>> points, const Lanes &lanes);
  void store(ValueRange point, ArrayRef<LaneValue> results, const Lanes &lanes);
  void storeAt(const Place &place, Value value, Value set, const Lanes &lanes);
  void storeLanes(Value dest, ValueRange indices, Value value,
                  const Lanes &lanes);

  SmallVector<Value> indicesOf(GridType type, ValueRange point,
                               ArrayRef<int64_t> position);
  Value paysToStream();

  void prefetchRowEnds(const LoopBox &tile, ValueRange row);
  void findFronts();
  void prefetchAhead(ArrayRef<SmallVector<Value>> points, int64_t length,
                     bool stream);
  void prefetchLines(Value buffer, GridType type, ValueRange point,
                     ArrayRef<int64_t> offset, int64_t length, bool isWrite);

  GridType destType(unsigned index) {
    return mlir::cast<GridType>(op.getDest()[index].getType());
  }

  LoopBuilder b;
  ApplyOp op;
  ValueRange args, dests;
  MathMode mode;
  CPULoopsAttr loops;
  /// How the rows are walked.
  struct {
    int64_t lanes, rows, columns;
  } schedule;
  /// Planes that are computed together.
  int64_t planes = 1;
  SmallVector<int64_t> unroll;
  Extents extents;
  /// Per input that is prefetched, by its number: the offset that is the last
  /// in memory, along the axes but the last. A walk reads there first.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>> fronts;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H
