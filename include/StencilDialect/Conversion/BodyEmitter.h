//===- BodyEmitter.h - Apply bodies over memrefs ----------------*- C++ -*-===//
//
// Emits the body of a bufferised apply at one point, or at a row of points as
// vectors. What surrounds it (loops, threads, tiles) is the caller's business,
// so that every target shares this one reading of a body.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_CONVERSION_BODYEMITTER_H
#define STENCILDIALECT_CONVERSION_BODYEMITTER_H

#include "StencilDialect/Conversion/FusedProducts.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <string>

namespace stencil {

/// Run-time values of bounds. Extents of axes are learnt from buffers.
class Extents {
public:
  /// Learns the extents of the axes along which `type` has an upper bound
  /// relative to the extent and a constant lower bound. `buffer` is the field's
  /// memref.
  void learn(OpBuilder &builder, Location loc, GridType type, Value buffer);

  /// Sets the extent of an axis.
  void set(int64_t axis, Value extent);

  /// Axes of which there may be something known, from the first on.
  int64_t getNumAxes() const { return static_cast<int64_t>(extents.size()); }

  /// The extent of an axis; null if it has not been learnt.
  Value get(int64_t axis) const;

  /// The coordinate that `bound` stands for, of index type. The extent of the
  /// axis must be known if the bound is relative to it.
  Value getBound(OpBuilder &builder, Location loc, int64_t bound,
                 int64_t axis) const;

  /// The distance of `coordinate + offset` from `lb`: its position in a field
  /// that begins there.
  Value getPosition(OpBuilder &builder, Location loc, Value coordinate,
                    int64_t offset, int64_t lb, int64_t axis) const;

  /// The memref indices of a point in a row-major field.
  SmallVector<Value> getIndices(OpBuilder &builder, Location loc, GridType type,
                                ValueRange point) const;

private:
  SmallVector<Value> extents;
};

/// A value at a point or at a row of points.
struct LaneValue {
  Value value;
  /// Where (i1 or a vector of it) the value is to be stored; null: everywhere.
  Value set;
};

/// Points relative to a base point.
using PointList = ArrayRef<SmallVector<int64_t>>;

/// Points whose bodies are emitted jointly, and of what their base point's
/// coordinate along the last axis is a multiple. Without points, nothing is
/// known of them.
struct JointPoints {
  PointList points;
  int64_t alignment = 1;
  /// How many vectors of each row they are, side by side: those of all rows in
  /// the first column, then those in the next.
  unsigned columns = 1;

  /// True if there are several, and all of them take the same side of a branch
  /// of the body.
  bool takeAlike(mlir::scf::IfOp branch) const;

private:
  /// True if a value of the body is known to be the same at all points.
  bool areEqual(Value value) const;
  bool areOneSideOf(int64_t axis, int64_t at) const;
};

/// Where the values of inputs live: in memory, or in what was fetched from it
/// before. `here` are the coordinates of the point that is computed, or of the
/// first of a row of points.
class InputReader {
public:
  virtual ~InputReader() = default;

  /// The value of an access at a constant offset.
  virtual Value read(OpBuilder &builder, AccessOp op, ValueRange here) = 0;

  /// The value at computed coordinates. Where not `inRange` (i1), the program
  /// fails at run time.
  virtual Value readAt(OpBuilder &builder, DynAccessOp op,
                       ValueRange coordinates, Value inRange,
                       ValueRange here) = 0;

  /// The value of a sum that has been computed before; null if it has not.
  virtual Value readSum(WeightedSumOp /*op*/) { return {}; }

  /// Of a comparison that has one result at this point, whoever computes it:
  /// that.
  virtual std::optional<bool> decide(Operation * /*comparison*/) {
    return std::nullopt;
  }

  /// Numbers that points read at different places, as a memref.
  virtual Value getTable(OpBuilder &builder, Location loc,
                         DenseElementsAttr values) = 0;

