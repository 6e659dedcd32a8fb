//===- NestEmitter.h - The loops of one apply -------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_NESTEMITTER_H

#include "LoopKeys.h"
#include "LoopNest.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace stencil {

/// How the rows of a nest are walked (`#stencil.cpu_loops`).
struct CPUSchedule {
  int64_t lanes = 1, rows = 1, columns = 1;
};

/// Emits the loops of one apply (ApplyToLoops.cpp), its stores
/// (NestStores.cpp), and what is fetched for later (NestPrefetches.cpp).
class NestEmitter {
public:
  NestEmitter(ApplyOp op, mlir::ValueRange args, mlir::ValueRange dests,
              MathMode math)
      : op(op), loc(op.getLoc()), args(args), dests(dests), math(math),
        loops(getLoops(op)),
        schedule{loops.getLanes(), loops.getRows(), loops.getColumns()},
        unroll(op.getUnrollFactors()) {}
  virtual ~NestEmitter() = default;

  mlir::LogicalResult emit(mlir::OpBuilder &builder, FactsOfFunctions &facts);

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
  findPlaces(mlir::OpBuilder &builder, unsigned result, mlir::ValueRange point,
             llvm::ArrayRef<int64_t> position);
  /// Whether vectors are aligned in the output even where it is not written
  /// around the cache.
  virtual bool isAligned() const { return false; }
  /// Points from `point` on until the output is aligned to a vector.
  virtual mlir::Value countToAlignment(mlir::OpBuilder &builder,
                                       mlir::ValueRange point);

  mlir::Value getStride(mlir::OpBuilder &builder, mlir::Value memory,
                        int64_t axis);

  mlir::LogicalResult emitNest(mlir::OpBuilder &builder, const LoopBox &box,
                               bool stream);
  mlir::LogicalResult emitTile(mlir::OpBuilder &builder, const LoopBox &tile,
                               bool stream);
  mlir::LogicalResult emitPlain(mlir::OpBuilder &builder, const LoopBox &box);
  mlir::LogicalResult emitAround(mlir::OpBuilder &builder, const LoopBox &box);
  mlir::Value alignsPlanes(mlir::OpBuilder &builder);
  mlir::LogicalResult emitPlanes(mlir::OpBuilder &builder, const LoopBox &tile,
                                 bool stream);
  mlir::LogicalResult
  emitRows(mlir::OpBuilder &builder, const LoopBox &tile,
           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> rows, bool stream);
  mlir::LogicalResult
  emitAt(mlir::OpBuilder &builder,
         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
         const Lanes &lanes);
  void store(mlir::OpBuilder &builder, mlir::ValueRange point,
             llvm::ArrayRef<LaneValue> results, const Lanes &lanes);
  void storeAt(mlir::OpBuilder &builder, const Place &place, mlir::Value value,
               mlir::Value set, const Lanes &lanes);

  void storeLanes(mlir::OpBuilder &builder, mlir::Value dest,
                  mlir::ValueRange indices, mlir::Value value,
                  const Lanes &lanes);

  llvm::SmallVector<mlir::Value> indicesOf(mlir::OpBuilder &builder,
                                           GridType type,
                                           mlir::ValueRange point,
                                           llvm::ArrayRef<int64_t> position);
  mlir::Value paysToStream(mlir::OpBuilder &builder);

  void prefetchRowEnds(mlir::OpBuilder &builder, const LoopBox &tile,
                       mlir::ValueRange row);
  void findFronts();
  void prefetchAhead(mlir::OpBuilder &builder,
                     llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                     int64_t length, bool stream);
  void prefetchLines(mlir::OpBuilder &builder, mlir::Value buffer,
                     GridType type, mlir::ValueRange point,
                     llvm::ArrayRef<int64_t> offset, int64_t length,
                     bool isWrite);

  mlir::Value constant(mlir::OpBuilder &builder, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value add(mlir::OpBuilder &builder, mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(builder, loc, a, b);
  }
  mlir::Value subtract(mlir::OpBuilder &builder, mlir::Value a, mlir::Value b) {
    return mlir::arith::SubIOp::create(builder, loc, a, b);
  }
  GridType destType(unsigned index) {
    return mlir::cast<GridType>(op.getDest()[index].getType());
  }

  ApplyOp op;
  mlir::Location loc;
  mlir::ValueRange args, dests;
  MathMode math;
  CPULoopsAttr loops;
  CPUSchedule schedule;
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
