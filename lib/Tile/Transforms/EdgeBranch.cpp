//===- EdgeBranch.cpp - Blocks with patches, and those without ------------===//
//
//   walk, or all of a kernel without one
//     ==> %e = tile.at_edge
//         scf.if %e { the same } else { the same without patches }
//
//===----------------------------------------------------------------------===//

#include "EdgeBranch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

bool tile::hasPatches(KernelOp kernel) {
  if (!kernel.getBodyBlock()->getOps<AtEdgeOp>().empty())
    return false;
  return kernel.getBody()
      .walk([](PatchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
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

void tile::splitAtEdge(KernelOp kernel) {
  Operation *begin = findBegin(kernel);
  OpBuilder builder(begin);
  Value edge = findEdge(builder, kernel);
  auto branch = scf::IfOp::create(builder, begin->getLoc(), edge,
                                  /*withElseRegion=*/true);
  Block *body = kernel.getBodyBlock(), *here = branch.thenBlock();
  here->getOperations().splice(here->begin(), body->getOperations(),
                               begin->getIterator(), body->end());
  builder.setInsertionPointToStart(branch.elseBlock());
  IRMapping mapping;
  for (Operation &op : here->without_terminator())
    builder.clone(op, mapping);
  removePatches(branch.getElseRegion());
  branch.getThenRegion().walk(
      [](BarrierOp barrier) { barrier.setForPatches(false); });
}