  /// The element of an input at coordinates that are known to be in it.
  virtual Value readElement(OpBuilder &builder, MatVecOp op,
                            Value coordinate) = 0;

  /// The weights of a sum that a loop is made of (hasTapLoop), as a memref;
  /// null if there are no loops over what this reader reads.
  virtual Value getWeights(OpBuilder & /*builder*/, WeightedSumOp /*op*/) {
    return {};
  }

  /// What a tap of such a sum multiplies.
  virtual Value readTap(OpBuilder & /*builder*/, WeightedSumOp /*op*/,
                        const TapOffset & /*tap*/, ValueRange /*here*/) {
    return {};
  }

  /// The ops of a branch are emitted next, jointly for points at these offsets
  /// from a base point: what is read for them is known in the branch only.
  virtual void openBranch(OpBuilder & /*builder*/, Block & /*block*/,
                          PointList /*points*/) {}
  virtual void closeBranch() {}

  /// The divisor of an integer division, or the exponent of a power, that may
  /// have no result (`mayLackQuotient`). A CPU stops the program at a division
  /// itself; where the hardware goes on with some number, the program has to
  /// fail at run time.
  virtual Value guardDivisor(OpBuilder &builder, Operation *op, Value dividend,
                             Value divisor);

  /// The step of a loop of the body, where it is known to be positive: else the
  /// program fails at run time.
  virtual Value guardStep(OpBuilder &builder, mlir::scf::ForOp loop,
                          Value step);
};

/// The message of a dynamic access that is not in range.
std::string describeOutOfRange(DynAccessOp op);

/// True for a division of integers whose divisor is not known not to be 0 (or,
/// of signed numbers, -1: the smallest number has no counterpart), and for a
/// power that may be the inverse of 0.
bool mayLackQuotient(Operation *op);

/// Asserts that a power (`math.ipowi`), of `base` and `exponent`, is not the
/// inverse of 0; `builder` is in front of it.
void assertPower(OpBuilder &builder, Operation *op, Value base, Value exponent);
/// Whether it is.
Value isInverseOfZero(OpBuilder &builder, Location loc, Value base,
                      Value exponent);

/// True for a loop whose step is not known to be positive.
bool mayLackStep(Operation *op);
/// Whether `step`, a value of that of `loop`, is positive.
Value isStepPositive(OpBuilder &builder, mlir::scf::ForOp loop, Value step);
/// The message of a loop whose step is not.
std::string describeBadStep(mlir::scf::ForOp loop);

/// True for a loop that might compute a number beyond the largest one, and
/// begin again at the smallest: the last step can lead past the upper bound.
bool mayWrapAround(mlir::scf::ForOp loop);
/// Makes it a loop over the numbers of its iterations, from 0 by 1. Its step
/// has to be positive where it runs.
void countIterations(mlir::scf::ForOp loop);

/// True for an op of a body that may find an error at run time.
bool mayFailAtRunTime(Operation *op);
/// True if there is such an op in the body of an apply.
bool mayBodyFail(ApplyOp apply);

/// Reads inputs that are row-major memrefs, or vectors of `lanes` elements of
/// them.
class MemRefReader : public InputReader {
public:
  /// `inputs` are what the apply's arguments became.
  MemRefReader(ApplyOp apply, ValueRange inputs, const Extents &extents,
               int64_t lanes)
      : rank(apply.getRank()), inputs(inputs), extents(extents), lanes(lanes) {}

