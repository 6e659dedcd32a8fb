//===- LoopKeys.cpp - What an op says of its loops on a CPU ---------------===//

#include "LoopKeys.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/Conversion/FoldMath.h"
#include "StencilDialect/IR/Elements.h"

using namespace mlir;
using namespace stencil;

CPULoopsAttr stencil::getLoops(Operation *op) {
  auto own = op->getAttrOfType<CPULoopsAttr>(CPULoopsAttr::kAttrName);
  return own ? own : LoopKeys().get(op->getContext());
}

CPULoopsAttr stencil::getLoops(BoundaryOp op, int64_t axis) {
  auto own = op->getAttrOfType<ArrayAttr>(CPULoopsAttr::kAttrName);
  return own ? cast<CPULoopsAttr>(own[axis]) : LoopKeys().get(op.getContext());
}

bool stencil::storesAllPoints(ApplyOp op) {
  return llvm::none_of(op.getBodyBlock()->getTerminator()->getOperandTypes(),
                       [](Type type) { return isa<ResultType>(type); });
}

/// LLVM has to end, too.
static LogicalResult checkVectors(Operation *op, CPULoopsAttr loops,
                                  unsigned bits) {
  constexpr int64_t kMostBits = 1 << 16;
  int64_t lanes = std::max(loops.getLanes(), loops.getAroundLanes());
  if (lanes == 1 || lanes * bits <= kMostBits)
    return success();
  return op->emitOpError("expected vectors of at most ")
         << kMostBits << " bits, got " << lanes << " lanes of " << bits;
}

static LogicalResult checkTile(Operation *op, CPULoopsAttr loops,
                               int64_t rank) {
  auto sizes = static_cast<int64_t>(loops.getTile().size());
  if (sizes == 0 || sizes == rank)
    return success();
  return op->emitOpError("expected a tile of ")
         << rank << " sizes, got " << sizes;
}

static LogicalResult checkApply(ApplyOp op, CPULoopsAttr loops) {
  if (loops.getLanes() > 1 && !BodyEmitter::canVectorise(op))
    return op.emitOpError("expected a body that can be computed for vectors, "
                          "as its loops have ")
           << loops.getLanes() << " lanes";
  for (unsigned i = 0; i < op.getNumOutputs(); ++i)
    if (loops.getLanes() > 1 &&
        failed(
            checkVectors(op, loops, getBitWidth(op.getOutputElementType(i)))))
      return failure();
  int64_t rank = op.getRank();
  SmallVector<int64_t> unroll = op.getUnrollFactors();
  if (loops.getRows() > 1 && (rank < 2 || unroll[rank - 2] != 1))
    return op.emitOpError("expected several rows, and a body for one of them, "
                          "as its loops compute ")
           << loops.getRows() << " rows together";
  if (loops.getPlanes() > 1 &&
      (rank < 3 || loops.getAround() == 0 || !op.isBufferised()))
    return op.emitOpError("expected a volume that is written around the "
                          "caches, as its loops compute ")
           << loops.getPlanes() << " planes together";
  if (loops.getPlainPlanes() > 1 &&
      (rank < 3 || loops.getRows() > 1 || !op.isBufferised() ||
       llvm::product_of(unroll) != 1))
    return op.emitOpError("expected a volume, and a body for one point, row by "
                          "row, as its loops compute ")
           << loops.getPlainPlanes() << " planes together";
  if (loops.getAroundLanes() > 0 && loops.getAround() == 0)
    return op.emitOpError("expected results that are written around the "
                          "caches, as its loops have vectors for these");
  if (!op.isBufferised())
    return success();
  if (failed(checkTile(op, loops, rank)))
    return failure();
  for (auto [size, factor] : llvm::zip(loops.getTile(), unroll))
    if (size % factor != 0)
      return op.emitOpError("expected tiles of whole groups of ")
             << factor << " points, got a size of " << size;
  if (loops.getBlocks() && rank < 3)
    return op.emitOpError("expected a volume, as its loops have blocks of "
                          "rows, got ")
           << rank << " axes";
  if (loops.getAround() == 0)
    return success();
  if (loops.getLanes() == 1 || op.getDest().size() != 1 ||
      !storesAllPoints(op) || llvm::product_of(unroll) != 1)
    return op.emitOpError("expected vectors, and one result that has a value "
                          "at each point, of a body for one point, to write "
                          "it around the caches");
  return success();
}

static LogicalResult checkFold(FoldOp op, CPULoopsAttr loops) {
  auto type = cast<GridType>(op.getTemps().front().getType());
  if (loops.getLanes() > 1 && !hasVectorLayout(type.getElementType()))
    return op.emitOpError("expected elements of which there are vectors, as "
                          "its loops have ")
           << loops.getLanes() << " lanes, got " << type.getElementType();
  if (loops.getLanes() > 1 &&
      failed(checkVectors(op, loops,
                          getBitWidth(Folder(op).getAccumulatorType()))))
    return failure();
  if (op.getBounds().getRank() == 1)
    return checkTile(op, loops, 1);
  if (loops.getTile().empty())
    return success();
  return op.emitOpError("expected no tile: with several axes, what one index "
                        "of the first has is folded first");
}

LogicalResult stencil::checkLoops(Operation *op) {
  if (auto boundary = dyn_cast<BoundaryOp>(op)) {
    int64_t rank = boundary.getBounds().getRank();
    for (int64_t axis = 0; axis < rank; ++axis)
      if (failed(checkTile(op, getLoops(boundary, axis), rank - 1)))
        return failure();
    return success();
  }
  CPULoopsAttr loops = getLoops(op);
  if (auto apply = dyn_cast<ApplyOp>(op))
    return checkApply(apply, loops);
  if (auto fold = dyn_cast<FoldOp>(op))
    return checkFold(fold, loops);
  if (auto pipeline = dyn_cast<PipelineOp>(op))
    return checkTile(op, loops, pipeline.getRank());
  return success();
}
