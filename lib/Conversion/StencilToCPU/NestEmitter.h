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
  NestEmitter(const mlir::OpBuilder &builder, ApplyOp op, mlir::ValueRange args,
              mlir::ValueRange dests, MathMode mode)
      : b(op.getLoc(), builder), op(op), args(args), dests(dests), mode(mode),
        loops(getLoops(op)),
        schedule{loops.getLanes(), loops.getRows(), loops.getColumns()},
        unroll(op.getUnrollFactors()) {}
  virtual ~NestEmitter() = default;

  mlir::LogicalResult emit(FactsOfFunctions &facts);

protected:
  /// How a row is walked at some place.
  struct Lanes {
    /// Points at once; 1: no vectors.
    int64_t count = 1;
    /// Vectors are aligned in the output, and stored around the cache.
    bool stream = false;
    /// Lanes to be stored; null: all.
    mlir::Value mask = {};
    /// Vectors of each row side by side.
    int64_t columns = 1;
    /// Instead of a mask: how many of the first, or of the last lanes are
    /// stored, one by one.
    mlir::Value numStored = {};
    bool fromEnd = false;
  };

  /// An element of a memref.
  struct Place {
    mlir::Value memory;
    llvm::SmallVector<mlir::Value> indices;
  };

  /// Where the body reads its inputs, `lanes` at once.
  virtual std::unique_ptr<InputReader> makeReader(int64_t lanes);
  /// Where a result is stored, of the point so far from another.
  virtual llvm::SmallVector<Place, 1>
  findPlaces(unsigned result, mlir::ValueRange point,
             llvm::ArrayRef<int64_t> position);
  /// Whether vectors are aligned in the output even where it is not written
  /// around the cache.
  virtual bool isAligned() const { return false; }
  /// Points from `point` on until the output is aligned to a vector.
  virtual mlir::Value countToAlignment(mlir::ValueRange point);

  mlir::Value getStride(mlir::Value memory, int64_t axis);

  mlir::LogicalResult emitNest(const LoopBox &box, bool stream);
  mlir::LogicalResult emitTile(const LoopBox &tile, bool stream);
  mlir::LogicalResult emitPlain(const LoopBox &box);
  mlir::LogicalResult emitAround(const LoopBox &box);
  mlir::Value alignsPlanes();
  mlir::LogicalResult emitPlanes(const LoopBox &tile, bool stream);
  mlir::LogicalResult emitGroups(
      const LoopBox &tile, int64_t axis, int64_t count,
      llvm::function_ref<mlir::LogicalResult(mlir::Value first, int64_t count)>
          emit);
  mlir::LogicalResult
  emitRows(const LoopBox &tile,
           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> rows, bool stream);
  mlir::LogicalResult
  emitAt(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
         const Lanes &lanes);
  void store(mlir::ValueRange point, llvm::ArrayRef<LaneValue> results,
             const Lanes &lanes);
  void storeAt(const Place &place, mlir::Value value, mlir::Value set,
               const Lanes &lanes);
  void storeLanes(mlir::Value dest, mlir::ValueRange indices, mlir::Value value,
                  const Lanes &lanes);

  llvm::SmallVector<mlir::Value> indicesOf(GridType type,
                                           mlir::ValueRange point,
                                           llvm::ArrayRef<int64_t> position);
  mlir::Value paysToStream();

  void prefetchRowEnds(const LoopBox &tile, mlir::ValueRange row);
  void findFronts();
  void prefetchAhead(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                     int64_t length, bool stream);
  void prefetchLines(mlir::Value buffer, GridType type, mlir::ValueRange point,
                     llvm::ArrayRef<int64_t> offset, int64_t length,
                     bool isWrite);

  GridType destType(unsigned index) {
    return mlir::cast<GridType>(op.getDest()[index].getType());
  }

  LoopBuilder b;
  ApplyOp op;
  mlir::ValueRange args, dests;
  MathMode mode;
  CPULoopsAttr loops;
  /// How the rows are walked.
  struct {
    int64_t lanes, rows, columns;
  } schedule;
  /// Planes that are computed together.
  int64_t planes = 1;
  llvm::SmallVector<int64_t> unroll;
  Extents extents;
  /// Per input that is prefetched, by its number: the offset that is the last
  /// in memory, along the axes but the last. A walk reads there first.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<int64_t>>> fronts;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H