  Value read(OpBuilder &builder, AccessOp op, ValueRange here) override;
  Value readAt(OpBuilder &builder, DynAccessOp op, ValueRange coordinates,
               Value inRange, ValueRange here) override;
  Value getTable(OpBuilder &builder, Location loc,
                 DenseElementsAttr values) override;
  Value readElement(OpBuilder &builder, MatVecOp op, Value coordinate) override;
  Value getWeights(OpBuilder &builder, WeightedSumOp op) override;
  Value readTap(OpBuilder &builder, WeightedSumOp op, const TapOffset &tap,
                ValueRange here) override;

protected:
  /// What is `offset`, and as far as there is more `further`, from `here` in
  /// the input `from`, which has these axes of the apply.
  virtual Value load(OpBuilder &builder, Location loc, Value from,
                     ArrayRef<int64_t> axes, ArrayRef<int64_t> offset,
                     ArrayRef<Value> further, ValueRange here) const;
  Value inputOf(Value blockArgument) const;

  int64_t rank;
  ValueRange inputs;
  const Extents &extents;
  int64_t lanes;
};

class BodyEmitter {
public:
  /// `inputs` are what the apply's arguments became; of those that are fields,
  /// `reader` gives the values. With `lanes` greater than 1, values are vectors
  /// of that many points along the last axis.
  BodyEmitter(ApplyOp apply, ValueRange inputs, InputReader &reader,
              int64_t lanes, MathMode mode)
      : apply(apply), inputs(inputs), reader(&reader), lanes(lanes),
        mode(mode) {}

  /// Emits the body for several points at once, op by op: an input value that
  /// several of them read is then needed at about the same time by all, and
  /// stays in a register. One emitter per point, or per row of points, whose
  /// first has the given coordinates. Returns the operands of stencil.return.
  /// Fails with an error at an op that has no form over memrefs. `joint` are
  /// the same points: branches that all of them take alike are emitted once.
  static FailureOr<SmallVector<SmallVector<LaneValue>>>
  emitJointly(OpBuilder &builder, llvm::MutableArrayRef<BodyEmitter> emitters,
              ArrayRef<SmallVector<Value>> points,
              const JointPoints &joint = {});

  /// True if the body can be emitted for vectors.
  static bool canVectorise(ApplyOp apply);

private:
  using Map = DenseMap<Value, LaneValue>;

  void start(ValueRange point);
  SmallVector<LaneValue> finish(OpBuilder &builder);
  LogicalResult emitBlock(OpBuilder &builder, Block &block);
  LogicalResult emitOp(OpBuilder &builder, Operation *op);
  /// What the op's only result is; never fails.
  LogicalResult set(Operation *op, Value value);
  static LogicalResult emitSum(OpBuilder &builder, WeightedSumOp op,
                               llvm::MutableArrayRef<BodyEmitter> emitters,
                               unsigned columns = 1);
  /// JointBranches.cpp: a block, and a branch of it, for several points.
  static LogicalResult
  emitBlockJointly(OpBuilder &builder, Block &block,
                   llvm::MutableArrayRef<BodyEmitter> emitters,
                   const JointPoints &joint);
  static LogicalResult
  emitBranchJointly(OpBuilder &builder, Operation *op,
                    llvm::MutableArrayRef<BodyEmitter> emitters,
                    const JointPoints &joint);
  Value emitFused(OpBuilder &builder, Operation *op, FusedProduct fused);
  Value emitDynAccess(OpBuilder &builder, DynAccessOp op);
  Value emitIndex(OpBuilder &builder, IndexOp op);
  /// MatrixRows.cpp.
  Value emitMatVec(OpBuilder &builder, MatVecOp op);
  LogicalResult emitSelect(OpBuilder &builder, Operation *op);
  LaneValue select(ImplicitLocOpBuilder &b, Value condition,
                   const LaneValue &one, const LaneValue &other);
  LogicalResult emitBranch(OpBuilder &builder, Operation *op);
  LogicalResult emitGeneric(OpBuilder &builder, Operation *op);

  Value broadcast(ImplicitLocOpBuilder &b, Value value);
  Value lookup(Value value) const { return map.lookup(value).value; }

  ApplyOp apply;
  ValueRange inputs;
  InputReader *reader;
  int64_t lanes;
  MathMode mode;
  SmallVector<Value> coordinates;
  Map map;
};

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_BODYEMITTER_H
