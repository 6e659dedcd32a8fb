//===- Engine.h - What an engine is given, and gives ------------*- C++ -*-===//
//
// An engine (EngineAttrInterface) computes stages: docs/tiles.md. Those that
// are there are in lib/Tile/Engines, one file each.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TILE_ENGINE_H
#define STENCILDIALECT_TILE_ENGINE_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Tile/RingPlaces.h"
#include "mlir/IR/Builders.h"

namespace stencil::tile {

/// The bytes that a cache brings at once.
inline constexpr int64_t kSectorBytes = 32;

/// What an engine asks of the memory of an operand.
struct OperandAccess {
  /// Rows of a ring are a multiple of as many bytes long, and begin at one.
  int64_t rowBytes = 1;
  /// Elements that they are longer than that.
  int64_t rowPad = 0;
  /// Points of a segment of a row, and the elements behind it that nobody uses.
  int64_t rowSegment = 1, rowGap = 0;
  /// Of a ring, what lies beside what taps read is multiplied, too, by zeros.
  bool multipliesAll = false;
};

/// What a thread does for some points of a stage.
struct EngineCount {
  /// Elements that are read in the operands' memory, those of which a register
  /// holds what another point has read counted once; and weights.
  int64_t values = 0, weights = 0;
  /// Multiplications with an addition, or without one.
  int64_t products = 0;
};

/// A ring's memory, as a thread reads it for a stage.
struct OperandMemory {
  /// All of its elements in a row.
  Value elements;
  /// Where the thread's first point is, at offset 0: an index.
  Value own;
  /// Where points are from each other.
  RingPlaces places;
};

/// What an engine needs to make the code of one thread for a stage: its points
/// are the neighbours of a row, or all of a thread (`takesAllPoints`), as
/// offsets from the thread's first point.
class StageEmission {
public:
  virtual ~StageEmission() = default;

  virtual ApplyOp getStage() const = 0;
  virtual ArrayRef<std::vector<int64_t>> getPoints() const = 0;
  virtual OpBuilder &getBuilder() = 0;
  /// What may be done to the arithmetic.
  virtual MathMode getMath() const = 0;

  /// The memory of an operand, which is a source of a ring; of a walk, that
  /// plane of the iteration.
  virtual OperandMemory getMemory(unsigned input, int64_t plane = 0) = 0;
  /// Numbers that are known at compile time, in the memory that is best for
  /// what all threads read alike: a memref.
  virtual Value getConstants(Location loc, DenseElementsAttr values) = 0;
  /// The same, in memory that lanes read at different places: a memref.
  virtual Value getTable(Location loc, DenseElementsAttr values) = 0;
  /// The thread's number in its warp: an index.
  virtual Value getLane() = 0;
  /// An element of A as `multiply` takes it: of a float, what TF32 has.
  virtual Value getFactor(Location loc, Value value) = 0;
  /// D = A B + C by the instruction of a warp with this shape, M, N and K: what
  /// this lane has of each (getFragments), and gets of D.
  virtual SmallVector<Value> multiply(Location loc, ArrayRef<int64_t> shape,
                                      ValueRange a, ValueRange b,
                                      ValueRange c) = 0;
  /// What operand number `values` is at a point of its plane in the row of the
  /// thread's points: from the registers of the thread that holds it, or else
  /// from memory, where operand number `source` has the same, if somebody needs
  /// it. All threads come here.
  virtual Value getNeighbour(unsigned source, unsigned values,
                             ArrayRef<int64_t> point) = 0;
  /// The value of result number `result` at a point.
  virtual void setResult(unsigned result, ArrayRef<int64_t> point,
                         Value value) = 0;

  /// The stage's body, point by point. Fails with an error.
  virtual LogicalResult emitPointwise() = 0;
};

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_ENGINE_H
