//===- TileIterations.cpp - Which iteration a plane is of -----------------===//

#include "TileIterations.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "TileKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

bool stencil::isIteration(Value plane) {
  if (plane.getDefiningOp<tile::SegmentOp>())
    return true;
  auto sum = plane.getDefiningOp<arith::AddIOp>();
  if (!sum || !sum.getLhs().getDefiningOp<tile::SegmentOp>())
    return false;
  Value number = sum.getRhs();
  if (auto next = number.getDefiningOp<arith::AddIOp>()) {
    auto step = Arithmetic::getConstant(next.getRhs());
    if (!step || *step < 0)
      return false;
    number = next.getLhs();
  }
  auto argument = dyn_cast<BlockArgument>(number);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && argument == loop.getInductionVar();
}

bool stencil::isBehindLookback(Value plane, int64_t lookback) {
  if (lookback == 0)
    return true;
  while (auto sum = plane.getDefiningOp<arith::AddIOp>()) {
    // first + number, and constants.
    bool isFirst = sum.getLhs().getDefiningOp<tile::SegmentOp>() ||
                   matchPattern(sum.getLhs(), m_Constant());
    plane = isFirst ? sum.getRhs() : sum.getLhs();
    if (auto constant =
            Arithmetic::getConstant(isFirst ? sum.getLhs() : sum.getRhs());
        constant && *constant < 0)
      return false;
  }
  auto number = dyn_cast<BlockArgument>(plane);
  auto loop = number ? dyn_cast<scf::ForOp>(number.getOwner()->getParentOp())
                     : scf::ForOp();
  if (!loop || number != loop.getInductionVar())
    return false;
  // In a segment without planes it begins at their count, and ends there.
  Value lower = loop.getLowerBound();
  if (auto choice = lower.getDefiningOp<arith::SelectOp>();
      choice && choice.getTrueValue().getDefiningOp<tile::SegmentOp>())
    lower = choice.getFalseValue();
  if (auto begin = Arithmetic::getConstant(lower))
    return *begin >= lookback;
  // What an unrolled loop has left: behind all of its iterations.
  if (auto whole = lower.getDefiningOp<arith::SubIOp>())
    if (auto left = whole.getRhs().getDefiningOp<arith::RemUIOp>())
      if (auto stored = left.getLhs().getDefiningOp<arith::SubIOp>())
        if (auto number = Arithmetic::getConstant(stored.getRhs()))
          return whole.getLhs() == stored.getLhs() &&
                 whole.getLhs().getDefiningOp<tile::SegmentOp>() &&
                 *number >= lookback;
  return false;
}

/// Plane p of a stage, or of a store; null if it is not known as a number.
static Value getIterationOf(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return store.getIteration();
  auto stage = dyn_cast<ApplyOp>(op);
  if (!stage)
    return {};
  if (Value plane = tile::getPlaneOf(stage))
    return plane;
  for (Value input : stage.getArgs())
    if (tile::isFieldSource(input))
      return input.getDefiningOp<tile::SourceOp>().getIteration();
  return {};
}

/// Whether somebody needs the plane that stages in a tile.where are for; null
/// if they do in all iterations.
FailureOr<Value> TileKernel::isDue(tile::WhereOp where) {
  if (!walk)
    return Value();
  Value iteration;
  for (Operation &inner : *where.getBodyBlock())
    if (!iteration)
      iteration = getIterationOf(&inner);
  std::optional<int64_t> lead;
  for (auto stage : where.getBodyBlock()->getOps<ApplyOp>()) {
    int64_t own = stage.getDomain().getLb()[*walk];
    if (stage.getDomain().getUb()[*walk] != own + 1 ||
        lead.value_or(own) != own)
      return stage.emitOpError("has no distribution to threads: expected one "
                               "plane for all stages of a tile.where");
    lead = own;
  }
  if (!lead)
    return Value();
  BoundsAttr needs = where.getNeedsAttr();
  int64_t first = needs ? needs.getLb()[*walk] : 0;
  int64_t last = needs ? needs.getUb()[*walk] - 1 : 0;
  bool isIn = iteration && isBehindLookback(iteration, lookback);
  bool isLate = *lead > last;
  bool isEarly = *lead < first || (*lead < first + lookback && !isIn);
  if (!isLate && !isEarly)
    return Value();
  if (!iteration)
    return where.emitOpError("has no distribution to threads: expected a "
                             "source of a field, or 'tile.plane', to know from "
                             "which plane its stages are for");
  Arithmetic math = kernel.math();
  Value plane = math.add(getPlane(iteration), *lead), due;
  if (isEarly)
    due = math.lessEqual(math.add(segmentStart, first), plane);
  if (isLate)
    due = math.both(due, math.less(plane, math.add(segmentEnd, last)));
  return due;
}
