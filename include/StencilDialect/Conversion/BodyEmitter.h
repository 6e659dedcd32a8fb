//===- BodyEmitter.h - Apply bodies over memrefs ------------------*- C++
//-*-===//
//
// Emits the body of a bufferised apply at one point, or at a row of points as
// vectors. What surrounds it (loops, threads, tiles) is the caller's business,
// so that every target shares this one reading of a body.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_CONVERSION_BODYEMITTER_H
#define STENCILDIALECT_CONVERSION_BODYEMITTER_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/Builders.h"

namespace stencil {

/// Run-time values of bounds. Extents of axes are learnt from buffers.
class Extents {
public:
  /// Learns the extents of the axes along which `type` has an upper bound
  /// relative to the extent and a constant lower bound. `buffer` is the field's
  /// memref.
  void learn(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
             mlir::Value buffer);

  /// Sets the extent of an axis.
  void set(int64_t axis, mlir::Value extent);

  /// The extent of an axis; null if it has not been learnt.
  mlir::Value get(int64_t axis) const;

  /// The coordinate that `bound` stands for, of index type. The extent of the
  /// axis must be known if the bound is relative to it.
  mlir::Value getBound(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t bound, int64_t axis) const;

private:
  llvm::SmallVector<mlir::Value> extents;
};

/// A value at a point or at a row of points.
struct LaneValue {
  mlir::Value value;
  /// Where (i1 or a vector of it) the value is to be stored; null: everywhere.
  mlir::Value set;
};

/// Floating-point freedom, DESIGN section 7.
enum class MathMode { Strict, Contract };

class BodyEmitter {
public:
  /// `inputs` are what the apply's arguments became: memrefs and scalars. With
  /// `lanes` greater than 1, values are vectors of that many points along the
  /// last axis.
  BodyEmitter(ApplyOp apply, mlir::ValueRange inputs, const Extents &extents,
              int64_t lanes, MathMode mode)
      : apply(apply), inputs(inputs), extents(extents), lanes(lanes),
        mode(mode) {}

  /// Emits the body for the point with the given coordinates, the first of the
  /// row. Returns the operands of stencil.return. Fails with an error at an op
  /// that has no form over memrefs.
  mlir::FailureOr<llvm::SmallVector<LaneValue>>
  emit(mlir::OpBuilder &builder, mlir::ValueRange coordinates);

  /// Emits the body for several points at once, op by op: an input value that
  /// several of them read is then needed at about the same time by all, and
  /// stays in a register. One emitter per point.
  static mlir::FailureOr<llvm::SmallVector<llvm::SmallVector<LaneValue>>>
  emitJointly(mlir::OpBuilder &builder,
              llvm::MutableArrayRef<BodyEmitter> emitters,
              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);

  /// True if `emit` can make vectors of this body.
  static bool canVectorise(ApplyOp apply);

private:
  using Map = llvm::DenseMap<mlir::Value, LaneValue>;

  void start(mlir::ValueRange point);
  llvm::SmallVector<LaneValue> finish(mlir::OpBuilder &builder);
  mlir::LogicalResult emitBlock(mlir::OpBuilder &builder, mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::OpBuilder &builder, mlir::Operation *op);
  void emitAccess(mlir::OpBuilder &builder, AccessOp op);
  void emitDynAccess(mlir::OpBuilder &builder, DynAccessOp op);
  void emitIndex(mlir::OpBuilder &builder, IndexOp op);
  mlir::LogicalResult emitSelect(mlir::OpBuilder &builder, mlir::Operation *op);
  LaneValue select(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value condition, const LaneValue &a,
                   const LaneValue &b);
  mlir::LogicalResult emitBranch(mlir::OpBuilder &builder, mlir::Operation *op);
  mlir::LogicalResult emitGeneric(mlir::OpBuilder &builder,
                                  mlir::Operation *op);

  /// The memref index of a coordinate along an axis of an input.
  mlir::Value indexOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value coordinate, int64_t offset, GridType type,
                      int64_t inputAxis, int64_t axis);
  mlir::Value broadcast(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);
  mlir::Value lookup(mlir::Value value) const;
  mlir::Value inputOf(mlir::Value blockArgument) const;

  ApplyOp apply;
  mlir::ValueRange inputs;
  const Extents &extents;
  int64_t lanes;
  MathMode mode;
  llvm::SmallVector<mlir::Value> coordinates;
  Map map;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_BODYEMITTER_H
