//===- TileIterations.cpp - Which iteration a plane is of -----------------===//

#include "TileBlock.h"
#include "TileOps.h"
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

std::optional<int64_t> stencil::getAwaited(Value ring) {
  std::optional<int64_t> awaited;
  for (Operation *user : ring.getUsers())
    if (auto wait = dyn_cast<tile::WaitOp>(user)) {
      int64_t plane = wait.getPlane();
      awaited = std::max(awaited.value_or(plane), plane);
    }
  return awaited;
}

int64_t stencil::countUntilAwaited(tile::CopyOp copy) {
  int64_t plane = copy.getPlane();
  return std::max<int64_t>(plane - getAwaited(copy.getRing()).value_or(plane),
                           0);
}

int64_t stencil::findFirstPlane(tile::RingOp ring) {
  std::optional<int64_t> first;
  for (Operation *user : ring.getRes().getUsers())
    if (auto copy = dyn_cast<tile::CopyOp>(user)) {
      int64_t plane = copy.getPlane();
      first = std::min(first.value_or(plane), plane);
    }
  return first.value_or(0);
}
