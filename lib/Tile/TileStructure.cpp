//===- TileStructure.cpp - What may stand where in a kernel ---------------===//
//
// Who reads a ring, a field or a value knows where it comes from: a ring is the
// result of its op, a field an argument of the kernel, and a source is for
// stages alone. Passes and the distribution to threads rely on that, so that
// nothing may stand between, such as a selection.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/OpWalks.h"
#include "TileChecks.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

/// "the result of 'arith.select'", for errors.
static std::string describe(Value value) {
  if (Operation *made = value.getDefiningOp())
    return ("the result of '" + made->getName().getStringRef() + "'").str();
  Operation *owner = value.getParentBlock()->getParentOp();
  return ("a block argument of '" + owner->getName().getStringRef() + "'")
      .str();
}

static bool isTileOp(Operation *op) {
  return isa_and_nonnull<TileDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Fields and rings.
static LogicalResult verifyMemory(KernelOp kernel, Operation *op,
                                  Value operand) {
  bool isRing = isa<RingType>(operand.getType());
  if (!isTileOp(op) || isa<tile::YieldOp, WalkOp>(op))
    return op->emitOpError("expected values and numbers, got ")
           << operand.getType() << ": "
           << (isRing ? "a ring" : "a field of a kernel")
           << " is read by way of a tile.source";
  if (isRing && !operand.getDefiningOp<RingOp>())
    return op->emitOpError("expected a ring that a tile.ring is the op of, "
                           "got ")
           << describe(operand);
  if (!isRing && !kernel.getOperandOf(operand) &&
      !operand.getDefiningOp<TurnOp>())
    return op->emitOpError("expected a field that is an argument of the "
                           "kernel, got ")
           << describe(operand);
  return success();
}

static LogicalResult verifyCursor(Operation *op, Value cursor) {
  Operation *made = cursor.getDefiningOp();
  if (!made)
    made = cursor.getParentBlock()->getParentOp();
  if (!isa<CursorOp, AdvanceOp, WalkOp, LoopLikeOpInterface>(made))
    return op->emitOpError("expected a cursor of a tile.walk, a tile.cursor, a "
                           "tile.advance or a loop, got ")
           << describe(cursor);
  if (!isTileOp(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
      !isa<LoopLikeOpInterface>(op))
    return op->emitOpError("expected values and numbers, got a cursor");
  return success();
}

/// Values on boxes.
static LogicalResult verifyValues(Operation *op, Value values) {
  if (values.getDefiningOp<SourceOp>() &&
      !isa<ApplyOp, tile::FoldOp, tile::StoreOp>(op))
    return withNote(
        op->emitOpError(
            "expected values that threads hold, got memory, which only stages "
            "read"),
        values.getLoc(), "the tile.source is here");
  return success();
}

static LogicalResult verifyOperand(KernelOp kernel, Operation *op,
                                   Value operand) {
  Type type = operand.getType();
  if (isa<RingType, FieldType>(type))
    return verifyMemory(kernel, op, operand);
  if (isa<CursorType>(type))
    return verifyCursor(op, operand);
  if (isa<TempType>(type))
    return verifyValues(op, operand);
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A box that threads can hold, in numbers that are small enough for positions
/// of 32 bits.
static LogicalResult verifyBox(KernelOp kernel, Operation *op, TempType type) {
  constexpr int64_t kMaxPoints = int64_t(1) << 20;
  BoundsAttr box = type.getBounds();
  int64_t rank = kernel.getGrid().getRank();
  if (!box || box.isSymbolic() || box.getRank() != rank)
    return op->emitOpError("expected values on a box of rank ")
           << rank << ", got " << type;
  int64_t points = 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t lower = box.getLb()[axis], upper = box.getUb()[axis];
    if (lower < -kMaxReach || upper > kMaxReach)
      return op->emitOpError("expected a box from ")
             << -kMaxReach << " to " << kMaxReach << " along axis " << axis
             << ", got [" << lower << "," << upper << "]";
    points = std::min(points * std::min(upper - lower, kMaxPoints + 1),
                      kMaxPoints + 1);
  }
  if (points > kMaxPoints)
    return op->emitOpError("expected a box of at most ")
           << kMaxPoints << " points, got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Walks, loops and stages
//===----------------------------------------------------------------------===//

/// In a walk, ops are for its plane: what an op says of another one, it says
/// with an offset, which verifiers and passes read.
static LogicalResult verifyInWalk(Operation *op) {
  auto walk = op->getParentOfType<WalkOp>();
  if (!walk || !isTileOp(op) || isa<tile::YieldOp>(op))
    return success();
  if (op->hasTrait<IsOrdered>() && op->getParentOp() != walk)
    return op->emitOpError("expected in the body of the tile.walk itself, "
                           "where its place in the order of ops is known");
  for (Value operand : op->getOperands()) {
    if (operand.getType().isIndex() && operand != walk.getPlane())
      return op->emitOpError("expected the plane of the walk, got ")
             << describe(operand);
    if (isa<CursorType>(operand.getType()) &&
        !llvm::is_contained(walk.getCursors(), operand))
      return op->emitOpError("expected a cursor of the walk, got ")
             << describe(operand);
  }
  return success();
}

/// Loops by hand. Steps are known not to be zero: there would be no end.
static LogicalResult verifyLoop(LoopLikeOpInterface loop) {
  for (Value init : loop.getInits()) {
    Type type = init.getType();
    if (!isa<CursorType, TempType>(type) && !type.isIntOrIndexOrFloat())
      return loop->emitOpError("expected to carry cursors, values on boxes and "
                               "numbers, got ")
             << type;
  }
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  for (OpFoldResult step : steps.value_or(SmallVector<OpFoldResult>())) {
    std::optional<int64_t> known = getConstantIntValue(step);
    if (known && *known > 0)
      continue;
    InFlightDiagnostic diagnostic =
        loop->emitOpError("expected a positive constant as step");
    return known ? diagnostic << ", got " << *known : diagnostic;
  }
  return success();
}

/// What a thread computes at a point knows nothing of the block.
static LogicalResult verifyBody(ApplyOp stage, StageReads &reads) {
  auto checkOp = [&](Operation *op) -> LogicalResult {
    if (!isTileOp(op))
      return success();
    return withNote(
        op->emitOpError("expected to be outside of the body of a stage"),
        stage.getLoc(), "the stage is here");
  };
  if (failed(checkWithin(stage.getRegion(), checkOp)))
    return failure();
  // A ring has the axes of the kernel.
  Operation *turned = nullptr;
  for (auto [index, operand] : llvm::enumerate(stage.getArgs())) {
    auto source = operand.getDefiningOp<SourceOp>();
    if (!source || !isa<RingType>(source.getMemory().getType()))
      continue;
    reads.forEachRead(stage, index, [&](const InputRead &read) {
      for (auto [axis, of] : llvm::enumerate(read.axes))
        if (of != static_cast<int64_t>(axis))
          turned = read.op;
    });
  }
  if (turned)
    return turned->emitOpError("expected a ring to be read with the axes of "
                               "the kernel in their order");
  return success();
}

static LogicalResult verifyOp(KernelOp kernel, Operation *op) {
  for (Value operand : op->getOperands())
    if (failed(verifyOperand(kernel, op, operand)))
      return failure();
  if (failed(verifyInWalk(op)))
    return failure();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
      loop && failed(verifyLoop(loop)))
    return failure();
  if (isa<SourceOp>(op))
    return success();
  for (Value result : op->getResults())
    if (auto type = dyn_cast<TempType>(result.getType())) {
      if (!isTileOp(op) && !isa<ApplyOp, ub::PoisonOp>(op) &&
          op->getNumRegions() == 0)
        return op->emitOpError("expected values on boxes to be made by stages "
                               "and ops of the dialect tile");
      if (failed(verifyBox(kernel, op, type)))
        return failure();
    }
  return success();
}

LogicalResult tile::verifyStructure(KernelOp kernel, StageReads &reads) {
  return checkWithin<WalkOrder::PreOrder>(kernel.getBody(), [&](Operation *op) {
    auto stage = dyn_cast<ApplyOp>(op);
    if (failed(verifyOp(kernel, op)) ||
        (stage && failed(verifyBody(stage, reads))))
      return WalkResult::interrupt();
    return stage ? WalkResult::skip() : WalkResult::advance();
  });
}
