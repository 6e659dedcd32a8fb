//===- EdgeBranch.cpp - Blocks with patches, and those without ------------===//
//
//   walk, or all of a kernel without one
//     ==> %e = tile.at_edge
//         scf.if %e { the same } else { the same without patches }
//
// Blocks that are in a box as a whole have a copy in the same way.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/OpWalks.h"
#include "WalkExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

bool tile::hasPatches(KernelOp kernel) {
  return kernel.getBodyBlock()->getOps<AtEdgeOp>().empty() &&
         anyWithin(kernel.getBody(), [](PatchOp) { return true; });
}

/// Whether a block needs anything beyond the box of a boundary.
static Value findEdge(OpBuilder &builder, KernelOp kernel) {
  llvm::SetVector<std::pair<BoundsAttr, BoundaryAttr>> seen;
  Value edge;
  kernel.getBody().walk([&](PatchOp patch) {
    if (!seen.insert({patch.getNeeds(), patch.getBoundary()}))
      return;
    Location loc = patch.getLoc();
    Value here = AtEdgeOp::create(builder, loc, builder.getI1Type(),
                                  patch.getNeeds(), patch.getBoundary());
    edge = edge ? arith::OrIOp::create(builder, loc, edge, here) : here;
  });
  return edge;
}

/// Leaves out what other blocks do not need.
static void removePatches(Region &region) {
  SmallVector<Operation *> unneeded;
  region.walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op))
      copy.removeBoundaryAttr();
    auto barrier = dyn_cast<BarrierOp>(op);
    if (isa<FringeOp, PatchOp>(op) || (barrier && barrier.getForPatches()))
      unneeded.push_back(op);
  });
  for (Operation *op : unneeded)
    op->erase();
}

/// The first op of what is different; rings are in front of it.
static Operation *findBegin(KernelOp kernel) {
  Block *body = kernel.getBodyBlock();
  for (auto walk : body->getOps<WalkOp>())
    return walk;
  SmallVector<Operation *> rings;
  Operation *begin = nullptr;
  for (Operation &op : *body) {
    if (!begin && !isa<RingOp>(op))
      begin = &op;
    if (begin && isa<RingOp>(op))
      rings.push_back(&op);
  }
  for (Operation *ring : rings)
    ring->moveBefore(begin);
  return begin;
}

/// Puts all from `begin` on into the branch of a condition, and a copy of it
/// into the other one.
static scf::IfOp branchFrom(Operation *begin, Value condition) {
  OpBuilder builder(begin);
  Block *body = begin->getBlock();
  auto branch = scf::IfOp::create(builder, begin->getLoc(), condition,
                                  /*withElseRegion=*/true);
  Block *here = branch.thenBlock();
  here->getOperations().splice(here->begin(), body->getOperations(),
                               begin->getIterator(), body->end());
  builder.setInsertionPointToStart(branch.elseBlock());
  IRMapping mapping;
  for (Operation &op : here->without_terminator())
    builder.clone(op, mapping);
  return branch;
}

void tile::splitAtEdge(KernelOp kernel) {
  Operation *begin = findBegin(kernel);
  OpBuilder builder(begin);
  scf::IfOp branch = branchFrom(begin, findEdge(builder, kernel));
  removePatches(branch.getElseRegion());
  branch.getThenRegion().walk(
      [](BarrierOp barrier) { barrier.setForPatches(false); });
}

scf::IfOp tile::splitAtBox(KernelOp kernel, BoundsAttr box) {
  GridAttr grid = kernel.getGrid();
  int64_t rank = grid.getRank();
  OpBuilder builder(kernel.getContext());
  SmallVector<int64_t> lower(grid.getDomain().getLb());
  SmallVector<int64_t> upper(grid.getDomain().getUb());
  bool isAny = false, isEmpty = false;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (grid.getWalk() == axis)
      continue;
    int64_t first = lower[axis], end = upper[axis];
    lower[axis] = std::max(first, box.getLb()[axis]);
    upper[axis] = std::min(end, box.getUb()[axis]);
    isAny |= lower[axis] > first || upper[axis] < end;
    isEmpty |= lower[axis] >= upper[axis];
  }
  // Of what is kept it would not be asked.
  SmallVector<Attribute> sides(2 * rank, NeumannAttr::get(kernel.getContext()));
  if (!isAny || isEmpty)
    return {};
  Operation *begin = findBegin(kernel);
  builder.setInsertionPoint(begin);
  // Where tiles overlap, stages compute points beside the block's own.
  SmallVector<int64_t> below(rank, 0), above(rank, 1);
  kernel.getBody().walk([&](ApplyOp stage) {
    BoundsAttr points = stage.getDomain();
    for (int64_t axis = 0; axis < rank; ++axis) {
      if (grid.getWalk() == axis)
        continue;
      below[axis] = std::min(below[axis], points.getLb()[axis]);
      above[axis] =
          std::max(above[axis], points.getUb()[axis] - grid.getTile(axis) + 1);
    }
  });
  auto needs = BoundsAttr::get(kernel.getContext(), below, above);
  Value edge = AtEdgeOp::create(
      builder, begin->getLoc(), builder.getI1Type(), needs,
      BoundaryAttr::get(kernel.getContext(),
                        BoundsAttr::get(kernel.getContext(), lower, upper),
                        builder.getArrayAttr(sides), /*reach=*/{}));
  return branchFrom(begin, edge);
}
